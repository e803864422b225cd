package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	_ "github.com/lib/pq"  // the driver "postgres"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"paydown/internal/apptest"
	"paydown/internal/store"
)

// internal/codegen/migrate tests that the migrations produce ent/schema.

// databases creates an empty database of each kind.
var databases = map[string]func(testing.TB) string{
	"SQLite": func(tb testing.TB) string {
		tb.Helper()
		return "sqlite:" + filepath.Join(tb.TempDir(), "paydown.db")
	},
	"PostgreSQL": apptest.PostgresURL,
}

func open(t *testing.T, dbURL string) *store.Store {
	t.Helper()
	s, err := store.Open(dbURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// migrated is a migrated store, and its database without the store's scope and limits.
func migrated(t *testing.T, dbURL string) (*store.Store, *sql.DB) {
	t.Helper()
	s := open(t, dbURL)
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return s, unscoped(t, dbURL)
}

// unscoped is a database without a store's scope and limits.
func unscoped(t *testing.T, dbURL string) *sql.DB {
	t.Helper()
	name, source := "postgres", dbURL
	if path, ok := store.SQLitePath(dbURL); ok {
		name, source = "sqlite", path+"?_pragma=foreign_keys(1)&_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(name, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func mustExec(t *testing.T, db *sql.DB, query string) {
	t.Helper()
	if _, err := db.ExecContext(t.Context(), query); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
}

func TestMigrate(t *testing.T) {
	t.Parallel()
	for kind, empty := range databases {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dbURL := empty(t)
			s := open(t, dbURL)
			pending, err := s.Pending(t.Context())
			if err != nil || len(pending) < 2 || pending[0] != "0001_schema" {
				t.Fatalf("pending on an empty database: %q, %v", pending, err)
			}
			if err := s.CheckMigrated(t.Context()); !errors.Is(err, store.ErrNotMigrated) {
				t.Errorf("an empty database counts as migrated: %v", err)
			}
			applied, err := s.Migrate(t.Context())
			if err != nil || !slices.Equal(applied, pending) {
				t.Fatalf("applied %q of %q, %v", applied, pending, err)
			}
			if err := s.CheckMigrated(t.Context()); err != nil {
				t.Error(err)
			}
			applied, err = s.Migrate(t.Context())
			if err != nil || len(applied) > 0 {
				t.Errorf("applied %q the second time, %v", applied, err)
			}
		})
	}
}

func TestMigrateAtOnce(t *testing.T) {
	t.Parallel()
	for kind, empty := range databases {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dbURL := empty(t)
			var wg sync.WaitGroup
			var mu sync.Mutex
			var all []string
			for range 4 {
				s := open(t, dbURL)
				wg.Go(func() {
					applied, err := s.Migrate(t.Context())
					if err == nil {
						err = s.CheckMigrated(t.Context())
					}
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					defer mu.Unlock()
					all = append(all, applied...)
				})
			}
			wg.Wait()
			slices.Sort(all)
			if len(all) < 2 || len(slices.Compact(slices.Clone(all))) != len(all) {
				t.Errorf("not each once: %q", all)
			}
		})
	}
}

func TestMigrateRefusesWhatItDoesNotKnow(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"a newer database":            `INSERT INTO schema_migrations VALUES (9999, '9999_later', CURRENT_TIMESTAMP)`,
		"another program's migration": `UPDATE schema_migrations SET name = '0002_other' WHERE version = 2`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for kind, empty := range databases {
				t.Run(kind, func(t *testing.T) {
					t.Parallel()
					dbURL := empty(t)
					s, db := migrated(t, dbURL)
					if strings.HasPrefix(change, "UPDATE") {
						mustExec(t, db, `DELETE FROM schema_migrations WHERE version > 2`)
					}
					mustExec(t, db, change)
					if _, err := s.Migrate(t.Context()); !errors.Is(err, store.ErrUnknownMigration) {
						t.Errorf("Migrate: %v", err)
					}
					if err := s.CheckMigrated(t.Context()); !errors.Is(err, store.ErrUnknownMigration) {
						t.Errorf("CheckMigrated: %v", err)
					}
				})
			}
		})
	}
}

