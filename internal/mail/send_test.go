package mail_test

import (
	"bufio"
	"context"
	"crypto/x509"
	"errors"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"paydown/internal/apptest"
	"paydown/internal/mail"
)

// patience is how long a test waits at most, on a busy machine.
const patience = 2 * time.Minute

// server is the client's side of a mail server.
func server(t *testing.T, at, user, password, security string, roots *x509.CertPool) *mail.Server {
	t.Helper()
	u := url.URL{Scheme: "smtp", Host: at, RawQuery: "tls=" + security}
	if user != "" {
		u.User = url.UserPassword(user, password)
	}
	s, err := mail.New(u.String(), "paydown@funder.test")
	if err != nil {
		t.Fatal(err)
	}
	return mail.Trusting(s, roots)
}

var message = mail.Message{
	To: "ana@funder.test", ToName: "Ana Muñoz", ID: "notification-7.1@funder.test",
	Date: time.Date(2026, 3, 2, 9, 30, 0, 0, time.UTC), Subject: "Endpoint 7 is paused – look",
	Text: "First line\n.\n..two dots\nFrom here on, 100 % of it: ñ\n" + strings.Repeat("long ", 300) + "end\n",
}

func send(t *testing.T, s *mail.Server, m mail.Message) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	return s.Send(ctx, m)
}

// wantError is the error of a message that was not sent; it contains neither password nor recipient.
func wantError(t *testing.T, err error, want mail.Code) *mail.Error {
	t.Helper()
	var e *mail.Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is %v, want a mail error", err)
	}
	if e.Code != want {
		t.Errorf("the error is %v, want %s", err, want)
	}
	if strings.Contains(e.Error(), apptest.MailPassword) || strings.Contains(e.Error(), message.To) {
		t.Errorf("the error tells too much: %v", e)
	}
	return e
}

func TestMessagesArriveUnchanged(t *testing.T) {
	for _, way := range []struct {
		security string
		implicit bool
	}{{"starttls", false}, {"implicit", true}, {"none", false}} {
		t.Run(way.security, func(t *testing.T) {
			receiver := apptest.NewMailServer(t, way.implicit)
			s := server(t, receiver.Addr, apptest.MailUser, apptest.MailPassword, way.security, receiver.Roots)
			if err := send(t, s, message); err != nil {
				t.Fatal(err)
			}
			mails := receiver.Mails()
			if len(mails) != 1 {
				t.Fatalf("%d messages arrived", len(mails))
			}
			got := mails[0]
			if got.From != "paydown@funder.test" || got.To != message.To || got.User != apptest.MailUser {
				t.Errorf("from %s to %s by %q", got.From, got.To, got.User)
			}
			if got.TLS != (way.security != "none") {
				t.Errorf("encrypted: %v", got.TLS)
			}
			headers(t, got)
			body, err := io.ReadAll(quotedprintable.NewReader(got.Body))
			if text := strings.ReplaceAll(string(body), "\r\n", "\n"); err != nil ||
				strings.TrimSuffix(text, "\n") != strings.TrimSuffix(message.Text, "\n") {
				t.Errorf("the text is %q: %v", text, err)
			}
			for line := range strings.SplitSeq(got.Raw, "\r\n") {
				if len(line) > 998 {
					t.Error("a line is longer than mail may have")
				}
			}
		})
	}
}

func headers(t *testing.T, got apptest.Mail) {
	t.Helper()
	var words mime.WordDecoder
	for name, want := range map[string]string{
		"Subject": message.Subject, "Message-Id": "<" + message.ID + ">", "From": `"paydown" <paydown@funder.test>`,
		"To": `Ana Muñoz <ana@funder.test>`, "Date": message.Date.Format(time.RFC1123Z), "Auto-Submitted": "auto-generated",
		"Content-Type": "text/plain; charset=UTF-8", "User-Agent": "", "X-Mailer": "",
	} {
		if value, err := words.DecodeHeader(got.Header.Get(name)); value != want || err != nil {
			t.Errorf("%s: %q, want %q (%v)", name, value, want, err)
		}
	}
}

