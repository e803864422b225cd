package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"paydown/internal/adminctl"
	"paydown/internal/webhook"
)

type webhooksCmd struct {
	adminctl.Webhooks
	Listen  webhooksListenCmd  `cmd:"" help:"Receive deliveries on this machine, verify each and print it."`
	Verify  webhooksVerifyCmd  `cmd:"" help:"Tell whether a delivery that was kept is signed as it should be, and why not."`
	Trigger webhooksTriggerCmd `cmd:"" help:"Send an example of an event to a URL, or have the engine send it to an endpoint."`
}

// signingSecrets are the flags of what deliveries are signed with.
type signingSecrets struct {
	Secret     string `env:"PAYDOWN_WEBHOOK_SECRET" placeholder:"whsec_…" help:"The endpoint's signing secret, or @FILE to read it from a file. Others on this machine can see command lines: rather set the variable, or use a file. After a rotation give both secrets, the new one first, separated by a comma."`
	SecretFile string `env:"-" placeholder:"FILE" help:"Read the secret from a file. The variable can name one too: @FILE."`
}

// read returns the secrets, of which there is one at least. Its errors do not show any.
func (s signingSecrets) read() ([]string, error) {
	text, path := s.Secret, s.SecretFile
	if at, ok := strings.CutPrefix(text, "@"); ok && path == "" {
		path = at
	}
	if path != "" {
		raw, err := os.ReadFile(path) //nolint:gosec // the path is the caller's own
		if err != nil {
			return nil, fmt.Errorf("read the signing secret: %w", err)
		}
		text = string(raw)
	}
	several := strings.FieldsFunc(text, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
	if len(several) == 0 {
		return nil, errors.New("give the endpoint's signing secret by PAYDOWN_WEBHOOK_SECRET, --secret-file or --secret")
	}
	for _, s := range several {
		if !strings.HasPrefix(s, "whsec_") {
			return []string{strings.TrimRight(text, "\r\n")}, nil // one that a company chose, in which anything may be
		}
	}
	return several, nil
}

// readIssued is read for secrets that are of the form in which endpoints get theirs.
func (s signingSecrets) readIssued() ([]string, error) {
	secrets, err := s.read()
	if err != nil {
		return nil, err
	}
	if _, err := webhook.SignStandard("", time.Time{}, nil, secrets...); err != nil {
		return nil, errors.New("a signing secret is whsec_ and base64, as it was shown when the endpoint was made or its secret rotated")
	}
	return secrets, nil
}

// judgeDelivery verifies a delivery by each scheme that its headers speak: a good one passes by all of them, and by one
// at least. The error is for people.
func judgeDelivery(secrets []string, h http.Header, body []byte, now time.Time) error {
	own := h.Get(webhook.HeaderSignature) + h.Get(webhook.HeaderSignaturePrevious)
	standard := h.Get(webhook.HeaderStandardSignature)
	if own == "" && standard == "" {
		return fmt.Errorf("it is not signed: neither %s nor %s is there", webhook.HeaderSignature, webhook.HeaderStandardSignature)
	}
	if own != "" {
		if err := webhook.VerifyDelivery(secrets, h, body, now); err != nil {
			return explained(err, webhook.HeaderSignature, h.Get(webhook.HeaderTimestamp), now)
		}
	}
	if standard != "" {
		if err := webhook.VerifyStandard(secrets, h, body, now); err != nil {
			return explained(err, webhook.HeaderStandardSignature, h.Get(webhook.HeaderStandardTimestamp), now)
		}
	}
	return nil
}

// explained words why a delivery is refused; the result is still what it explains. header is that of the signature.
func explained(err error, header, timestamp string, now time.Time) error {
	why := &refusal{reason: err}
	switch {
	case errors.Is(err, webhook.ErrMissing):
		name := err.Error()
		why.text = "the header " + name[strings.LastIndex(name, " ")+1:] + " is missing"
	case errors.Is(err, webhook.ErrTimestamp):
		why.text = fmt.Sprintf("the timestamp %q is not in whole seconds since 1970", timestamp)
	case errors.Is(err, webhook.ErrStale):
		why.text = "the signature matches, but the timestamp " + offBy(timestamp, now) + "; it may be off by five minutes"
	case errors.Is(err, webhook.ErrSignature):
		why.text = header + " does not match: it was made with another secret, or over a body with other bytes"
	default:
		return err
	}
	return why
}

// refusal is why a delivery is not taken.
type refusal struct {
	reason error
	text   string
}

func (r *refusal) Error() string { return r.text }
func (r *refusal) Unwrap() error { return r.reason }

func offBy(timestamp string, now time.Time) string {
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	const century = 100 * 365 * 24 * 60 * 60
	off := now.Unix() - seconds
	switch {
	case err != nil || off < -century || off > century:
		return "is centuries away"
	case off < 0:
		return fmt.Sprintf("is %s ahead of the clock", time.Duration(-off)*time.Second)
	default:
		return fmt.Sprintf("is %s old", time.Duration(off)*time.Second)
	}
}

// pretty is a body for people: JSON indented, anything else as text, and nothing in it that could steer a terminal.
func pretty(body []byte) string {
	var indented bytes.Buffer
	if json.Indent(&indented, body, "", "  ") == nil {
		body = indented.Bytes()
	}
	return printable(string(body))
}

// printable replaces what is not printable, line breaks and tabs apart, by an escape that JSON knows.
func printable(text string) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case unicode.IsPrint(r) || r == '\n' || r == '\t':
			b.WriteRune(r)
		case r > 0xFFFF:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// line is text on one line.
func line(text string) string { return strings.Join(strings.Fields(printable(text)), " ") }
