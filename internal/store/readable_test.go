package store_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"paydown/ent"
	"paydown/internal/store"
)

// readable runs the check that every row can be read.
func readable(t *testing.T, s *store.Store) store.Finding {
	t.Helper()
	findings, err := s.RunChecks(t.Context(), nil, nil, store.ReadableRows())
	if err != nil || len(findings) != 1 {
		t.Fatalf("%d findings: %v", len(findings), err)
	}
	return findings[0]
}

// A row of any kind that cannot be loaded is found, and reported with its column but not its content.
func TestUnreadableRowsAreReported(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		if found := readable(t, s); found.Violations != 0 || found.Looked < len(ent.Records) {
			t.Fatal(found.Describe())
		}
		tamper := unguarded(t, s, db)
		endpoint, deal, payment := w.a.rows[ent.TypeWebhookEndpoint], w.a.rows[ent.TypeDeal], w.b.rows[ent.TypePayment]
		tamper(fmt.Sprintf(`UPDATE webhook_endpoints SET events = '{"hidden": 1}' WHERE id = %d`, endpoint))
		tamper(fmt.Sprintf(`UPDATE deals SET state = 'hidden' WHERE id = %d`, deal))
		want := []string{
			fmt.Sprintf("webhook_endpoints %d: events cannot be read", endpoint),
			fmt.Sprintf("deals %d: state has an invalid enumeration value", deal),
		}
		if !s.IsPostgres() { // which refuses both
			tamper(fmt.Sprintf(`UPDATE payments SET scheduled_date = 'hidden', amount = 'hidden' WHERE id = %d`, payment))
			want = append(want, fmt.Sprintf("payments %d: ", payment))
		}
		found := readable(t, s)
		if found.Violations != len(want) {
			t.Errorf("%d violations, want %d", found.Violations, len(want))
		}
		for _, text := range want {
			if !strings.Contains(found.Describe(), text) {
				t.Errorf("it says %q, without %q", found.Describe(), text)
			}
		}
		if strings.Contains(found.Describe(), "hidden") {
			t.Errorf("it tells what is in a row: %q", found.Describe())
		}
	})
}

// Tables longer than one page are read to the end.
func TestRowsBeyondTheFirstBatchAreRead(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		const marks = 450
		for i := range marks {
			mark := fmt.Sprintf(`INSERT INTO secret_keys (key_id, fingerprint, created_at)
				VALUES ('%08x', '%d', '2026-01-05 14:00:00+00:00')`, i, i)
			if _, err := db.ExecContext(t.Context(), mark); err != nil {
				t.Fatal(err)
			}
		}
		found := readable(t, s)
		var rows int
		if err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM secret_keys`).Scan(&rows); err != nil {
			t.Fatal(err)
		}
		if found.Violations != 0 || rows != marks || found.Looked < marks {
			t.Errorf("%d rows, of which %s", rows, found.Describe())
		}
		if s.IsPostgres() {
			return
		}
		_, err := db.ExecContext(t.Context(), `UPDATE secret_keys SET created_at = 'hidden' WHERE key_id = '000001b8'`)
		if err != nil {
			t.Fatal(err)
		}
		if found = readable(t, s); found.Violations != 1 ||
			!strings.Contains(found.Describe(), "secret_keys 441: created_at") {
			t.Error(found.Describe())
		}
	})
}
