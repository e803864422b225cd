package booktest

import (
	"net/http"
	"sync"
	"testing"

	"paydown/ent/role"
	"paydown/ent/user"
	"paydown/internal/apptest"
)

// RoleID is the id of a role by its code.
func (d *Desk) RoleID(t *testing.T, code string) int {
	t.Helper()
	ctx, read := d.Inside(t)
	id, err := read.Role.Query().Where(role.Code(code)).OnlyID(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// UserID is the id of a member by the address.
func (d *Desk) UserID(t *testing.T, email string) int {
	t.Helper()
	ctx, read := d.Inside(t)
	id, err := read.User.Query().Where(user.Email(email)).OnlyID(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// RPC calls a method of the admin services' UserService as a staff member.
func RPC(t *testing.T, c *apptest.Client, method string, message apptest.Object) *apptest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPost, "/rpc/paydown.admin.v1.UserService/"+method, message)
}

// Staff is a member of the desk's company with a role, with a new session, because sessions end while the clock
// is moved.
func (d *Desk) Staff(t *testing.T, email, role string) *apptest.Client {
	t.Helper()
	if _, err := d.App.Users.Find(d.App.Operator(t, d.Host), email); err != nil {
		d.App.Member(t, d.Host, email, role)
	}
	b := d.App.Browser(d.Host)
	b.Login(t, email)
	c := b.Client
	for name, value := range b.Cookies {
		c = c.With("Cookie", name+"="+value)
	}
	return c
}

// AskAtOnce makes the same request several times at the same moment.
func AskAtOnce(t *testing.T, c *apptest.Client, document string, times int) (answered, refused []apptest.Asked) {
	t.Helper()
	answers := make([]apptest.Asked, times)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = c.Ask(t, document, nil) })
	}
	all.Wait()
	for _, a := range answers {
		if len(a.Errors) > 0 {
			refused = append(refused, a)
		} else {
			answered = append(answered, a)
		}
	}
	return answered, refused
}
