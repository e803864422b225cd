package webhook_test

import (
	"encoding/base64"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydown/internal/webhook"
)

// The vectors were computed with OpenSSL: printf '%s' "$TIMESTAMP.$BODY" | openssl dgst -sha256 -hmac
// "$SECRET".
var vectors = []struct {
	secret, body string
	at           int64
	want         string
}{
	{
		"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", `{"test": 2432232314}`, 1614265330,
		"2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964",
	},
	{
		"inbound secret of 24 chars",
		`{"id":"e-1","note":"café"}`,
		1760000000,
		"b6b0c21911b6e99a45601269485e90b4c719aaf6248054dbc212517b954579f5",
	},
	{"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "", 1, "a397ea5246be6887726ba2e7c7f3d85f96efec3897b6fed0f8a695c600b1b0b5"},
}

func TestSign(t *testing.T) {
	for _, v := range vectors {
		if got := webhook.Sign([]byte(v.secret), time.Unix(v.at, 999), []byte(v.body)); got != v.want {
			t.Errorf("%q at %d: %s, want %s", v.body, v.at, got, v.want)
		}
	}
}

func TestVerify(t *testing.T) {
	now := time.Date(2026, 3, 9, 12, 0, 0, 0, time.UTC)
	body := []byte(`{"id":"e-1"}`)
	const secret = "a secret that two systems share"
	at := func(d time.Duration) (string, string) {
		when := now.Add(d)
		return webhook.Timestamp(when), webhook.Sign([]byte(secret), when, body)
	}
	stamp, signature := at(0)
	for _, c := range []struct {
		name                     string
		secret, stamp, signature string
		body                     string
		want                     error
	}{
		{"takes what Sign made", secret, stamp, signature, string(body), nil},
		{"takes upper-case hex", secret, stamp, strings.ToUpper(signature), string(body), nil},
		{"refuses another secret", secret + "!", stamp, signature, string(body), webhook.ErrSignature},
		{"refuses another body", secret, stamp, signature, `{"id":"e-2"}`, webhook.ErrSignature},
		{
			"refuses the signature of another second", secret,
			webhook.Timestamp(now.Add(time.Second)), signature, string(body), webhook.ErrSignature,
		},
		{"refuses a shortened signature", secret, stamp, signature[:62], string(body), webhook.ErrSignature},
		{"refuses a lengthened signature", secret, stamp, signature + "00", string(body), webhook.ErrSignature},
		{"refuses what is not hex", secret, stamp, "z" + signature[1:], string(body), webhook.ErrSignature},
		{"refuses no signature", secret, stamp, "", string(body), webhook.ErrSignature},
		{"refuses no timestamp", secret, "", signature, string(body), webhook.ErrTimestamp},
		{"refuses a timestamp with a fraction", secret, stamp + ".0", signature, string(body), webhook.ErrTimestamp},
		{"refuses a timestamp with a sign", secret, "+" + stamp, signature, string(body), webhook.ErrTimestamp},
		{"refuses a timestamp with a leading zero", secret, "0" + stamp, signature, string(body), webhook.ErrTimestamp},
		{
			"refuses a timestamp beyond all range", secret,
			"99999999999999999999", signature, string(body), webhook.ErrTimestamp,
		},
		{
			"refuses everything while no secret is set", "", stamp,
			webhook.Sign(nil, now, body), string(body), webhook.ErrSignature,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := webhook.Verify(c.secret, c.stamp, c.signature, []byte(c.body), now); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
	for d, want := range map[time.Duration]error{
		-webhook.Freshness:               nil,
		-webhook.Freshness - time.Second: webhook.ErrStale,
		webhook.Freshness:                nil,
		webhook.Freshness + time.Second:  webhook.ErrStale,
	} {
		stamp, signature := at(d)
		if err := webhook.Verify(secret, stamp, signature, body, now); !errors.Is(err, want) {
			t.Errorf("signed %s from now: %v, want %v", d, err, want)
		}
	}
	for _, seconds := range []int64{-1 << 63, 1<<63 - 1} {
		far := strconv.FormatInt(seconds, 10)
		signature := webhook.Sign([]byte(secret), time.Unix(seconds, 0), body)
		if err := webhook.Verify(secret, far, signature, body, now); !errors.Is(err, webhook.ErrStale) {
			t.Errorf("signed in second %s: %v, want %v", far, err, webhook.ErrStale)
		}
	}
}

// The vector is the one used by the tests of the Standard Webhooks libraries.
func TestSignStandard(t *testing.T) {
	const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	const want = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	at := time.Unix(1614265330, 0)
	body := []byte(`{"test": 2432232314}`)
	got, err := webhook.SignStandard("msg_p5jXN8AQM9LWM0D4loKWxJek", at, body, secret)
	if err != nil || got != want {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	previous := webhook.NewSecret()
	both, err := webhook.SignStandard("msg_p5jXN8AQM9LWM0D4loKWxJek", at, body, secret, previous)
	alone, _ := webhook.SignStandard("msg_p5jXN8AQM9LWM0D4loKWxJek", at, body, previous)
	if err != nil || both != want+" "+alone {
		t.Errorf("with the previous secret: %s, %v", both, err)
	}
	for _, bad := range []string{"", "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "whsec_not base64"} {
		if _, err := webhook.SignStandard("msg_1", at, body, bad); err == nil || strings.Contains(err.Error(), "not base64") {
			t.Errorf("secret %q: %v", bad, err)
		}
	}
}

func TestNewSecret(t *testing.T) {
	secret := webhook.NewSecret()
	encoded, ok := strings.CutPrefix(secret, "whsec_")
	raw, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(raw) != 32 {
		t.Errorf("%q is not whsec_ and the base64 of 32 bytes", secret)
	}
	if secret == webhook.NewSecret() {
		t.Error("two secrets are the same")
	}
}

// An implausible delivery is refused whatever its body; a plausible one may be valid.
func TestPlausibleHeaders(t *testing.T) {
	now := time.Unix(1760000000, 0)
	good := webhook.Sign([]byte("secret"), now, nil)
	for name, c := range map[string]struct {
		timestamp, signature string
		want                 error
	}{
		"good":                {webhook.Timestamp(now), good, nil},
		"capitals":            {webhook.Timestamp(now), strings.ToUpper(good), nil},
		"another's":           {webhook.Timestamp(now), strings.Repeat("0", 64), nil},
		"just fresh":          {webhook.Timestamp(now.Add(-webhook.Freshness)), good, nil},
		"stale":               {webhook.Timestamp(now.Add(-webhook.Freshness - time.Second)), good, webhook.ErrStale},
		"to come":             {webhook.Timestamp(now.Add(webhook.Freshness + time.Second)), good, webhook.ErrStale},
		"no timestamp":        {"", good, webhook.ErrTimestamp},
		"a timestamp in hex":  {"0x10", good, webhook.ErrTimestamp},
		"a signed timestamp":  {"+1760000000", good, webhook.ErrTimestamp},
		"no signature":        {webhook.Timestamp(now), "", webhook.ErrSignature},
		"a short signature":   {webhook.Timestamp(now), good[:62], webhook.ErrSignature},
		"a long signature":    {webhook.Timestamp(now), good + "00", webhook.ErrSignature},
		"a signature in text": {webhook.Timestamp(now), strings.Repeat("x", 64), webhook.ErrSignature},
	} {
		if err := webhook.Plausible(c.timestamp, c.signature, now); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
