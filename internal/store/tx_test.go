package store_test

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/internal/store"
)

func TestWriteIsAllOrNothing(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, _ *sql.DB) {
		made := 0
		o := newOwner(t, s, "a.test", &made)
		after := 0
		// begin writes a record and adds a function to run after the commit.
		begin := func(ctx context.Context, tx *store.Tx) error {
			tx.AfterCommit(func() { after++ })
			return tx.Lead.Create().SetBusinessName("x").Exec(ctx)
		}
		holds := func(t *testing.T, records, ran int) {
			t.Helper()
			if n, err := s.Reader().Lead.Query().Count(o.ctx); err != nil || n != records || after != ran {
				t.Errorf("%d records, want %d; AfterCommit ran %d times, want %d: %v", n, records, after, ran, err)
			}
		}

		t.Run("an error rolls back, and comes back as it is", func(t *testing.T) {
			want := errors.New("no")
			err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error { return errors.Join(begin(ctx, tx), want) })
			if !errors.Is(err, want) {
				t.Error(err)
			}
			holds(t, 0, 0)
		})
		t.Run("a panic rolls back, and goes on", func(t *testing.T) {
			func() {
				defer func() {
					if recover() != "no" {
						t.Error("the panic is lost")
					}
				}()
				_ = s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
					if err := begin(ctx, tx); err != nil {
						t.Error(err)
					}
					panic("no")
				})
			}()
			holds(t, 0, 0)
		})
		t.Run("a context that ends rolls back", func(t *testing.T) {
			ctx, cancel := context.WithCancel(o.ctx)
			err := s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				defer cancel()
				return begin(ctx, tx)
			})
			if !errors.Is(err, context.Canceled) && !errors.Is(err, sql.ErrTxDone) {
				t.Error(err)
			}
			holds(t, 0, 0)
			if err := s.Write(ctx, begin); !errors.Is(err, context.Canceled) {
				t.Errorf("a write that begins after that: %v", err)
			}
			holds(t, 0, 0)
		})
		t.Run("a transaction inside a transaction is refused", func(t *testing.T) {
			err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
				if err := s.Write(ctx, begin); err == nil || !strings.Contains(err.Error(), "inside a transaction") {
					t.Error(err)
				}
				return begin(ctx, tx)
			})
			if err != nil {
				t.Error(err)
			}
			holds(t, 1, 1)
		})
		t.Run("what was noted runs in order, when the records are there", func(t *testing.T) {
			var order []int
			err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
				tx.AfterCommit(func() { holds(t, 2, 1); order = append(order, 1) })
				tx.AfterCommit(func() { order = append(order, 2) })
				return begin(ctx, tx)
			})
			if err != nil || len(order) != 2 || order[0] != 1 {
				t.Errorf("ran %v: %v", order, err)
			}
			holds(t, 2, 2)
		})
		t.Run("a transaction that is over takes no more", func(t *testing.T) {
			var late *store.Tx
			var inside context.Context
			err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
				late, inside = tx, ctx
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := late.Lead.Create().SetBusinessName("x").Exec(inside); err == nil {
				t.Error("it writes")
			}
			holds(t, 2, 2)
		})
	})
}

// Every record that a transaction creates or changes has the transaction's single time, by the store's clock
// and in milliseconds, whatever value is given.
func TestRecordsHaveTransactionTime(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, _ *sql.DB) {
		w := newWorldAt(t, s, time.Date(2026, time.March, 8, 1, 59, 59, 999_999_999, time.FixedZone("", -5*60*60)))
		want := time.Date(2026, time.March, 8, 6, 59, 59, 999_000_000, time.UTC)
		for _, k := range ownedKinds(t) {
			entity, err := k.get(w.ctx, s.Reader(), w.rows[k.Name])
			if err != nil {
				t.Fatal(err)
			}
			for column, has := range map[string]bool{"CreatedAt": k.Created, "UpdatedAt": k.Updated} {
				if f := entity.Elem().FieldByName(column); has && !f.Interface().(time.Time).Equal(want) {
					t.Errorf("%s of %s is %v, want %v", column, k.Name, f, want)
				}
			}
		}
	})
}

// newWorldAt creates one tenant's records at a given time.
func newWorldAt(t *testing.T, s *store.Store, at time.Time) *owner {
	t.Helper()
	store.SetClock(s, func() time.Time { return at })
	made := 0
	o := newOwner(t, s, "a.test", &made)
	o.makeAll(t, s)
	err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.Lead.UpdateOneID(o.rows[ent.TypeLead]).SetUpdatedAt(at.AddDate(1, 0, 0)).SetNotes("x").Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestOnlyRedoableWritesSkipFsync(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, _ *sql.DB) {
		for i := range 3 {
			for want, write := range map[bool]func(context.Context, func(context.Context, *store.Tx) error) error{
				true: s.Write, false: s.WriteRedoable,
			} {
				err := write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
					waits, err := store.DiskAwaited(ctx, tx)
					if waits != want {
						t.Errorf("round %d: a commit waits for the disk: %t, want %t", i, waits, want)
					}
					return err
				})
				if err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}
