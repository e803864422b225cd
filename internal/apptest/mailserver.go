package apptest

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http/httptest"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"paydown/internal/mail"
	listeners "paydown/internal/server"
	"paydown/internal/service"
)

// The credentials of a MailServer.
const (
	MailUser     = "mailer"
	MailPassword = "s3cret pass"
)

// MailServer is a mail server on this machine that stores what it receives.
type MailServer struct {
	Addr string // with its port
	// Roots contain its certificate.
	Roots *x509.CertPool

	mu     sync.Mutex
	judges map[MailStage]func(string) error
	mails  []Mail
}

// MailStage is the progress of a message.
type MailStage int

// The stages: sender named, recipient named, message complete.
const (
	FromSender MailStage = iota
	ToRecipient
	WithMessage
)

// On lets judge decide at a stage, by the address of the sender or, later, the recipient. By default all
// messages are accepted.
func (s *MailServer) On(stage MailStage, judge func(address string) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.judges[stage] = judge
}

// Mail is an accepted message.
type Mail struct {
	From, To string // of the envelope
	User     string // the authenticated user; "" without authentication
	TLS      bool
	Raw      string
	*netmail.Message
}

// NewMailServer starts a mail server. With implicit it uses TLS from the first byte; otherwise it offers
// STARTTLS.
func NewMailServer(tb testing.TB, implicit bool) *MailServer {
	tb.Helper()
	certified := httptest.NewTLSServer(nil)
	certified.Close()
	s := &MailServer{Roots: x509.NewCertPool(), judges: map[MailStage]func(string) error{}}
	s.Roots.AddCert(certified.Certificate())
	config := &tls.Config{Certificates: certified.TLS.Certificates, MinVersion: tls.VersionTLS12}
	server := smtp.NewServer(smtp.BackendFunc(func(c *smtp.Conn) (smtp.Session, error) {
		return &mailSession{server: s, conn: c}, nil
	}))
	server.Domain, server.TLSConfig, server.AllowInsecureAuth, server.ErrorLog = "mail.test", config, true, discard{}
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // does not block
	if err != nil {
		tb.Fatal(err)
	}
	s.Addr = listener.Addr().String()
	if implicit {
		listener = tls.NewListener(listener, config)
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = server.Serve(listener) })
	tb.Cleanup(func() {
		_ = server.Close()
		serving.Wait()
	})
	return s
}

// discard is a log that discards everything.
type discard struct{}

func (discard) Printf(string, ...any) {}
func (discard) Println(...any)        {}

// Mailing sends notifications through a mail server, without encryption.
func Mailing(tb testing.TB, s *MailServer) Option {
	tb.Helper()
	server, err := mail.New("smtp://"+s.Addr+"?tls=none", "paydown@funder.test")
	if err != nil {
		tb.Fatal(err)
	}
	return func(cfg *service.Config, _ *listeners.Config) { cfg.Mail = server }
}

// Mails returns the messages accepted so far, in order.
func (s *MailServer) Mails() []Mail {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Mail(nil), s.mails...)
}

type mailSession struct {
	server         *MailServer
	conn           *smtp.Conn
	user, from, to string
}

func (m *mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (m *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user != MailUser || password != MailPassword {
			return &smtp.SMTPError{Code: 535, EnhancedCode: smtp.EnhancedCode{5, 7, 8}, Message: "not with " + password}
		}
		m.user = user
		return nil
	}), nil
}

func (m *mailSession) Mail(from string, _ *smtp.MailOptions) error {
	m.from = from
	return m.server.ask(FromSender, from)
}

func (m *mailSession) Rcpt(to string, _ *smtp.RcptOptions) error {
	m.to = to
	return m.server.ask(ToRecipient, to)
}

func (s *MailServer) ask(stage MailStage, address string) error {
	s.mu.Lock()
	judge := s.judges[stage]
	s.mu.Unlock()
	if judge == nil {
		return nil
	}
	return judge(address)
}

func (m *mailSession) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	if err := m.server.ask(WithMessage, m.to); err != nil {
		return err
	}
	parsed, err := netmail.ReadMessage(strings.NewReader(string(raw)))
	if err != nil {
		return errors.Join(errors.New("not a message"), err)
	}
	_, encrypted := m.conn.TLSConnectionState()
	m.server.mu.Lock()
	defer m.server.mu.Unlock()
	m.server.mails = append(m.server.mails, Mail{m.from, m.to, m.user, encrypted, string(raw), parsed})
	return nil
}

func (m *mailSession) Reset()        {}
func (m *mailSession) Logout() error { return nil }
