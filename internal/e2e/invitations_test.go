package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/quotedprintable"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"paydown/ent"
	"paydown/ent/notification"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/store"
)

// If there is a mail server, the token for choosing a password reaches the member and nobody else.

// mailedLink matches the link in a mail.
var mailedLink = regexp.MustCompile(`https://([^/\s]+)/reset\?token=([A-Za-z0-9_-]{43})`)

// mailed waits for the nth mail to an address, and returns its text.
func mailed(t *testing.T, receiver *apptest.MailServer, address string, n int) string {
	t.Helper()
	var found []apptest.Mail
	until(t, fmt.Sprintf("mail %d to %s", n, address), func() bool {
		found = nil
		for _, m := range receiver.Mails() {
			if m.To == address {
				found = append(found, m)
			}
		}
		return len(found) >= n
	})
	_, raw, _ := strings.Cut(found[n-1].Raw, "\r\n\r\n")
	text, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(raw)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// linkIn returns the token of the link in a mail, which points to the host.
func linkIn(t *testing.T, text, host string) string {
	t.Helper()
	links := mailedLink.FindAllStringSubmatch(text, -1)
	if len(links) != 1 || links[0][1] != host {
		t.Fatalf("the mail has no link to %s: %s", host, text)
	}
	return links[0][2]
}

// mailing runs a test on both databases, with a mail server.
func mailing(t *testing.T, test func(t *testing.T, a *apptest.App, receiver *apptest.MailServer)) {
	t.Helper()
	for name, start := range map[string]func(testing.TB, ...apptest.Option) *apptest.App{
		"SQLite": apptest.OnSQLite, "PostgreSQL": apptest.OnPostgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			receiver := apptest.NewMailServer(t, false)
			test(t, start(t, apptest.Mailing(t, receiver)), receiver)
		})
	}
}

func TestATokenIsMailedToTheMemberAlone(t *testing.T) {
	t.Parallel()
	mailing(t, func(t *testing.T, a *apptest.App, receiver *apptest.MailServer) {
		d := booktest.OpenDesk(t, a, "mailed.test")
		boss := d.Staff(t, "boss@mailed.test", "admin")
		accounting := d.RoleID(t, "accounting")
		a.Member(t, d.Host, "old@mailed.test", "accounting")
		old := d.UserID(t, "old@mailed.test")
		const token43 = `[A-Za-z0-9_-]{43}`
		var answers []string
		for email, open := range map[string]func(email string) (token, mailedTo string){
			"graph@mailed.test": func(email string) (string, string) {
				answer := boss.With("Idempotency-Key", "one").Do(t, http.MethodPost, "/graphql", object{"query": fmt.Sprintf(
					`mutation { createUser(input: {email: %q, roleId: %d}) {
						user { email } reset { token mailedTo expiresAt } } }`, email, accounting)})
				answers = append(answers, string(answer.Body))
				reset := answer.Want(t, http.StatusOK).In("data").In("createUser").In("reset")
				return reset.Text("token"), reset.Text("mailedTo")
			},
			"services@mailed.test": func(email string) (string, string) {
				answer := booktest.RPC(t, boss, "CreateUser", object{"email": email, "roleId": accounting})
				answers = append(answers, string(answer.Body))
				made := answer.Want(t, http.StatusOK)
				return made.Text("token"), made.Text("mailedTo")
			},
			"old@mailed.test": func(string) (string, string) {
				answer := booktest.RPC(t, boss, "ResetPassword", object{"id": old})
				answers = append(answers, string(answer.Body))
				reset := answer.Want(t, http.StatusOK)
				return reset.Text("token"), reset.Text("mailedTo")
			},
		} {
			if token, to := open(email); token != "" || to != email {
				t.Errorf("%s: the token is %q, mailed to %q", email, token, to)
			}
			token := linkIn(t, mailed(t, receiver, email, 1), d.Host)
			answers = append(answers, a.Log.String(), everything(t, d))
			for _, answer := range answers {
				if strings.Contains(answer, token) {
					t.Errorf("the token of %s stands in %.200s", email, answer)
				}
			}
			choose := func() *apptest.Answer {
				return d.Do(t, http.MethodPost, "/auth/reset", object{"token": token, "password": apptest.Password})
			}
			choose().Want(t, http.StatusOK)
			choose().Problem(t, http.StatusBadRequest, "validation_error")
			d.Staff(t, email, "")
		}
		if regexp.MustCompile(`"token": *"` + token43).MatchString(strings.Join(answers, "\n")) {
			t.Error("an answer shows a token")
		}
		// A member invited by mail has an account created by the administrator; a mailed reset gives nobody access.
		ctx, read := d.Inside(t)
		var who []string
		for _, row := range read.AccountAccess.Query().WithUser().Order(ent.Asc("id")).AllX(ctx) {
			who = append(who, string(row.Kind)+" "+row.Edges.User.Email)
		}
		if len(who) != 2 || !strings.HasPrefix(who[0], "CREATED") || !strings.HasPrefix(who[1], "CREATED") ||
			strings.Contains(strings.Join(who, " "), "old@") {
			t.Errorf("accesses: %v", who)
		}
		text := mailed(t, receiver, "old@mailed.test", 1)
		booktest.Says(t, text, "boss@mailed.test started a reset of your password", "it is about your account")
	})
}

