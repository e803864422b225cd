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

// ErrMissing is returned by VerifyDelivery and VerifyStandard if one of their headers is missing.
var ErrMissing = errors.New("webhook: a header is missing")

// VerifyDelivery checks a delivery by X-Timestamp and X-Signature, as its receiver does, with the exact bytes
// of the body and the secrets that the receiver knows, as they were shown. During a rotation either side may be
// ahead of the other, so X-Signature or X-Signature-Previous may match any of the secrets. It returns nil, or
// an error that is ErrMissing, ErrTimestamp, ErrStale or ErrSignature.
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

// VerifyStandard checks a delivery by the three headers of Standard Webhooks, as the libraries of that scheme
// do. Its errors are those of VerifyDelivery, and one of its own for a secret that NewSecret could not have
// created.
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
		signature := mac(key, h.Get(HeaderStandardID)+"."+timestamp, body)
		want := []byte(standardVersion + base64.StdEncoding.EncodeToString(signature))
		for given := range strings.SplitSeq(h.Get(HeaderStandardSignature), " ") {
			if hmac.Equal([]byte(given), want) {
				return fresh(seconds, now)
			}
		}
	}
	return ErrSignature
}

// present returns an error if one of the headers is missing or empty.
func present(h http.Header, names ...string) error {
	for _, name := range names {
		if h.Get(name) == "" {
			return fmt.Errorf("%w: %s", ErrMissing, name)
		}
	}
	return nil
}
