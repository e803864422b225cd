package auth

import "strings"

// adminPrefix begins the tokens of operators.
const adminPrefix = "svc_admin_"

// NewAdminToken makes the token of an operator, in the form of NewToken.
func NewAdminToken() string {
	body := adminPrefix + randomBase62(randomLength)
	return body + checksum(body)
}

// IsAdminToken reports whether s can be the token of an operator at all.
func IsAdminToken(s string) bool {
	random, ok := strings.CutPrefix(s, adminPrefix)
	if !ok || len(random) != randomLength+sumLength || strings.Trim(random, base62) != "" {
		return false
	}
	body, sum := s[:len(s)-sumLength], s[len(s)-sumLength:]
	return checksum(body) == sum
}
