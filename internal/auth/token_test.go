package auth_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"testing"

	"paydown/internal/auth"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// A token created once, outside this program: the format must never change, because scanners and clients know
// it.
const known = "svc_live_0123456789ABCDEFGHIJKLMNOPQRST3MpION"

func TestTokenFormat(t *testing.T) {
	forms := map[auth.KeyKind]*regexp.Regexp{
		auth.Live: regexp.MustCompile(`^svc_live_[0-9A-Za-z]{36}$`),
		auth.Test: regexp.MustCompile(`^svc_test_[0-9A-Za-z]{36}$`),
	}
	seen := map[string]bool{}
	for kind, form := range forms {
		for range 500 {
			token := auth.NewToken(kind)
			if !form.MatchString(token) || !auth.WellFormed(token) || seen[token] {
				t.Fatalf("%s is no new %s token", token, kind)
			}
			seen[token] = true
		}
	}
	if !auth.WellFormed(known) {
		t.Error("a token of the published form is refused")
	}
}

func TestSingleCharacterTyposAreRejected(t *testing.T) {
	for _, token := range []string{auth.NewToken(auth.Live), auth.NewToken(auth.Test)} {
		for i := range token {
			for _, c := range []byte(base62 + "_- \x00") {
				typo := token[:i] + string(c) + token[i+1:]
				if typo != token && auth.WellFormed(typo) {
					t.Errorf("%s is taken for %s", typo, token)
				}
			}
		}
	}
}

func TestOtherTyposAreRejected(t *testing.T) {
	token := auth.NewToken(auth.Live)
	slips := map[string]string{
		"nothing":            "",
		"a prefix alone":     "svc_live_",
		"the first half":     token[:20],
		"one too few":        token[:len(token)-1],
		"one too many":       token + "0",
		"another prefix":     "svc_test_" + strings.TrimPrefix(token, "svc_live_"),
		"an unknown prefix":  "svc_demo_" + strings.TrimPrefix(token, "svc_live_"),
		"capitals":           strings.ToUpper(token),
		"a space before":     " " + token[:len(token)-1],
		"letters not in use": token[:len(token)-2] + "é",
	}
	for i := range len(token) - 1 {
		swapped := []byte(token)
		swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
		if string(swapped) != token {
			slips["two exchanged at "+token[:i]] = string(swapped)
		}
	}
	for name, slip := range slips {
		if auth.WellFormed(slip) {
			t.Errorf("%s: %q is taken for %q", name, slip, token)
		}
	}
}

func TestOnlyTokenHashIsStored(t *testing.T) {
	got := auth.HashToken(known)
	want := sha256.Sum256([]byte(known))
	if !bytes.Equal(got, want[:]) || strings.Contains(hex.EncodeToString(got), known) {
		t.Errorf("the hash is %x", got)
	}
}

func TestRandomCharactersAreUniform(t *testing.T) {
	counts := map[rune]int{}
	const tokens = 2000
	for range tokens {
		for _, c := range auth.NewToken(auth.Live)[9:39] {
			counts[c]++
		}
	}
	mean := float64(tokens*30) / 62
	for _, c := range base62 {
		// Six standard deviations: a fair generator fails once in millions of runs.
		if got := float64(counts[c]); got < mean*0.8 || got > mean*1.2 {
			t.Errorf("%c comes %v times, on average it is %.0f", c, got, mean)
		}
	}
}

func FuzzWellFormed(f *testing.F) {
	f.Add(known)
	f.Add("svc_live_")
	f.Fuzz(func(t *testing.T, s string) {
		if auth.WellFormed(s) && !regexp.MustCompile(`^svc_(live|test)_[0-9A-Za-z]{36}$`).MatchString(s) {
			t.Errorf("takes %q", s)
		}
	})
}
