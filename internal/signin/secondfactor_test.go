package signin_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// enrolled returns the administrator's browser after activating a second factor, with the secret and the
// recovery codes.
func (o *office) enrolled(t *testing.T) (b *apptest.Browser, secret string, recovery []string) {
	t.Helper()
	b = o.at(home)
	b.Login(t, admin)
	enrolment := b.Do(t, http.MethodPost, "/auth/totp/enrol", apptest.Object{"password": apptest.Password}).
		Want(t, http.StatusOK)
	secret = enrolment.Text("secret")
	if enrolment.Text("uri") != auth.CodeURI(secret, "Tenant "+host, admin) {
		t.Errorf("the app is told %s", enrolment.Text("uri"))
	}
	confirmed := b.Do(t, http.MethodPost, "/auth/totp/confirm", apptest.Object{"code": o.code(t, secret, 0)}).
		Want(t, http.StatusOK)
	if confirmed.In("user")["secondFactor"] != true {
		t.Errorf("confirmed as %v", confirmed)
	}
	for _, code := range confirmed["recoveryCodes"].([]any) {
		recovery = append(recovery, code.(string))
	}
	return b, secret, recovery
}

// code returns the authenticator's code at the given time from now.
func (o *office) code(t *testing.T, secret string, later time.Duration) string {
	t.Helper()
	code, err := totp.GenerateCode(secret, o.a.Clock.Now().Add(later))
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func (o *office) second(t *testing.T, b *apptest.Browser, code string) *apptest.Answer {
	t.Helper()
	return b.Do(t, http.MethodPost, "/auth/second-factor", apptest.Object{"code": code})
}

func TestSigningInWithASecondFactor(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		without := o.at(home)
		without.Login(t, admin)
		b, secret, recovery := o.enrolled(t)
		requireStatus(t, b, http.StatusOK)
		requireStatus(t, without, http.StatusUnauthorized) // began without the second factor
		if len(recovery) != auth.RecoveryCodes {
			t.Fatalf("%d recovery codes", len(recovery))
		}

		half := o.at(home)
		first := half.Login(t, admin)
		if fmt.Sprint(first) != "map[secondFactor:true]" {
			t.Errorf("the first step says %v", first)
		}
		token := half.Cookies[cookie]
		requireStatus(t, half, http.StatusUnauthorized)
		for _, path := range []string{"/auth/password", "/auth/totp/disable", "/auth/totp/enrol", "/auth/recovery-codes"} {
			half.Do(t, http.MethodPost, path, apptest.Object{"password": apptest.Password}).Want(t, http.StatusUnauthorized)
		}
		// The code that confirmed the authenticator has been used, and older ones have expired.
		used := normalized(t, o.second(t, half, o.code(t, secret, 0)))
		for what, code := range map[string]string{
			"the one before": o.code(t, secret, -30*time.Second), "long ago": o.code(t, secret, -time.Minute),
			"much later": o.code(t, secret, time.Hour), "nonsense": "abcdef",
		} {
			answer := o.second(t, half, code)
			answer.Problem(t, http.StatusUnauthorized, "unauthorized")
			if normalized(t, answer) != used {
				t.Errorf("%s: %s", what, answer.Body)
			}
		}
		o.a.Clock.Advance(auth.ThrottleOrigin.First)
		code := o.code(t, secret, 30*time.Second)
		in := o.second(t, half, code).Want(t, http.StatusOK)
		if in.In("user").ID() != o.admin || half.Cookies[cookie] == token {
			t.Errorf("signed in as %v under the same token: %t", in, half.Cookies[cookie] == token)
		}
		requireStatus(t, half, http.StatusOK)

		again := o.at(home)
		again.Cookies[cookie] = token
		// The first step was already used.
		o.second(t, again, o.code(t, secret, 30*time.Second)).Want(t, http.StatusUnauthorized)
		replayed := o.at(home)
		replayed.Login(t, admin)
		o.second(t, replayed, code).Want(t, http.StatusUnauthorized)
		o.second(t, replayed, recovery[3]).Want(t, http.StatusOK)
		replayed.Login(t, admin)
		o.second(t, replayed, recovery[3]).Want(t, http.StatusUnauthorized)

		o.a.Clock.Advance(service.SecondStep)
		o.second(t, replayed, o.code(t, secret, 0)).Problem(t, http.StatusUnauthorized, "unauthorized")
		requireStatus(t, replayed, http.StatusUnauthorized)
		replayed.Login(t, admin)
		o.second(t, replayed, o.code(t, secret, 0)).Want(t, http.StatusOK)

		renewed := half.Do(t, http.MethodPost, "/auth/recovery-codes", apptest.Object{"password": apptest.Password}).
			Want(t, http.StatusOK)["recoveryCodes"].([]any)
		replayed.Login(t, admin)
		o.second(t, replayed, recovery[4]).Want(t, http.StatusUnauthorized)
		o.second(t, replayed, renewed[0].(string)).Want(t, http.StatusOK)

		wrong := half.Do(t, http.MethodPost, "/auth/totp/disable", apptest.Object{"password": "not the password"})
		if problems := wrong.Problem(t, http.StatusBadRequest, "validation_error"); problems["password"] == "" {
			t.Errorf("%v", problems)
		}
		half.Do(t, http.MethodPost, "/auth/totp/disable", apptest.Object{"password": apptest.Password}).Want(t, http.StatusOK)
		if in := o.at(home).Login(t, admin); in.In("user")["secondFactor"] != false {
			t.Errorf("signed in as %v", in)
		}
	})
}

