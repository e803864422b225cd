package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"hash/crc32"
	"strings"
)

// KeyKind distinguishes production keys from test keys.
type KeyKind string

// The kinds of keys.
const (
	Live KeyKind = "LIVE"
	Test KeyKind = "TEST"
)

const (
	livePrefix   = "svc_live_"
	testPrefix   = "svc_test_"
	randomLength = 30 // base62: 178 bits
	sumLength    = 6  // base62: holds a CRC-32
	base62       = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

func prefixOf(kind KeyKind) string {
	if kind == Test {
		return testPrefix
	}
	return livePrefix
}

// NewToken returns a token: prefix, 30 random base62 characters, and a checksum of both. With the checksum,
// secret scanners recognize real tokens, and mistyped ones are refused without a lookup.
func NewToken(kind KeyKind) string {
	body := prefixOf(kind) + randomBase62(randomLength)
	return body + checksum(body)
}

// WellFormed reports whether s has the form of a token.
func WellFormed(s string) bool {
	if len(s) != len(livePrefix)+randomLength+sumLength {
		return false
	}
	if !strings.HasPrefix(s, livePrefix) && !strings.HasPrefix(s, testPrefix) {
		return false
	}
	body, sum := s[:len(s)-sumLength], s[len(s)-sumLength:]
	return strings.Trim(s[len(livePrefix):], base62) == "" && checksum(body) == sum
}

// HashToken returns what is stored of a token. The token is random, so a fast hash is enough.
func HashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

func checksum(body string) string {
	n := crc32.ChecksumIEEE([]byte(body))
	var out [sumLength]byte
	for i := sumLength - 1; i >= 0; i-- {
		out[i] = base62[n%62]
		n /= 62
	}
	return string(out[:])
}

// randomBase62 returns n characters without bias: bytes of 248 and more are discarded.
func randomBase62(n int) string {
	out := make([]byte, 0, n)
	buf := make([]byte, 2*n)
	for len(out) < n {
		_, _ = rand.Read(buf) // never fails: crypto/rand ends the program instead
		for _, b := range buf {
			if b < 4*62 && len(out) < n {
				out = append(out, base62[b%62])
			}
		}
	}
	return string(out)
}

// secretLength is the base64 length of a session or reset token: 256 bits.
const secretLength = 43

// NewSecretToken returns a token for a session or a password reset. HashToken returns what is stored of it.
func NewSecretToken() string { return SecretToken(random(secretLength * 6 / 8)) }

// SecretToken encodes 32 secret bytes as such a token.
func SecretToken(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

// IsSecretToken reports whether s has the form of such a token.
func IsSecretToken(s string) bool {
	raw, err := base64.RawURLEncoding.Strict().DecodeString(s)
	return err == nil && len(s) == secretLength && len(raw) == secretLength*6/8
}
