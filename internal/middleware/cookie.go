package middleware

import (
	"net/http"
	"time"

	"paydown/internal/fault"
)

// Names of the session cookie. Over TLS, the __Host- prefix makes browsers accept it only from this host and
// send it only to this host. Over plain HTTP, which is for local development, browsers would refuse that
// prefix.
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

// SessionToken returns the session token in the cookie of a request that passed a chain, or "" if there is none
// or more than one. The plain HTTP cookie is ignored over TLS, because anybody on the network could have set
// it.
func SessionToken(r *http.Request) string {
	cookies := r.CookiesNamed(cookieName(FromContext(r.Context()).Secure))
	if len(cookies) != 1 {
		return ""
	}
	return cookies[0].Value
}

// SetSession makes the browser store a session token until the session ends. Scripts cannot read the cookie,
// and other sites cannot make the browser send it. Links from other sites still work: the portal's pages load
// without a cookie, and their requests come from this site.
func SetSession(w http.ResponseWriter, r *http.Request, token string, lasts time.Duration) {
	setCookie(w, r, token, int(lasts.Seconds()))
}

// EndSession makes the browser delete the token.
func EndSession(w http.ResponseWriter, r *http.Request) { setCookie(w, r, "", -1) }

func setCookie(w http.ResponseWriter, r *http.Request, token string, maxAge int) {
	secure := FromContext(r.Context()).Secure
	//nolint:gosec // without TLS, in local development, browsers would not send a secure cookie
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(secure), Value: token, Path: "/", MaxAge: maxAge, Secure: secure, HttpOnly: true,
		SameSite: http.SameSiteStrictMode,
	})
}

var sameOrigin = http.NewCrossOriginProtection()

// SameOrigin refuses a request that could change something and that a page of another origin made, according to
// the browser's headers. Clients without these headers hold no one's cookies.
func SameOrigin(r *http.Request) error {
	if err := sameOrigin.Check(r); err != nil {
		return fault.New(fault.Forbidden, "This request was made by another site.").Because(err)
	}
	return nil
}
