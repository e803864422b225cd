package store_test

import (
	"database/sql"
	"fmt"
	"testing"

	"paydown/internal/store"
)

// The migration to effective dates sets the effective date of each old entry, in the company's time zone,
// replaces impossible cleared dates, sets the ISO of commissions, and books back the cash of a failed transfer.
func TestMoneyControlsAreMigrated(t *testing.T) {
	t.Parallel()
	for kind, empty := range databases {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			url := empty(t)
			s := open(t, url)
			if _, err := s.MigrateThrough(t.Context(), 3); err != nil {
				t.Fatal(err)
			}
			db := unscoped(t, url)
			fillBooksOfBefore(t, db)
			if s.IsPostgres() {
				mustExec(t, db, `SELECT setval(pg_get_serial_sequence('journals', 'id'), 100)`)
			}
			if _, err := s.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			for id, want := range map[int]string{
				1: "2026-09-28", // the funding, by fundedAt in New York
				2: "2026-09-30", // cleared on the last of the month, recorded on the first of the next
				3: "2026-09-28", // said to have cleared in 1999: the day of the funding
				4: "2026-10-01", // said to clear next year: the day of its recording in New York
				5: "2026-09-29", // of a payment that came back: the day of its recording
				6: "2026-10-02", // and the reversal the day of its own
			} {
				got := textOf(t, db, fmt.Sprintf(`SELECT CAST(effective_date AS text) FROM journals WHERE id = %d`, id))
				if got != want {
					t.Errorf("entry %d counts for %s, want %s", id, got, want)
				}
			}
			for id, want := range map[int]string{1: "2026-09-30", 2: "2026-09-28", 3: "2026-10-01"} {
				got := textOf(t, db, fmt.Sprintf(`SELECT CAST(cleared_date AS text) FROM payments WHERE id = %d`, id))
				if got != want {
					t.Errorf("payment %d cleared on %s, want %s", id, got, want)
				}
			}
			if got := textOf(t, db, `SELECT CAST(SUM(amount) AS text) FROM postings WHERE account = '1020'`); got != "-970" &&
				got != "-970.00" {
				t.Errorf("in transit are %s", got)
			}
			got := textOf(t, db, `SELECT CAST(COUNT(*) AS text) FROM postings WHERE account = '2200' AND iso_id = 1`)
			if got != "1" {
				t.Errorf("%s postings name the ISO", got)
			}
			for _, check := range store.IntegrityChecks() {
				switch check.Name {
				case "trial_balance",
					"entries_balance",
					"reversals",
					"payments_posted",
					"effective_dates",
					"deal_balances",
					"references":
					if found, err := s.RunCheck(t.Context(), check); err != nil || found.Violations > 0 {
						t.Errorf("%s: %s %v", check.Name, found.Describe(), err)
					}
				}
			}
		})
	}
}

// fillBooksOfBefore creates a deal with an ISO, funded on 28 September 2026 by a transfer that failed, with
// payments on all kinds of days.
func fillBooksOfBefore(t *testing.T, db *sql.DB) {
	t.Helper()
	const now, stamps = "'2026-09-29 02:00:00+00:00'", "'2026-09-29 02:00:00+00:00', '2026-09-29 02:00:00+00:00'"
	for _, statement := range []string{
		`INSERT INTO tenants (id, name, host, created_at, updated_at) VALUES (1, 'One', 'one', ` + stamps + `)`,
		`INSERT INTO accounts (tenant_id, code, name, type, created_at) VALUES (1, '1000', 'Cash', 'ASSET', ` + now + `)`,
		`INSERT INTO merchants (id, tenant_id, legal_name, created_at, updated_at)
			VALUES (1, 1, 'Harbor Street Bakery LLC', ` + stamps + `)`,
		`INSERT INTO isos (id, tenant_id, name, domains, email_addresses, created_at, updated_at)
			VALUES (1, 1, 'Ridgeline Funding', '[]', '[]', ` + stamps + `)`,
		`INSERT INTO deals (id, tenant_id, merchant_id, iso_id, deal_number, state, funded_amount, payback_amount,
				funded_at, created_at, updated_at)
			VALUES (1, 1, 1, 1, 'D-000001', 'FUNDED', '1000', '1300', ` + now + `, ` + stamps + `)`,
		`INSERT INTO disbursements (id, tenant_id, deal_id, method, amount, status, created_at, updated_at, failed_at)
			VALUES (1, 1, 1, 'ACH', '970', 'FAILED', ` + stamps + `, '2026-09-30 15:00:00+00:00')`,
		`INSERT INTO payments (id, tenant_id, deal_id, type, status, amount, episode, cleared_date,
				created_at, updated_at) VALUES
			(1, 1, 1, 'ORIGINAL_ADVANCE_PAYBACK', 'PAID', '100', 1, '2026-09-30', ` + stamps + `),
			(2, 1, 1, 'ORIGINAL_ADVANCE_PAYBACK', 'PAID', '100', 1, '1999-12-31', ` + stamps + `),
			(3, 1, 1, 'ORIGINAL_ADVANCE_PAYBACK', 'PAID', '100', 1, '2027-10-01', ` + stamps + `),
			(4, 1, 1, 'ORIGINAL_ADVANCE_PAYBACK', 'BOUNCED', '100', 1, NULL, ` + stamps + `)`,
	} {
		mustExec(t, db, statement)
	}
	entry := func(id int, kind, payment, reverses, occurred string, lines ...string) {
		t.Helper()
		episode := "NULL"
		if payment != "NULL" {
			episode = "1"
		}
		statements := []string{
			fmt.Sprintf(`INSERT INTO journals (id, tenant_id, deal_id, kind, payment_id, episode, reverses_id, line_count,
			occurred_at, created_at) VALUES (%d, 1, 1, '%s', %s, %s, %s, %d, '%s', '%s')`,
				id, kind, payment, episode, reverses, len(lines)/2, occurred, occurred),
		}
		for i := 0; i < len(lines); i += 2 {
			statements = append(
				statements,
				fmt.Sprintf(`INSERT INTO postings (tenant_id, journal_id, deal_id, payment_id, account, kind, amount)
				VALUES (1, %d, 1, %s, '%s', '%s', '%s')`, id, payment, lines[i], kind, lines[i+1]),
			)
		}
		if err := inOne(t, db, statements...); err != nil {
			t.Fatal(err)
		}
	}
	entry(
		1, "FUNDING", "NULL", "NULL", "2026-09-29 02:00:00+00:00", "1100", "1300", "1000", "-970", "4100", "-30", "2000",
		"-300",
	)
	entry(2, "PAYMENT", "1", "NULL", "2026-10-01 15:00:00+00:00", "1000", "100", "1100", "-100")
	entry(3, "PAYMENT", "2", "NULL", "2026-10-01 15:00:00+00:00", "1000", "100", "1100", "-100")
	entry(4, "PAYMENT", "3", "NULL", "2026-10-02 03:00:00+00:00", "1000", "100", "1100", "-100")
	entry(5, "PAYMENT", "4", "NULL", "2026-09-29 15:00:00+00:00", "1000", "100", "1100", "-100")
	entry(6, "PAYMENT", "4", "5", "2026-10-02 15:00:00+00:00", "1000", "-100", "1100", "100")
	entry(7, "COMMISSION", "NULL", "NULL", "2026-09-29 02:00:00+00:00", "5000", "50", "2200", "-50")
}

func textOf(t *testing.T, db *sql.DB, query string) (text string) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query).Scan(&text); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return text
}
