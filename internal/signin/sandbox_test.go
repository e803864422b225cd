package signin_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// sandbox provisions the company's sandbox and returns a browser at its host.
func (o *office) sandbox(t *testing.T) *apptest.Browser {
	t.Helper()
	made, err := o.a.Tenants.ProvisionSandbox(t.Context(), host)
	if err != nil {
		t.Fatal(err)
	}
	return o.a.Browser(made.Host).From("X-Forwarded-For", home, "X-Forwarded-Proto", "https")
}

// graph returns a GraphQL client with the browser's session.
func graph(b *apptest.Browser) *apptest.Client {
	c := b.Client
	for name, value := range b.Cookies {
		c = c.With("Cookie", name+"="+value)
	}
	return c
}

func TestStaffSignInAtTheSandboxOfTheirCompany(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		live := o.a.As(host, o.a.Key(t, host).Token)
		live.Post(t, "/merchants", apptest.Object{"legalName": "Harbor Street Bakery LLC"})
		o.a.Member(t, host, "sol@staff.test", "sales")
		box := o.sandbox(t)
		in := box.Login(t, "sol@staff.test")
		if in.In("tenant").Text("host") != box.Host || in.In("user").Text("email") != "sol@staff.test" ||
			in.In("user").In("role").Text("code") != "sales" {
			t.Errorf("signed in as %v", in)
		}
		requireStatus(t, box, http.StatusOK)
		at := graph(box)
		if n := at.Graph(t, "{ merchants { totalCount } }", nil).In("merchants").Int("totalCount"); n != 0 {
			t.Errorf("the sandbox shows %d merchants of the company", n)
		}
		// Actions in the sandbox are those of a sandbox user, and stay in the sandbox.
		create := fmt.Sprintf(`mutation { createLead(input: {businessName: "Try-out", ownerId: %d}) { id ownerId } }`,
			in.In("user").ID())
		lead := at.Graph(t, create, nil).In("createLead")
		if lead.Text("ownerId") != fmt.Sprint(in.In("user").ID()) {
			t.Errorf("%v", lead)
		}
		if leads := live.Get(t, "/leads").List("leads"); len(leads) != 0 {
			t.Errorf("the company has %v", leads)
		}
		at.Ask(t, `mutation { createApiKey(input: {name: "x", kind: TEST, scopes: ["*:read"]}) { token } }`, nil).
			Refused(t, "forbidden")
		// The session is valid only at its host.
		token := box.Cookies["__Host-paydown"]
		elsewhere := o.at(home)
		elsewhere.Cookies["__Host-paydown"] = token
		requireStatus(t, elsewhere, http.StatusUnauthorized)
		// A second sign-in uses the same user.
		if again := box.Login(t, "sol@staff.test"); again.In("user").ID() != in.In("user").ID() {
			t.Errorf("%v", again)
		}
	})
}

func TestTheSandboxAllowsWhatTheCompanyDoes(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		operator := o.a.Operator(t, host)
		sol := o.a.Member(t, host, "sol@staff.test", "sales")
		box := o.sandbox(t)
		box.Login(t, "sol@staff.test")
		const write = `mutation { createFunder(input: {name: "Northline"}) { id } }`
		graph(box).Ask(t, write, nil).Refused(t, "forbidden")
		role, err := o.a.Roles.Create(operator,
			service.RoleInput{Name: service.Some("Desk"), Permissions: service.Some([]string{"funders:write"})})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.a.Users.Update(operator, sol, service.UserUpdate{RoleID: service.Some(role.ID)}); err != nil {
			t.Fatal(err)
		}
		graph(box).Graph(t, write, nil)
		if in := box.Login(t, "sol@staff.test"); in.In("user").In("role").Text("name") != "Desk" {
			t.Errorf("%v", in)
		}
		if _, err := o.a.Roles.Update(operator, role.ID,
			service.RoleInput{Permissions: service.Some([]string{"funders:read"})}); err != nil {
			t.Fatal(err)
		}
		graph(box).Ask(t, write, nil).Refused(t, "forbidden")

		// A member who is disabled at the company loses the sandbox session; after enabling, only a new session is
		// valid.
		if _, err := o.a.Users.Disable(operator, sol); err != nil {
			t.Fatal(err)
		}
		requireStatus(t, box, http.StatusUnauthorized)
		box.TryLogin(t, "sol@staff.test", apptest.Password).Problem(t, http.StatusUnauthorized, "unauthorized")
		if _, err := o.a.Users.Enable(operator, sol); err != nil {
			t.Fatal(err)
		}
		requireStatus(t, box, http.StatusUnauthorized)
		box.Login(t, "sol@staff.test")
		// A password change ends earlier sessions.
		at := o.at(home)
		at.Login(t, "sol@staff.test")
		at.Do(t, http.MethodPost, "/auth/password",
			apptest.Object{"currentPassword": apptest.Password, "newPassword": "a new one, 2026 harbor"}).Want(t, http.StatusOK)
		requireStatus(t, at, http.StatusOK)
		requireStatus(t, box, http.StatusUnauthorized)
	})
}

