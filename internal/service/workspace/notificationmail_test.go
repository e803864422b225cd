package workspace_test

import (
	"context"
	"io"
	"mime/quotedprintable"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"paydown/ent"
	"paydown/ent/notification"
	"paydown/internal/apptest"
	"paydown/internal/service"
	"paydown/internal/service/workspace"
	"paydown/internal/store"
)

// patience limits how long a test waits on a busy machine.
const patience = 2 * time.Minute

// mailing runs a test on both databases with a mail server.
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

func notify(t *testing.T, a *apptest.App, host, title string) {
	t.Helper()
	n := workspace.Notice{Kind: "test", Title: title, Body: "Look at it.", Entity: "webhookEndpoint", EntityID: 7}
	if err := a.Notifications.NotifyInOwnWrite(a.Operator(t, host), n, nil); err != nil {
		t.Fatal(err)
	}
}

// latest returns the tenant's latest notification.
func latest(t *testing.T, a *apptest.App, host string) *ent.Notification {
	t.Helper()
	row, err := a.Store.Reader().Notification.Query().Order(ent.Desc(notification.FieldID)).First(a.Operator(t, host))
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// await waits until a condition is true. Meanwhile each app sends due mail.
func await(t *testing.T, what string, holds func() bool, apps ...*apptest.App) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for look := time.NewTicker(5 * time.Millisecond); !holds(); <-look.C {
		for _, a := range apps {
			if err := a.Notifications.SendDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s: not yet", what)
		}
	}
}

// later advances the clock that the processes share, and their own clocks.
func later(a *apptest.App, by time.Duration, others ...*apptest.App) {
	for _, app := range append(others, a) {
		app.Clock.Advance(by)
		app.Store.MoveClock(by)
	}
}

func TestAdministratorsGetMail(t *testing.T) {
	mailing(t, func(t *testing.T, a *apptest.App, receiver *apptest.MailServer) {
		host := a.Tenant(t, "one.test")
		staff(t, a, host, "everything", []string{"*"}, "first@one.test", "second@one.test")
		staff(t, a, host, "selling", []string{"deals:write"}, "sales@one.test")
		notify(t, a, host, "Webhook endpoint 7 is paused")
		await(t, "two mails", func() bool { return latest(t, a, host).MailState == notification.MailStateSENT })
		mails := receiver.Mails()
		if len(mails) != 2 || mails[0].To != "first@one.test" || mails[1].To != "second@one.test" {
			t.Fatalf("%d mails arrived", len(mails))
		}
		got := mails[0]
		body, err := io.ReadAll(quotedprintable.NewReader(got.Body))
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(body), "\r\n", "\n")
		want := "Webhook endpoint 7 is paused.\n\nLook at it.\n\nSee https://one.test/settings/webhooks/7\n\n-- \n"
		if !strings.HasPrefix(text, want) {
			t.Errorf("the mail says %q", text)
		}
		if s := got.Header.Get("Subject"); s != "Webhook endpoint 7 is paused (one.test)" {
			t.Errorf("its subject is %q", s)
		}
		if from := got.Header.Get("From"); from != `"paydown" <paydown@funder.test>` {
			t.Errorf("it is from %s", from)
		}
		if got.Header.Get("Message-Id") == mails[1].Header.Get("Message-Id") {
			t.Error("two notifications have one Message-ID")
		}
		row := latest(t, a, host)
		if row.MailAttempts != 1 || row.MailNextAt != nil || row.MailError != nil {
			t.Errorf("the notification is %v", row)
		}
		if n := a.Notifications.Mailed(service.MailSent); n != 2 {
			t.Errorf("%d are counted", n)
		}
	})
}

