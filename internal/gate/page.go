package gate

import (
	"net/http"
	"strconv"
	"strings"
)

// SecurePage sets the headers of a page: the content security policy of the given directives, and what forbids other
// sites to frame the page, read it or learn from where somebody came.
func SecurePage(h http.Header, directives ...string) {
	h.Set("Content-Security-Policy", strings.Join(directives, "; "))
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()")
}

// KeepForever sets the headers of a file whose name changes with what is in it.
func KeepForever(h http.Header) {
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// Accepts reads Accept-Encoding: a coding that is named counts unless it is refused with q=0.
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
