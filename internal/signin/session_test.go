package signin_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"paydown/ent/passwordreset"
	"paydown/ent/session"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service"
	"paydown/internal/store"
)

const cookie = "__Host-paydown"

func TestSessionTokensAreNeverReused(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.a.Member(t, host, "eve@staff.test", "sales")
		eve := o.at("203.0.113.9")
		eve.Login(t, "eve@staff.test")
		for what, planted := range map[string]string{
			"a token that nobody has": auth.NewSecretToken(), "another's session": eve.Cookies[cookie], "nonsense": "x",
		} {
			victim := o.at(home)
			victim.Cookies[cookie] = planted
			victim.Login(t, admin)
			if victim.Cookies[cookie] == planted {
				t.Errorf("%s has become the member's session", what)
			}
			requireStatus(t, victim, http.StatusOK)
			attacker := o.at("203.0.113.9")
			attacker.Cookies[cookie] = planted
			requireStatus(t, attacker, http.StatusUnauthorized)
		}
		// A new sign-in ends the previous session.
		b := o.at(home)
		b.Login(t, admin)
		before := b.Cookies[cookie]
		b.Login(t, admin)
		old := o.at(home)
		old.Cookies[cookie] = before
		requireStatus(t, old, http.StatusUnauthorized)
		requireStatus(t, b, http.StatusOK)
	})
}

func TestSessionExpiry(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		idle := o.at(home)
		idle.Login(t, admin)
		o.a.Clock.Advance(service.SessionIdle - time.Second)
		requireStatus(t, idle, http.StatusOK) // which extends it
		o.a.Clock.Advance(service.SessionIdle - time.Second)
		requireStatus(t, idle, http.StatusOK)
		o.a.Clock.Advance(service.SessionIdle)
		requireStatus(t, idle, http.StatusUnauthorized)

		busy := o.at(home)
		busy.Login(t, admin)
		const step = 11 * time.Hour
		used := time.Duration(0)
		for ; used+step < service.SessionLife; used += step {
			o.a.Clock.Advance(step)
			requireStatus(t, busy, http.StatusOK)
		}
		o.a.Clock.Advance(service.SessionLife - used)
		requireStatus(t, busy, http.StatusUnauthorized)
		if removed := sweepSessions(t, o); removed != 2 {
			t.Errorf("%d sessions were swept", removed)
		}
	})
}

func sweepSessions(t *testing.T, o *office) int {
	t.Helper()
	o.a.Clock.Advance(service.SessionLife)
	swept, err := o.a.Retention.Sweep(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return swept.Removed[store.Sessions]
}

func TestSessionUseIsShared(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		replica := &office{a: o.a.Replica(t, behindProxy)}
		replica.a.Clock.Stop(o.a.Clock.Now())
		pass := func(d time.Duration) { o.a.Clock.Advance(d); replica.a.Clock.Advance(d) }
		here := o.at(home)
		here.Login(t, admin)
		there := replica.at(home)
		there.Cookies = here.Cookies
		requireStatus(t, there, http.StatusOK) // so that the other process caches the session
		pass(service.SessionIdle / 2)
		requireStatus(t, here, http.StatusOK)
		o.stored(t, o.a.Clock.Now().Add(service.SessionIdle-time.Minute))
		pass(service.SessionIdle - time.Minute)
		requireStatus(t, there, http.StatusOK)
	})
}

// stored waits until the database has a session with this idle expiry.
func (o *office) stored(t *testing.T, until time.Time) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for {
		found, err := o.a.Store.Reader().Session.Query().Where(session.IdleExpiresAtGTE(until)).Exist(o.a.Operator(t, host))
		if err != nil {
			t.Fatal(err)
		}
		if found {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the use of a session is not stored")
		}
	}
}