func TestNothingIsSentUnencrypted(t *testing.T) {
	receiver := apptest.NewMailServer(t, false)
	implicit := apptest.NewMailServer(t, true)
	plain := scripted(t, "220 plain", "EHLO", "250-plain\r\n250 AUTH PLAIN")
	others := x509.NewCertPool()
	user, password := apptest.MailUser, apptest.MailPassword
	for name, s := range map[string]*mail.Server{
		"a certificate nobody vouches for, STARTTLS": server(t, receiver.Addr, user, password, "starttls", others),
		"a certificate nobody vouches for, implicit": server(t, implicit.Addr, user, password, "implicit", others),
		"another name's certificate": server(t, strings.Replace(receiver.Addr, "127.0.0.1", "localhost", 1),
			user, password, "starttls", receiver.Roots),
		"no STARTTLS":                       server(t, plain.addr, user, password, "starttls", receiver.Roots),
		"no TLS where it is to be implicit": server(t, receiver.Addr, user, password, "implicit", receiver.Roots),
	} {
		t.Run(name, func(t *testing.T) {
			if e := wantError(t, send(t, s, message), mail.TLS); e.Permanent() || e.OfMessage() {
				t.Error("the operator can mend it")
			}
		})
	}
	if n := len(receiver.Mails()) + len(implicit.Mails()); n != 0 {
		t.Errorf("%d messages arrived", n)
	}
	if received := plain.received(t); strings.Contains(received, "AUTH") || strings.Contains(received, "MAIL") {
		t.Errorf("the server was told %q", received)
	}
}

func TestServerRejectsLogin(t *testing.T) {
	receiver := apptest.NewMailServer(t, false)
	wrong := server(t, receiver.Addr, apptest.MailUser, "wrong "+apptest.MailPassword, "starttls", receiver.Roots)
	err := send(t, wrong, message)
	if e := wantError(t, err, mail.Auth); e.Status != 535 || e.Permanent() || e.OfMessage() ||
		strings.Contains(err.Error(), "wrong") {
		t.Errorf("%+v", e)
	}
	none := scripted(t, "220 plain", "EHLO", "250 plain", "QUIT", "221 bye")
	_ = wantError(t, send(t, server(t, none.addr, "user", "password", "none", nil), message), mail.Auth)
	odd := scripted(t, "220 plain", "EHLO", "250-plain\r\n250 AUTH CRAM-MD5", "QUIT", "221 bye")
	_ = wantError(t, send(t, server(t, odd.addr, "user", "password", "none", nil), message), mail.Auth)
}

func TestServerRejections(t *testing.T) {
	answer := func(code int, enhanced ...int) func(string) error {
		e := &smtp.SMTPError{Code: code, EnhancedCode: smtp.NoEnhancedCode, Message: "<ana@funder.test> s3cret pass no"}
		if len(enhanced) == 3 {
			e.EnhancedCode = smtp.EnhancedCode(enhanced)
		}
		return func(string) error { return e }
	}
	recipient := func(r *apptest.MailServer, a func(string) error) { r.On(apptest.ToRecipient, a) }
	sender := func(r *apptest.MailServer, a func(string) error) { r.On(apptest.FromSender, a) }
	content := func(r *apptest.MailServer, a func(string) error) { r.On(apptest.WithMessage, a) }
	for name, refusal := range map[string]struct {
		hook              func(*apptest.MailServer, func(string) error)
		answer            func(string) error
		code              mail.Code
		status            int
		permanent, ofThis bool
	}{
		"a recipient for now":       {recipient, answer(450, 4, 2, 0), mail.Deferred, 450, false, true},
		"a recipient for good":      {recipient, answer(550, 5, 1, 1), mail.Refused, 550, true, true},
		"a recipient, saying less":  {recipient, answer(550), mail.Refused, 550, true, true},
		"a recipient by its policy": {recipient, answer(550, 5, 7, 1), mail.Refused, 550, false, true},
		"the sender":                {sender, answer(553, 5, 1, 8), mail.Sender, 553, false, false},
		"the message for now":       {content, answer(452, 4, 3, 1), mail.Deferred, 452, false, true},
		"the message for good":      {content, answer(554, 5, 6, 0), mail.Refused, 554, true, true},
		"everything, as it goes":    {recipient, answer(421, 4, 3, 2), mail.Connection, 421, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			receiver := apptest.NewMailServer(t, false)
			refusal.hook(receiver, refusal.answer)
			e := wantError(t, send(t, server(t, receiver.Addr, "", "", "starttls", receiver.Roots), message), refusal.code)
			if e.Status != refusal.status || e.Permanent() != refusal.permanent || e.OfMessage() != refusal.ofThis {
				t.Errorf("%+v, permanent %v, of the message %v", e, e.Permanent(), e.OfMessage())
			}
		})
	}
}

