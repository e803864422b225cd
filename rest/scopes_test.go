package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// scopeOf is the scope that the contract requires for each operation; a path has the listed methods.
var scopeOf = map[string]string{
	"GET /api/v1/whoami":                         "",
	"GET /api/v1/leads":                          "leads:read",
	"POST /api/v1/leads":                         "leads:write",
	"GET /api/v1/leads/{id}":                     "leads:read",
	"PATCH /api/v1/leads/{id}":                   "leads:write",
	"DELETE /api/v1/leads/{id}":                  "leads:write",
	"GET /api/v1/merchants":                      "merchants:read",
	"POST /api/v1/merchants":                     "merchants:write",
	"GET /api/v1/merchants/{id}":                 "merchants:read",
	"PATCH /api/v1/merchants/{id}":               "merchants:write",
	"DELETE /api/v1/merchants/{id}":              "merchants:write",
	"GET /api/v1/deals":                          "deals:read",
	"POST /api/v1/deals":                         "deals:write",
	"GET /api/v1/deals/{id}":                     "deals:read",
	"PATCH /api/v1/deals/{id}":                   "deals:write",
	"DELETE /api/v1/deals/{id}":                  "deals:write",
	"GET /api/v1/deals/{id}/statement-analysis":  "statement-analysis:read",
	"POST /api/v1/deals/{id}/statement-analysis": "statement-analysis:write",
	"POST /api/v1/statement-analysis":            "statement-analysis:write",
	"GET /api/v1/payments":                       "payments:read",
	"POST /api/v1/payments":                      "payments:write",
	"GET /api/v1/payments/{id}":                  "payments:read",
	"PATCH /api/v1/payments/{id}":                "payments:write",
	"GET /api/v1/funders":                        "funders:read",
	"POST /api/v1/funders":                       "funders:write",
	"GET /api/v1/funders/{id}":                   "funders:read",
	"PATCH /api/v1/funders/{id}":                 "funders:write",
	"DELETE /api/v1/funders/{id}":                "funders:write",
	"GET /api/v1/isos":                           "isos:read",
	"POST /api/v1/isos":                          "isos:write",
	"GET /api/v1/isos/{id}":                      "isos:read",
	"PATCH /api/v1/isos/{id}":                    "isos:write",
	"DELETE /api/v1/isos/{id}":                   "isos:write",
	"GET /api/v1/syndicators":                    "syndicators:read",
	"POST /api/v1/syndicators":                   "syndicators:write",
	"GET /api/v1/syndicators/{id}":               "syndicators:read",
	"PATCH /api/v1/syndicators/{id}":             "syndicators:write",
	"DELETE /api/v1/syndicators/{id}":            "syndicators:write",
	"GET /api/v1/submissions":                    "submissions:read",
	"GET /api/v1/decisions":                      "compliance:read",
	"GET /api/v1/renewals":                       "renewals:read",
	"GET /api/v1/credit-facilities":              "credit-facilities:read",
	"GET /api/v1/disclosures":                    "compliance:read",
	"GET /api/v1/ucc-filings":                    "compliance:read",
	"GET /api/v1/payouts":                        "payouts:read",
	"GET /api/v1/applications":                   "applications:read",
	"GET /api/v1/communications":                 "communications:read",
	"GET /api/v1/webhook-endpoints":              "webhooks:read",
	"POST /api/v1/webhook-endpoints":             "webhooks:write",
	"GET /api/v1/webhook-endpoints/{id}":         "webhooks:read",
	"POST /api/v1/webhook-endpoints/{id}":        "webhooks:write",
	"PATCH /api/v1/webhook-endpoints/{id}":       "webhooks:write",
	"DELETE /api/v1/webhook-endpoints/{id}":      "webhooks:write",
}

// operations are those of the description, each with its scope by the contract.
func operations(tb testing.TB, c *apptest.Client) map[string]string {
	tb.Helper()
	found := map[string]string{}
	for route, item := range describedPaths(tb, c) {
		for method, op := range item {
			name := strings.ToUpper(method) + " " + route
			scope, known := scopeOf[name]
			if described, _ := op.(map[string]any)["x-scope"].(string); !known || described != scope {
				tb.Errorf("%s is described with the scope %q, want %q", name, described, scope)
			}
			found[name] = scope
		}
	}
	if len(found) < 47 {
		tb.Errorf("only %d operations are described", len(found))
	}
	return found
}

// attempt calls an operation on no particular record, without a usable body.
func attempt(tb testing.TB, c *apptest.Client, operation string) *apptest.Answer {
	tb.Helper()
	method, route, _ := strings.Cut(operation, " ")
	var body any
	if method == http.MethodPost || method == http.MethodPatch {
		body = "[]"
	}
	return c.Do(tb, method, strings.ReplaceAll(route, "{id}", "987654321"), body)
}

func TestOperationsRequireScopes(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "scopes.test")
	keys := map[auth.Scope]*apptest.Client{auth.ReadEverything: a.As(c.Host, a.Key(t, c.Host, "*:read").Token)}
	for _, resource := range auth.Resources {
		for _, scope := range []auth.Scope{auth.Read(resource), auth.Write(resource)} {
			keys[scope] = a.As(c.Host, a.Key(t, c.Host, string(scope)).Token)
		}
	}
	for operation, needed := range operations(t, c) {
		refusal(t, operation+" without a key", attempt(t, a.As(c.Host, ""), operation), 401, "unauthorized")
		resource, verb, _ := strings.Cut(needed, ":")
		for held, key := range keys {
			may := needed == "" || string(held) == needed ||
				verb == "read" && (held == auth.Write(resource) || held == auth.ReadEverything)
			answer := attempt(t, key, operation)
			if !may {
				refusal(t, operation+" with "+string(held), answer, 403, "forbidden")
			} else if answer.Status == 401 || answer.Status == 403 || answer.Status >= 500 {
				t.Errorf("%s with %s: %d %s", operation, held, answer.Status, answer.Body)
			}
		}
	}
}

// Keys older than scopes have flags: one for leads, the other for everything else.
func TestLegacyFlagsMapToScopes(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "legacy.test")
		for _, flags := range [][]string{{auth.LegacyLeads}, {auth.LegacyApp}, {auth.LegacyLeads, auth.LegacyApp}} {
			key := a.As(c.Host, a.NewKey(t, c.Host, service.NewKey{Name: "old", Kind: auth.Live, LegacyFlags: flags}).Token)
			held := strings.Join(flags, " ")
			for operation, needed := range operations(t, c) {
				flag := auth.LegacyApp
				if strings.HasPrefix(needed, "leads:") {
					flag = auth.LegacyLeads
				}
				answer := attempt(t, key, operation)
				if needed != "" && !strings.Contains(held, flag) {
					refusal(t, operation+" with "+held, answer, 403, "forbidden")
				} else if answer.Status == 401 || answer.Status == 403 {
					t.Errorf("%s with %s: %d", operation, held, answer.Status)
				}
			}
			scopes, _ := key.Get(t, "/whoami")["scopes"].([]any)
			want := map[string]int{auth.LegacyLeads: 1, auth.LegacyApp: 15, auth.LegacyLeads + " " + auth.LegacyApp: 16}[held]
			if len(scopes) != want {
				t.Errorf("%s shows %v", held, scopes)
			}
			for _, scope := range scopes {
				if !strings.HasSuffix(scope.(string), ":write") {
					t.Errorf("%s shows %v", held, scope)
				}
			}
		}
	})
}
