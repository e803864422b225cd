package rest_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

func TestWhoamiDescribesTheKey(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(monday)
		host := a.Tenant(t, "whoami.test")
		full := a.NewKey(t, host, service.NewKey{
			Name: "CRM <sync>", Purpose: "Nightly import", Kind: auth.Live, Scopes: []string{"deals:write", "*:read"},
			ExpiresDays: new(90),
			Allow:       []string{"127.0.0.0/8", "::1"}, RateLimit: 120,
		})
		bare := a.NewKey(t, host, service.NewKey{Name: "plain", Kind: auth.Live, Scopes: []string{"leads:read"}})
		answer := a.As(host, full.Token).Do(t, "GET", "/whoami", nil)
		framed(t, "whoami", answer)
		got := answer.Want(t, 200)
		created := got.Text("createdAt")
		at, err := time.Parse("2006-01-02T15:04:05.000Z", created)
		if err != nil || at.Sub(monday) < 0 || at.Sub(monday) > time.Minute {
			t.Errorf("createdAt is %q", created)
		}
		want := apptest.Object{
			"keyId": float64(full.Key.ID), "name": "CRM <sync>", "purpose": "Nightly import", "kind": "LIVE",
			"scopes": []any{"deals:write", "*:read"}, "expiresAt": at.AddDate(0, 0, 90).Format("2006-01-02T15:04:05.000Z"),
			"ipAllowList": []any{"127.0.0.0/8", "::1"}, "readOnly": false, "createdAt": created,
			"tenant": map[string]any{
				"id":      float64(full.Key.TenantID),
				"name":    "Tenant whoami.test",
				"host":    host,
				"sandbox": false,
			},
			"rateLimit": map[string]any{"limit": 120.0, "remaining": 119.0, "windowSeconds": 60.0},
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
		got = a.As(host, bare.Token).Get(t, "/whoami")
		for name, value := range map[string]any{
			"purpose": nil, "expiresAt": nil, "ipAllowList": []any{}, "scopes": []any{"leads:read"},
			"rateLimit": map[string]any{"limit": nil, "remaining": nil, "windowSeconds": 60.0},
		} {
			if !reflect.DeepEqual(got[name], value) {
				t.Errorf("%s is %v, want %v", name, got[name], value)
			}
		}
		if len(got) != len(want) {
			t.Errorf("a plain key shows %v", got)
		}
	})
}

func TestARotatedKeyOverlapsItsReplacement(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(monday)
		host := a.Tenant(t, "rotate.test")
		old := a.NewKey(t, host, service.NewKey{
			Name: "CRM", Purpose: "sync", Kind: auth.Live, Scopes: []string{"leads:write"}, ExpiresDays: new(365),
			Allow: []string{"127.0.0.1"}, RateLimit: 7,
		})
		before := a.As(host, old.Token).Get(t, "/whoami")
		next, err := a.Keys.Rotate(a.Operator(t, host), old.Key.ID)
		if err != nil {
			t.Fatal(err)
		}
		after := a.As(host, next.Token).Get(t, "/whoami")
		for _, name := range []string{
			"name", "purpose", "kind", "scopes", "expiresAt", "ipAllowList", "rateLimit", "tenant",
		} {
			if !reflect.DeepEqual(before[name], after[name]) {
				t.Errorf("%s was %v and is %v", name, before[name], after[name])
			}
		}
		if before["keyId"] == after["keyId"] {
			t.Error("the replacement is the same key")
		}
		a.Clock.Advance(service.RotationOverlap - time.Minute)
		a.As(host, old.Token).Get(t, "/whoami")
		a.Clock.Advance(2 * time.Minute)
		a.As(host, old.Token).Do(t, "GET", "/whoami", nil).Problem(t, 401, "unauthorized")
		a.As(host, next.Token).Get(t, "/whoami")
	})
}

