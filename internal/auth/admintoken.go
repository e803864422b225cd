package auth

import "strings"

// adminPrefix is the prefix of operators' tokens.
const adminPrefix = "svc_admin_"

// NewAdminToken returns a token for an operator, in the form of NewToken.
func NewAdminToken() string {
	body := adminPrefix + randomBase62(randomLength)
	return body + checksum(body)
}

// IsAdminToken reports whether s has the form of an operator's token.
func IsAdminToken(s string) bool {
	random, ok := strings.CutPrefix(s, adminPrefix)
	if !ok || len(random) != randomLength+sumLength || strings.Trim(random, base62) != "" {
		return false
	}
	body, sum := s[:len(s)-sumLength], s[len(s)-sumLength:]
	return checksum(body) == sum
}
