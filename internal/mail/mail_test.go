package mail_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"paydown/internal/mail"
)

func TestServerURLs(t *testing.T) {
	for written, want := range map[string]string{
		"smtp://mail.example":                              "smtp://mail.example:587?tls=starttls",
		"smtp://mail.example/":                             "smtp://mail.example:587?tls=starttls",
		"smtp://mail.example?tls=implicit":                 "smtp://mail.example:465?tls=implicit",
		"smtp://mail.example?tls=none":                     "smtp://mail.example:25?tls=none",
		"smtp://user:pa%3Ass@mail.example:2525":            "smtp://mail.example:2525?tls=starttls",
		"smtp://user%40example.com:pass@[::1]:25?tls=none": "smtp://[::1]:25?tls=none",
		"smtp://user:pass@localhost?tls=none":              "smtp://localhost:25?tls=none",
	} {
		s, err := mail.New(written, "Funding desk <paydown@example.com>")
		if err != nil {
			t.Errorf("%s: %v", written, err)
			continue
		}
		if got := s.String(); got != want {
			t.Errorf("%s is %s, want %s", written, got, want)
		}
	}
}

func TestInvalidServerURLs(t *testing.T) {
	const password = "hunter2"
	for written, want := range map[string]string{
		"":                                          "the mail server must be smtp://",
		"mail.example:587":                          "the mail server must be smtp://",
		"smtps://user:hunter2@mail.example":         "the mail server must be smtp://",
		"smtp://user:hunter2@":                      "the mail server must be smtp://",
		"smtp://user:hunter2%zz@mail.example":       "the mail server must be smtp://",
		"smtp://user:hunter2@mail.example:x":        "the mail server must be smtp://",
		"smtp://user:hunter2@mail.example/in":       "the mail server must be smtp://",
		"smtp://user:hunter2@mail.example?a=b":      "the mail server must be smtp://",
		"smtp://mail.example?tls=none&tls=none":     "the mail server must be smtp://",
		"smtp://user:hunter2@mail.example#part":     "the mail server must be smtp://",
		"smtp://user:hunter2@mail.example:0":        "from 1 to 65535",
		"smtp://user:hunter2@mail.example:70000":    "from 1 to 65535",
		"smtp://mail.example?tls=maybe":             "starttls, implicit or none",
		"smtp://mail.example?tls=":                  "starttls, implicit or none",
		"smtp://user@mail.example":                  "must be set together",
		"smtp://:hunter2@mail.example":              "must be set together",
		"smtp://user:hunter2@mail.example?tls=none": "needs encryption",
	} {
		_, err := mail.New(written, "paydown@example.com")
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), password) {
			t.Errorf("%s: %v, want it to say %s", written, err, want)
		}
	}
	for _, from := range []string{
		"", "paydown", "a@b.example, c@d.example", "Name <a@b.example", "a@b.example\r\nBcc: x@y.example",
	} {
		if _, err := mail.New("smtp://mail.example", from); err == nil || !strings.Contains(err.Error(), "sender") {
			t.Errorf("from %q: %v", from, err)
		}
	}
}

func TestPasswordIsNotPrinted(t *testing.T) {
	const password = "hunter2"
	s, err := mail.New("smtp://user:"+password+"@mail.example", "paydown@example.com")
	if err != nil {
		t.Fatal(err)
	}
	var logged bytes.Buffer
	for _, handler := range []slog.Handler{slog.NewJSONHandler(&logged, nil), slog.NewTextHandler(&logged, nil)} {
		slog.New(handler).Info("mail", "server", s, "inside", struct{ Server *mail.Server }{s})
	}
	for _, form := range []string{"%v", "%+v", "%#v", "%s", "%q"} {
		fmt.Fprintf(&logged, form+"\n", s)
	}
	if strings.Contains(logged.String(), password) || strings.Count(logged.String(), "smtp://mail.example:587") < 7 {
		t.Errorf("the log says %s", &logged)
	}
}