func TestMigrateIsAllOrNothing(t *testing.T) {
	t.Parallel()
	for kind, empty := range databases {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dbURL := empty(t)
			s, db := migrated(t, dbURL)
			applied, err := s.MigrateTo(t.Context(),
				[2]string{"9001_good", `CREATE TABLE good (id integer); INSERT INTO good VALUES (1)`},
				[2]string{"9002_bad", `CREATE TABLE bad (id integer); INSERT INTO nowhere VALUES (1)`})
			if !slices.Equal(applied, []string{"9001_good"}) || err == nil || !strings.Contains(err.Error(), "9002_bad") {
				t.Errorf("applied %q, %v", applied, err)
			}
			mustExec(t, db, `INSERT INTO good VALUES (2)`)
			if _, err := db.ExecContext(t.Context(), `INSERT INTO bad VALUES (1)`); err == nil {
				t.Error("a part of a failed migration stays")
			}
		})
	}
}

func TestMigrateIsNotCutOff(t *testing.T) {
	t.Parallel()
	dbURL := apptest.PostgresURL(t)
	migrated(t, dbURL)
	limits := "?statement_timeout=500&lock_timeout=500"
	if strings.Contains(dbURL, "?") {
		limits = "&" + limits[1:]
	}
	s := open(t, dbURL+limits)
	applied, err := s.MigrateTo(t.Context(), [2]string{"9001_slow", `SELECT pg_sleep(0.8)`})
	if err != nil || len(applied) != 1 {
		t.Errorf("applied %q, %v", applied, err)
	}
}

// On SQLite most changes of a table recreate it, with everything that refers to it unchanged.
func TestMigrateRebuildsTablesOnSQLite(t *testing.T) {
	t.Parallel()
	s, db := migrated(t, "sqlite:"+filepath.Join(t.TempDir(), "paydown.db"))
	fillLedger(t, db)
	mustExec(t, db, `CREATE TRIGGER refers AFTER INSERT ON accounts BEGIN SELECT kind FROM journals; END`)
	const rebuild = `CREATE TABLE new_journals (id integer PRIMARY KEY, tenant_id integer, kind text, line_count integer);
		INSERT INTO new_journals SELECT id, tenant_id, kind, line_count FROM journals WHERE %s;
		DROP TABLE journals; ALTER TABLE new_journals RENAME TO journals`
	if _, err := s.MigrateTo(t.Context(), [2]string{"9001_lossy", fmt.Sprintf(rebuild, "false")}); err == nil ||
		!strings.Contains(err.Error(), "postings") {
		t.Errorf("a migration may leave postings without their journals: %v", err)
	}
	if _, err := s.MigrateTo(t.Context(), [2]string{"9001_whole", fmt.Sprintf(rebuild, "true")}); err != nil {
		t.Error(err)
	}
	// The writing connection enforces foreign keys again.
	err := s.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		return tx.Exec(ctx, `INSERT INTO accounts (tenant_id, code, name, type, created_at) VALUES (77, '1', '', '', '')`)
	})
	if err == nil || !strings.Contains(err.Error(), "FOREIGN KEY") {
		t.Errorf("foreign keys stay off after a migration: %v", err)
	}
}

// fillLedger creates two tenants and, for the first, journal 1 with two postings.
func fillLedger(t *testing.T, db *sql.DB) {
	t.Helper()
	const now = "'2026-01-02 03:04:05+00:00'"
	mustExec(t, db, `INSERT INTO tenants (id, name, host, created_at, updated_at)
		VALUES (1, 'One', 'one', `+now+`, `+now+`), (2, 'Two', 'two', `+now+`, `+now+`)`)
	mustExec(
		t,
		db,
		`INSERT INTO audit_entries (id, tenant_id, actor_kind, actor_name, surface, action, entity, entity_id, request_id,
		created_at) VALUES (1, 1, 'SYSTEM', '', 'CLI', 'a', 'b', 1, '', `+now+`)`,
	)
	err := inOne(t, db, journal(1, 2), posting(1, 1, "FUNDING", "12.10"), posting(1, 1, "FUNDING", "-12.10"))
	if err != nil {
		t.Fatal(err)
	}
}

func journal(id, lines int) string {
	return fmt.Sprintf(`INSERT INTO journals (id, tenant_id, kind, line_count, occurred_at, effective_date, created_at)
		VALUES (%d, 1, 'FUNDING', %d, '2026-01-02 03:04:05+00:00', '2026-01-01', '2026-01-02 03:04:05+00:00')`, id, lines)
}

func posting(journalID, tenant int, kind, amount string) string {
	return fmt.Sprintf(
		`INSERT INTO postings (tenant_id, journal_id, account, kind, amount) VALUES (%d, %d, '1000', '%s', '%s')`, tenant,
		journalID, kind, amount,
	)
}

