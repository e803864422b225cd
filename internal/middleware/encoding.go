package middleware

import (
	"net/http"
	"strings"

	"paydown/internal/fault"
)

// Unencoded refuses a compressed or otherwise encoded body (RFC 9110, section 15.5.16). Bodies are not decoded,
// so they are never larger than what was sent.
func Unencoded(w http.ResponseWriter, r *http.Request) error {
	for coding := range strings.SplitSeq(strings.Join(r.Header.Values("Content-Encoding"), ","), ",") {
		if coding = strings.TrimSpace(coding); coding != "" && !strings.EqualFold(coding, "identity") {
			w.Header().Set("Accept-Encoding", "identity")
			return fault.New(fault.UnsupportedMediaType, "The body must not be compressed: send it without Content-Encoding.")
		}
	}
	return nil
}
