package webhook

import (
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// ErrMissing is why VerifyDelivery and VerifyStandard refuse what lacks one of their headers.
var ErrMissing = errors.New("webhook: a header is missing")

// VerifyDelivery judges a delivery by X-Timestamp and X-Signature, as its receiver does: the body's exact bytes, and the
// secrets that the receiver knows, as they were shown. While a rotation is under way either side may be ahead of the
// other, so that X-Signature or X-Signature-Previous may match any of the secrets. It returns nil, or an error that is
// ErrMissing, ErrTimestamp, ErrStale or ErrSignature.
func VerifyDelivery(secrets []string, h http.Header, body []byte, now time.Time) error {
	if err := present(h, HeaderTimestamp, HeaderSignature); err != nil {
		return err
	}
	for _, signature := range []string{h.Get(HeaderSignature), h.Get(HeaderSignaturePrevious)} {
		for _, secret := range secrets {
			if err := Verify(secret, h.Get(HeaderTimestamp), signature, body, now); !errors.Is(err, ErrSignature) {
				return err
			}
		}
	}
	return ErrSignature
}

// VerifyStandard judges a delivery by the three headers of Standard Webhooks, as the libraries of that scheme do. Its
// errors are those of VerifyDelivery, and one of its own where a secret is not of the form that NewSecret makes.
func VerifyStandard(secrets []string, h http.Header, body []byte, now time.Time) error {
	if err := present(h, HeaderStandardID, HeaderStandardTimestamp, HeaderStandardSignature); err != nil {
		return err
	}
	timestamp := h.Get(HeaderStandardTimestamp)
	seconds, err := secondsOf(timestamp)
	if err != nil {
		return err
	}
	for i, secret := range secrets {
		key, err := standardKey(secret)
		if err != nil {
			return fmt.Errorf("webhook: signing secret %d %w", i, err)
		}
		want := []byte(standardVersion + base64.StdEncoding.EncodeToString(mac(key, h.Get(HeaderStandardID)+"."+timestamp, body)))
		for given := range strings.SplitSeq(h.Get(HeaderStandardSignature), " ") {
			if hmac.Equal([]byte(given), want) {
				return fresh(seconds, now)
			}
		}
	}
	return ErrSignature
}

// present refuses headers of which one of the named is missing or empty.
func present(h http.Header, names ...string) error {
	for _, name := range names {
		if h.Get(name) == "" {
			return fmt.Errorf("%w: %s", ErrMissing, name)
		}
	}
	return nil
}