// inOne runs statements in one transaction.
func inOne(t *testing.T, db *sql.DB, statements ...string) error {
	t.Helper()
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback() }()
	for _, s := range statements {
		if _, err := tx.ExecContext(t.Context(), s); err != nil {
			return err
		}
	}
	return tx.Commit()
}

func TestLedgerGuards(t *testing.T) {
	t.Parallel()
	for kind, empty := range databases {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			dbURL := empty(t)
			s, db := migrated(t, dbURL)
			fillLedger(t, db)
			line := func(amount string) string { return posting(2, 1, "FUNDING", amount) }
			cases := []struct {
				name, says string
				statements []string
			}{
				{
					"takes a journal whose lines add up to zero",
					"",
					[]string{journal(2, 3), line("0.10"), line("0.20"), line("-0.30")},
				},
				{"takes lines in one statement", "", []string{
					journal(3, 2),
					`INSERT INTO postings (tenant_id, journal_id, account, kind, amount)
					 VALUES (1, 3, '1000', 'FUNDING', 999999999999.99), (1, 3, '1100', 'FUNDING', -999999999999.99)`,
				}},
				{"refuses to change a posting", "append only", []string{`UPDATE postings SET amount = 1 WHERE id = 1`}},
				{"refuses to delete a posting", "append only", []string{`DELETE FROM postings WHERE id = 1`}},
				{"refuses to change a journal", "append only", []string{`UPDATE journals SET memo = 'x'`}},
				{"refuses to delete a journal", "append only", []string{`DELETE FROM journals`}},
				{"refuses to change the audit trail", "append only", []string{`UPDATE audit_entries SET action = 'x'`}},
				{"refuses to delete from the audit trail", "append only", []string{`DELETE FROM audit_entries`}},
				{"refuses lines that do not add up", "does not balance", []string{
					journal(4, 2),
					posting(4, 1, "FUNDING", "0.10"), posting(4, 1, "FUNDING", "-0.11"),
				}},
				{"refuses a journal that lacks a line", "", []string{
					journal(4, 3),
					posting(4, 1, "FUNDING", "5"), posting(4, 1, "FUNDING", "-5"),
				}},
				{"refuses a journal without lines", "", []string{journal(4, 2)}},
				{"refuses a journal that wants no lines", "", []string{journal(4, 0)}},
				{"refuses a line too many", "does not fit", []string{
					journal(4, 2),
					posting(4, 1, "FUNDING", "5"), posting(4, 1, "FUNDING", "-5"), posting(4, 1, "FUNDING", "1"),
				}},
				{"refuses a late line", "does not fit", []string{posting(1, 1, "FUNDING", "1")}},
				{
					"refuses late lines that add up",
					"does not fit",
					[]string{`INSERT INTO postings (tenant_id, journal_id, account, kind, amount)
					VALUES (1, 1, '1000', 'FUNDING', 7), (1, 1, '1100', 'FUNDING', -7)`},
				},
				{"refuses a line of another tenant", "does not fit", []string{journal(4, 2), posting(4, 2, "FUNDING", "5")}},
				{"refuses a line of another kind", "does not fit", []string{journal(4, 2), posting(4, 1, "PAYMENT", "5")}},
				{"refuses a line of zero", "not zero", []string{journal(4, 2), posting(4, 1, "FUNDING", "0.00")}},
			}
			if s.IsPostgres() {
				cases = append(cases, struct {
					name, says string
					statements []string
				}{"refuses to empty the ledger", "append only", []string{`TRUNCATE postings, journals CASCADE`}})
			} else {
				cases = append(cases, struct {
					name, says string
					statements []string
				}{"refuses to replace a posting", "append only", []string{`INSERT OR REPLACE INTO postings
					(id, tenant_id, journal_id, account, kind, amount) VALUES (1, 1, 1, '1000', 'FUNDING', 1)`}})
			}
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					err := inOne(t, db, c.statements...)
					if strings.HasPrefix(c.name, "takes") {
						if err != nil {
							t.Error(err)
						}
						return
					}
					if err == nil || !strings.Contains(err.Error(), c.says) {
						t.Errorf("got %v, want %q", err, c.says)
					}
					if store.IsDuplicate(err) {
						t.Error("it counts as a duplicate")
					}
				})
			}
			for _, check := range store.IntegrityChecks() {
				if check.Name != "entries_balance" && check.Name != "trial_balance" {
					continue
				}
				if found, err := s.RunCheck(t.Context(), check); err != nil || found.Violations > 0 {
					t.Errorf("%s: %s %v", check.Name, found.Describe(), err)
				}
			}
		})
	}
}