func TestCodesCannotBeGuessed(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		_, secret, _ := o.enrolled(t)
		o.a.Clock.Advance(time.Minute)
		b := o.at("203.0.113.9")
		for i := range auth.ThrottleOrigin.Free {
			b.Login(t, admin) // a new first step does not help
			o.second(t, b, fmt.Sprintf("%06d", i)).Want(t, http.StatusUnauthorized)
		}
		o.second(t, b, o.code(t, secret, 0)).Want(t, http.StatusUnauthorized)
		member := o.at(home)
		member.Login(t, admin)
		o.second(t, member, o.code(t, secret, 0)).Want(t, http.StatusOK)
		o.a.Clock.Advance(time.Minute)
		o.second(t, b, o.code(t, secret, 0)).Want(t, http.StatusOK)
	})
}

func TestSecondFactorIsActiveOnceConfirmed(t *testing.T) {
	offices(t, func(t *testing.T, o *office) {
		b := o.at(home)
		b.Login(t, admin)
		post := func(path string, body apptest.Object) *apptest.Answer { return b.Do(t, http.MethodPost, path, body) }
		post("/auth/totp/confirm", apptest.Object{"code": "123456"}).Problem(t, http.StatusConflict, "conflict")
		post("/auth/recovery-codes", apptest.Object{"password": apptest.Password}).Problem(t, http.StatusConflict, "conflict")
		post("/auth/totp/enrol", apptest.Object{"password": "not the password"}).
			Problem(t, http.StatusBadRequest, "validation_error")
		secret := post("/auth/totp/enrol", apptest.Object{"password": apptest.Password}).Want(t, http.StatusOK).Text("secret")
		o.at(home).Login(t, admin) // still a single step
		for _, wrong := range []string{"000000", o.code(t, secret, time.Hour)} {
			if problems := post("/auth/totp/confirm", apptest.Object{"code": wrong}).
				Problem(t, http.StatusBadRequest, "validation_error"); problems["code"] == "" {
				t.Errorf("%v", problems)
			}
		}
		post("/auth/totp/confirm", apptest.Object{"code": o.code(t, secret, 0)}).Want(t, http.StatusOK)
		post("/auth/totp/enrol", apptest.Object{"password": apptest.Password}).Problem(t, http.StatusConflict, "conflict")
		if _, err := o.a.Users.DropSecondFactor(o.a.Operator(t, host), o.admin); err != nil {
			t.Fatal(err)
		}
		requireStatus(t, b, http.StatusUnauthorized)
		o.at(home).Login(t, admin)
		stored, err := o.a.Store.Reader().User.Get(o.a.Operator(t, host), o.admin)
		if err != nil || stored.TotpConfirmedAt != nil || len(stored.TotpSecret)+len(stored.RecoveryHashes) > 0 {
			t.Errorf("data remains: %v, %v", stored, err)
		}
	})
}
