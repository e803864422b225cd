package e2e

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/store"
)

// How many SQL statements an operation takes, without BEGIN and COMMIT. An increase is a regression; a decrease
// may be recorded.
func TestStatementsPerOperation(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		m := &meter{booktest.OpenDesk(t, a, "meter.test"), newProcess(t, a)}
		m.knowsKeys(t)
		m.reads(t)
		m.writes(t)
	})
}

// meter counts the statements of calls that it makes directly to the handler.
type meter struct {
	*booktest.Desk
	process *process
}

// count makes a call and returns its statements, each by its verb and table.
func (m *meter) count(t *testing.T, status int, method, path, body string, header ...string) []string {
	t.Helper()
	r := m.process.request(m.Host, m.Token, method, "/api/v1"+path, body)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	var statements []string
	counter := store.Statements{Trace: func(query string) { statements = append(statements, brief(query)) }}
	w := m.process.serve(r.WithContext(store.Counting(r.Context(), &counter)))
	if w.Code != status || counter.Count() != len(statements) {
		t.Fatalf(
			"%s %s: %d %s, %d statements counted, %d seen", method, path, w.Code, w.Body, counter.Count(), len(statements),
		)
	}
	return statements
}

var tableOf = regexp.MustCompile(`(?i)\b(?:from|into|update)\s+\W?(\w+)`)

func brief(query string) string {
	verb, _, _ := strings.Cut(query, " ")
	if found := tableOf.FindStringSubmatch(query); found != nil {
		return verb + " " + found[1]
	}
	return verb
}

// takes checks the cost of an operation without authentication, see knowsKeys.
func (m *meter) takes(t *testing.T, want, status int, method, path, body string, header ...string) {
	t.Helper()
	statements := slices.DeleteFunc(m.count(t, status, method, path, body, header...), func(s string) bool {
		return s == "SELECT tenants" || s == "SELECT api_keys"
	})
	if len(statements) != want {
		t.Errorf(
			"%s %s %s takes %d statements, want %d: %s", method, path, body, len(statements), want,
			strings.Join(statements, ", "),
		)
	}
}

// knowsKeys checks that a known key costs nothing, while the process is notified of changed keys.
func (m *meter) knowsKeys(t *testing.T) {
	t.Helper()
	m.process.run(t)
	until(t, "a key that was seen before costs nothing", func() bool {
		return len(m.count(t, 200, http.MethodGet, "/whoami", "")) == 0
	})
}

func (m *meter) reads(t *testing.T) {
	t.Helper()
	f := &booktest.Fleet{Desk: m.Desk}
	deal := f.Funded(t, 5, nil)
	broker := m.Post(t, "/isos", object{"name": "Bridge Capital Brokers"}).In("iso")
	f.Fundable(t, 5, object{"isoId": broker.ID()})
	lead := m.Post(t, "/leads", object{"businessName": "Harbor Street Bakery LLC"}).In("lead")
	first := m.PaymentsOf(t, deal, "")[0]

	for _, path := range []string{booktest.At("leads", lead), booktest.At("deals", deal), booktest.At("payments", first)} {
		m.takes(t, 1, 200, http.MethodGet, path, "")
	}
	m.takes(t, 2, 200, http.MethodGet, fmt.Sprintf("/merchants/%d", deal.Int("merchantId")), "") // with contacts
	for path, want := range map[string]int{
		"/leads": 1, "/merchants": 1, "/deals": 1, "/payments": 1, "/isos": 1, "/funders": 1, "/syndicators": 1,
		"/leads?q=harbor&status=NEW&sort=businessName:desc": 1,
		"/deals?expand=merchant":                            2,
		"/deals?expand=merchant,payments":                   3,
		"/deals?expand=merchant,payments,iso,submissions":   5,
		"/payments?expand=deal&limit=200":                   2,
	} {
		m.takes(t, want, 200, http.MethodGet, path, "")
	}
	m.takes(t, 0, 400, http.MethodGet, "/leads?limit=0", "")
	m.takes(t, 0, 404, http.MethodGet, "/nothing", "")
}

func (m *meter) writes(t *testing.T) {
	t.Helper()
	f := &booktest.Fleet{Desk: m.Desk}
	deal := f.Funded(t, 5, nil)
	rows := m.PaymentsOf(t, deal, "")
	lead := m.Post(t, "/leads", object{"businessName": "Harbor Street Bakery LLC"}).In("lead")
	priced := f.Fundable(t, 126, nil)
	// On PostgreSQL a write ends with one statement for all that it stores without reading it again. There an
	// Idempotency-Key is locked first.
	on := func(sqlite, _ int) int { return sqlite }
	if m.App.Store.IsPostgres() {
		on = func(_, postgres int) int { return postgres }
	}
	pending := fmt.Sprintf(`{"dealId": %d, "type": "OTHER_FEE", "amount": "5.00"}`, deal.ID())
	paid := fmt.Sprintf(`{"dealId": %d, "type": "ADVANCE_PAYBACK", "amount": "5.00", "status": "PAID"}`, deal.ID())

	debit := fmt.Sprintf(`{"dealId": %d, "type": "ADVANCE_PAYBACK", "amount": "5.00", "method": "ACH"}`, deal.ID())

	m.takes(t, on(3, 2), 201, http.MethodPost, "/leads", `{"businessName": "Harbor Street Bakery LLC"}`)
	m.takes(t, on(3, 3), 200, http.MethodPatch, booktest.At("leads", lead), `{"notes": "Two ovens."}`)
	m.takes(t, on(4, 3), 200, http.MethodPatch, booktest.At("leads", lead), `{"status": "QUALIFIED"}`)
	m.takes(t, on(1, 1), 200, http.MethodPatch, booktest.At("leads", lead), `{"status": "QUALIFIED"}`)
	m.takes(t, on(3, 2), 201, http.MethodPost, "/payments", pending)
	m.takes(t, on(4, 2), 201, http.MethodPost, "/payments", debit)
	m.takes(t, on(5, 5), 201, http.MethodPost, "/payments", pending, "Idempotency-Key", "fee-1")
	m.takes(t, on(1, 2), 201, http.MethodPost, "/payments", pending, "Idempotency-Key", "fee-1")
	m.takes(t, on(7, 4), 201, http.MethodPost, "/payments", paid)
	m.takes(t, on(9, 6), 201, http.MethodPost, "/payments", paid, "Idempotency-Key", "paid-1")
	m.takes(t, on(8, 4), 200, http.MethodPatch, booktest.At("payments", rows[0]), `{"status": "PAID"}`)
	m.takes(t, on(2, 2), 200, http.MethodPatch, booktest.At("payments", rows[0]), `{"status": "PAID"}`)
	m.takes(t, on(12, 11), 200, http.MethodPatch, booktest.At("payments", rows[0]), `{"status": "BOUNCED"}`)
	m.takes(
		t, on(10, 9), 201, http.MethodPost, "/deals",
		fmt.Sprintf(`{"merchantId": %d, "fundedAmount": "5000.00"}`, deal.Int("merchantId")),
	)
	m.takes(t, on(23, 22), 200, http.MethodPatch, booktest.At("deals", priced), `{"state": "FUNDED"}`)
}
