package apptest

import (
	"net/http"
	"strings"
	"testing"

	"paydown/internal/fault"
	"paydown/internal/service"
)

// Password is the password of all members of staff that Member creates.
const Password = "walnut ferry onyx trellis"

// Member creates a member of a tenant's staff with a role and Password, and returns the id.
func (a *App) Member(tb testing.TB, host, email, role string) int {
	tb.Helper()
	ctx := a.Operator(tb, host)
	given, err := a.Roles.Named(ctx, role)
	if err != nil {
		tb.Fatal(err)
	}
	in := service.UserInput{Email: service.Some(email), RoleID: service.Some(given.ID)}
	made, err := a.Users.Create(ctx, in, Password)
	if err != nil {
		tb.Fatal(err)
	}
	return made.User.ID
}

// Staff returns a client signed in as a member of a tenant's staff with the role; the first call for a role
// creates the member.
func (a *App) Staff(tb testing.TB, host, role string) *Client {
	tb.Helper()
	email := role + "@" + host
	if _, err := a.Users.Find(a.Operator(tb, host), email); fault.Is(err, fault.NotFound) {
		a.Member(tb, host, email, role)
	} else if err != nil {
		tb.Fatal(err)
	}
	b := a.Browser(host)
	b.Login(tb, email)
	c := b.Client
	for name, value := range b.Cookies {
		c = c.With("Cookie", name+"="+value)
	}
	return c
}

// Browser calls a tenant's host like a browser: it stores cookies and sends them. It sends no key.
type Browser struct {
	*Client
	Cookies map[string]string
}

// Browser returns a new one, without cookies.
func (a *App) Browser(host string) *Browser {
	return &Browser{Client: a.As(host, ""), Cookies: map[string]string{}}
}

// From returns the same browser with other headers, in pairs; cookies are shared.
func (b *Browser) From(headers ...string) *Browser {
	c := b.Client
	for i := 0; i < len(headers); i += 2 {
		c = c.With(headers[i], headers[i+1])
	}
	return &Browser{Client: c, Cookies: b.Cookies}
}

// Do sends a request with the stored cookies, and stores those of the response.
func (b *Browser) Do(tb testing.TB, method, path string, body any) *Answer {
	tb.Helper()
	c := b.Client
	var cookies []string
	for name, value := range b.Cookies {
		cookies = append(cookies, name+"="+value)
	}
	if len(cookies) > 0 {
		c = c.With("Cookie", strings.Join(cookies, "; "))
	}
	answer := c.Do(tb, method, path, body)
	for _, cookie := range (&http.Response{Header: answer.Header}).Cookies() {
		if cookie.MaxAge < 0 {
			delete(b.Cookies, cookie.Name)
		} else {
			b.Cookies[cookie.Name] = cookie.Value
		}
	}
	return answer
}

// Login signs in with Password, and fails the test otherwise.
func (b *Browser) Login(tb testing.TB, email string) Object {
	tb.Helper()
	return b.TryLogin(tb, email, Password).Want(tb, http.StatusOK)
}

// TryLogin signs in.
func (b *Browser) TryLogin(tb testing.TB, email, password string) *Answer {
	tb.Helper()
	return b.Do(tb, http.MethodPost, "/auth/login", Object{"email": email, "password": password})
}

// Status returns the status of the session: 200 while it is valid.
func (b *Browser) Status(tb testing.TB) int {
	tb.Helper()
	return b.Do(tb, http.MethodGet, "/auth/session", nil).Status
}
