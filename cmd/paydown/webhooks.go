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
	Verify  webhooksVerifyCmd  `cmd:"" help:"Check the signature of a saved delivery, and explain why it does not match."`
	Trigger webhooksTriggerCmd `cmd:"" help:"Send an example of an event to a URL, or have the server send it to an endpoint."`
}

// signingSecrets are the flags for signing secrets.
type signingSecrets struct {
	Secret     string `env:"PAYDOWN_WEBHOOK_SECRET" placeholder:"whsec_…" help:"The endpoint's signing secret, or @FILE to read it from a file. Other users of this machine can see command lines: prefer the variable or a file. After a rotation give both secrets, the new one first, separated by a comma."`
	SecretFile string `env:"-" placeholder:"FILE" help:"Read the secret from a file. The variable can also name a file: @FILE."`
}

// read returns the secrets, at least one. Its errors do not contain any.
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
		return nil, errors.New("set the endpoint's signing secret with PAYDOWN_WEBHOOK_SECRET, --secret-file or --secret")
	}
	for _, s := range several {
		if !strings.HasPrefix(s, "whsec_") {
			return []string{strings.TrimRight(text, "\r\n")}, nil // a secret chosen by a company, which may contain anything
		}
	}
	return several, nil
}

// readIssued is read for secrets in the form of NewSecret.
func (s signingSecrets) readIssued() ([]string, error) {
	secrets, err := s.read()
	if err != nil {
		return nil, err
	}
	if _, err := webhook.SignStandard("", time.Time{}, nil, secrets...); err != nil {
		return nil, errors.New("a signing secret must be whsec_ and base64, " +
			"as shown when the endpoint was created or its secret rotated")
	}
	return secrets, nil
}

// verifyDelivery verifies a delivery by each scheme in its headers: all must pass, and at least one must be
// present. The error is for people.
func verifyDelivery(secrets []string, h http.Header, body []byte, now time.Time) error {
	own := h.Get(webhook.HeaderSignature) + h.Get(webhook.HeaderSignaturePrevious)
	standard := h.Get(webhook.HeaderStandardSignature)
	if own == "" && standard == "" {
		return fmt.Errorf("the delivery is not signed: both %s and %s are missing",
			webhook.HeaderSignature, webhook.HeaderStandardSignature)
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

// explained explains an error of verification; the result wraps the error. header is that of the signature.
func explained(err error, header, timestamp string, now time.Time) error {
	why := &refusal{reason: err}
	switch {
	case errors.Is(err, webhook.ErrMissing):
		name := err.Error()
		why.text = "the header " + name[strings.LastIndex(name, " ")+1:] + " is missing"
	case errors.Is(err, webhook.ErrTimestamp):
		why.text = fmt.Sprintf("the timestamp %q must be whole seconds since 1970", timestamp)
	case errors.Is(err, webhook.ErrStale):
		why.text = "the signature matches, but the timestamp " + offBy(timestamp, now) + "; at most five minutes are allowed"
	case errors.Is(err, webhook.ErrSignature):
		why.text = header + " does not match: another secret or another body was signed"
	default:
		return err
	}
	return why
}

// refusal is why a delivery is refused.
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
		return "is off by centuries"
	case off < 0:
		return fmt.Sprintf("is %s ahead of the clock", time.Duration(-off)*time.Second)
	default:
		return fmt.Sprintf("is %s old", time.Duration(off)*time.Second)
	}
}

// pretty formats a body for people: JSON indented, anything else as text, without control characters for the
// terminal.
func pretty(body []byte) string {
	var indented bytes.Buffer
	if json.Indent(&indented, body, "", "  ") == nil {
		body = indented.Bytes()
	}
	return printable(string(body))
}

// printable replaces characters that are not printable, except line breaks and tabs, by JSON escapes.
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

// line puts text on one line.
func line(text string) string { return strings.Join(strings.Fields(printable(text)), " ") }
