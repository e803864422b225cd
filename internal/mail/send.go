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

// Message is a message in plain text to one person.
type Message struct {
	To     string // a bare address
	ToName string // "" for none
	// ID becomes the Message-ID, without its brackets. The same one twice lets mail systems drop the second message.
	ID      string
	Date    time.Time
	Subject string // one line
	Text    string // lines end in \n
}

// Code says why a message was not sent. They are stable: what was not sent is stored with its code.
type Code string

// The codes.
const (
	// Unsendable: the address, the name, the id or the subject cannot stand in a message.
	Unsendable Code = "unsendable"
	// Connection: the server cannot be reached, does not greet, or hangs up.
	Connection Code = "connection"
	// TLS: no connection that is encrypted and verified could be made.
	TLS Code = "tls"
	// Auth: the server takes neither user nor password, or offers no way to give them.
	Auth Code = "auth"
	// Sender: the server does not take messages from this sender.
	Sender Code = "sender"
	// Refused: the server will never take the message.
	Refused Code = "refused"
	// Deferred: the server does not take the message now.
	Deferred Code = "deferred"
	// Timeout: the context's deadline passed. The server may have taken the message.
	Timeout Code = "timeout"
	// Interrupted: the context was cancelled. The server may have taken the message.
	Interrupted Code = "interrupted"
)

// Error is a message that was not sent, as far as one can know. Its text is for the log: it names neither password nor
// recipient.
type Error struct {
	Code Code
	// Status is the server's, 0 where it has not answered; Enhanced the finer one (RFC 3463), "" where there is none.
	Status   int
	Enhanced string
	text     string
}

func (e *Error) Error() string { return fmt.Sprintf("mail: %s: %s", e.Code, e.text) }

// OfMessage reports an error of this one message: another may be taken meanwhile.
func (e *Error) OfMessage() bool {
	return e.Code == Unsendable || e.Code == Refused || e.Code == Deferred
}

// Permanent reports that trying again is no use. What a server refuses for a policy of its own (x.7.x) may be the
// operator's to mend.
func (e *Error) Permanent() bool {
	return e.Code == Unsendable || (e.Code == Refused && !strings.HasPrefix(e.Enhanced, "5.7."))
}

// Send hands the message to the server, on a connection of its own, which ends with the context: give that a deadline.
// The error is an *Error.
func (s *Server) Send(ctx context.Context, m Message) error {
	composed, err := s.compose(m)
	if err != nil {
		return err
	}
	a := &attempt{server: s}
	defer a.close()
	client, err := a.client(ctx)
	if err != nil {
		return a.judge(ctx, err)
	}
	err = client.DialAndSendWithContext(ctx, composed)
	if err == nil || composed.IsDelivered() { // what goes wrong once the server has taken it is of no account
		return nil
	}
	return a.judge(ctx, err)
}

// compose refuses what could become another header, and leaves nothing of the library's own in the message.
func (s *Server) compose(m Message) (*gomail.Msg, error) {
	unsendable := func(what string) error { return &Error{Code: Unsendable, text: what} }
	switch {
	case !sendable(m.To):
		return nil, unsendable("the recipient is not a bare e-mail address")
	case !plain(m.ToName):
		return nil, unsendable("the recipient's name has control characters")
	case !plain(m.Subject):
		return nil, unsendable("the subject has control characters")
	case m.ID == "" || strings.ContainsFunc(m.ID, func(r rune) bool { return r <= ' ' || r > '~' || r == '<' || r == '>' }):
		return nil, unsendable("the id has characters that none has")
	}
	msg := gomail.NewMsg(gomail.WithNoDefaultUserAgent(), gomail.WithEncoding(gomail.EncodingQP))
	from := s.from
	msg.FromMailAddress(&from)
	msg.ToMailAddress(&netmail.Address{Name: m.ToName, Address: m.To})
	msg.Subject(m.Subject)
	msg.SetMessageIDWithValue(m.ID)
	msg.SetDateWithValue(m.Date)
	msg.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: nothing answers by itself
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	return msg, nil
}

// plain reports text that stays within its header.
func plain(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, unicode.IsControl)
}

// sendable reports a bare address without quoting, comments or a name.
func sendable(address string) bool {
	parsed, err := netmail.ParseAddress(address)
	return err == nil && parsed.Name == "" && parsed.Address == address && plain(address) && !strings.ContainsAny(address, ` "<>`)
}