func TestSessionsEndEverywhereWithinOneSecond(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		replica := &office{a: o.a.Replica(t, behindProxy)}
		replica.a.Clock.Stop(o.a.Clock.Now())
		ctx := o.a.Operator(t, host)
		member := o.a.Member(t, host, "sam@staff.test", "sales")
		both := func() (here, there *apptest.Browser) {
			here, there = o.at(home), replica.at(home)
			here.Login(t, "sam@staff.test")
			there.Cookies = map[string]string{cookie: here.Cookies[cookie]}
			requireStatus(t, there, http.StatusOK)
			return here, there
		}
		for what, end := range map[string]func(b *apptest.Browser){
			"signing out": func(b *apptest.Browser) {
				b.Do(t, http.MethodPost, "/auth/logout", nil).Want(t, http.StatusOK)
			},
			"disabling": func(*apptest.Browser) {
				if _, err := o.a.Users.Disable(ctx, member); err != nil {
					t.Fatal(err)
				}
				if _, err := o.a.Users.Enable(ctx, member); err != nil {
					t.Fatal(err)
				}
			},
			"a reset": func(*apptest.Browser) {
				reset, err := o.a.Users.Reset(ctx, member)
				if err != nil {
					t.Fatal(err)
				}
				body := apptest.Object{"token": reset.Token, "password": apptest.Password}
				o.at("203.0.113.9").Do(t, http.MethodPost, "/auth/reset", body).Want(t, http.StatusOK)
			},
		} {
			here, there := both()
			kept := o.at(home)
			kept.Cookies[cookie] = here.Cookies[cookie]
			end(here)
			requireStatus(t, kept, http.StatusUnauthorized)
			waitForStatus(t, there, http.StatusUnauthorized)
			t.Log(what)
		}
		// A permission change takes effect as quickly, and the session continues.
		here, there := both()
		role, err := o.a.Roles.Named(ctx, "read-only")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := o.a.Users.Update(ctx, member, service.UserUpdate{RoleID: service.Some(role.ID)}); err != nil {
			t.Fatal(err)
		}
		may := func(b *apptest.Browser) string {
			return fmt.Sprint(b.Do(t, http.MethodGet, "/auth/session", nil).Want(t, http.StatusOK)["permissions"])
		}
		if may(here) != "[*:read ledger.read]" {
			t.Errorf("after a change of the role: %s", may(here))
		}
		changed := time.Now()
		for asked := changed; may(there) != "[*:read ledger.read]"; asked = time.Now() {
			if asked.Sub(changed) > time.Second {
				t.Fatal("the other process lets the member do what the earlier role allowed")
			}
			pause(t)
		}
	})
}

func TestSessionIsBoundToHost(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		const other = "other.test"
		o.a.Tenant(t, other)
		o.a.Member(t, other, "olga@other.test", "admin")
		b := o.at(home)
		b.Login(t, admin)
		requireStatus(t, b, http.StatusOK)
		elsewhere := o.a.Browser(other).From("X-Forwarded-For", home, "X-Forwarded-Proto", "https")
		elsewhere.Cookies = b.Cookies
		for range 3 { // looked up once, then cached
			requireStatus(t, elsewhere, http.StatusUnauthorized)
		}
		elsewhere.Do(t, http.MethodPost, "/auth/logout", nil).Want(t, http.StatusOK)
		stranger := o.a.Browser(other).From("X-Forwarded-For", home, "X-Forwarded-Proto", "https")
		stranger.TryLogin(t, admin, apptest.Password).Problem(t, http.StatusUnauthorized, "unauthorized")
		reset, err := o.a.Users.Reset(o.a.Operator(t, host), o.admin)
		if err != nil {
			t.Fatal(err)
		}
		body := apptest.Object{"token": reset.Token, "password": "another pair of wet boots"}
		stranger.Do(t, http.MethodPost, "/auth/reset", body).Problem(t, http.StatusBadRequest, "validation_error")
		if _, err := o.a.Users.Get(o.a.Operator(t, other), o.admin); !fault.Is(err, fault.NotFound) {
			t.Errorf("another company's member is found: %v", err)
		}
		back := o.at(home)
		back.Login(t, admin)
		requireStatus(t, back, http.StatusOK)
	})
}

