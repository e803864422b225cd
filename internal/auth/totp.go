package auth

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
)

// A code of the second factor is what every authenticator app shows: six digits of HMAC-SHA1 for each half minute (RFC
// 6238).
const (
	codeStep   = 30 // seconds
	codeDigits = otp.DigitsSix
	secretSize = 20
)

var codeText = base32.StdEncoding.WithPadding(base32.NoPadding)

// NewCodeSecret makes what codes are made of, in the form that people can type.
func NewCodeSecret() string { return codeText.EncodeToString(random(secretSize)) }

// CodeURI is what an authenticator app reads as a QR code.
func CodeURI(secret, company, account string) string {
	label := url.PathEscape(company) + ":" + url.PathEscape(account)
	query := url.Values{"secret": {secret}, "issuer": {company}, "algorithm": {"SHA1"}, "digits": {"6"}, "period": {"30"}}
	return "otpauth://totp/" + label + "?" + strings.ReplaceAll(query.Encode(), "+", "%20")
}

// MatchCode finds the half minute that a code is for: that of now, the one before or the one after. A code of the half
// minute after, or of one before it, is refused: none works twice. ok is false where it is for none.
func MatchCode(secret, code string, now time.Time, after int64) (step int64, ok bool, err error) {
	present := now.Unix() / codeStep
	for _, candidate := range []int64{present - 1, present, present + 1} {
		//nolint:gosec // the present is after 1970
		want, err := hotp.GenerateCodeCustom(secret, uint64(candidate), hotp.ValidateOpts{
			Digits: codeDigits, Algorithm: otp.AlgorithmSHA1,
		})
		if err != nil {
			return 0, false, fmt.Errorf("make a code: %w", err)
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 && candidate > after {
			step, ok = candidate, true
		}
	}
	return step, ok, nil
}

// RecoveryCodes is how many codes stand in for an authenticator that is lost, each once.
const RecoveryCodes = 10

// NewRecoveryCodes makes them: 80 random bits each.
func NewRecoveryCodes() []string {
	codes := make([]string, RecoveryCodes)
	for i := range codes {
		s := strings.ToLower(codeText.EncodeToString(random(10)))
		codes[i] = s[:4] + "-" + s[4:8] + "-" + s[8:12] + "-" + s[12:]
	}
	return codes
}

// HashRecoveryCode is what is stored of a recovery code, however it was typed.
func HashRecoveryCode(code string) string {
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(code))
	sum := sha256.Sum256([]byte(plain))
	return hex.EncodeToString(sum[:])
}