func TestServersThatHang(t *testing.T) {
	handshake := []string{"220 slow", "EHLO", "250 slow", "MAIL", "250 fine", "RCPT", "250 fine", "DATA", "354 go on"}
	for name, steps := range map[string][]string{
		"before the greeting": {}, "after the greeting": handshake[:1], "at the recipient": handshake[:5],
		"after the message": handshake,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			slow := scripted(t, steps...)
			s := server(t, slow.addr, "", "", "none", nil)
			ended := make(chan error, 1)
			late := expiring{t.Context(), make(chan struct{})}
			go func() { ended <- s.Send(late, message) }()
			<-slow.stuck
			close(late.due)
			_ = wantError(t, <-ended, mail.Timeout)
			slow.wantDisconnect(t)
			stopped, stop := context.WithCancel(t.Context())
			go func() { ended <- s.Send(stopped, message) }()
			<-slow.stuck
			stop()
			_ = wantError(t, <-ended, mail.Interrupted)
			slow.wantDisconnect(t)
		})
	}
}

// expiring is a context whose deadline the test controls.
type expiring struct {
	context.Context
	due chan struct{}
}

// Deadline implements context.Context.
func (expiring) Deadline() (time.Time, bool) { return time.Now().Add(patience), true }

// Done implements context.Context.
func (e expiring) Done() <-chan struct{} { return e.due }