func TestTestKeyIsReadOnlyWithoutSandbox(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		live := a.Client(t, "live.test")
		token := a.NewKey(t, live.Host, service.NewKey{Name: "t", Kind: auth.Test, Scopes: auth.AllScopes().Strings()}).Token
		if !strings.HasPrefix(token, "svc_test_") || !strings.HasPrefix(live.Token, "svc_live_") {
			t.Errorf("the tokens begin %.9s and %.9s", token, live.Token)
		}
		test := a.As(live.Host, token)
		merchant := seedMerchant(t, live, nil)
		deal := seedDeal(t, live, merchant, nil)
		lead := seedLead(t, live, nil)
		before := countRecords(t, a, live)
		me := test.Get(t, "/whoami")
		if me["readOnly"] != true || me["kind"] != "TEST" || me.In("tenant")["sandbox"] != false ||
			me.In("tenant")["host"] != live.Host {
			t.Errorf("without a sandbox: %v", me)
		}
		test.Get(t, path("/leads", lead))
		sameIDs(t, "deals", listed(t, test, "/deals"), []int{deal})
		for operation, scope := range operations(t, live) {
			if strings.HasSuffix(scope, ":write") {
				refusal(t, operation, attempt(t, test, operation), 403, "forbidden")
			}
		}
		for _, w := range []struct{ method, path string }{
			{"POST", "/leads"}, {"PATCH", path("/leads", lead)}, {"DELETE", path("/leads", lead)},
		} {
			refusal(
				t, w.method, test.With("Idempotency-Key", "k").Do(t, w.method, w.path, apptest.Object{"businessName": "x"}), 403,
				"forbidden",
			)
		}
		if after := countRecords(t, a, live); !slices.Equal(after, before) {
			t.Errorf("a test key changed production: %v, before %v", after, before)
		}

		if _, err := a.Tenants.ProvisionSandbox(t.Context(), live.Host); err != nil {
			t.Fatal(err)
		}
		me = test.Get(t, "/whoami")
		if me["readOnly"] != false || me.In("tenant")["sandbox"] != true ||
			me.In("tenant").Int("id") == live.Get(t, "/whoami").In("tenant").Int("id") {
			t.Errorf("with a sandbox: %v", me)
		}
		for _, list := range []string{"/leads", "/merchants", "/deals"} {
			sameIDs(t, list+" of the sandbox", listed(t, test, list), []int{})
		}
		test.Do(t, "GET", path("/leads", lead), nil).Problem(t, 404, "not_found")
		test.Do(t, "POST", "/deals", apptest.Object{"merchantId": merchant}).Problem(t, 422, "invalid_reference")
		own := test.Post(t, "/deals", apptest.Object{"merchantId": seedMerchant(t, test, nil)}).In("deal")
		if own.Text("dealNumber") != "D-000001" {
			t.Errorf("the sandbox's first deal is %s", own.Text("dealNumber"))
		}
		seedLead(t, test, nil)
		live.Do(t, "GET", path("/deals", own.ID()), nil).Problem(t, 404, "not_found")
		if after := countRecords(t, a, live); !slices.Equal(after, before) {
			t.Errorf("the sandbox changed production: %v, before %v", after, before)
		}
		for _, host := range []string{"sandbox." + live.Host, a.Tenant(t, "third.test")} {
			a.As(host, token).Do(t, "GET", "/whoami", nil).Problem(t, 401, "unauthorized")
		}
	})
}

// A key revoked, or a sandbox created, by another process takes effect here within a second.
func TestRevocationIsImmediate(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "revoke.test")
		for i := range 3 {
			key := a.Key(t, host)
			c := a.As(host, key.Token)
			c.Get(t, "/whoami")
			c.Get(t, "/whoami")
			if _, err := a.Keys.Revoke(a.Operator(t, host), key.Key.ID); err != nil {
				t.Fatal(err)
			}
			refusal(t, fmt.Sprint("revocation ", i), c.Do(t, "GET", "/whoami", nil), 401, "unauthorized")
		}
	})
}

// A host in another script is accepted in either of its forms, by commands and in requests.
func TestUnicodeHost(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "Bücher.test")
	for _, form := range []string{host, "bücher.test", "xn--bcher-kva.test"} {
		ctx, err := a.Tenants.AsOperator(t.Context(), form)
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.Keys.Create(ctx, service.NewKey{Name: form, Kind: auth.Live, Scopes: []string{"leads:read"}})
		if err != nil {
			t.Error(err)
		}
	}
	a.As("xn--bcher-kva.test", a.Key(t, host).Token).Get(t, "/whoami")
}
