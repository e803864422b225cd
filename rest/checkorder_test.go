package rest_test

import (
	"net/netip"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// Each request fails all later checks too, and gets the error of the first: host, key, address, rate limit,
// scope, parameters and body, idempotency, references, state.
func TestCheckOrder(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "order.test")
		deal := seedDeal(t, c, seedMerchant(t, c, nil), nil)
		payment := path("/payments", seedPayment(t, c, deal, nil))
		c.Patch(t, payment, apptest.Object{"status": "CANCELLED"})
		elsewhere := a.As(c.Host, a.NewKey(t, c.Host, service.NewKey{
			Name: "k", Kind: auth.Live, Scopes: []string{"leads:read"}, Allow: []string{"203.0.113.7"}, RateLimit: 1,
		}).Token)
		spent := a.As(c.Host, a.NewKey(t, c.Host, service.NewKey{
			Name: "k", Kind: auth.Live, Scopes: []string{"leads:read"}, RateLimit: 1,
		}).Token)
		spent.Get(t, "/whoami")
		poor := a.As(c.Host, a.Key(t, c.Host, "leads:read").Token)
		used := c.With("Idempotency-Key", "used")
		used.Post(t, "/payments", apptest.Object{"dealId": deal, "type": "OTHER_FEE", "amount": "5"})

		unknown := a.As("unknown.test", "")
		badBody := `{"amount":"x"}`
		badReference := apptest.Object{"dealId": 987654321, "type": "OTHER_FEE", "amount": "5"}
		for _, step := range []struct {
			what         string
			client       *apptest.Client
			method, path string
			body         any
			status       int
			code         string
		}{
			{"the host before the key", unknown, "POST", "/payments?x=1", badBody, 404, "not_found"},
			{"the key before the route", a.As(c.Host, "x"), "POST", "/payments?x=1", badBody, 401, "unauthorized"},
			{"the address before the rate", elsewhere, "POST", "/payments?x=1", badBody, 403, "forbidden"},
			{"the address, once the rate is spent", elsewhere, "POST", "/payments?x=1", badBody, 403, "forbidden"},
			{"the rate before the scope", spent, "POST", "/payments?x=1", badBody, 429, "rate_limited"},
			{"the rate before the route", spent, "GET", "/nothing", nil, 429, "rate_limited"},
			{"the scope before the id", poor, "PATCH", "/payments/abc", badBody, 403, "forbidden"},
			{"the scope before the parameters", poor, "GET", "/payments?x=1", nil, 403, "forbidden"},
			{
				"the scope before the media type", poor.With("Content-Type", "text/plain"),
				"POST", "/payments", badBody, 403, "forbidden",
			},
			{"the scope before the record", poor, "PATCH", "/leads/987654321", "{}", 403, "forbidden"},
			{
				"the scope before the key of the write", poor.With("Idempotency-Key", "\t"),
				"POST", "/payments", badBody, 403, "forbidden",
			},
			{"the id before the body", c, "PATCH", "/payments/abc", badBody, 400, "invalid_id"},
			{"the body before the record", c, "PATCH", "/payments/987654321", badBody, 400, "validation_error"},
			{"the body before idempotency", used, "POST", "/payments", badBody, 400, "validation_error"},
			{"idempotency before references", used, "POST", "/payments", badReference, 422, "idempotency_key_reused"},
			{
				"references before the state", c, "PATCH", payment,
				apptest.Object{"status": "SUBMITTED", "syndicatorId": 987654321},
				422, "invalid_reference",
			},
			{"the state", c, "PATCH", payment, apptest.Object{"status": "SUBMITTED"}, 409, "conflict"},
			{
				"references before a deal's state", c, "PATCH", path("/deals", deal),
				apptest.Object{"state": "FUNDED", "isoId": 987654321},
				422, "invalid_reference",
			},
			{
				"the body before a deal's state", c, "PATCH", path("/deals", deal),
				apptest.Object{"state": "FUNDED", "isoId": "x"},
				400, "validation_error",
			},
			{"a deal's state", c, "PATCH", path("/deals", deal), apptest.Object{"state": "FUNDED"}, 409, "conflict"},
		} {
			refusal(t, step.what, step.client.Do(t, step.method, step.path, step.body), step.status, step.code)
		}
	})
}

func TestAllowListTrustsOnlyConfiguredProxies(t *testing.T) {
	a := apptest.OnSQLite(t)
	trusting := a.Replica(
		t,
		apptest.Trusting(
			netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128"),
		),
	)
	host := a.Tenant(t, "allow.test")
	key := func(allow ...string) string {
		return a.NewKey(
			t, host, service.NewKey{Name: "k", Kind: auth.Live, Scopes: []string{"leads:read"}, Allow: allow},
		).Token
	}
	v4, v6, local := key("203.0.113.7", "198.51.100.0/24"), key("2001:db8::1"), key("127.0.0.1")
	for _, c := range []struct {
		app     *apptest.App
		token   string
		hops    []string
		allowed bool
	}{
		{a, local, nil, true},
		{a, v4, nil, false},
		{a, v4, []string{"203.0.113.7"}, false}, // nobody is trusted here
		{a, local, []string{"203.0.113.7"}, true},
		{trusting, v4, []string{"203.0.113.7"}, true},
		{trusting, v4, []string{"198.51.100.200"}, true},
		{trusting, v4, []string{"198.51.101.1"}, false},
		{trusting, v4, nil, false},
		{trusting, local, nil, true},
		{trusting, local, []string{"203.0.113.7"}, false},
		{trusting, v4, []string{"203.0.113.7, 10.1.2.3"}, true},
		{trusting, v4, []string{"203.0.113.7, 10.1.2.3, 10.9.9.9"}, true},
		{trusting, v4, []string{"203.0.113.7, 192.0.2.1"}, false}, // the caller wrote the first by itself
		{trusting, v4, []string{"203.0.113.7", "192.0.2.1"}, false},
		{trusting, v4, []string{"192.0.2.1", "203.0.113.7"}, true},
		{trusting, v4, []string{"192.0.2.1,203.0.113.7"}, true},
		{trusting, v4, []string{"::ffff:203.0.113.7"}, true},
		{trusting, v4, []string{"203.0.113.7:4711"}, false},
		{trusting, v4, []string{"nonsense"}, false},
		{trusting, v4, []string{"203.0.113.7, nonsense"}, false},
		{trusting, v4, []string{""}, false},
		{trusting, v6, []string{"2001:db8::1"}, true},
		{trusting, v6, []string{"2001:DB8:0::1"}, true},
		{trusting, v6, []string{"2001:db8::2"}, false},
		{trusting, v6, []string{"2001:db8::1%eth0"}, true},
	} {
		client := c.app.As(host, c.token)
		for _, hop := range c.hops {
			client = client.With("X-Forwarded-For", hop)
		}
		for _, name := range []string{"X-Real-Ip", "Forwarded", "True-Client-Ip", "Cf-Connecting-Ip"} {
			client = client.With(name, "203.0.113.7")
		}
		answer := client.Do(t, "GET", "/leads", nil)
		if c.allowed && answer.Status != 200 {
			t.Errorf("%v is kept out: %s", c.hops, answer.Body)
		}
		if !c.allowed {
			refusal(t, "hops", answer, 403, "forbidden")
		}
	}
}