func TestMailIsRetried(t *testing.T) {
	mailing(t, func(t *testing.T, a *apptest.App, receiver *apptest.MailServer) {
		host := a.Tenant(t, "again.test")
		staff(t, a, host, "everything", []string{"*"}, "admin@again.test")
		var mu sync.Mutex
		failures := 3
		receiver.On(apptest.ToRecipient, func(string) error {
			mu.Lock()
			defer mu.Unlock()
			if failures--; failures >= 0 {
				return &smtp.SMTPError{Code: 450, EnhancedCode: smtp.EnhancedCode{4, 2, 0}, Message: "later"}
			}
			return nil
		})
		notify(t, a, host, "again")
		for n, pause := range []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute} {
			await(t, "the attempt fails", func() bool {
				row := latest(t, a, host)
				return row.MailAttempts == n+1 && row.MailError != nil && *row.MailError == "deferred"
			})
			later(a, pause-30*time.Second)
			if err := a.Notifications.SendDue(t.Context()); err != nil {
				t.Fatal(err)
			}
			if row := latest(t, a, host); row.MailAttempts != n+1 || row.MailState != notification.MailStateDUE {
				t.Fatalf("before its time: %v", row)
			}
			later(a, time.Minute)
			if err := a.Notifications.SendDue(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		await(t, "it is sent", func() bool { return latest(t, a, host).MailState == notification.MailStateSENT })
		row := latest(t, a, host)
		if row.MailAttempts != 4 || row.MailError != nil || len(receiver.Mails()) != 1 {
			t.Errorf("%d mails; %v", len(receiver.Mails()), row)
		}
		if log := a.Log.String(); strings.Contains(log, "admin@again.test") {
			t.Error("the log names the recipient")
		}
	})
}

func TestMailIsGivenUp(t *testing.T) {
	mailing(t, func(t *testing.T, a *apptest.App, receiver *apptest.MailServer) {
		host := a.Tenant(t, "never.test")
		members := staff(t, a, host, "everything", []string{"*"}, "admin@never.test")
		var mu sync.Mutex
		code := 550
		receiver.On(apptest.ToRecipient, func(string) error {
			mu.Lock()
			defer mu.Unlock()
			return &smtp.SMTPError{Code: code, EnhancedCode: smtp.NoEnhancedCode, Message: "no"}
		})
		state := func(attempts int, want notification.MailState, code string) func() bool {
			return func() bool {
				row := latest(t, a, host)
				return row.MailAttempts == attempts && row.MailState == want && row.MailError != nil && *row.MailError == code
			}
		}
		notify(t, a, host, "refused for good")
		await(t, "given up at once", state(1, notification.MailStateGIVEN_UP, "refused"))
		mu.Lock()
		code = 450
		mu.Unlock()
		notify(t, a, host, "refused for now")
		await(t, "tried again", state(1, notification.MailStateDUE, "deferred"))
		later(a, 71*time.Hour)
		await(t, "tried again", state(2, notification.MailStateDUE, "deferred"), a)
		later(a, 2*time.Hour)
		await(t, "given up in the end", state(3, notification.MailStateGIVEN_UP, "deferred"), a)
		notify(t, a, host, "to one who leaves")
		await(t, "tried", state(1, notification.MailStateDUE, "deferred"))
		err := a.Store.Write(a.Operator(t, host), func(ctx context.Context, tx *store.Tx) error {
			return tx.User.UpdateOneID(members[0].ID).SetIsActive(false).Exec(ctx)
		})
		if err != nil {
			t.Fatal(err)
		}
		later(a, time.Hour)
		await(t, "not sent any more", state(2, notification.MailStateGIVEN_UP, "recipient_inactive"), a)
		if n := a.Notifications.Mailed(service.MailGivenUp); n != 3 {
			t.Errorf("%d are counted as given up", n)
		}
	})
}

// With several processes sending at once, each notification is sent once.
func TestMailFromReplicas(t *testing.T) {
	mailing(t, func(t *testing.T, a *apptest.App, receiver *apptest.MailServer) {
		other := a.Replica(t, apptest.Mailing(t, receiver))
		host := a.Tenant(t, "many.test")
		staff(t, a, host, "everything", []string{"*"}, "a@many.test", "b@many.test", "c@many.test")
		for range 5 {
			notify(t, a, host, "many")
		}
		var sending sync.WaitGroup
		for i := range 4 {
			sending.Go(func() {
				if err := []*apptest.App{a, other}[i%2].Notifications.SendDue(context.Background()); err != nil {
					t.Error(err)
				}
			})
		}
		sending.Wait()
		await(t, "all are sent", func() bool {
			n, err := a.Store.Reader().Notification.Query().Where(notification.MailStateEQ(notification.MailStateSENT)).
				Count(a.Operator(t, host))
			return err == nil && n == 15
		})
		ids := map[string]bool{}
		for _, m := range receiver.Mails() {
			ids[m.Header.Get("Message-Id")] = true
		}
		if n := len(receiver.Mails()); n != 15 || len(ids) != 15 {
			t.Errorf("%d mails arrived, of %d notifications", n, len(ids))
		}
	})
}

// A process that stalls with a claim loses it: another process sends the mail with the same Message-ID, and
// the first one's outcome is refused.
func TestMailOfAStalledProcess(t *testing.T) {
	mailing(t, func(t *testing.T, a *apptest.App, receiver *apptest.MailServer) {
		other := a.Replica(t, apptest.Mailing(t, receiver))
		host := a.Tenant(t, "still.test")
		staff(t, a, host, "everything", []string{"*"}, "admin@still.test")
		reached, proceed := make(chan struct{}), make(chan struct{})
		var again atomic.Bool
		receiver.On(apptest.WithMessage, func(string) error {
			if !again.Swap(true) {
				close(reached)
				<-proceed
			}
			return nil
		})
		notify(t, a, host, "still")
		<-reached
		if err := other.Notifications.SendDue(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := len(receiver.Mails()); n != 0 {
			t.Fatal("it was sent while another process has it")
		}
		later(a, 3*time.Minute, other)
		await(t, "the other one sends it", func() bool { return latest(t, a, host).MailState == notification.MailStateSENT },
			other)
		close(proceed)
		const late = "another process has also sent a notification by mail"
		await(t, "the stalled process notices", func() bool { // either may have claimed it
			return strings.Contains(a.Log.String()+other.Log.String(), late)
		})
		mails := receiver.Mails()
		if len(mails) != 2 || mails[0].Header.Get("Message-Id") != mails[1].Header.Get("Message-Id") {
			t.Errorf("%d mails arrived", len(mails))
		}
		if row := latest(t, a, host); row.MailAttempts != 2 || row.MailState != notification.MailStateSENT {
			t.Errorf("the notification is %v", row)
		}
	})
}

// While the mail server is down, each round tries one message and leaves the rest; once it is up, all are
// sent.
func TestMailServerIsDown(t *testing.T) {
	mailing(t, func(t *testing.T, a *apptest.App, receiver *apptest.MailServer) {
		host := a.Tenant(t, "down.test")
		staff(t, a, host, "everything", []string{"*"}, "a@down.test", "b@down.test", "c@down.test")
		var mu sync.Mutex
		down, asked := true, 0
		receiver.On(apptest.FromSender, func(string) error {
			mu.Lock()
			defer mu.Unlock()
			if asked++; down {
				return &smtp.SMTPError{Code: 421, EnhancedCode: smtp.EnhancedCode{4, 3, 2}, Message: "not now"}
			}
			return nil
		})
		notify(t, a, host, "down")
		a.Log.Await(t, "cannot send a notification by mail")
		mu.Lock()
		if asked != 1 {
			t.Errorf("the server was asked %d times in one round", asked)
		}
		down = false
		mu.Unlock()
		await(t, "when it is tried again is stored", func() bool { // the clock must not move before that
			tried := a.Store.Reader().Notification.Query().Where(notification.MailErrorNotNil())
			return tried.CountX(a.Operator(t, host)) == 1
		})
		later(a, 2*time.Minute)
		await(t, "all are sent", func() bool {
			sent := map[string]bool{} // one may be sent twice if the clock moved while it was under way
			for _, mail := range receiver.Mails() {
				sent[mail.Header.Get("Message-Id")] = true
			}
			return len(sent) == 3
		}, a)
	})
}
