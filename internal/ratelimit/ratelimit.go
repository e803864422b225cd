// Package ratelimit counts requests: at most so many in a window of 60 seconds that begins with a caller's first
// request. (A bucket that refills would let more than the limit through within such a window.)
//
// One process counts in memory. Several share the count through a Store, from which each takes small leases of
// requests, so that a request rarely costs a write. A lease dies with its window; together the processes never let
// more than the limit through, and because a lease may be left half used, a refusal may come early by as many requests
// as a Store keeps out on lease.
//
// Where the Store fails, a process goes on alone: until the caller's window ends it lets through what the Store last
// said was left. Callers are then bound by the limit in each process rather than in all of them together, which is
// better than to refuse everybody or nobody.
//
// A clock that jumps ahead ends windows early. One that is set back makes a window last at most 60 seconds more, with
// what was counted in it: nobody gets more requests for it, and nobody is locked out for long.
package ratelimit

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// Window is the span that a limit is for.
const Window = 60 * time.Second

// RetryAfter is what a refused caller is told to wait, in seconds.
const RetryAfter = 60

// leaseTimeout is how long a request waits for the Store before its caller is counted without it.
const leaseTimeout = 2 * time.Second

// Store shares the count between processes.
type Store interface {
	// Lease asks for some of the caller's requests in its present window, and opens a window where none is open. It
	// says how many it grants (0: the limit is reached), how many remain after that for anybody, and how long the
	// window stays open.
	Lease(ctx context.Context, caller string, limit int) (Lease, error)
}

// Lease is a number of requests that the holder may let through until the window ends.
type Lease struct {
	Granted, Remaining int
	Ends               time.Duration
}

// Decision is the answer to one request, in the terms of the X-RateLimit headers.
type Decision struct {
	Allowed          bool
	Limit, Remaining int
	Reset            time.Duration // until the window ends
	window           int           // which of the caller's windows it was taken from
}

// maxCallers bounds the memory that callers of one kind can claim: some 20 MB at the most.
const maxCallers = 100_000

// Limiter counts. It is safe for concurrent use.
type Limiter struct {
	store Store
	now   func() time.Time
	// Callers who can be made up at will, such as addresses, have a table of their own: however many of them come, they
	// push nobody's count out of the other one.
	known, anybody *table
}

// New makes a limiter; store is nil where the process is alone.
func New(store Store, now func() time.Time) *Limiter {
	return &Limiter{store: store, now: now, known: newTable(), anybody: newTable()}
}

// Take counts one request of the caller. A limit of 0 means none. The decision stands also where there is an error,
// which is the Store's: it comes once in a window, when the process begins to count the caller alone.
func (l *Limiter) Take(ctx context.Context, c Caller, limit int) (Decision, error) {
	if limit <= 0 {
		return Decision{Allowed: true}, nil
	}
	w := l.table(c).window(c.name)
	w.mu.Lock()
	defer w.mu.Unlock()
	now := l.now()
	if w.ends.Sub(now) > Window { // the clock was set back
		w.ends = now.Add(Window)
	}
	if !now.Before(w.ends) {
		w.number++
		w.ends, w.left, w.remaining = now.Add(Window), 0, limit
		if l.store == nil {
			w.left, w.remaining = limit, 0
		}
	}
	var failure error
	// Once the store has nothing left to grant, it has nothing until the window ends: no need to ask again.
	if w.left == 0 && w.remaining > 0 {
		failure = l.lease(ctx, c, limit, w, now)
	}
	d := Decision{Limit: limit, Reset: w.ends.Sub(now), window: w.number}
	if w.left > 0 {
		w.left--
		d.Allowed = true
	}
	d.Remaining = min(limit, w.left+w.remaining)
	return d, failure
}

// lease asks the store for more. The caller's own hurry does not end it: half a lease would be lost to everybody.
func (l *Limiter) lease(ctx context.Context, c Caller, limit int, w *window, now time.Time) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaseTimeout)
	defer cancel()
	lease, err := l.store.Lease(ctx, c.name, limit)
	if err != nil {
		w.left, w.remaining = w.remaining, 0
		return err
	}
	w.left, w.remaining, w.ends = lease.Granted, lease.Remaining, now.Add(min(lease.Ends, Window))
	return nil
}

// Return gives back what Take took from the caller for a request that turned out to be another caller's.
func (l *Limiter) Return(c Caller, d Decision) {
	if !d.Allowed || d.Limit == 0 {
		return
	}
	w := l.table(c).window(c.name)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.number == d.window && l.now().Before(w.ends) {
		w.left++
	}
}

func (l *Limiter) table(c Caller) *table {
	if c.known {
		return l.known
	}
	return l.anybody
}

// table holds the windows of the callers who were last seen.
type table struct {
	mu      sync.Mutex
	callers *lru.LRU[string, *window]
}

type window struct {
	mu        sync.Mutex
	number    int // counts the caller's windows
	ends      time.Time
	left      int // requests that may pass without asking the store
	remaining int // beyond those, as the store last said
}

func newTable() *table {
	callers, _ := lru.NewLRU[string, *window](maxCallers, nil) // fails only for a size below 1
	return &table{callers: callers}
}

func (t *table) window(caller string) *window {
	t.mu.Lock()
	defer t.mu.Unlock()
	w, ok := t.callers.Get(caller)
	if !ok {
		w = &window{}
		t.callers.Add(caller, w)
	}
	return w
}
