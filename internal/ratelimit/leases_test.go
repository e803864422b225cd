package ratelimit_test

import (
	"database/sql"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	_ "github.com/lib/pq"

	"paydown/internal/apptest"
	"paydown/internal/ratelimit"
	"paydown/internal/store"
)

// replicas are limiters that share one PostgreSQL, and direct access to the database.
func replicas(tb testing.TB, n int) ([]*ratelimit.Limiter, *sql.DB) {
	tb.Helper()
	dbURL := apptest.MigratedPostgres(tb)
	limiters := make([]*ratelimit.Limiter, n)
	for i := range limiters {
		s, err := store.Open(dbURL, nil)
		if err != nil {
			tb.Fatal(err)
		}
		tb.Cleanup(func() { _ = s.Close() })
		limiters[i] = ratelimit.New(s.RateLeases(string(rune('a'+i))), time.Now)
	}
	db, err := sql.Open("postgres", dbURL)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = db.Close() })
	return limiters, db
}

// earliest is the number of requests by which a refusal may come early.
const earliest = 10

func between(tb testing.TB, what string, got int) {
	tb.Helper()
	if got > limit || got < limit-earliest {
		tb.Errorf("%s: %d were let through, want %d to %d", what, got, limit-earliest, limit)
	}
}

func TestReplicasShareLimit(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2, 5} {
		limiters, _ := replicas(t, n)
		var allowed atomic.Int64
		var callers sync.WaitGroup
		for i := range 4 * n {
			callers.Go(func() {
				for range 2 * limit / n {
					d, err := limiters[i%n].Take(t.Context(), ratelimit.Key(1), limit)
					if err != nil {
						t.Error(err)
						return
					}
					if d.Allowed {
						allowed.Add(1)
					}
				}
			})
		}
		callers.Wait()
		between(t, "replicas at once", int(allowed.Load()))
	}
}

// The worst effect of unspent leases: every other replica has taken one, for one request, and makes none
// afterwards.
func TestIdleLeases(t *testing.T) {
	t.Parallel()
	limiters, _ := replicas(t, 6)
	allowed := 0
	for _, idle := range limiters[1:] {
		allowed += taken(t, idle, ratelimit.Key(1), 1)
	}
	allowed += taken(t, limiters[0], ratelimit.Key(1), 2*limit)
	between(t, "one busy among idle ones", allowed)
	for _, l := range limiters[1:] {
		allowed += taken(t, l, ratelimit.Key(1), 2*limit)
	}
	if allowed != limit {
		t.Errorf("with what the idle ones held, %d were let through, want %d", allowed, limit)
	}
}

// The window is the database's: it ends 60 seconds after its first request for all replicas, and setting back
// the database's clock grants nobody more.
func TestWindowUsesDatabaseClock(t *testing.T) {
	t.Parallel()
	limiters, db := replicas(t, 3)
	move := func(by string) {
		_, err := db.ExecContext(t.Context(), `UPDATE rate_windows SET began_at = began_at + $1::interval`, by)
		if err != nil {
			t.Fatal(err)
		}
	}
	expect(t, "the first replica", taken(t, limiters[0], ratelimit.Key(1), limit), limit)
	move("1 hour") // as if the clock had been set back by one
	expect(t, "the second replica, after the clock was set back", taken(t, limiters[1], ratelimit.Key(1), limit), 0)
	if d, _ := limiters[1].Take(t.Context(), ratelimit.Key(1), limit); d.Reset <= 0 || d.Reset > ratelimit.Window {
		t.Errorf("the window lasts another %s", d.Reset)
	}
	move("-60 seconds")
	expect(t, "the third replica, a window later", taken(t, limiters[2], ratelimit.Key(1), 2*limit), limit)
}
