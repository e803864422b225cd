package signin_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"paydown/ent/loginthrottle"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	listeners "paydown/internal/server"
	"paydown/internal/service"
)

type (
	serviceConfig   = service.Config
	listenersConfig = listeners.Config
)

func TestSigningInAndOut(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		b := o.at(home)
		requireStatus(t, b, http.StatusUnauthorized)
		answer := b.TryLogin(t, "  Ada@Staff.TEST ", apptest.Password)
		in := answer.Want(t, http.StatusOK)
		if in.In("user").Text("email") != admin || in.In("user").ID() != o.admin || fmt.Sprint(in["permissions"]) != "[*]" ||
			in.In("user").In("role").Text("code") != "admin" || in.In("tenant").Text("host") != host {
			t.Errorf("signed in as %s", answer.Body)
		}
		cookie := answer.Header.Get("Set-Cookie")
		token := b.Cookies["__Host-paydown"]
		want := "__Host-paydown=" + token + "; Path=/; Max-Age=604800; HttpOnly; Secure; SameSite=Strict"
		if cookie != want || !auth.IsSecretToken(token) {
			t.Errorf("the cookie is %s", cookie)
		}
		if strings.Contains(string(answer.Body), token) || strings.Contains(o.a.Log.String(), token) {
			t.Error("the response contains the token")
		}
		session := b.Do(t, http.MethodGet, "/auth/session", nil)
		if got := session.Want(t, http.StatusOK); fmt.Sprint(got) != fmt.Sprint(in) {
			t.Errorf("the session is %v, signed in as %v", got, in)
		}
		if made := o.trail(t, "session.create"); len(made) != 1 || made[0].ActorKind != "USER" ||
			*made[0].ActorID != o.admin ||
			made[0].Surface != "SIGN_IN" || strings.Contains(string(made[0].After), "token") {
			t.Errorf("the trail has %+v", made)
		}
		out := b.Do(t, http.MethodPost, "/auth/logout", nil)
		out.Want(t, http.StatusOK)
		if len(b.Cookies) != 0 || !strings.Contains(out.Header.Get("Set-Cookie"), "Max-Age=0") {
			t.Errorf("the cookie stays: %s", out.Header.Get("Set-Cookie"))
		}
		b.Cookies["__Host-paydown"] = token
		requireStatus(t, b, http.StatusUnauthorized)
		b.Do(t, http.MethodPost, "/auth/logout", nil).Want(t, http.StatusOK) // a second logout is harmless
		if ended := o.trail(t, "session.end"); len(ended) != 1 || *ended[0].ActorID != o.admin {
			t.Errorf("the trail has %+v", ended)
		}
		if log := o.a.Log.String(); strings.Contains(log, apptest.Password) || strings.Contains(log, token) {
			t.Error("the log has secrets")
		}
	})
}

func TestPlainHTTPCookieIsForLoopback(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		b := o.a.Browser(host)
		b.Login(t, admin)
		if token := b.Cookies["paydown"]; token == "" || len(b.Cookies) != 1 {
			t.Errorf("the cookies are %v", b.Cookies)
		}
		requireStatus(t, b, http.StatusOK)
		// Over TLS this cookie is ignored, under either name.
		secure := o.at(home)
		secure.Cookies["paydown"] = b.Cookies["paydown"]
		requireStatus(t, secure, http.StatusUnauthorized)
		// Sign-in over a connection that others can read is refused.
		far := o.a.Browser(host).From("X-Forwarded-For", home)
		far.TryLogin(t, admin, apptest.Password).Problem(t, http.StatusForbidden, "forbidden")
		// Two cookies with the same name: one of them was planted.
		double := o.a.Browser(host).From("Cookie", "paydown="+b.Cookies["paydown"]+"; paydown="+auth.NewSecretToken())
		requireStatus(t, double, http.StatusUnauthorized)
	})
}

