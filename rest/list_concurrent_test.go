package rest_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/store"
)

// Records are created, changed and deleted while a caller pages through a list, in any order: the records that
// existed throughout appear exactly once, in that order.
func TestCursorsDuringConcurrentWrites(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(monday)
		c := a.Client(t, "stable.test")
		firstLimit := 0
		for _, s := range fillLists(t, a, c) {
			t.Run(s.list[1:], func(t *testing.T) {
				lasting := pageOf(t, c.Get(t, s.list+"?limit=200"), pluralOf(s.list))
				for n, field := range s.fields {
					directions := []string{"asc", "desc"}
					if !apptest.Soaking() { // one of them, the other for the next field
						directions = directions[n%2 : n%2+1]
					}
					for _, direction := range directions {
						firstLimit++
						traffic := &traffic{shelf: s, app: a}
						traffic.begin(t)
						got := walk(t, c, s.list, firstLimit, func() { traffic.begin(t) }, "sort", field+":"+direction)
						traffic.end(t)
						traffic.judge(t, field+":"+direction, got, idsOf(sorted(lasting, field, direction == "desc")))
					}
				}
			})
		}
	})
}

// traffic creates, changes and deletes records of a list while others read it.
type traffic struct {
	shelf
	app     *apptest.App
	turns   int
	passing []int
	changed []int // at some time during the walk: they may have moved past the reader, or ahead of it again
	done    chan error
}

// turnsOfAWalk limits the traffic, or paging by ascending id would never end.
const turnsOfAWalk = 3

// begin starts a turn that runs while the next page is read, after the previous one.
func (tr *traffic) begin(t *testing.T) {
	t.Helper()
	tr.end(t)
	if tr.turns++; tr.turns > turnsOfAWalk {
		return
	}
	ctx := tr.app.Operator(t, tr.rows.Host)
	tr.done = make(chan error, 1)
	go func() {
		tr.done <- tr.app.Store.Write(ctx, tr.turn)
	}()
}

func (tr *traffic) end(t *testing.T) {
	t.Helper()
	if tr.done == nil {
		return
	}
	if err := <-tr.done; err != nil {
		t.Fatal(err)
	}
	tr.done = nil
}

// turn creates two records, changes one, and deletes the oldest.
func (tr *traffic) turn(ctx context.Context, tx *store.Tx) error {
	passing := slices.Clone(tr.passing) // work may run again
	for range 2 {
		id, err := tr.add(ctx, tx)
		if err != nil {
			return err
		}
		passing = append(passing, id)
	}
	moved := passing[len(passing)/2]
	if err := tr.rows.Change(ctx, tx, tr.kind, moved, tr.values()); err != nil {
		return fmt.Errorf("change %s %d: %w", tr.kind, moved, err)
	}
	if err := tr.rows.Drop(ctx, tx, tr.kind, passing[0]); err != nil {
		return fmt.Errorf("delete %s %d: %w", tr.kind, passing[0], err)
	}
	tx.AfterCommit(func() { tr.passing, tr.changed = passing[1:], append(tr.changed, moved) })
	return nil
}

// judge compares the ids of a walk with those that existed throughout, in their order.
func (tr *traffic) judge(t *testing.T, sort string, got, lasting []int) {
	t.Helper()
	var seen []int
	times := map[int]int{}
	for _, id := range got {
		if times[id]++; times[id] > 1 && !slices.Contains(tr.changed, id) {
			t.Errorf("by %s: %d comes twice", sort, id)
		}
		if slices.Contains(lasting, id) {
			seen = append(seen, id)
		}
	}
	sameIDs(t, "by "+sort+", what was there throughout", seen, lasting)
	tr.rows.Write(t, func(ctx context.Context, tx *store.Tx) error {
		for _, id := range tr.passing {
			if err := tr.rows.Drop(ctx, tx, tr.kind, id); err != nil {
				return err
			}
		}
		return nil
	})
}
