package auth_test

import (
	"net/url"
	"regexp"
	"testing"
	"time"

	"paydown/internal/auth"
)

// RFC 6238, appendix B, SHA-1: the last six of its eight digits.
func TestCodesMatchRFC(t *testing.T) {
	const secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" // 12345678901234567890
	for at, code := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037",
		20000000000: "353130",
	} {
		now := time.Unix(at, 0)
		if step, ok, err := auth.MatchCode(secret, code, now, 0); !ok || err != nil || step != at/30 {
			t.Errorf("%d: %s is %d, %t, %v", at, code, step, ok, err)
		}
		for shift, good := range map[time.Duration]bool{
			-60 * time.Second: false, -30 * time.Second: true, 30 * time.Second: true, 60 * time.Second: false,
		} {
			if _, ok, _ := auth.MatchCode(secret, code, now.Add(shift), 0); ok != good && at > 60 {
				t.Errorf("%d: %s is good %s later: %t", at, code, shift, ok)
			}
		}
		if _, ok, _ := auth.MatchCode(secret, code, now, at/30); ok {
			t.Errorf("%d: %s works twice", at, code)
		}
	}
	for _, code := range []string{"", "28708", "2870820", "abcdef", "２８７０８２"} {
		if _, ok, _ := auth.MatchCode(secret, code, time.Unix(59, 0), 0); ok {
			t.Errorf("%q is a code", code)
		}
	}
}

func TestAuthenticatorURI(t *testing.T) {
	secret := auth.NewCodeSecret()
	if len(secret) != 32 || secret == auth.NewCodeSecret() {
		t.Errorf("the secret is %s", secret)
	}
	u, err := url.Parse(auth.CodeURI(secret, "Harbor & Street: Capital", "dana@harbor.example"))
	if err != nil || u.Scheme != "otpauth" || u.Host != "totp" ||
		u.Path != "/Harbor & Street: Capital:dana@harbor.example" ||
		u.Query().Get("secret") != secret ||
		u.Query().Get("issuer") != "Harbor & Street: Capital" {
		t.Errorf("%s, %v", u, err)
	}
}

func TestRecoveryCodes(t *testing.T) {
	codes := auth.NewRecoveryCodes()
	seen := map[string]bool{}
	for _, c := range codes {
		if !regexp.MustCompile(`^[a-z2-7]{4}(-[a-z2-7]{4}){3}$`).MatchString(c) || seen[c] {
			t.Errorf("%s", c)
		}
		seen[c] = true
	}
	if len(codes) != auth.RecoveryCodes {
		t.Errorf("%d codes", len(codes))
	}
	if auth.HashRecoveryCode("abcd-efgh-2345-6789") != auth.HashRecoveryCode(" ABCDEFGH 23456789") {
		t.Error("how a code is typed matters")
	}
}

func TestSecretTokens(t *testing.T) {
	token := auth.NewSecretToken()
	if !auth.IsSecretToken(token) || token == auth.NewSecretToken() {
		t.Errorf("%s", token)
	}
	for _, bad := range []string{"", token + "A", token[1:], token[:42] + "=", token[:42] + " ", " " + token[1:]} {
		if auth.IsSecretToken(bad) {
			t.Errorf("%q is taken for one", bad)
		}
	}
	// 43 characters have two bits more than 256: they must be zero.
	spellings := 0
	for _, c := range "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_" {
		if auth.IsSecretToken(token[:42] + string(c)) {
			spellings++
		}
	}
	if spellings != 16 {
		t.Errorf("%d of 64 last characters make a token", spellings)
	}
}

func TestFailedAttemptsSlowFurtherOnesDown(t *testing.T) {
	began := time.Date(2026, time.January, 5, 14, 0, 0, 0, time.UTC)
	for name, throttle := range map[string]auth.Throttle{
		"origin": auth.ThrottleOrigin, "account": auth.ThrottleAccount, "network": auth.ThrottleNetwork,
	} {
		now, a := began, auth.NoAttempts
		var last time.Duration
		for n := 1; n <= throttle.Free+20; n++ {
			a = throttle.Failed(a, now)
			wait := throttle.Wait(a, now)
			if n < throttle.Free && throttle.Wait(a, now.Add(-time.Second)) != 0 {
				t.Errorf("%s: failure %d costs who came a moment before", name, n)
			}
			switch {
			case n < throttle.Free && wait != 0:
				t.Errorf("%s: failure %d costs %s", name, n, wait)
			case n == throttle.Free && wait != throttle.First:
				t.Errorf("%s: failure %d costs %s", name, n, wait)
			case n > throttle.Free && (wait < last || wait > throttle.Most):
				t.Errorf("%s: failure %d costs %s after %s", name, n, wait, last)
			}
			last, now = wait, now.Add(wait)
		}
		if last != throttle.Most {
			t.Errorf("%s: at last a failure costs %s", name, last)
		}
		if wait := throttle.Wait(a, now); wait != 0 {
			t.Errorf("%s: who has waited waits %s more", name, wait)
		}
		if forgiven := throttle.Forgiven(a); forgiven.Failures != a.Failures-1 || throttle.Wait(forgiven, now) != 0 {
			t.Errorf("%s: %+v is forgiven as %+v", name, a, forgiven)
		}
		if later := throttle.Failed(a, now.Add(throttle.Forget)); later.Failures != 1 {
			t.Errorf("%s: nothing is forgotten: %+v", name, later)
		}
	}
}