func TestSignInFailuresAreIdentical(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		ctx := o.a.Operator(t, host)
		disabled := o.a.Member(t, host, "dora@staff.test", "sales")
		if _, err := o.a.Users.Disable(ctx, disabled); err != nil {
			t.Fatal(err)
		}
		role, err := o.a.Roles.Named(ctx, "sales")
		if err != nil {
			t.Fatal(err)
		}
		invited := service.UserInput{Email: service.Some("ivan@staff.test"), RoleID: service.Some(role.ID)}
		if _, err := o.a.Users.Create(ctx, invited, ""); err != nil {
			t.Fatal(err)
		}
		o.a.Member(t, host, "theo@staff.test", "sales")
		busy := o.at("203.0.113.9")
		for range auth.ThrottleOrigin.Free {
			busy.TryLogin(t, "theo@staff.test", "not the password")
		}
		var first string
		for i, c := range []struct{ what, email, password string }{
			{"a wrong password", admin, "not the password"},
			{"nobody's address", "nobody@staff.test", "not the password"},
			{"what is no address", "nobody", apptest.Password},
			{"a disabled member", "dora@staff.test", apptest.Password},
			{"a member without a password yet", "ivan@staff.test", apptest.Password},
			{"too early after failures", "theo@staff.test", apptest.Password},
			{"what cannot be a password", admin, "a\tb"},
		} {
			b := o.at("203.0.113.9")
			before := o.a.Users.Hashed()
			answer := b.TryLogin(t, c.email, c.password)
			answer.Problem(t, http.StatusUnauthorized, "unauthorized")
			if hashed := o.a.Users.Hashed() - before; hashed != 1 {
				t.Errorf("%s: %d hashes were worked out, want 1", c.what, hashed)
			}
			if i == 0 {
				first = normalized(t, answer)
			} else if got := normalized(t, answer); got != first {
				t.Errorf("%s is answered otherwise than a wrong password:\n%s\n\n%s", c.what, got, first)
			}
		}
		before := o.a.Users.Hashed()
		o.at(home).Login(t, admin)
		if hashed := o.a.Users.Hashed() - before; hashed != 1 {
			t.Errorf("the right password takes %d hashes", hashed)
		}
		reasons := map[string]int{}
		for _, e := range o.trail(t, "user.refuse") {
			for _, reason := range []string{"wrong", "unknown", "disabled"} {
				if strings.Contains(string(e.After), `"`+reason+`"`) {
					reasons[reason]++
				}
			}
			if strings.Contains(string(e.After), "nobody") || !strings.Contains(string(e.After), "203.0.113.9") {
				t.Errorf("the trail has %s", e.After)
			}
		}
		if fmt.Sprint(reasons) != "map[disabled:1 unknown:2 wrong:6]" { // theo 1, 2 and 4; ada 1 and 2; ivan
			t.Errorf("the trail has %v", reasons)
		}
	})
}

func TestGuessingIsThrottled(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.at(home).Login(t, admin)
		guesser := o.at("203.0.113.9")
		for range auth.ThrottleOrigin.Free {
			guesser.TryLogin(t, admin, "not the password").Want(t, http.StatusUnauthorized)
		}
		guesser.TryLogin(t, admin, apptest.Password).Want(t, http.StatusUnauthorized)
		// The next address belongs to somebody else, and so does the usual one.
		o.at("203.0.113.10").Login(t, admin)
		o.at(home).Login(t, admin)
		o.a.Clock.Advance(auth.ThrottleOrigin.First)
		guesser.Login(t, admin)
		// After a success, failures are forgiven.
		for range auth.ThrottleOrigin.Free - 1 {
			guesser.TryLogin(t, admin, "not the password").Want(t, http.StatusUnauthorized)
		}
		guesser.Login(t, admin)
		// All addresses of an IPv6 network count as one guesser.
		for i := range auth.ThrottleOrigin.Free {
			o.at(fmt.Sprintf("2001:db8:1:2::%d", i)).TryLogin(t, admin, "not the password")
		}
		o.at("2001:db8:1:2:ffff::1").TryLogin(t, admin, apptest.Password).Want(t, http.StatusUnauthorized)
		o.at("2001:db8:1:3::1").Login(t, admin)
	})
}

