package webhook_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"
	"unicode/utf8"

	"paydown/internal/webhook"
)

// bomb is a megabyte of one letter, compressed.
func bomb(tb testing.TB) []byte {
	tb.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(bytes.Repeat([]byte("a"), 1<<20)); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return packed.Bytes()
}

func TestSnippetsAreText(t *testing.T) {
	x := strings.Repeat("x", 1023)
	for body, want := range map[string]string{
		"":                       "",
		"ok":                     "ok",
		"café ☕ 🥐":               "café ☕ 🥐",
		x + "yz":                 x + "y",
		x + "é":                  x,
		x[:1022] + "é":           x[:1022] + "é",
		x[:1022] + "☕":           x[:1022],
		x[:1021] + "🥐":           x[:1021],
		x[:1020] + "🥐":           x[:1020] + "🥐",
		"a\x00b":                 "a\uFFFDb",
		"caf\xe9":                "caf\uFFFD",
		"\xff\xfe\xfd":           "\uFFFD",
		"é"[:1]:                  "\uFFFD", // the body ends there
		x + "\xe9":               x,        // what stands for it does not fit
		x[:1021] + "\xe9":        x[:1021] + "\uFFFD",
		"\xed\xa0\x80 surrogate": "\uFFFD surrogate",
		"a\r\n\tb":               "a\r\n\tb",
	} {
		if got := webhook.Snippet([]byte(body)); got != want {
			t.Errorf("%q became %q, want %q", body, got, want)
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add([]byte("caf\xe9\x00"))
	f.Add([]byte(strings.Repeat("\xff ", 700)))
	f.Add([]byte(strings.Repeat("🥐", 300)))
	f.Fuzz(func(t *testing.T, body []byte) {
		got := webhook.Snippet(body)
		if !utf8.ValidString(got) || strings.Contains(got, "\x00") || len(got) > webhook.SnippetSize {
			t.Errorf("%q became %q", body, got)
		}
		if whole := string(body); len(whole) <= webhook.SnippetSize && utf8.ValidString(whole) &&
			!strings.Contains(whole, "\x00") &&
			got != whole {
			t.Errorf("%q became %q", body, got)
		}
	})
}
