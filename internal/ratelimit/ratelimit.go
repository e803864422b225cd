// Package ratelimit counts requests: at most so many in a window of 60 seconds that begins with a caller's first
// request. (A bucket that refills would let more than the limit through within such a window.)
//
// One process counts in memory. Several share the count through a Store, from which each takes small leases of
// requests, so that a request rarely costs a write. A lease dies with its window; together the processes never let
// more than the limit through, and because a lease may be left half used, a refusal may come early by as many requests
// as a Store keeps out on lease.
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
}

// maxCallers bounds the memory that callers can claim: some 20 MB at the most.
const maxCallers = 100_000

// Limiter counts. It is safe for concurrent use.
type Limiter struct {
	store Store
	now   func() time.Time

	mu      sync.Mutex
	callers *lru.LRU[string, *window]
}

type window struct {
	mu        sync.Mutex
	ends      time.Time
	left      int // requests that may pass without asking the store
	remaining int // beyond those, as the store last said
}

// New makes a limiter; store is nil where the process is alone.
func New(store Store, now func() time.Time) *Limiter {
	callers, _ := lru.NewLRU[string, *window](maxCallers, nil) // fails only for a size below 1
	return &Limiter{store: store, now: now, callers: callers}
}

// Take counts one request of the caller. A limit of 0 means none. The error is the store's.
func (l *Limiter) Take(ctx context.Context, caller string, limit int) (Decision, error) {
	if limit <= 0 {
		return Decision{Allowed: true}, nil
	}
	w := l.window(caller)
	w.mu.Lock()
	defer w.mu.Unlock()
	now := l.now()
	if !now.Before(w.ends) {
		w.ends, w.left, w.remaining = now.Add(Window), 0, limit
		if l.store == nil {
			w.left, w.remaining = limit, 0
		}
	}
	// Once the store has nothing left to grant, it has nothing until the window ends: no need to ask again.
	if w.left == 0 && l.store != nil && w.remaining > 0 {
		lease, err := l.store.Lease(ctx, caller, limit)
		if err != nil {
			return Decision{Limit: limit}, err
		}
		w.left, w.remaining, w.ends = lease.Granted, lease.Remaining, now.Add(lease.Ends)
	}
	d := Decision{Limit: limit, Reset: w.ends.Sub(now)}
	if w.left > 0 {
		w.left--
		d.Allowed = true
	}
	d.Remaining = min(limit, w.left+w.remaining)
	return d, nil
}

func (l *Limiter) window(caller string) *window {
	l.mu.Lock()
	defer l.mu.Unlock()
	w, ok := l.callers.Get(caller)
	if !ok {
		w = &window{}
		l.callers.Add(caller, w)
	}
	return w
}
