package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// How many objects a write allocates, at most: some 15 % above what it took when the limit was set. It is not
// parallel, because allocations are counted for the whole process.
func TestAllocationsPerWrite(t *testing.T) {
	for name, start := range map[string]func(testing.TB, ...apptest.Option) *apptest.App{
		"SQLite": apptest.OnSQLite, "PostgreSQL": apptest.OnPostgres,
	} {
		t.Run(name, func(t *testing.T) {
			a := start(t)
			m := &meter{booktest.OpenDesk(t, a, "allocations.test"), newProcess(t, a)}
			m.knowsKeys(t)
			f := &booktest.Fleet{Desk: m.Desk}
			deal := f.Funded(t, 30, nil)
			rows := m.PaymentsOf(t, deal, "")
			create := fmt.Sprintf(`{"dealId": %d, "type": "ADVANCE_PAYBACK", "amount": "5.00", "method": "ACH"}`, deal.ID())
			const tries = 15
			for write, c := range map[string]struct {
				most   uint64
				status int
				try    func(i int) *http.Request
			}{
				"POST a payment": {1000, http.StatusCreated, func(int) *http.Request {
					return m.process.request(m.Host, m.Token, http.MethodPost, "/api/v1/payments", create)
				}},
				"PATCH a payment to PAID": {1900, http.StatusOK, func(i int) *http.Request {
					return m.process.request(m.Host, m.Token, http.MethodPatch, "/api/v1"+booktest.At("payments", rows[i]),
						`{"status": "PAID"}`)
				}},
			} {
				least := ^uint64(0)
				for i := range tries {
					r := c.try(i)
					_, objects := apptest.Cost(func() {
						if w := m.process.serve(r); w.Code != c.status {
							t.Errorf("%s: %d %s", write, w.Code, w.Body)
						}
					})
					least = min(least, objects)
				}
				if t.Logf("%s: %d objects", write, least); least > c.most {
					t.Errorf("%s allocates %d objects, at most %d", write, least, c.most)
				}
			}
		})
	}
}
