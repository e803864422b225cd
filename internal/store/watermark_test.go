package store_test

import (
	"context"
	"database/sql"
	"testing"
	"time"

	"paydown/internal/store"
)

// insert adds a row under the next id.
func insert(t *testing.T, db interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}, name string,
) (id int) {
	t.Helper()
	err := db.QueryRowContext(t.Context(), `INSERT INTO change_marks (name, version) VALUES ('`+name+`', 0) RETURNING id`).
		Scan(&id)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// settles expects a table's watermark to reach an id. The transaction that held it up may end a moment after
// its commit is visible.
func settles(t *testing.T, w *store.Watermark, want int) {
	t.Helper()
	for deadline := time.Now().Add(2 * time.Minute); ; { // on a machine that is busy
		settled, newest, err := w.Look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if settled == want && newest == want {
			return
		}
		if settled > want || time.Now().After(deadline) {
			t.Fatalf("settled up to %d of %d, want %d", settled, newest, want)
		}
	}
}

// A transaction that starts first and commits last keeps the watermark below later rows.
func TestIDsSettleInOrder(t *testing.T) {
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := s.Watermark("change_marks")
		settles(t, w, insert(t, db, "first"))
		if !s.IsPostgres() {
			settles(t, w, insert(t, db, "second")) // transactions follow each other
			return
		}
		elsewhere, err := db.BeginTx(t.Context(), nil) // nobody waits for what is not about this table
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = elsewhere.Rollback() }()
		const write = `UPDATE job_leases SET name = name WHERE pg_current_xact_id() IS NULL`
		if _, err := elsewhere.ExecContext(t.Context(), write); err != nil {
			t.Fatal(err)
		}
		slow, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = slow.Rollback() }()
		before := insert(t, slow, "slow")
		quick := insert(t, db, "quick")
		for range 20 {
			settled, newest, err := w.Look(t.Context())
			if err != nil || settled >= before || newest != quick {
				t.Fatalf("settled up to %d of %d while %d has not committed: %v", settled, newest, before, err)
			}
		}
		if err := slow.Commit(); err != nil {
			t.Fatal(err)
		}
		settles(t, w, quick)
		failed, err := db.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		insert(t, failed, "failed")
		after := insert(t, db, "after")
		if err := failed.Rollback(); err != nil {
			t.Fatal(err)
		}
		settles(t, w, after)
	})
}
