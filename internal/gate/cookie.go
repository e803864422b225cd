package gate

import (
	"net/http"
	"time"

	"paydown/internal/fault"
)

// The cookies that hold the token of a session. Over TLS a browser takes the first from nobody but this very host, and
// gives it to nobody else. On plain HTTP, which is for development on one's own machine, no browser would take it.
const (
	secureCookie = "__Host-paydown"
	plainCookie  = "paydown"
)

func cookieName(secure bool) string {
	if secure {
		return secureCookie
	}
	return plainCookie
}

// SessionToken is the token in the cookie of a request that came through a gate; "" where there is none, or more than
// one. The cookie of plain HTTP counts for nothing over TLS, where anybody on the way could have set it before.
func SessionToken(r *http.Request) string {
	cookies := r.CookiesNamed(cookieName(Of(r.Context()).Secure))
	if len(cookies) != 1 {
		return ""
	}
	return cookies[0].Value
}

// SetSession has the browser keep a session's token until the session ends. No script can read it, and no other site can
// make the browser send it along: the pages of the portal need no cookie to be loaded, and what they ask for then comes
// from this site, so that links from elsewhere work nevertheless.
func SetSession(w http.ResponseWriter, r *http.Request, token string, lasts time.Duration) {
	setCookie(w, r, token, int(lasts.Seconds()))
}

// EndSession has the browser forget the token.
func EndSession(w http.ResponseWriter, r *http.Request) { setCookie(w, r, "", -1) }

func setCookie(w http.ResponseWriter, r *http.Request, token string, maxAge int) {
	secure := Of(r.Context()).Secure
	//nolint:gosec // without TLS, on one's own machine, a secure cookie would never come back
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(secure), Value: token, Path: "/", MaxAge: maxAge, Secure: secure, HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
	})
}

var sameOrigin = http.NewCrossOriginProtection()

// SameOrigin refuses a request that could change something and that a page of another origin made the browser send, as
// the browser itself tells. Other programs, which tell nothing, hold no cookies of anybody.
func SameOrigin(r *http.Request) error {
	if err := sameOrigin.Check(r); err != nil {
		return fault.New(fault.Forbidden, "This request comes from another site.").Because(err)
	}
	return nil
}
