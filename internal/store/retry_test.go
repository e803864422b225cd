package store_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lib/pq"

	"paydown/ent"
	"paydown/ent/lead"
	"paydown/internal/apptest"
	"paydown/internal/store"
)

// onPostgres opens a new database with settings of the session, in the form of URL parameters.
func onPostgres(t *testing.T, settings string) (*store.Store, *owner) {
	t.Helper()
	dbURL := apptest.MigratedPostgres(t)
	sign := "?"
	if strings.Contains(dbURL, "?") {
		sign = "&"
	}
	s := open(t, dbURL+sign+settings)
	made := 0
	return s, newOwner(t, s, "a.test", &made)
}

// meeting makes two transactions wait for each other on their first try.
type meeting struct {
	here sync.WaitGroup
	gone [2]sync.Once
}

func newMeeting() *meeting {
	m := &meeting{}
	m.here.Add(2)
	return m
}

func (m *meeting) wait(who int) {
	m.gone[who].Do(func() {
		m.here.Done()
		m.here.Wait()
	})
}

// leads creates two leads.
func leads(t *testing.T, s *store.Store, o *owner) [2]int {
	t.Helper()
	var ids [2]int
	err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
		for i := range ids {
			row, err := tx.Lead.Create().SetBusinessName("0").Save(ctx)
			if err != nil {
				return err
			}
			ids[i] = row.ID
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

// both runs two transactions at once, and returns how often they started and succeeded.
func both(
	t *testing.T, s *store.Store, o *owner, work func(ctx context.Context, tx *store.Tx, who int) error,
) (begun, ended int64) {
	t.Helper()
	var began, after atomic.Int64
	var wg sync.WaitGroup
	for who := range 2 {
		wg.Go(func() {
			err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
				began.Add(1)
				tx.AfterCommit(func() { after.Add(1) })
				return work(ctx, tx, who)
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	return began.Load(), after.Load()
}

func TestPostgresDeadlockIsRetried(t *testing.T) {
	t.Parallel()
	s, o := onPostgres(t, "deadlock_timeout=100")
	ids, met := leads(t, s, o), newMeeting()
	add := func(ctx context.Context, tx *store.Tx, id int) error {
		row, err := tx.Lead.Query().Where(lead.ID(id), store.Locked).Only(ctx)
		if err != nil {
			return err
		}
		return row.Update().SetBusinessName(row.BusinessName + "1").Exec(ctx)
	}
	begun, ended := both(t, s, o, func(ctx context.Context, tx *store.Tx, who int) error {
		if err := add(ctx, tx, ids[who]); err != nil {
			return err
		}
		met.wait(who)
		return add(ctx, tx, ids[1-who])
	})
	if begun != 3 || ended != 2 {
		t.Errorf("the work began %d times, want 3; AfterCommit ran %d times, want 2", begun, ended)
	}
	for _, id := range ids {
		if row, err := s.Reader().Lead.Get(o.ctx, id); err != nil || row.BusinessName != "011" {
			t.Errorf("lead %d is %v, want 011: %v", id, row, err)
		}
	}
}

func TestPostgresSerializationFailureIsRetried(t *testing.T) {
	t.Parallel()
	s, o := onPostgres(t, "default_transaction_isolation=serializable")
	ids, met := leads(t, s, o), newMeeting()
	// The second of two transactions must see the changes of the first.
	begun, ended := both(t, s, o, func(ctx context.Context, tx *store.Tx, who int) error {
		taken, err := tx.Lead.Query().Where(lead.BusinessName("taken")).Count(ctx)
		if err != nil {
			return err
		}
		met.wait(who)
		if taken > 0 {
			return nil
		}
		return tx.Lead.UpdateOneID(ids[who]).SetBusinessName("taken").Exec(ctx)
	})
	if begun != 3 || ended != 2 {
		t.Errorf("the work began %d times, want 3; AfterCommit ran %d times, want 2", begun, ended)
	}
	if n, err := s.Reader().Lead.Query().Where(lead.BusinessName("taken")).Count(o.ctx); err != nil || n != 1 {
		t.Errorf("%d are taken, want 1: %v", n, err)
	}
}

func TestPostgresRetriesAreBounded(t *testing.T) {
	t.Parallel()
	s, o := onPostgres(t, "")
	for code, want := range map[string]int{"40001": 6, "40P01": 6, "22012": 1, "23505": 1, "55P03": 1} {
		t.Run(code, func(t *testing.T) {
			begun := 0
			err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
				begun++
				tx.AfterCommit(func() { t.Error("AfterCommit ran") })
				if err := tx.Lead.Create().SetBusinessName("x").Exec(ctx); err != nil {
					return err
				}
				err := tx.Exec(ctx, fmt.Sprintf(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '%s'; END $$`, code))
				return fmt.Errorf("work: %w", err)
			})
			last, ok := errors.AsType[*pq.Error](err)
			if begun != want || !ok || string(last.Code) != code {
				t.Errorf("the work began %d times, want %d, and ended with %v", begun, want, err)
			}
			if tells := strings.Contains(err.Error(), "after 6 attempts: work: "); tells != (want > 1) {
				t.Errorf("the error reads %q", err)
			}
		})
	}
	if n, err := s.Reader().Lead.Query().Count(o.ctx); err != nil || n > 0 {
		t.Errorf("%d leads are left: %v", n, err)
	}
}

func TestPostgresRetriesEndWithTheContext(t *testing.T) {
	t.Parallel()
	s, o := onPostgres(t, "")
	ctx, cancel := context.WithCancel(o.ctx)
	defer cancel()
	begun := 0
	err := s.Write(ctx, func(context.Context, *store.Tx) error {
		if begun++; begun == 2 {
			cancel()
		}
		return &pq.Error{Code: "40001"}
	})
	if !errors.Is(err, context.Canceled) || begun != 2 {
		t.Errorf("the work began %d times and ended with %v", begun, err)
	}

	ctx, cancelLate := context.WithTimeout(o.ctx, 300*time.Millisecond)
	defer cancelLate()
	began := time.Now()
	err = s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		if err := tx.Lead.Create().SetBusinessName("x").Exec(ctx); err != nil {
			return err
		}
		return tx.Exec(ctx, `SELECT pg_sleep(50)`)
	})
	if took := time.Since(began); err == nil || took > 30*time.Second {
		t.Errorf("a statement under way took %s: %v", took, err)
	}
	if n, err := s.Reader().Lead.Query().Count(o.ctx); err != nil || n > 0 {
		t.Errorf("%d leads are left: %v", n, err)
	}
}

// A reader that waits for a transaction sees all of it or nothing, and a duplicate is distinguished from a
// broken reference.
func TestConstraintErrors(t *testing.T) {
	t.Parallel()
	for kind, dbURL := range map[string]func(testing.TB) string{
		"SQLite": apptest.SQLiteURL, "PostgreSQL": apptest.MigratedPostgres,
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := open(t, dbURL(t))
			made := 0
			o := newOwner(t, s, "a.test", &made)
			o.makeAll(t, s)
			err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
				account, err := tx.Account.Get(ctx, o.rows[ent.TypeAccount])
				if err != nil {
					return err
				}
				return tx.Account.Create().SetCode(account.Code).SetName("x").SetType("asset").Exec(ctx)
			})
			if !store.IsDuplicate(err) || store.IsBrokenReference(err) {
				t.Errorf("a duplicate: %v", err)
			}
			err = s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
				return tx.Merchant.DeleteOneID(o.rows[ent.TypeMerchant]).Exec(ctx)
			})
			if store.IsDuplicate(err) || !store.IsBrokenReference(err) {
				t.Errorf("a parent that is deleted: %v", err)
			}
		})
	}
}
