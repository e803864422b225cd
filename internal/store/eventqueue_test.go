package store_test

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"paydown/internal/store"
)

// addEvents stores events of the queue's tenant, oldest first.
func (q *queue) addEvents(t *testing.T, n int) (ids []int) {
	t.Helper()
	q.do(t, func(ctx context.Context, tx *store.Tx, now time.Time) error {
		ids = nil
		for range n {
			e, err := tx.OutboxEvent.Create().SetEvent("lead.created").SetOccurredAt(now).SetData([]byte(`{"leadId":1}`)).
				SetEntity("lead").SetEntityID(1).Save(ctx)
			if err != nil {
				return err
			}
			ids = append(ids, e.ID)
		}
		return nil
	})
	return ids
}

// fanOut reads up to n waiting events, marks them as fanned out, and returns their ids in order.
func (q *queue) fanOut(t *testing.T, n int) (ids []int, more bool) {
	t.Helper()
	q.do(t, func(ctx context.Context, tx *store.Tx, now time.Time) error {
		events, rest, err := tx.QueuedEvents(ctx, n)
		if err != nil {
			return err
		}
		ids, more = nil, rest
		for _, e := range events {
			ids = append(ids, e.ID)
		}
		if len(ids) == 0 {
			return nil
		}
		return tx.FannedOut(ctx, now, ids)
	})
	return ids, more
}

func TestTenantsTakeTurns(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, _ *sql.DB) {
		noisy, quiet := newQueue(t, s, "noisy.test"), newQueue(t, s, "quiet.test")
		newQueue(t, s, "silent.test")
		many, few := noisy.addEvents(t, 8), quiet.addEvents(t, 2)
		steps := []struct {
			ids  []int
			more bool
		}{
			{[]int{many[0], few[0], many[1], few[1]}, true},
			{many[2:6], true},
			{many[6:], false},
			{nil, false},
		}
		for i, want := range steps {
			if ids, more := noisy.fanOut(t, 4); !slices.Equal(ids, want.ids) || more != want.more {
				t.Errorf("step %d: %v, more %t; want %v, more %t", i, ids, more, want.ids, want.more)
			}
		}
	})
}

func TestEachTenantsOldestEventComesWhereThereAreMoreTenantsThanPlaces(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, _ *sql.DB) {
		var first []int
		var q *queue
		for _, host := range []string{"a.test", "b.test", "c.test"} {
			q = newQueue(t, s, host)
			first = append(first, q.addEvents(t, 2)[0])
		}
		if ids, more := q.fanOut(t, 2); !slices.Equal(ids, first) || !more {
			t.Errorf("%v, more %t; want %v and more", ids, more, first)
		}
	})
}

// Finished rows stay in the table for weeks: a plan that scans them would dominate the cost of every delivery.
func TestFannedOutEventsAreSkipped(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		if s.IsPostgres() {
			return // it counts what there is
		}
		for _, statement := range store.EventQueueStatements() {
			steps := queryPlan(t, db, statement)
			for _, step := range steps {
				if strings.Contains(step, "outbox_events") && !strings.Contains(step, "outboxevent_waiting") ||
					strings.HasPrefix(step, "SCAN o") || strings.HasPrefix(step, "USE TEMP B-TREE") {
					t.Errorf("%s\n%s", statement, strings.Join(steps, "\n"))
					break
				}
			}
		}
	})
}

// queryPlan are the steps of SQLite's plan for a statement.
func queryPlan(t *testing.T, db *sql.DB, statement string) (steps []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "EXPLAIN QUERY PLAN "+statement, 1, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id, parent, unused int
		var step string
		if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
			t.Fatal(err)
		}
		steps = append(steps, step)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return steps
}
