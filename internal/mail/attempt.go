package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/textproto"
	"slices"
	"strings"
	"time"
	"unicode"

	gomail "github.com/wneessen/go-mail"
	"github.com/wneessen/go-mail/smtp"
)

// attempt is one attempt to send: its connection, and its progress.
type attempt struct {
	server    *Server
	conn      net.Conn
	forget    func() bool
	mechanism smtp.Auth // set once the server offered authentication
}

// client returns the library's client for this attempt. The attempt manages the connection itself, because the
// library leaves it open if a later step fails, and observes the context only while connecting.
func (a *attempt) client(ctx context.Context) (*gomail.Client, error) {
	s := a.server
	policy := gomail.NoTLS // for implicitTLS, dial encrypts
	if s.security == startTLS {
		policy = gomail.TLSMandatory
	}
	dial := func(dialing context.Context, network, address string) (net.Conn, error) {
		conn, err := s.dial(dialing, network, address)
		if err == nil {
			a.conn, a.forget = conn, context.AfterFunc(ctx, func() { _ = conn.Close() })
		}
		return conn, err
	}
	options := []gomail.Option{
		gomail.WithPort(s.port), gomail.WithTLSPolicy(policy), gomail.WithTLSConfig(s.tls()),
		gomail.WithDialContextFunc(dial), gomail.WithoutNoop(), gomail.WithoutRset(),
	}
	if deadline, ok := ctx.Deadline(); ok { // the context ends the attempt, not the library's timeout
		options = append(options, gomail.WithTimeout(max(time.Until(deadline), 0)+time.Second))
	}
	if s.user != "" {
		options = append(options, gomail.WithSMTPAuthCustom(a))
	}
	return gomail.NewClient(s.host, options...)
}

func (s *Server) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if s.security == implicitTLS {
		return (&tls.Dialer{Config: s.tls()}).DialContext(ctx, network, address)
	}
	return (&net.Dialer{}).DialContext(ctx, network, address)
}

func (a *attempt) close() {
	if a.conn != nil {
		a.forget()
		_ = a.conn.Close()
	}
}

// Start implements smtp.Auth with the best mechanism that the server offers. PLAIN and LOGIN, which send the
// password, refuse an unencrypted connection to another machine.
func (a *attempt) Start(offer *smtp.ServerInfo) (proto string, toServer []byte, err error) {
	s := a.server
	for _, m := range []struct {
		name string
		auth func() smtp.Auth
	}{
		{"SCRAM-SHA-256", func() smtp.Auth { return smtp.ScramSHA256Auth(s.user, s.password) }},
		{"PLAIN", func() smtp.Auth { return smtp.PlainAuth("", s.user, s.password, s.host, false) }},
		{"LOGIN", func() smtp.Auth { return smtp.LoginAuth(s.user, s.password, s.host, false) }},
	} {
		if slices.Contains(offer.Auth, m.name) {
			a.mechanism = m.auth()
			return a.mechanism.Start(offer)
		}
	}
	return "", nil, errNoMechanism
}

var errNoMechanism = errors.New("the server offers none of SCRAM-SHA-256, PLAIN and LOGIN")

// Next implements smtp.Auth.
func (a *attempt) Next(fromServer []byte, more bool) ([]byte, error) {
	return a.mechanism.Next(fromServer, more)
}

// classify converts an error of the library.
func (a *attempt) classify(ctx context.Context, err error) *Error {
	if ctx.Err() != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			return &Error{Code: Timeout, text: "the mail server took too long"}
		}
		return &Error{Code: Interrupted, text: "sending was interrupted"}
	}
	if refusal, ok := errors.AsType[*gomail.SendError](err); ok {
		return classifyRefusal(refusal)
	}
	e := &Error{Code: Connection, text: a.server.redacted(err)}
	if answer, ok := errors.AsType[*textproto.Error](err); ok {
		e.Status = answer.Code
	}
	switch {
	case a.mechanism != nil || errors.Is(err, errNoMechanism):
		e.Code = Auth
	case isTLS(err):
		e.Code = TLS
	}
	return e
}

// classifyRefusal converts an error about the message itself. The library's text would name the recipient.
func classifyRefusal(refusal *gomail.SendError) *Error {
	e := &Error{Code: Connection, Status: refusal.ErrorCode(), Enhanced: refusal.EnhancedStatusCode()}
	e.text = refusal.Reason.String()
	if e.Status != 0 {
		e.text += strings.TrimSuffix(fmt.Sprintf(": the server answered %d %s", e.Status, e.Enhanced), " ")
	}
	switch refusal.Reason {
	case gomail.ErrGetSender, gomail.ErrGetRcpts:
		e.Code = Unsendable
	case gomail.ErrSMTPMailFrom:
		if e.Status != 0 {
			e.Code = Sender
		}
	case gomail.ErrSMTPRcptTo, gomail.ErrSMTPData, gomail.ErrSMTPDataClose:
		switch e.Status / 100 {
		case 4:
			e.Code = Deferred
		case 5:
			e.Code = Refused
		}
	default: // the connection failed
	}
	if e.Status == serviceClosing {
		e.Code = Connection
	}
	return e
}

// serviceClosing is what a server may answer to any command before it hangs up (RFC 5321, section 3.8).
const serviceClosing = 421

// isTLS also recognizes a server without STARTTLS, for which the library has no error type.
func isTLS(err error) bool {
	var certificate *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var unknown x509.UnknownAuthorityError
	return errors.As(err, &certificate) || errors.As(err, &record) || errors.As(err, &alert) ||
		errors.As(err, &unknown) || strings.Contains(err.Error(), "STARTTLS") || strings.Contains(err.Error(), "tls: ")
}

// redacted returns the text of an error in one line, without the password, in case a server repeats it.
func (s *Server) redacted(err error) string {
	text := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, err.Error())
	if s.password != "" {
		text = strings.ReplaceAll(text, s.password, "***")
	}
	return text
}
