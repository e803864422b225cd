package mail

import (
	"context"
	"fmt"
	netmail "net/mail"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	gomail "github.com/wneessen/go-mail"
)

// Message is a plain-text message to one person.
type Message struct {
	To     string // a bare address
	ToName string // "" for none
	// ID becomes the Message-ID, without its brackets. Mail systems may drop a second message with the same one.
	ID      string
	Date    time.Time
	Subject string // one line
	Text    string // lines end in \n
}

// Code is the reason why a message was not sent. Codes are stable, because they are stored.
type Code string

// The codes.
const (
	// Unsendable: the address, the name, the id or the subject is invalid.
	Unsendable Code = "unsendable"
	// Connection: the server cannot be reached, does not greet, or hangs up.
	Connection Code = "connection"
	// TLS: no encrypted and verified connection could be made.
	TLS Code = "tls"
	// Auth: the server refuses user and password, or offers no mechanism for them.
	Auth Code = "auth"
	// Sender: the server refuses messages from this sender.
	Sender Code = "sender"
	// Refused: the server refuses the message permanently.
	Refused Code = "refused"
	// Deferred: the server refuses the message for now.
	Deferred Code = "deferred"
	// Timeout: the context's deadline passed. The server may have accepted the message.
	Timeout Code = "timeout"
	// Interrupted: the context was canceled. The server may have accepted the message.
	Interrupted Code = "interrupted"
)

// Error is returned for a message that was not sent, as far as is known. Its text is for logs: it contains
// neither password nor recipient.
type Error struct {
	Code Code
	// Status is the server's reply code, 0 if there was none. Enhanced is the enhanced status code (RFC 3463), ""
	// if there was none.
	Status   int
	Enhanced string
	text     string
}

func (e *Error) Error() string { return fmt.Sprintf("mail: %s: %s", e.Code, e.text) }

// OfMessage reports whether the error is specific to this message, so that another may still be sent.
func (e *Error) OfMessage() bool {
	return e.Code == Unsendable || e.Code == Refused || e.Code == Deferred
}

// Permanent reports whether a retry is useless. Refusals by policy (x.7.x) are not permanent, because the
// operator may be able to fix the cause.
func (e *Error) Permanent() bool {
	return e.Code == Unsendable || (e.Code == Refused && !strings.HasPrefix(e.Enhanced, "5.7."))
}

// Send sends the message over its own connection, which ends with the context: set a deadline. The error is an
// *Error.
func (s *Server) Send(ctx context.Context, m Message) error {
	composed, err := s.compose(m)
	if err != nil {
		return err
	}
	a := &attempt{server: s}
	defer a.close()
	client, err := a.client(ctx)
	if err != nil {
		return a.classify(ctx, err)
	}
	err = client.DialAndSendWithContext(ctx, composed)
	if err == nil || composed.IsDelivered() { // errors after the server has accepted the message do not matter
		return nil
	}
	return a.classify(ctx, err)
}

// compose refuses header injection, and adds no headers of the library's own.
func (s *Server) compose(m Message) (*gomail.Msg, error) {
	unsendable := func(what string) error { return &Error{Code: Unsendable, text: what} }
	switch {
	case !sendable(m.To):
		return nil, unsendable("the recipient is not a bare email address")
	case !plain(m.ToName):
		return nil, unsendable("the recipient's name contains control characters")
	case !plain(m.Subject):
		return nil, unsendable("the subject contains control characters")
	case m.ID == "" || strings.ContainsFunc(m.ID, notIDRune):
		return nil, unsendable("the id contains invalid characters")
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent(), gomail.WithEncoding(gomail.EncodingQP))
	from := s.from
	msg.FromMailAddress(&from)
	msg.ToMailAddress(&netmail.Address{Name: m.ToName, Address: m.To})
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(m.ID)
	msg.SetDateWithValue(m.Date)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: prevents automatic replies
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	return msg, nil
}

// plain reports whether the text cannot break out of its header.
func plain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// sendable reports whether the address is bare, without quoting, comments or a name.
func sendable(address string) bool {
	parsed, err := netmail.ParseAddress(address)
	return err == nil && parsed.Name == "" && parsed.Address == address && plain(address) &&
		!strings.ContainsAny(address, ` "<>`)
}

// notIDRune reports whether a Message-ID must not contain the character.
func notIDRune(r rune) bool { return r <= ' ' || r > '~' || r == '<' || r == '>' }
