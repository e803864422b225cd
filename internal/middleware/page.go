package middleware

import (
	"net/http"
	"strconv"
	"strings"
)

// SecurePage sets the headers of a page: the content security policy with the given directives, and headers
// that forbid other sites to frame the page, read it or see the referrer.
func SecurePage(h http.Header, directives ...string) {
	h.Set("Content-Security-Policy", strings.Join(directives, "; "))
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
}

// KeepForever sets the cache headers of a file whose name contains a digest of its content.
func KeepForever(h http.Header) {
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// Accepts reports whether Accept-Encoding names the coding and does not refuse it with q=0.
func Accepts(r *http.Request, coding string) bool {
	for accepted := range strings.SplitSeq(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		name, weight, _ := strings.Cut(accepted, ";")
		if strings.EqualFold(strings.TrimSpace(name), coding) {
			_, q, given := strings.Cut(weight, "q=")
			n, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
			return !given || (err == nil && n > 0)
		}
	}
	return false
}