func TestThrottleCountsPerAccount(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		o.at(home).Login(t, admin)
		address := func(i int) string { return fmt.Sprintf("203.0.%d.%d", 113+i/200, 1+i%200) }
		for i := range auth.ThrottleAccount.Free {
			o.at(address(i)).TryLogin(t, admin, "not the password").Want(t, http.StatusUnauthorized)
		}
		// From elsewhere, even the right password is refused for a moment; from the member's usual network it is
		// accepted.
		o.at("192.0.2.1").TryLogin(t, admin, apptest.Password).Want(t, http.StatusUnauthorized)
		o.at(home).Login(t, admin)
		o.a.Clock.Advance(auth.ThrottleAccount.Most)
		o.at("192.0.2.1").Login(t, admin)
	})
}

func TestThrottleCountsPerNetwork(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		var last *apptest.Answer
		for i := range auth.ThrottleNetwork.Free + 1 {
			last = o.at("203.0.113.9").TryLogin(t, fmt.Sprintf("member%d@staff.test", i), "not the password")
		}
		last.Problem(t, http.StatusTooManyRequests, "rate_limited")
		if wait := last.Header.Get("Retry-After"); wait != "2" {
			t.Errorf("Retry-After is %s", wait)
		}
		before := o.a.Users.Hashed()
		o.at("203.0.113.9").TryLogin(t, admin, apptest.Password).Want(t, http.StatusTooManyRequests)
		if hashed := o.a.Users.Hashed() - before; hashed != 0 {
			t.Errorf("a refused network caused %d hashes", hashed)
		}
		o.at("203.0.113.10").Login(t, admin)
		o.a.Clock.Advance(2 * time.Second)
		o.at("203.0.113.9").Login(t, admin)
	})
}

func TestConcurrentGuessesAreCounted(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		processes := []*apptest.App{o.a}
		if o.a.Store.IsPostgres() {
			replica := o.a.Replica(t, behindProxy)
			replica.Clock.Stop(o.a.Clock.Now())
			processes = append(processes, replica)
		}
		var guesses sync.WaitGroup
		for i := range 24 {
			b := (&office{a: processes[i%len(processes)]}).at("203.0.113.9")
			guesses.Go(func() {
				if status := b.TryLogin(t, admin, "not the password").Status; status != http.StatusUnauthorized {
					t.Errorf("a wrong password has status %d", status)
				}
			})
		}
		guesses.Wait()
		rows, err := o.a.Store.Reader().LoginThrottle.Query().Where(loginthrottle.WhoHasPrefix("origin:")).All(t.Context())
		if err != nil || len(rows) != 1 || rows[0].Failures > auth.ThrottleOrigin.Free+1 {
			t.Errorf("%v: %v", rows, err)
		}
	})
}

func TestOutdatedHashIsReplaced(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		dearer := o.a.Replica(t, behindProxy, func(cfg *service.Config, _ *listeners.Config) {
			cfg.Passwords = auth.PasswordCost{Memory: 128, Passes: 1, Threads: 1}
		})
		dearer.Clock.Stop(o.a.Clock.Now())
		b := (&office{a: dearer}).at(home)
		for _, want := range []int64{2, 1} { // checked and rehashed, then checked
			before := dearer.Users.Hashed()
			b.Login(t, admin)
			if hashed := dearer.Users.Hashed() - before; hashed != want {
				t.Errorf("%d hashes, want %d", hashed, want)
			}
		}
	})
}

