package rest_test

import (
	"fmt"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// Made-up hosts and tokens soon cost the database nothing: once an address has used up its requests, nothing
// that does not exist is looked up for it. (A lookup would fail here, as an internal error.)
func TestUnknownTokensAreNotLookedUpForever(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "madeup.test")
		stranger := a.As(host, "")
		for range service.DefaultRateLimit {
			stranger.Do(t, "GET", "/leads", nil).Problem(t, 401, "unauthorized")
		}
		// The process forgets what it knows of the tenant when it notices that one was created, and on a stalled
		// machine it trusts nothing for a moment: then it looks up the tenant again, which takes another request.
		for tries := 1; !refusedUnseen(t, a, host); tries++ {
			if tries == 20 {
				t.Fatal("what does not exist is looked up")
			}
			stranger.Do(t, "GET", "/leads", nil)
		}

		// An existing key is still accepted from there, even if nobody has used it yet.
		unused := a.As(host, a.Key(t, host).Token)
		unused.Get(t, "/leads")
	})
}

// refusedUnseen reports whether unknown tokens and hosts are refused while a lookup would fail.
func refusedUnseen(t *testing.T, a *apptest.App, host string) bool {
	t.Helper()
	sabotage(t, a.DB, `ALTER TABLE api_keys RENAME TO moved_keys`)
	sabotage(t, a.DB, `ALTER TABLE tenants RENAME COLUMN host TO moved_host`)
	defer func() {
		sabotage(t, a.DB, `ALTER TABLE tenants RENAME COLUMN moved_host TO host`)
		sabotage(t, a.DB, `ALTER TABLE moved_keys RENAME TO api_keys`)
	}()
	for i := range 20 {
		madeUp := map[string]*apptest.Client{
			"a token": a.As(host, auth.NewToken(auth.Live)), "a host": a.As(fmt.Sprint("h", i, ".test"), ""),
		}
		for what, c := range madeUp {
			answer := c.Do(t, "GET", "/leads", nil)
			if answer.Status == 500 {
				return false
			}
			refusedForRate(t, what, answer, service.DefaultRateLimit)
		}
	}
	return true
}

// A tenant and its key created by another process are served within a second, even to an address that has used
// up its requests.
func TestNewKeyIsNotDelayedByUnknownCallers(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		other := a.Replica(t)
		host := a.Tenant(t, "first.test")
		stranger := other.As(host, "")
		for i := 0; stranger.Do(t, "GET", "/leads", nil).Status != 429; i++ {
			if i > service.DefaultRateLimit {
				t.Fatal("the stranger is let through for ever")
			}
		}
		deadline := time.Now().Add(2 * time.Minute) // a second, on a machine that is not busy
		fresh := a.Tenant(t, "second.test")
		c := other.As(fresh, a.Key(t, fresh).Token)
		for {
			answer := c.Do(t, "GET", "/leads", nil)
			if answer.Status == 200 {
				break
			}
			refusedForRate(t, "too early", answer, service.DefaultRateLimit)
			if time.Now().After(deadline) {
				t.Fatal("the new key is still refused")
			}
		}
	})
}

// An unknown key counts as unauthenticated until it is verified, and then no more.
func TestValidKeyDoesNotUseAddressLimit(t *testing.T) {
	a := apptest.OnSQLite(t)
	other := a.Replica(t)
	host := a.Tenant(t, "back.test")
	for range 5 {
		other.As(host, a.Key(t, host).Token).Get(t, "/leads")
	}
	answer := other.As(host, "").Do(t, "GET", "/leads", nil)
	if left := headerInt(t, answer.Header, "X-RateLimit-Remaining"); left != service.DefaultRateLimit-1 {
		t.Errorf("the address has %d left after its first stranger", left)
	}
}
