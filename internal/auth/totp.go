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

// Codes of the second factor are those of every authenticator app: six digits of HMAC-SHA1 for each 30 seconds
// (RFC 6238).
const (
	codeStep   = 30 // seconds
	codeDigits = otp.DigitsSix
	secretSize = 20
)

var codeText = base32.StdEncoding.WithPadding(base32.NoPadding)

// NewCodeSecret returns a secret for codes, in a form that people can type.
func NewCodeSecret() string { return codeText.EncodeToString(random(secretSize)) }

// CodeURI returns the content of the QR code for authenticator apps.
func CodeURI(secret, company, account string) string {
	label := url.PathEscape(company) + ":" + url.PathEscape(account)
	query := url.Values{"secret": {secret}, "issuer": {company}, "algorithm": {"SHA1"}, "digits": {"6"}, "period": {"30"}}
	return "otpauth://totp/" + label + "?" + strings.ReplaceAll(query.Encode(), "+", "%20")
}

// MatchCode returns the time step of a code: the current one, the one before or the one after. It refuses codes
// of the step after and of earlier ones, so that no code works twice. ok is false if the code matches none.
func MatchCode(secret, code string, now time.Time, after int64) (step int64, ok bool, err error) {
	present := now.Unix() / codeStep
	for _, candidate := range []int64{present - 1, present, present + 1} {
		//nolint:gosec // the present is after 1970
		want, err := hotp.GenerateCodeCustom(secret, uint64(candidate), hotp.ValidateOpts{
			Digits: codeDigits, Algorithm: otp.AlgorithmSHA1,
		})
		if err != nil {
			return 0, false, fmt.Errorf("generate a code: %w", err)
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 && candidate > after {
			step, ok = candidate, true
		}
	}
	return step, ok, nil
}

// RecoveryCodes is the number of single-use codes that replace a lost authenticator.
const RecoveryCodes = 10

// NewRecoveryCodes returns new codes of 80 random bits each.
func NewRecoveryCodes() []string {
	codes := make([]string, RecoveryCodes)
	for i := range codes {
		s := strings.ToLower(codeText.EncodeToString(random(10)))
		codes[i] = s[:4] + "-" + s[4:8] + "-" + s[8:12] + "-" + s[12:]
	}
	return codes
}

// HashRecoveryCode returns what is stored of a recovery code. It ignores case, hyphens and spaces.
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
