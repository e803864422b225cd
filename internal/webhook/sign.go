package webhook

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Freshness is how far a timestamp may be from the receiver's clock, in either direction.
const Freshness = 5 * time.Minute

// RotationOverlap is how long deliveries are signed with the previous secret as well.
const RotationOverlap = 24 * time.Hour

// Why Verify refuses. Senders are only told that verification failed; these are for the log.
var (
	ErrTimestamp = errors.New("webhook: the timestamp is missing or malformed")
	ErrStale     = errors.New("webhook: the timestamp is more than five minutes off")
	ErrSignature = errors.New("webhook: the signature does not match")
)

const (
	secretPrefix = "whsec_"
	secretSize   = 32 // in bytes, of which the text after the prefix is the base64
)

// NewSecret returns a signing secret as it is shown to the receiver: whsec_ and the base64 of 32 random bytes.
func NewSecret() string {
	raw := make([]byte, secretSize)
	_, _ = rand.Read(raw) // never fails: crypto/rand ends the program instead
	return secretPrefix + base64.StdEncoding.EncodeToString(raw)
}

// Timestamp formats X-Timestamp and webhook-timestamp: whole seconds since 1970.
func Timestamp(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

// Sign returns the X-Signature of a body sent at that instant: the hex of HMAC-SHA256 over "timestamp.body",
// keyed with the bytes of the secret as it is shown, including the prefix.
func Sign(secret []byte, at time.Time, body []byte) string {
	return hex.EncodeToString(mac(secret, Timestamp(at), body))
}

// Verify checks a body signed with Sign, with both headers as received and the secret as it is shown. It
// compares in constant time, and accepts timestamps up to Freshness before or after now. An empty secret
// verifies nothing.
func Verify(secret, timestampHeader, signatureHeader string, body []byte, now time.Time) error {
	seconds, err := secondsOf(timestampHeader)
	if err != nil {
		return err
	}
	given, err := hex.DecodeString(signatureHeader)
	if err != nil || secret == "" || !hmac.Equal(given, mac([]byte(secret), timestampHeader, body)) {
		return ErrSignature
	}
	return fresh(seconds, now)
}

// Plausible checks both headers without the body: it returns an error if Verify could not succeed with any
// body.
func Plausible(timestampHeader, signatureHeader string, now time.Time) error {
	seconds, err := secondsOf(timestampHeader)
	if err != nil {
		return err
	}
	if given, err := hex.DecodeString(signatureHeader); err != nil || len(given) != sha256.Size {
		return ErrSignature
	}
	return fresh(seconds, now)
}

func secondsOf(timestampHeader string) (int64, error) {
	seconds, err := strconv.ParseInt(timestampHeader, 10, 64)
	if err != nil || strconv.FormatInt(seconds, 10) != timestampHeader {
		return 0, ErrTimestamp
	}
	return seconds, nil
}

func fresh(seconds int64, now time.Time) error {
	// Compare seconds, because a Duration overflows after 292 years.
	if limit := int64(Freshness / time.Second); seconds < now.Unix()-limit || seconds > now.Unix()+limit {
		return ErrStale
	}
	return nil
}

func mac(key []byte, timestamp string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write([]byte(timestamp)) // a hash never fails
	_, _ = h.Write([]byte{'.'})
	_, _ = h.Write(body)
	return h.Sum(nil)
}

// SignStandard returns the webhook-signature of the Standard Webhooks scheme: "v1," and the base64 of
// HMAC-SHA256 over "id.timestamp.body", keyed with the 32 bytes that the secret encodes. Each secret gives one
// signature; they are separated by spaces. It fails for a secret that NewSecret could not have created.
func SignStandard(id string, at time.Time, body []byte, secrets ...string) (string, error) {
	signatures := make([]string, len(secrets))
	for i, s := range secrets {
		key, err := standardKey(s)
		if err != nil {
			return "", fmt.Errorf("webhook: signing secret %d %w", i, err)
		}
		signatures[i] = standardVersion + base64.StdEncoding.EncodeToString(mac(key, id+"."+Timestamp(at), body))
	}
	return strings.Join(signatures, " "), nil
}

// standardVersion is the prefix of Standard Webhooks signatures with a shared secret.
const standardVersion = "v1,"

// errSecretForm follows the name of a secret.
var errSecretForm = errors.New("must have the form " + secretPrefix + " and base64")

// standardKey decodes a secret for Standard Webhooks.
func standardKey(secret string) ([]byte, error) {
	encoded, ok := strings.CutPrefix(secret, secretPrefix)
	key, err := base64.StdEncoding.DecodeString(encoded)
	if !ok || err != nil || len(key) == 0 {
		return nil, errSecretForm
	}
	return key, nil
}
