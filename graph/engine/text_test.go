package engine_test

import (
	"bytes"
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/99designs/gqlgen/graphql"

	"paydown/graph/engine"
)

// Strings are written as gqlgen writes them and encoding/json then copies them into a response.
func FuzzStringsAreEscaped(f *testing.F) {
	for _, s := range []string{
		"", "Harbor Street", `"a\b"`, "\x00\x1f\x7f\t\r\n", "<a href='x'>&", "é€😀", "\u2027\u2028\u2029\u202a",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			return // neither database stores it
		}
		var text bytes.Buffer
		graphql.MarshalString(s).MarshalGQL(&text)
		want, err := json.Marshal(json.RawMessage(text.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		if got := engine.AppendString(nil, s); !bytes.Equal(got, want) {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
		if got := engine.AppendString([]byte("x"), s); !bytes.Equal(got[1:], want) {
			t.Errorf("%q: appended %s", s, got)
		}
	})
}