func TestBodiesAreReadStrictly(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		for body, want := range map[string]struct {
			status int
			code   string
			paths  string
		}{
			``:                               {400, "invalid_json", ""},
			`{`:                              {400, "invalid_json", ""},
			`[]`:                             {400, "validation_error", "body"},
			`{}`:                             {400, "validation_error", "email password"},
			`{"email": 1, "password": null}`: {400, "validation_error", "email password"},
			`{"email": "a", "password": "b", "Email": "c"}`:                    {400, "validation_error", "Email"},
			`{"email": "a", "email": "b", "password": "c"}`:                    {400, "validation_error", "body"},
			`{"email": "a\u0000", "password": "c"}`:                            {400, "validation_error", "email"},
			`{"email": "a", "password": "` + strings.Repeat("x", 4000) + `"}`:  {400, "validation_error", "password"},
			`{"email": "a", "password": "` + strings.Repeat("x", 40000) + `"}`: {413, "payload_too_large", ""},
		} {
			problems := o.at(home).Do(t, http.MethodPost, "/auth/login", body).Problem(t, want.status, want.code)
			for path := range strings.FieldsSeq(want.paths) {
				if problems[path] == "" {
					t.Errorf("%.40s: %v", body, problems)
				}
			}
			if len(problems) != len(strings.Fields(want.paths)) {
				t.Errorf("%.40s: %v", body, problems)
			}
		}
		b := o.at(home)
		b.Header.Set("Content-Type", "text/plain")
		b.TryLogin(t, admin, apptest.Password).Problem(t, http.StatusUnsupportedMediaType, "unsupported_media_type")
		answer := o.at(home).Do(t, http.MethodGet, "/auth/login", nil)
		answer.Problem(t, http.StatusMethodNotAllowed, "method_not_allowed")
		if answer.Header.Get("Allow") != http.MethodPost {
			t.Errorf("Allow is %s", answer.Header.Get("Allow"))
		}
		o.at(home).Do(t, http.MethodGet, "/auth/nothing", nil).Problem(t, http.StatusNotFound, "not_found")
		o.a.Browser("elsewhere.test").Do(t, http.MethodGet, "/auth/session", nil).Problem(t, http.StatusNotFound, "not_found")
	})
}

func TestCrossSiteRequestsAreRefused(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		b := o.at(home)
		b.Login(t, admin)
		token := b.Cookies["__Host-paydown"]
		posts := map[string]any{
			"/auth/login": apptest.Object{"email": admin, "password": apptest.Password}, "/auth/logout": nil,
			"/auth/second-factor": apptest.Object{"code": "123456"},
			"/auth/reset":         apptest.Object{"token": "t", "password": "p"},
			"/auth/password": apptest.Object{
				"currentPassword": apptest.Password, "newPassword": "another pair of wet boots",
			},
			"/auth/totp/enrol":     apptest.Object{"password": apptest.Password},
			"/auth/totp/confirm":   apptest.Object{"code": "123456"},
			"/auth/totp/disable":   apptest.Object{"password": apptest.Password},
			"/auth/recovery-codes": apptest.Object{"password": apptest.Password},
		}
		for path, body := range posts {
			for _, headers := range [][]string{
				{"Sec-Fetch-Site", "cross-site"},
				{"Sec-Fetch-Site", "same-site"},
				{"Origin", "https://evil.test"},
				{"Origin", "null"},
				{"Origin", "https://" + host + ".evil.test"},
			} {
				b.From(headers...).Do(t, http.MethodPost, path, body).Problem(t, http.StatusForbidden, "forbidden")
			}
		}
		if b.Cookies["__Host-paydown"] != token {
			t.Error("another site has signed a user in")
		}
		requireStatus(t, b.From("Sec-Fetch-Site", "same-origin"), http.StatusOK)
		b.From("Sec-Fetch-Site", "same-origin", "Origin", "https://"+host).Do(t, http.MethodPost, "/auth/logout", nil).
			Want(t, http.StatusOK)
	})
}