func TestTheSandboxLeavesAccountsToTheCompany(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		box := o.sandbox(t)
		box.Login(t, admin)
		for path, body := range map[string]apptest.Object{
			"/auth/password":       {"currentPassword": apptest.Password, "newPassword": "a new one, 2026 harbor"},
			"/auth/totp/enrol":     {"password": apptest.Password},
			"/auth/totp/confirm":   {"code": "123456"},
			"/auth/totp/disable":   {"password": apptest.Password},
			"/auth/recovery-codes": {"password": apptest.Password},
		} {
			box.Do(t, http.MethodPost, path, body).Problem(t, http.StatusConflict, "conflict")
		}
		me := graph(box).Graph(t, "{ viewer { user { id role { id } } } }", nil).In("viewer").In("user")
		for _, call := range []string{
			`createUser(input: {email: "eve@staff.test", roleId: ` + me.In("role").Text("id") + `}) { user { id } }`,
			`updateUser(id: ` + me.Text("id") + `, input: {name: "Eve"}) { id }`,
			`resetUserPassword(id: ` + me.Text("id") + `) { token }`,
			`createRole(input: {name: "Eve", permissions: ["*:read"]}) { id }`,
		} {
			graph(box).Ask(t, "mutation { "+call+" }", nil).Refused(t, "conflict")
		}
		// Only members of the company can sign in, and failures count together with the company's.
		for range auth.ThrottleOrigin.Free {
			box.TryLogin(t, admin, "not the password").Problem(t, http.StatusUnauthorized, "unauthorized")
		}
		o.at(home).TryLogin(t, admin, apptest.Password).Want(t, http.StatusUnauthorized)
		o.a.Clock.Advance(auth.ThrottleOrigin.First)
		o.at(home).Login(t, admin)
		stranger := o.a.Tenant(t, "stranger.test")
		o.a.Member(t, stranger, "zoe@stranger.test", "admin")
		box.TryLogin(t, "zoe@stranger.test", apptest.Password).Problem(t, http.StatusUnauthorized, "unauthorized")
	})
}

func TestTheSandboxAsksForTheSecondFactor(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		_, secret, recovery := o.enrolled(t)
		box := o.sandbox(t)
		if answer := box.TryLogin(t, admin, apptest.Password).Want(t, http.StatusOK); answer["secondFactor"] != true {
			t.Fatalf("%v", answer)
		}
		requireStatus(t, box, http.StatusUnauthorized)
		o.second(t, box, "000000").Problem(t, http.StatusUnauthorized, "unauthorized")
		o.a.Clock.Advance(30 * time.Second)
		code := o.code(t, secret, 0)
		o.second(t, box, code).Want(t, http.StatusOK)
		requireStatus(t, box, http.StatusOK)
		// A code that was used in the sandbox is used up.
		b := o.at(home)
		b.TryLogin(t, admin, apptest.Password)
		o.second(t, b, code).Problem(t, http.StatusUnauthorized, "unauthorized")
		o.second(t, b, recovery[0]).Want(t, http.StatusOK)
	})
}
