package e2e

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/notification"
	"paydown/internal/apptest"
	"paydown/internal/secret"
	"paydown/internal/service"
	"paydown/internal/store"
)

// mails has the program send mail through a server that requires a password.
func (i *installation) mails(receiver *apptest.MailServer) {
	i.env = append(i.env, "PAYDOWN_MAIL_FROM=paydown@funder.test", "PAYDOWN_SMTP_URL=smtp://"+apptest.MailUser+":"+
		strings.ReplaceAll(apptest.MailPassword, " ", "%20")+"@"+receiver.Addr+"?tls=none")
}

// change writes records of the tenant directly.
func (i *installation) change(t *testing.T, work func(context.Context, *store.Tx) error) {
	t.Helper()
	s, err := store.Open(i.db, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	box, err := secret.Open(i.secret)
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := service.New(service.Config{Store: s, Secrets: box}).Tenants.AsOperator(context.Background(), i.host)
	if err == nil {
		err = s.Write(ctx, work)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for look := time.NewTicker(20 * time.Millisecond); !holds(); <-look.C {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not yet", what)
		}
	}
}

// A process is killed after the mail server has the message and before that is stored: the mail is sent again
// when its claim ends, under the same Message-ID. Nothing is lost, and nothing is sent a third time.
func TestKilledOverAMail(t *testing.T) {
	t.Parallel()
	installations(t, func(t *testing.T, i *installation) {
		receiver := apptest.NewMailServer(t, false)
		reached, goOn := make(chan struct{}), make(chan struct{})
		var again atomic.Bool
		receiver.On(apptest.WithMessage, func(string) error {
			if !again.Swap(true) {
				close(reached)
				<-goOn
			}
			return nil
		})
		i.mails(receiver)
		i.change(t, func(ctx context.Context, tx *store.Tx) error {
			role := tx.Role.Create().SetName("Keepers").SetPermissions([]string{"*"}).SaveX(ctx)
			admin := tx.User.Create().SetEmail("admin@crash.test").SetName("Admin").SetRoleID(role.ID).SaveX(ctx)
			return tx.Notification.Create().
				SetUserID(admin.ID).
				SetKind("webhook.paused").
				SetTitle("Webhook endpoint 7 is paused").
				SetMailState(notification.MailStateDUE).
				SetMailNextAt(tx.At().Add(-time.Minute)).
				Exec(ctx)
		})
		server := i.serve(t)
		select {
		case <-reached:
		case <-time.After(patience):
			t.Fatal("nothing is sent")
		}
		server.kill()
		close(goOn)
		until(t, "the mail server has the message", func() bool { return len(receiver.Mails()) == 1 })
		stand := func(want notification.MailState, attempts int) (holds bool) {
			i.look(t, func(ctx context.Context, read *ent.Client) {
				row := read.Notification.Query().OnlyX(ctx)
				holds = row.MailState == want && row.MailAttempts == attempts
			})
			return holds
		}
		if !stand(notification.MailStateDUE, 1) {
			t.Error("that it was sent is stored")
		}
		i.change(t, func(ctx context.Context, tx *store.Tx) error { // its claim has ended
			return tx.Notification.Update().SetMailNextAt(tx.At().Add(-time.Minute)).Exec(ctx)
		})
		server = i.serve(t)
		until(t, "it is sent again", func() bool { return stand(notification.MailStateSENT, 2) })
		server.stop(t)
		if code := server.ended(t); code != 0 {
			t.Errorf("the program ended with %d", code)
		}
		mails := receiver.Mails()
		if len(mails) != 2 || mails[0].Header.Get("Message-Id") != mails[1].Header.Get("Message-Id") ||
			mails[0].User != apptest.MailUser {
			t.Errorf("%d mails arrived", len(mails))
		}
		if log := server.log.String(); strings.Contains(log, "s3cret") || strings.Contains(log, "admin@crash.test") ||
			!strings.Contains(log, "smtp://"+receiver.Addr) {
			t.Errorf("the log says %s", log)
		}
	})
}

func TestAMailServerHasToBeOne(t *testing.T) {
	t.Parallel()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	i := newInstallation(t, program, "sqlite:"+filepath.Join(t.TempDir(), "paydown.db"))
	for _, wrong := range []struct {
		variables []string
		want      string
	}{
		{[]string{"PAYDOWN_SMTP_URL=smtp://user:hunter2@mail.example"}, "--smtp-url and --mail-from must be given together"},
		{[]string{"PAYDOWN_MAIL_FROM=paydown@funder.test"}, "--smtp-url and --mail-from must be given together"},
		{
			[]string{"PAYDOWN_SMTP_URL=smtp://user:hunter2%@mail.example", "PAYDOWN_MAIL_FROM=paydown@funder.test"},
			"smtp://USER:PASSWORD@HOST:PORT",
		},
		{
			[]string{"PAYDOWN_SMTP_URL=smtp://user:hunter2@mail.example?tls=none", "PAYDOWN_MAIL_FROM=paydown@funder.test"},
			"needs encryption",
		},
		{
			[]string{"PAYDOWN_SMTP_URL=smtp://user:hunter2@mail.example", "PAYDOWN_MAIL_FROM=paydown"},
			"sender must be an email address",
		},
	} {
		cmd := i.command("serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0")
		cmd.Env = append(cmd.Env, wrong.variables...)
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(string(out), wrong.want) ||
			strings.Contains(string(out), "hunter2") {
			t.Errorf("%s: %v, %s", wrong.variables, err, out)
		}
	}
	help := i.command("serve", "--help")
	help.Env = append(help.Env, "PAYDOWN_SMTP_URL=smtp://user:hunter2@mail.example")
	if out, err := help.CombinedOutput(); err != nil || strings.Contains(string(out), "hunter2") ||
		!strings.Contains(string(out), "--smtp-url") {
		t.Errorf("%v, %s", err, out)
	}
}
