package rest_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

func limitedKey(tb testing.TB, a *apptest.App, host string, limit int) *apptest.Client {
	tb.Helper()
	return a.As(host, a.NewKey(tb, host, service.NewKey{
		Name: "limited", Kind: auth.Live, Scopes: auth.AllScopes().Strings(), RateLimit: limit,
	}).Token)
}

func headerInt(tb testing.TB, h http.Header, name string) int {
	tb.Helper()
	n, err := strconv.Atoi(h.Get(name))
	if err != nil {
		tb.Errorf("%s is %q", name, h.Get(name))
	}
	return n
}

func refusedForRate(tb testing.TB, what string, a *apptest.Answer, limit int) {
	tb.Helper()
	refusal(tb, what, a, 429, "rate_limited")
	if a.Header.Get("Retry-After") != "60" || headerInt(tb, a.Header, "X-RateLimit-Remaining") != 0 ||
		headerInt(tb, a.Header, "X-RateLimit-Limit") != limit {
		tb.Errorf("%s: %v", what, a.Header)
	}
}

// Every request counts whatever its outcome, and every response says how many are left.
func TestDefaultKeyRateLimit(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "rate.test")
		c, other := limitedKey(t, a, host, service.DefaultRateLimit), limitedKey(t, a, host, service.DefaultRateLimit)
		addresses := []struct {
			path   string
			status int
		}{{"/whoami", 200}, {"/leads/0", 400}, {"/nothing", 404}, {"/leads/1", 404}, {"/leads", 200}, {"/leads?limit=0", 400}}
		for i := range 120 {
			want := addresses[i%len(addresses)]
			answer := c.Do(t, "GET", want.path, nil)
			h := answer.Header
			if answer.Status != want.status || headerInt(t, h, "X-RateLimit-Limit") != 120 ||
				headerInt(t, h, "X-RateLimit-Remaining") != 119-i {
				t.Fatalf("request %d: %d %v", i+1, answer.Status, h)
			}
			if reset := headerInt(t, h, "X-RateLimit-Reset"); reset < 1 || reset > 60 || h.Get("Retry-After") != "" {
				t.Fatalf("request %d: %v", i+1, h)
			}
		}
		for _, want := range addresses {
			refusedForRate(t, want.path, c.Do(t, "GET", want.path, nil), 120)
		}
		other.Get(t, "/whoami")
	})
}

// The window starts with its first request and ends 60 seconds later. (With several processes the database's
// clock decides.)
func TestAWindowLastsAMinute(t *testing.T) {
	a := apptest.OnSQLite(t)
	a.Clock.Stop(monday)
	c := limitedKey(t, a, a.Tenant(t, "window.test"), 10)
	take := func(n int) {
		for range n {
			c.Get(t, "/whoami")
		}
	}
	take(1)
	a.Clock.Advance(58 * time.Second)
	take(9)
	refusedForRate(t, "the eleventh", c.Do(t, "GET", "/whoami", nil), 10)
	a.Clock.Advance(time.Second)
	refusedForRate(t, "in the last second", c.Do(t, "GET", "/whoami", nil), 10)
	a.Clock.Advance(time.Second)
	take(10)
	refusedForRate(t, "the eleventh of the next", c.Do(t, "GET", "/whoami", nil), 10)
	a.Clock.Advance(-time.Hour) // a clock that is set back locks nobody out for good
	a.Clock.Advance(time.Hour + time.Minute)
	take(1)
}

func TestSeveralProcessesShareALimit(t *testing.T) {
	t.Parallel()
	a := apptest.OnPostgres(t)
	host := a.Tenant(t, "shared.test")
	first := limitedKey(t, a, host, 120)
	second := a.Replica(t).As(host, first.Token)
	allowed := 0
	for i := range 140 {
		c := []*apptest.Client{first, second}[i%2]
		if c.Do(t, "GET", "/whoami", nil).Status == 200 {
			allowed++
		}
	}
	if allowed > 120 || allowed < 110 {
		t.Errorf("%d requests were let through", allowed)
	}
	for _, c := range []*apptest.Client{first, second} {
		refusal(t, "afterwards", c.Do(t, "GET", "/whoami", nil), 429, "rate_limited")
	}
}

// Callers without a valid key are counted by address, separately from all keys.
func TestUnauthenticatedCallersAreLimitedByAddress(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "strangers.test")
	barred := a.As(host, a.NewKey(t, host, service.NewKey{
		Name: "b", Kind: auth.Live, Scopes: []string{"leads:read"}, Allow: []string{"203.0.113.7"}, RateLimit: 3,
	}).Token)
	good, stranger, nobody := limitedKey(t, a, host, 1000), a.As(host, ""), a.As("nobody.test", "")
	for i := range 120 {
		want, client, address := 401, stranger, "/leads"
		switch i % 4 {
		case 1:
			client, want = nobody, 404
		case 2:
			address, want = "/api/openapi.json", 200
		case 3:
			client, want = barred, 403
		}
		answer := client.Do(t, "GET", address, nil)
		if answer.Status != want || headerInt(t, answer.Header, "X-RateLimit-Limit") != 120 ||
			headerInt(t, answer.Header, "X-RateLimit-Remaining") != 119-i {
			t.Fatalf("request %d: %d %v", i+1, answer.Status, answer.Header)
		}
	}
	for name, client := range map[string]*apptest.Client{
		"stranger": stranger, "unknown host": nobody, "bad key": a.As(host, "x"),
	} {
		refusedForRate(t, name, client.Do(t, "GET", "/leads", nil), 120)
		refusedForRate(t, name, client.Do(t, "GET", "/api/openapi.json", nil), 120)
	}
	refusal(t, "a barred key", barred.Do(t, "GET", "/leads", nil), 403, "forbidden")
	if left := headerInt(t, good.Do(t, "GET", "/leads", nil).Header, "X-RateLimit-Remaining"); left != 999 {
		t.Errorf("a good key from the same address has %d left", left)
	}
}

func TestCallersBehindProxyHaveSeparateLimits(t *testing.T) {
	a := apptest.OnSQLite(t, apptest.Trusting(netip.MustParsePrefix("127.0.0.0/8")))
	stranger := a.As(a.Tenant(t, "proxy.test"), "")
	from := func(address string) *apptest.Answer {
		return stranger.With("X-Forwarded-For", address).Do(t, "GET", "/leads", nil)
	}
	for i := range 120 {
		from("2001:db8:0:1::" + fmt.Sprintf("%x", i+1)) // one caller has a whole /64
	}
	refusedForRate(t, "the same network", from("2001:db8:0:1:ffff::1"), 120)
	for _, other := range []string{"2001:db8:0:2::1", "203.0.113.7", "203.0.113.8"} {
		answer := from(other)
		refusal(t, other, answer, 401, "unauthorized")
		if left := headerInt(t, answer.Header, "X-RateLimit-Remaining"); left != 119 {
			t.Errorf("%s has %d left", other, left)
		}
	}
	if left := headerInt(t, from("::ffff:203.0.113.7").Header, "X-RateLimit-Remaining"); left != 118 {
		t.Errorf("the same address in another form has %d left", left)
	}
}

// A key may have no limit; the headers are still present, with numbers that no client reaches.
func TestUnlimitedKey(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "free.test")
	for range 130 {
		answer := c.Do(t, "GET", "/leads/1", nil)
		refusal(t, "GET", answer, 404, "not_found")
		if left := headerInt(t, answer.Header, "X-RateLimit-Remaining"); left < 1_000_000 {
			t.Fatalf("%d left", left)
		}
	}
}
