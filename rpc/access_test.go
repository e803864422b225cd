package rpc_test

import (
	"fmt"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/service"
	"paydown/rpc"
)

// Every method, unary or streaming, is called by every caller who may not call it and by every caller who may.
func TestMethodsCheckCaller(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host, other := a.Tenant(t, "callers.test"), a.Tenant(t, "others.test")
		expired := token(t, a, service.NewAdminToken{Name: "expired", ExpiresDays: 1})
		a.Clock.Advance(25 * time.Hour)
		good := token(t, a, service.NewAdminToken{Name: "good"})
		revoked := token(t, a, service.NewAdminToken{Name: "revoked"})
		if _, err := a.AdminTokens.Revoke(t.Context(), revoked.ID); err != nil {
			t.Fatal(err)
		}
		admin, foreign := staff(a, a.Staff(t, host, "admin")), staff(a, a.Staff(t, other, "admin"))
		astray := *foreign
		astray.host = host
		integrator := &caller{base: a.HTTP.URL + "/rpc", host: host, header: http.Header{
			"Authorization": {"Bearer " + a.Key(t, host).Token},
		}}
		elsewhere := *admin
		elsewhere.header = admin.header.Clone()
		elsewhere.header.Set("Sec-Fetch-Site", "cross-site")
		refused := []struct {
			who    string
			caller *caller
			code   string
		}{
			{"nobody at the operators' listener", operator(a, ""), "unauthenticated"},
			{"an expired token", operator(a, expired.Token), "unauthenticated"},
			{"a revoked token", operator(a, revoked.Token), "unauthenticated"},
			{"a token that was made up", operator(a, "svc_admin_"), "unauthenticated"},
			{"an API key at the operators' listener", operator(a, a.Key(t, host).Token), "unauthenticated"},
			{"nobody at the company's host", &caller{base: a.HTTP.URL + "/rpc", host: host}, "unauthenticated"},
			{"an API key at the company's host", integrator, "unauthenticated"},
			{
				"an admin token at the company's host",
				&caller{base: a.HTTP.URL + "/rpc", host: host, header: operator(a, good.Token).header},
				"unauthenticated",
			},
			{"staff of another company", &astray, "unauthenticated"},
			{"staff without the permission", staff(a, a.Staff(t, host, "underwriter")), "permission_denied"},
			{"another site, in the browser of staff", &elsewhere, "permission_denied"},
		}
		tries := 0
		for _, m := range rpc.Methods() {
			name := rpc.ProcedureOf(m)
			for _, r := range refused {
				// The limit of unauthenticated callers by address is not under test here.
				tries++
				r.caller.from = fmt.Sprintf("2001:db8:%x::1", tries)
				if got := r.caller.call(t, name, exampleRequest(m, host)); got.code != r.code {
					t.Errorf("%s, %s: %q, want %q: %v", name, r.who, got.code, r.code, got.problem)
				}
			}
			let := func(who string, got called) {
				switch got.code {
				case "unauthenticated", "permission_denied", "internal", "unknown", "unimplemented":
					t.Errorf("%s, %s: %s %v", name, who, got.code, got.problem)
				}
			}
			let("an operator", operator(a, good.Token).call(t, name, exampleRequest(m, host)))
			got := admin.call(t, name, exampleRequest(m, ""))
			switch rpc.AccessOf(m) {
			case company:
				let("staff with the permission", got)
				named := foreign.call(t, name, exampleRequest(m, host))
				if m.Input().Fields().ByName("tenant") != nil && named.code != "permission_denied" {
					t.Errorf("%s, staff naming another company: %q %v", name, named.code, named.problem)
				}
			case operatorOnly:
				if got.code != "permission_denied" {
					t.Errorf("%s, staff: %q %v", name, got.code, got.problem)
				}
			default:
				t.Errorf("%s does not say who may call it", name)
			}
		}
	}, apptest.Trusting(netip.MustParsePrefix("127.0.0.0/8")))
}
