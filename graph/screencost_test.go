package graph_test

import (
	"bytes"
	"encoding/json"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"

	"paydown/internal/apptest"
)

// maxObjects are what a deal's page may allocate, with the middleware, four statements and the test's own request.
// Lower them when it allocates less.
var maxObjects = map[string]uint64{"SQLite": 1290, "PostgreSQL": 950}

func TestWhatADealsPageAllocates(t *testing.T) {
	for name, a := range map[string]*apptest.App{"SQLite": apptest.OnSQLite(t), "PostgreSQL": apptest.OnPostgres(t)} {
		t.Run(name, func(t *testing.T) {
			a.Tenant(t, "acme.test")
			token := a.Key(t, "acme.test",
				"merchants:write", "deals:write", "payments:write", "isos:read", "funders:read").Token
			c := a.As("acme.test", token)
			merchant := made(t, c, "/merchants", "merchant", apptest.Object{"legalName": "Harbor Street Bakery LLC"})
			deal := made(t, c, "/deals", "deal", apptest.Object{
				"merchantId": merchant.ID(), "fundedAmount": "50000.00", "factorRate": "1.30", "numberOfPayments": 20,
				"collectionFrequency": "DAILY",
			})
			for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
				c.Patch(t, "/deals/"+strconv.Itoa(deal.ID()), apptest.Object{"state": state})
			}
			screens := apptest.Screens(t, "..")
			at := slices.IndexFunc(screens, func(s apptest.Screen) bool { return s.Name == "Deal" })
			body, err := json.Marshal(apptest.Object{
				"query": screens[at].Text, "variables": apptest.Object{"id": strconv.Itoa(deal.ID())},
			})
			if err != nil {
				t.Fatal(err)
			}
			fewest := uint64(math.MaxUint64) // what else runs in the process allocates too
			for range 100 {
				w := httptest.NewRecorder()
				_, objects := apptest.Cost(func() {
					r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/graphql", bytes.NewReader(body))
					r.Host = "acme.test"
					r.Header.Set("Authorization", "Bearer "+token)
					r.Header.Set("Content-Type", "application/json")
					a.HTTP.Config.Handler.ServeHTTP(w, r)
				})
				if w.Code != http.StatusOK || bytes.Contains(w.Body.Bytes(), []byte(`"errors"`)) {
					t.Fatalf("status %d: %s", w.Code, w.Body)
				}
				fewest = min(fewest, objects)
			}
			t.Logf("%d objects", fewest)
			if fewest > maxObjects[name] {
				t.Errorf("it allocates %d objects, more than %d", fewest, maxObjects[name])
			}
		})
	}
}