// everything returns as text what the tables about accounts and mail hold.
func everything(t *testing.T, d *booktest.Desk) string {
	t.Helper()
	ctx, read := d.Inside(t)
	raw, err := json.Marshal([]any{
		read.Notification.Query().AllX(ctx), read.PasswordReset.Query().AllX(ctx), read.AuditEntry.Query().AllX(ctx),
		read.IdempotencyRecord.Query().AllX(ctx), read.OutboxEvent.Query().AllX(ctx),
	})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// A mail that cannot be sent at first, and then is sent by another process, has the original link; one that was
// replaced meanwhile is not sent.
func TestALinkOutlivesTheProcessThatMadeIt(t *testing.T) {
	t.Parallel()
	mailing(t, func(t *testing.T, a *apptest.App, receiver *apptest.MailServer) {
		d := &booktest.Desk{Client: a.Client(t, "later.test"), App: a} // by the real clock, as the database's
		boss := d.Staff(t, "boss@later.test", "admin")
		id := a.Member(t, d.Host, "sam@later.test", "sales")
		down := func(string) error {
			return &smtp.SMTPError{Code: 421, EnhancedCode: smtp.EnhancedCode{4, 3, 2}, Message: "closing"}
		}
		receiver.On(apptest.FromSender, down)
		reset := fmt.Sprintf("mutation { resetUserPassword(id: %d) { mailedTo } }", id)
		boss.Graph(t, reset, nil)
		boss.Graph(t, reset, nil)
		ctx, read := d.Inside(t)
		until(t, "an attempt has failed, and none is under way", func() bool {
			claimed := notification.And(notification.MailErrorIsNil(), notification.MailNextAtGT(time.Now().Add(time.Second)))
			return read.Notification.Query().Where(notification.MailErrorNotNil()).ExistX(ctx) &&
				!read.Notification.Query().Where(notification.MailStateEQ(notification.MailStateDUE), claimed).ExistX(ctx)
		})
		receiver.On(apptest.FromSender, func(string) error { return nil })
		other := a.Replica(t, apptest.Mailing(t, receiver))
		const later = 90 * time.Second // the next attempt is due; what a process has claimed since is still its own
		a.AdvanceAll(later)
		other.AdvanceAll(later)
		until(t, "both are over", func() bool {
			if err := other.Notifications.SendDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			return !read.Notification.Query().Where(notification.MailStateEQ(notification.MailStateDUE)).ExistX(ctx)
		})
		rows := read.Notification.Query().Order(ent.Asc("id")).AllX(ctx)
		if len(rows) != 2 || rows[0].MailState != notification.MailStateGIVEN_UP || rows[0].MailError == nil ||
			*rows[0].MailError != "link_ended" || rows[1].MailState != notification.MailStateSENT {
			t.Fatalf("the notifications are %v", rows)
		}
		token := linkIn(t, mailed(t, receiver, "sam@later.test", 1), d.Host)
		d.Do(t, http.MethodPost, "/auth/reset", object{"token": token, "password": apptest.Password}).Want(t, http.StatusOK)
		if n := len(receiver.Mails()); n != 1 {
			t.Errorf("%d mails were sent", n)
		}
	})
}

// The command line invites members by mail as well: a server sends what it queues.
func TestTheCommandLineInvitesByMail(t *testing.T) {
	t.Parallel()
	installations(t, func(t *testing.T, i *installation) {
		receiver := apptest.NewMailServer(t, false)
		i.mails(receiver)
		invited := i.user(t, "", "create", "--email", "sam@crash.test", "--role", "admin", "--json")
		if invited["token"] != "" || invited["mailedTo"] != "sam@crash.test" {
			t.Errorf("invited: %v", invited)
		}
		server := i.serve(t)
		token := linkIn(t, mailed(t, receiver, "sam@crash.test", 1), i.host)
		server.Do(t, http.MethodPost, "/auth/reset", object{"token": token, "password": apptest.Password}).
			Want(t, http.StatusOK)
		said, err := i.command("user", "reset", "--tenant", i.host, "sam@crash.test").CombinedOutput()
		out := string(said)
		if err != nil || !strings.Contains(out, "mailed to sam@crash.test") {
			t.Errorf("%v: %s", err, out)
		}
		next := linkIn(t, mailed(t, receiver, "sam@crash.test", 2), i.host)
		if strings.Contains(out, next) {
			t.Error("the command shows the token")
		}
		i.change(t, func(ctx context.Context, tx *store.Tx) error {
			if n := tx.AccountAccess.Query().CountX(ctx); n != 0 {
				t.Errorf("%d accesses of an operator", n)
			}
			return nil
		})
	})
}
