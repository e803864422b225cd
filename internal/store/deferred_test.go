package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/lead"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/store"
)

func onPostgresWorld(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	s, db := migrated(t, apptest.MigratedPostgres(t))
	test(t, newWorld(t, s, db))
}

func leadAudit(id int, after []byte) []store.AuditRow {
	return []store.AuditRow{{
		ActorKind: "KEY", ActorName: "test", Surface: "REST", RequestID: "r", Action: "lead.create", Entity: "lead",
		EntityID: id, After: after,
	}}
}

// A created record, its audit entry and an event are stored by one statement on PostgreSQL; the audit entry is as it
// would be if the id had been known.
func TestALateRecordGetsItsID(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		var statements store.Statements
		var row *ent.Lead
		err := s.Write(store.Counting(w.a.ctx, &statements), func(ctx context.Context, tx *store.Tx) (err error) {
			create := tx.Lead.Create().SetBusinessName(`Harbor "$1" Bakery`)
			if row, err = create.Save(tx.DeferredCreate(ctx, func(id int) { row.ID = id })); err != nil {
				return err
			}
			raw, err := json.Marshal(row)
			if err != nil {
				return err
			}
			if err := tx.AddAudit(ctx, leadAudit(row.ID, raw)); err != nil {
				return err
			}
			return tx.AddEvents(ctx, []store.EventRow{
				{Event: "lead.created", Version: 1, Data: []byte(`{}`), Entity: "lead", EntityID: 1},
			})
		})
		if err != nil {
			t.Fatal(err)
		}
		want := 3
		if s.IsPostgres() {
			want = 1
		}
		if statements.Count() != want {
			t.Errorf("%d statements, want %d", statements.Count(), want)
		}
		stored, err := s.Reader().Lead.Get(w.a.ctx, row.ID)
		if err != nil || stored.BusinessName != row.BusinessName {
			t.Fatalf("lead %d: %v, %v", row.ID, stored, err)
		}
		raw, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		var entity int
		var after string
		err = db.QueryRowContext(t.Context(), `SELECT entity_id, after FROM audit_entries ORDER BY id DESC LIMIT 1`).
			Scan(&entity, &after)
		if err != nil || entity != row.ID || after != string(raw) {
			t.Errorf("audit entry of %d: %s, want %d: %s (%v)", entity, after, row.ID, raw, err)
		}
	})
}

