package rest_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"

	"paydown/internal/apptest"
)

// Reads allocate little. The limits are some 25 % above what was measured, for the race detector, which empties pools
// at random. It is not parallel: it counts the allocations of the whole process.
func TestReadsAllocateLittle(t *testing.T) { //nolint:paralleltest // see above
	for _, db := range []struct {
		name      string
		start     func(testing.TB, ...apptest.Option) *apptest.App
		get, list float64
	}{
		{"SQLite", apptest.OnSQLite, 280, 6300},
		{"PostgreSQL", apptest.OnPostgres, 120, 2400},
	} {
		t.Run(db.name, func(t *testing.T) {
			a := db.start(t)
			c := a.Client(t, "reads.example")
			merchant := seedMerchant(t, c, nil)
			var deal int
			for range 50 {
				deal = seedDeal(t, c, merchant, apptest.Object{
					"fundedAmount": "50000.00", "factorRate": "1.3", "buyRate": "1.2", "termDays": 120, "position": 1,
				})
			}
			count := func(path string) float64 {
				return testing.AllocsPerRun(200, func() {
					r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+c.Host+"/api/v1"+path, nil)
					r.Header.Set("Authorization", "Bearer "+c.Token)
					w := httptest.NewRecorder()
					if a.HTTP.Config.Handler.ServeHTTP(w, r); w.Code != http.StatusOK {
						t.Fatalf("%s: %d %s", path, w.Code, w.Body)
					}
				})
			}
			if n := count(fmt.Sprintf("/deals/%d", deal)); n > db.get {
				t.Errorf("GET of a deal allocates %.0f times, at most %.0f are allowed", n, db.get)
			}
			if n := count("/deals?limit=50"); n > db.list {
				t.Errorf("a list of 50 deals allocates %.0f times, at most %.0f are allowed", n, db.list)
			}
		})
	}
}
