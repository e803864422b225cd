// Package ratelimit limits requests: at most so many in a window of 60 seconds that starts with a caller's
// first request. (A refilling bucket would let more than the limit through within such a window.)
//
// A single process counts in memory. Several processes share the count through a Store, from which each takes
// small leases of requests, so that a request rarely costs a write. A lease expires with its window. Together
// the processes never exceed the limit. Because a lease may be left half used, a refusal may come early, by as
// many requests as are out on lease.
//
// If the Store fails, a process continues alone: until the caller's window ends it admits the number of
// requests that the Store last reported as left. Callers are then limited per process rather than in total,
// which is better than refusing everybody or nobody.
//
// A clock that jumps ahead ends windows early. A clock that is set back extends a window by at most 60 seconds,
// with its count: nobody gets more requests, and nobody is locked out for long.
package ratelimit

import (
	"context"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2/simplelru"
)

// Window is the duration that a limit applies to.
const Window = 60 * time.Second

// RetryAfter is the Retry-After of a refused caller, in seconds.
const RetryAfter = 60

// leaseTimeout is how long a request waits for the Store before its caller is counted without it.
const leaseTimeout = 2 * time.Second

// Store shares the count between processes.
type Store interface {
	// Lease asks for some of the caller's requests in its current window, and opens a window if none is open. It
	// returns how many it grants (0 if the limit is reached), how many remain for all processes, and how long the
	// window stays open.
	Lease(ctx context.Context, caller string, limit int) (Lease, error)
}

// Lease is a number of requests that the holder may admit until the window ends.
type Lease struct {
	Granted, Remaining int
	Ends               time.Duration
}

// Decision is the answer to one request, in the terms of the X-RateLimit headers.
type Decision struct {
	Allowed          bool
	Limit, Remaining int
	Reset            time.Duration // until the window ends
	window           int           // the number of the caller's window that it was taken from
}

// maxCallers limits the memory for callers of one kind: at most some 20 MB.
const maxCallers = 100_000

// Limiter counts requests. It is safe for concurrent use.
type Limiter struct {
	store Store
	now   func() time.Time
	// Callers that anyone can invent, such as addresses, have a separate table: however many there are, they do
	// not evict the counts of authenticated callers.
	known, anybody *table
}

// New returns a limiter; store is nil for a single process.
func New(store Store, now func() time.Time) *Limiter {
	return &Limiter{store: store, now: now, known: newTable(), anybody: newTable()}
}

// Take counts one request of the caller. A limit of 0 means no limit. The decision is valid even with an error,
// which is the Store's. The error is returned once per window, when the process starts to count the caller
// alone.
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

// lease asks the store for more requests. It ignores the end of the caller's context, because an interrupted
// lease would be lost.
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

// Return undoes a Take for a request that turned out to be another caller's.
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

// table holds the windows of the most recent callers.
type table struct {
	mu      sync.Mutex
	callers *lru.LRU[string, *window]
}

type window struct {
	mu        sync.Mutex
	number    int // counts the caller's windows
	ends      time.Time
	left      int // requests that may pass without asking the store
	remaining int // beyond those, as the store last reported
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
