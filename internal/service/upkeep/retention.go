package upkeep

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"paydown/ent"
	"paydown/ent/joblease"
	"paydown/internal/service/inbound"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// Retention ends what is kept for a time only: stored answers, the log of deliveries, the names of inbound events, counts
// of the rate limit and of failed attempts to sign in, sessions, resets of passwords, and notifications. What must not be
// used any longer is treated as gone before it is: nothing waits for a sweep.
type Retention struct {
	core   *unit.Core
	sweeps *sweeps
}

const (
	// DeliveryLogWindow is how long deliveries that are over are kept.
	DeliveryLogWindow = 30 * 24 * time.Hour

	// ReadNotificationWindow is how long a notification is kept once it is marked as read.
	ReadNotificationWindow = 90 * 24 * time.Hour
	// UnreadNotificationWindow is how long one is kept that nobody marks.
	UnreadNotificationWindow = 365 * 24 * time.Hour

	// keepWindows is longer than a window of the rate limit can last, by far.
	keepWindows = time.Hour
	// keepThrottles is longer than any throttle remembers.
	keepThrottles = 24 * time.Hour

	sweepEvery = time.Minute
	sweepJob   = "retention"
	// sweepLease outlives a batch by far, on a database that is slow. A process that dies with the lease holds the job up
	// for so long.
	sweepLease = 30 * time.Second
	// sweepRests is how many times as long as a batch took the next one waits, but for sweepRestsAtMost, so that a sweep of
	// millions of rows has a tenth of the database at most.
	sweepRests       = 9
	sweepRestsAtMost = 2 * time.Second
)

// windows say how long what is kept.
var windows = map[store.Retirement]time.Duration{
	store.IdempotencyAnswers: unit.IdempotencyWindow,
	store.DeliveryLog:        DeliveryLogWindow,
	store.InboundNames:       inbound.InboundWindow,
	store.RateWindows:        keepWindows,
	store.Sessions:           0, // counted from when they end
	store.PasswordResets:     0, // the same
	store.LoginThrottles:     keepThrottles,

	store.ReadNotifications:   ReadNotificationWindow,
	store.UnreadNotifications: UnreadNotificationWindow,
}

// Swept is what a sweep came to.
type Swept struct {
	// Elsewhere reports that another process is at it, so that nothing was done here.
	Elsewhere bool
	Removed   map[store.Retirement]int
}

// sweeps counts what this process has swept.
type sweeps struct {
	mu      sync.Mutex
	removed map[store.Retirement]int64
	last    time.Time
}

func newSweeps() *sweeps { return &sweeps{removed: map[store.Retirement]int64{}} }

// Kinds names what is kept for a time only.
func (Retention) Kinds() []string {
	names := make([]string, len(store.Retirements))
	for i, what := range store.Retirements {
		names[i] = string(what)
	}
	return names
}

// Removed is how much of a kind this process has ended since it started.
func (s Retention) Removed(kind string) int64 {
	s.sweeps.mu.Lock()
	defer s.sweeps.mu.Unlock()
	return s.sweeps.removed[store.Retirement(kind)]
}

// LastSweep is when this process last finished a sweep; the zero time where it has not.
func (s Retention) LastSweep() time.Time {
	s.sweeps.mu.Lock()
	defer s.sweeps.mu.Unlock()
	return s.sweeps.last
}

// run sweeps until the context ends.
func (s Retention) run(ctx context.Context) {
	s.core.Repeat(ctx, unit.Periodic{Every: sweepEvery, Name: "retention", Work: unit.ErrorOf(s.Sweep)})
}

// Sweep ends everything that has expired, in small batches, unless another process is doing so.
func (s Retention) Sweep(ctx context.Context) (Swept, error) {
	swept := Swept{Removed: map[store.Retirement]int{}}
	lease, err := s.core.Store.TakeLease(ctx, sweepJob, s.core.Holder, sweepLease)
	if err != nil || lease == nil {
		swept.Elsewhere = err == nil
		return swept, err
	}
	began := s.core.Store.Now()
	for _, what := range store.Retirements {
		if err == nil && !swept.Elsewhere {
			err = s.retire(ctx, what, began, lease, &swept)
		}
	}
	if err == nil && !swept.Elsewhere {
		err = s.core.Store.ReleaseLease(ctx, lease)
	}
	s.note(ctx, swept, began, err)
	return swept, err
}

func (s Retention) retire(
	ctx context.Context, what store.Retirement, now time.Time, lease *store.Lease, swept *Swept,
) error {
	for {
		begun := time.Now() //nolint:forbidigo // how long the database took, whatever the time is
		n, held, err := s.core.Store.Retire(ctx, what, now.Add(-windows[what]), lease, sweepLease)
		if err != nil {
			return err
		}
		swept.Elsewhere = !held
		swept.Removed[what] += n
		if !held || n < store.RetireAtOnce {
			return nil
		}
		took := time.Since(begun) //nolint:forbidigo // see above
		if err := rest(ctx, min(sweepRests*took, sweepRestsAtMost)); err != nil {
			return err
		}
	}
}

func rest(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// note counts what was done, and tells of it where there was something to do.
func (s Retention) note(ctx context.Context, swept Swept, began time.Time, err error) {
	s.sweeps.mu.Lock()
	defer s.sweeps.mu.Unlock()
	var removed []slog.Attr
	for _, what := range store.Retirements {
		if n := swept.Removed[what]; n > 0 {
			s.sweeps.removed[what] += int64(n)
			removed = append(removed, slog.Int(string(what), n))
		}
	}
	now := s.core.Store.Now()
	if err == nil && !swept.Elsewhere {
		s.sweeps.last = now
	}
	if len(removed) > 0 {
		s.core.Log.LogAttrs(ctx, slog.LevelInfo, "ended what has expired",
			slog.Attr{Key: "removed", Value: slog.GroupValue(removed...)},
			slog.Float64("seconds", now.Sub(began).Seconds()))
	}
}

// Jobs are what one process at a time does, by name, for operators.
func (s Retention) Jobs(ctx context.Context) ([]*ent.JobLease, error) {
	if err := unit.RequireOperator(ctx); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().JobLease.Query().Order(joblease.ByName()).All(ctx)
}
