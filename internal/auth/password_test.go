package auth_test

import (
	"context"
	"strings"
	"testing"

	"paydown/internal/auth"
)

var cheap = auth.PasswordCost{Memory: 64, Passes: 1, Threads: 1}

func TestPasswordHashesIncludeParameters(t *testing.T) {
	p := auth.NewPasswords(cheap)
	stored, err := p.Hash(t.Context(), "correct horse battery")
	if err != nil || !strings.HasPrefix(stored, "$argon2id$v=19$m=64,t=1,p=1$") || strings.Contains(stored, "horse") {
		t.Fatalf("%s, %v", stored, err)
	}
	if again, _ := p.Hash(t.Context(), "correct horse battery"); again == stored {
		t.Error("two hashes of one password are the same: there is no salt")
	}
	for password, want := range map[string]bool{
		"correct horse battery": true, "correct horse batterz": false, "": false, "correct horse battery ": false,
	} {
		if ok, stale, err := p.Check(t.Context(), password, stored); ok != want || stale || err != nil {
			t.Errorf("%q: %t, stale %t, %v", password, ok, stale, err)
		}
	}
	dearer := auth.NewPasswords(auth.PasswordCost{Memory: 128, Passes: 1, Threads: 1})
	if ok, stale, err := dearer.Check(t.Context(), "correct horse battery", stored); !ok || !stale || err != nil {
		t.Errorf("at another cost: %t, stale %t, %v", ok, stale, err)
	}
	if ok, stale, _ := dearer.Check(t.Context(), "wrong horse battery", stored); ok || stale {
		t.Errorf("a wrong password is rehashed: %t, %t", ok, stale)
	}
}

// Created by the reference implementation's command line: echo -n password | argon2 somesalt -id -t 2 -m 16 -p
// 1.
func TestForeignHashVerifies(t *testing.T) {
	const foreign = "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc"
	p := auth.NewPasswords(cheap)
	if ok, stale, err := p.Check(t.Context(), "password", foreign); !ok || !stale || err != nil {
		t.Errorf("%t, stale %t, %v", ok, stale, err)
	}
}

func TestUnknownMemberCostsSameWork(t *testing.T) {
	p := auth.NewPasswords(cheap)
	if ok, stale, err := p.Check(t.Context(), "whatever", ""); ok || stale || err != nil || p.Made() != 1 {
		t.Errorf("%t, %t, %v after %d hashes", ok, stale, err, p.Made())
	}
	for _, broken := range []string{
		"x", "$argon2i$v=19$m=64,t=1,p=1$AAAA$AAAA", "$argon2id$v=19$m=64,t=0,p=1$AAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAA",
	} {
		if ok, _, err := p.Check(t.Context(), "whatever", broken); ok || err == nil {
			t.Errorf("%s is taken for a hash", broken)
		}
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	for range 50 { // room and a caller who is gone: either may be seen first
		if _, err := p.Hash(gone, "whatever"); err != nil {
			return
		}
	}
	t.Error("hashes are made for a caller who is gone")
}

func TestRejectedPasswords(t *testing.T) {
	own := []string{"ada@staff.test", "dana.whitfield@harbor.example", "Dana Whitfield", "Harbor Street Capital"}
	for _, bad := range []string{
		"", "short", "elevenchars", strings.Repeat("é", 11), strings.Repeat("lantern ", 33), "with\x00a control character",
		"half a pair \xed\xa0\x80 of surrogates",
		"password1234", "Password123!", "P@ssw0rd2026!!", "passwordpassword", "letmeinletmein", "123456789012",
		"098765432109",
		"aaaaaaaaaaaa", "abcabcabcabc", "abcdefghijkl", "qwertyuiop12", "1q2w3e4r5t6y", "iloveyouforever", "!!!!!!password",
		"HarborStreet2026", "dana.whitfield", "danawhitfield1", "Whitfield-Capital", "harbor.example", "capital!capital!",
		"ada@staff.test", "ADA@staff.test1",
	} {
		if auth.CheckPassword(bad, own...) == "" {
			t.Errorf("%q is taken", bad)
		}
	}
	for _, good := range []string{
		"correct horse battery staple", "7g2h9xk1pq0z", "harbor purple walrus 99", "zwölf Boxkämpfer jagen", "密码很长而且不好猜的一句话",
		strings.Repeat("é lantern x7 ", 19),
	} {
		if problem := auth.CheckPassword(good, own...); problem != "" {
			t.Errorf("%q: %s", good, problem)
		}
	}
	for _, s := range []string{"password1234", "HarborStreet2026"} {
		if problem := auth.CheckPassword(s, own...); strings.Contains(problem, s) {
			t.Errorf("the message repeats the password: %s", problem)
		}
	}
}

func TestPasswordIsNormalized(t *testing.T) {
	composed, ok := auth.NormalPassword("caf\u00e9 au lait, merci")
	decomposed, also := auth.NormalPassword("cafe\u0301 au\u00a0lait, merci")
	if !ok || !also || composed != decomposed {
		t.Errorf("%q and %q", composed, decomposed)
	}
}

func FuzzCheckPassword(f *testing.F) {
	f.Add("correct horse battery staple", "dana@harbor.example")
	f.Add("1234567890123", "")
	f.Fuzz(func(t *testing.T, password, own string) {
		if auth.CheckPassword(password, own) == "" {
			if _, ok := auth.NormalPassword(password); !ok {
				t.Errorf("%q is taken and cannot be hashed", password)
			}
		}
	})
}