// A request with a recently used session runs no statement.
func TestCachedSessionRunsNoStatement(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		b := o.at(home)
		b.Login(t, admin)
		tenant, err := o.a.Tenants.ByHost(t.Context(), host)
		if err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(patience)
		for {
			var counted store.Statements
			actor, err := o.a.Sessions.Authenticate(
				store.Counting(t.Context(), &counted), tenant, b.Cookies[cookie], auth.GraphQL, "req_1")
			if err != nil || actor.ID != o.admin || actor.Surface != auth.GraphQL || actor.RequestID != "req_1" ||
				!actor.Has(auth.ManageUsers) {
				t.Fatalf("%+v, %v", actor, err)
			}
			if counted.Count() == 0 {
				return
			}
			if time.Now().After(deadline) {
				t.Fatal("a session that was seen before is looked up again each time")
			}
		}
	})
}

func TestChangingAndResettingPasswords(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		const next = "another pair of wet boots"
		b, second := o.at(home), o.at(home)
		b.Login(t, admin)
		second.Login(t, admin)
		change := func(current, next string) *apptest.Answer {
			return b.Do(t, http.MethodPost, "/auth/password", apptest.Object{"currentPassword": current, "newPassword": next})
		}
		for path, answer := range map[string]*apptest.Answer{
			"currentPassword": change("not the password", next), "newPassword": change(apptest.Password, "ada@staff.test"),
		} {
			if problems := answer.Problem(t, http.StatusBadRequest, "validation_error"); problems[path] == "" ||
				len(problems) != 1 {
				t.Errorf("%s: %v", path, problems)
			}
		}
		change(apptest.Password, apptest.Password).Problem(t, http.StatusBadRequest, "validation_error")
		was := b.Cookies[cookie]
		change(apptest.Password, next).Want(t, http.StatusOK)
		if b.Cookies[cookie] == was {
			t.Error("the token has not changed")
		}
		requireStatus(t, b, http.StatusOK)
		requireStatus(t, second, http.StatusUnauthorized)
		old := o.at(home)
		old.Cookies[cookie] = was
		requireStatus(t, old, http.StatusUnauthorized)
		old.TryLogin(t, admin, apptest.Password).Want(t, http.StatusUnauthorized)
		old.TryLogin(t, admin, next).Want(t, http.StatusOK)

		ctx := o.a.Operator(t, host)
		first, err := o.a.Users.Reset(ctx, o.admin)
		if err != nil {
			t.Fatal(err)
		}
		reset, err := o.a.Users.Reset(ctx, o.admin)
		if err != nil {
			t.Fatal(err)
		}
		set := func(token, password string) *apptest.Answer {
			return o.at(home).Do(t, http.MethodPost, "/auth/reset", apptest.Object{"token": token, "password": password})
		}
		for what, answer := range map[string]*apptest.Answer{
			"one that another took the place of": set(first.Token, apptest.Password),
			"nobody's":                           set(auth.NewSecretToken(), apptest.Password),
			"none":                               set("x", apptest.Password),
		} {
			if problems := answer.Problem(t, http.StatusBadRequest, "validation_error"); problems["token"] == "" {
				t.Errorf("%s: %v", what, problems)
			}
		}
		if problems := set(reset.Token, "password1234").
			Problem(t, http.StatusBadRequest, "validation_error"); problems["password"] == "" {
			t.Errorf("%v", problems)
		}
		requireStatus(t, b, http.StatusOK)
		set(reset.Token, apptest.Password).Want(t, http.StatusOK)
		requireStatus(t, b, http.StatusUnauthorized)
		set(reset.Token, next).Problem(t, http.StatusBadRequest, "validation_error")
		o.at(home).Login(t, admin)

		late, err := o.a.Users.Reset(ctx, o.admin)
		if err != nil {
			t.Fatal(err)
		}
		o.a.Clock.Advance(service.ResetWindow)
		set(late.Token, next).Problem(t, http.StatusBadRequest, "validation_error")
		o.a.Clock.Advance(time.Second)
		swept, err := o.a.Retention.Sweep(t.Context())
		if err != nil || swept.Removed[store.PasswordResets] == 0 || swept.Removed[store.LoginThrottles] == 0 {
			t.Errorf("swept %v: %v", swept.Removed, err)
		}
		if n := o.a.Store.Reader().PasswordReset.Query().Where(passwordreset.EndedAtIsNil()).CountX(ctx); n != 0 {
			t.Errorf("%d resets are left", n)
		}
	})
}