func TestLateStatementsAreReadByTheNext(t *testing.T) {
	t.Parallel()
	onPostgresWorld(t, func(t *testing.T, w *world) {
		id := w.a.rows[ent.TypeLead]
		rename := func(ctx context.Context, tx *store.Tx, name string) (int, error) {
			return tx.Lead.Update().Where(lead.ID(id)).SetBusinessName(name).Save(tx.Deferred(ctx))
		}
		err := w.s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
			for _, name := range []string{"one", "two", "three"} { // of one table: each is a statement of its own
				if n, err := rename(ctx, tx, name); n != 1 || err != nil {
					return fmt.Errorf("%d renamed: %w", n, err)
				}
			}
			if err := tx.AddAudit(ctx, leadAudit(id, nil)); err != nil {
				return err
			}
			row, err := tx.Lead.Get(ctx, id)
			if err == nil && row.BusinessName != "three" {
				t.Errorf("reads %s", row.BusinessName)
			}
			if _, err := rename(ctx, tx, "four"); err != nil {
				return err
			}
			n, err := tx.Lead.Query().Where(lead.BusinessName("four")).Count(ctx)
			if n != 1 {
				t.Errorf("%d leads of the last name", n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		if row, err := w.s.Reader().Lead.Get(w.a.ctx, id); err != nil || row.BusinessName != "four" {
			t.Errorf("stored %v, %v", row, err)
		}
	})
}

// The books of a deal are read without flushing deferred statements, unless those write to the books.
func TestLateEntriesAreInTheBooks(t *testing.T) {
	t.Parallel()
	onPostgresWorld(t, func(t *testing.T, w *world) {
		var statements store.Statements
		deal := w.a.rows[ent.TypeDeal]
		line := func(cents int64) store.NewLine {
			return store.NewLine{Account: "1000", Amount: money.Cents(cents), DealID: &deal}
		}
		err := w.s.Write(store.Counting(w.a.ctx, &statements), func(ctx context.Context, tx *store.Tx) error {
			if err := tx.AddAudit(ctx, leadAudit(1, nil)); err != nil {
				return err
			}
			before, err := tx.BooksOf(ctx, w.a.id, deal, true)
			if err != nil || len(before.Sums) != 0 || statements.Count() != 1 {
				return fmt.Errorf("%+v after %d statements: %w", before, statements.Count(), err)
			}
			if _, err := tx.Deal.Get(ctx, deal); err != nil { // runs the audit entry
				return err
			}
			ids, err := tx.AddEntries(ctx, []store.NewEntry{
				{Kind: ledger.Funding, EffectiveDate: civil.Of(2026, 1, 5), Lines: []store.NewLine{line(7), line(-5), line(-2)}},
				{Kind: ledger.Payment, EffectiveDate: civil.Of(2026, 1, 5), Lines: []store.NewLine{line(7), line(-7)}},
			})
			if err != nil || len(ids) != 2 || ids[0] >= ids[1] {
				return fmt.Errorf("entries %v: %w", ids, err)
			}
			after, err := tx.BooksOf(ctx, w.a.id, deal, true)
			if len(after.Sums) != 2 {
				t.Errorf("books %+v", after)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

func TestLateStatementsFailTheTransaction(t *testing.T) {
	t.Parallel()
	onPostgresWorld(t, func(t *testing.T, w *world) {
		undo := errors.New("undo")
		for name, c := range map[string]struct {
			work func(ctx context.Context, tx *store.Tx) error
			want string
		}{
			"a change of nothing": {func(ctx context.Context, tx *store.Tx) error {
				other := w.b.rows[ent.TypeLead] // of another tenant
				_, err := tx.Lead.Update().Where(lead.ID(other)).SetBusinessName("x").Save(tx.Deferred(ctx))
				return err
			}, "changed 0"},
			"a value that does not fit": {func(ctx context.Context, tx *store.Tx) error {
				return tx.AddAnswer(ctx, store.AnswerRow{Claim: []byte("x"), Body: []byte("x")}) // no hash
			}, "body_hash"},
			"a row where there should be none": {func(ctx context.Context, tx *store.Tx) error {
				deferred, ok := tx.DeferredZero(ctx, func(context.Context) error { return errors.New("there is one") })
				if n, err := tx.Lead.Query().Count(deferred); n != 0 || err != nil || !ok {
					return fmt.Errorf("%d at once: %w", n, err)
				}
				return nil
			}, "there is one"},
			"undone": {func(ctx context.Context, tx *store.Tx) error {
				if err := tx.AddAudit(ctx, leadAudit(1, nil)); err != nil {
					return err
				}
				return undo
			}, "undo"},
		} {
			before := w.count(t, "audit_entries")
			err := w.s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
				if err := tx.AddAudit(ctx, leadAudit(1, nil)); err != nil {
					return err
				}
				return c.work(ctx, tx)
			})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v", name, err)
			}
			if after := w.count(t, "audit_entries"); after != before {
				t.Errorf("%s: %d audit entries are left", name, after-before)
			}
		}
	})
}

// PostgreSQL checks foreign keys after it has sent the statement's row.
func TestABrokenReferenceOfALateStatementIsSeen(t *testing.T) {
	t.Parallel()
	onPostgresWorld(t, func(t *testing.T, w *world) {
		const nobody = 1 << 30
		attempts := 0
		err := w.s.Write(auth.AsSystem(t.Context(), nobody, time.UTC, "test"), func(ctx context.Context, tx *store.Tx) error {
			attempts++
			var row *ent.Lead
			create := tx.Lead.Create().SetBusinessName("x")
			row, err := create.Save(tx.DeferredCreate(ctx, func(id int) { row.ID = id }))
			if err != nil {
				return err
			}
			if err := tx.AddAudit(ctx, leadAudit(row.ID, []byte(`{"x":1}`))); err != nil {
				return err
			}
			err = tx.RunDeferred(ctx)
			if !store.IsBrokenReference(err) {
				t.Errorf("settled: %v", err)
			}
			return err
		})
		if !store.IsBrokenReference(err) || attempts < 2 {
			t.Errorf("after %d attempts: %v", attempts, err)
		}
	})
}

func (w *world) count(t *testing.T, table string) (n int) {
	t.Helper()
	if err := w.db.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}