// Err implements context.Context.
func (e expiring) Err() error {
	select {
	case <-e.due:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

func TestServersThatDisconnect(t *testing.T) {
	steps := []string{
		"220 brief",
		"EHLO",
		"250 brief",
		"MAIL",
		"250 fine",
		"RCPT",
		"250 fine",
		"DATA",
		"354 go on",
		"\r\n.\r\n",
		"250 taken",
	}
	t.Run("before the message is taken", func(t *testing.T) {
		brief := scripted(t, append(steps[:8:8], "BYE")...)
		_ = wantError(t, send(t, server(t, brief.addr, "", "", "none", nil), message), mail.Connection)
	})
	t.Run("once the message is taken", func(t *testing.T) {
		brief := scripted(t, append(steps[:11:11], "BYE")...)
		if err := send(t, server(t, brief.addr, "", "", "none", nil), message); err != nil {
			t.Errorf("it was sent, but for the farewell: %v", err)
		}
	})
	t.Run("at once", func(t *testing.T) {
		brief := scripted(t, "554 not for you", "BYE")
		if e := wantError(t, send(t, server(t, brief.addr, "", "", "none", nil), message), mail.Connection); e.Status != 554 {
			t.Errorf("%+v", e)
		}
	})
	t.Run("nobody there", func(t *testing.T) {
		gone, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		_ = gone.Close()
		_ = wantError(t, send(t, server(t, gone.Addr().String(), "", "", "none", nil), message), mail.Connection)
	})
}

func TestHeaderInjection(t *testing.T) {
	receiver := apptest.NewMailServer(t, false)
	s := server(t, receiver.Addr, "", "", "starttls", receiver.Roots)
	for name, change := range map[string]func(*mail.Message){
		"subject, CRLF":          func(m *mail.Message) { m.Subject = "Hello\r\nBcc: eve@example.com" },
		"subject, LF":            func(m *mail.Message) { m.Subject = "Hello\nBcc: eve@example.com" },
		"subject, NUL":           func(m *mail.Message) { m.Subject = "Hello\x00" },
		"subject, no UTF-8":      func(m *mail.Message) { m.Subject = "Hello\xff" },
		"name":                   func(m *mail.Message) { m.ToName = "Ana\r\nBcc: eve@example.com" },
		"name, CR":               func(m *mail.Message) { m.ToName = "Ana\rBcc: eve@example.com" },
		"id":                     func(m *mail.Message) { m.ID = "1@x>\r\nBcc: eve@example.com" },
		"id, bracket":            func(m *mail.Message) { m.ID = "1@x> <2@x" },
		"no id":                  func(m *mail.Message) { m.ID = "" },
		"address":                func(m *mail.Message) { m.To = "ana@funder.test\r\nRCPT TO:<eve@example.com>" },
		"address, parameters":    func(m *mail.Message) { m.To = `"ana@funder.test> ORCPT=eve@example.com"@x.test` },
		"address with a name":    func(m *mail.Message) { m.To = "Ana <ana@funder.test>" },
		"two addresses":          func(m *mail.Message) { m.To = "ana@funder.test, eve@example.com" },
		"no address":             func(m *mail.Message) { m.To = "" },
		"address with a comment": func(m *mail.Message) { m.To = "ana@funder.test (Ana)" },
	} {
		t.Run(name, func(t *testing.T) {
			changed := message
			change(&changed)
			if e := wantError(t, send(t, s, changed), mail.Unsendable); !e.Permanent() {
				t.Error("trying again would be no use")
			}
		})
	}
	if n := len(receiver.Mails()); n != 0 {
		t.Errorf("%d messages arrived", n)
	}
	encoded := message
	encoded.Subject, encoded.ToName = "=?utf-8?q?=0D=0ABcc:_eve@example.com?=", `"Ana" <eve@example.com>, `
	if err := send(t, s, encoded); err != nil {
		t.Fatal(err)
	}
	got := receiver.Mails()[0]
	if to, err := got.Header.AddressList("To"); err != nil || len(to) != 1 || to[0].Address != message.To {
		t.Errorf("to %v: %v", to, err)
	}
	if got.Header.Get("Bcc") != "" || got.To != message.To {
		t.Errorf("it went to %s, %v", got.To, got.Header)
	}
}

// script is a mail server that answers by a script, whatever it receives.
type script struct {
	addr  string
	stuck chan struct{} // one for each connection that has come to the script's end
	ended chan string   // what each client said, once it has hung up
}

// scripted serves connections by alternating steps: a line to send, and text to wait for before the next. It
// then sends nothing more; if the last step is BYE it hangs up.
func scripted(t *testing.T, steps ...string) *script {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	s := &script{listener.Addr().String(), make(chan struct{}, 8), make(chan string, 8)}
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go s.play(conn, steps)
		}
	}()
	return s
}

func (s *script) play(conn net.Conn, steps []string) {
	defer func() { _ = conn.Close() }()
	var heard strings.Builder
	read := bufio.NewReader(io.TeeReader(conn, &heard))
	for i, step := range steps {
		switch {
		case step == "BYE":
			s.ended <- heard.String()
			return
		case i%2 == 0:
			_, _ = io.WriteString(conn, step+"\r\n")
		default:
			for before := heard.Len(); !strings.Contains(heard.String()[before:], step); {
				if _, err := read.ReadString('\n'); err != nil {
					break
				}
			}
		}
	}
	s.stuck <- struct{}{}
	_, _ = io.Copy(io.Discard, read)
	s.ended <- heard.String()
}

// wantDisconnect waits until a client has gone.
func (s *script) wantDisconnect(t *testing.T) { s.received(t) }

// received returns what a client sent before it hung up.
func (s *script) received(t *testing.T) string {
	t.Helper()
	select {
	case received := <-s.ended:
		return received
	case <-time.After(patience):
		t.Fatal("the client does not hang up")
		return ""
	}
}
