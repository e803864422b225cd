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

// Retention deletes data that is kept only for a limited time: stored answers, the delivery log, ids of
// inbound events, rate limit counts, failed sign-in attempts, sessions, password resets and notifications.
// Expired data that must not be used counts as gone even before a sweep deletes it.
type Retention struct {
	core   *unit.Core
	sweeps *sweeps
}

const (
	// DeliveryLogWindow is how long finished deliveries are kept.
	DeliveryLogWindow = 30 * 24 * time.Hour

	// ReadNotificationWindow is how long a notification is kept after it is marked as read.
	ReadNotificationWindow = 90 * 24 * time.Hour
	// UnreadNotificationWindow is how long an unread notification is kept.
	UnreadNotificationWindow = 365 * 24 * time.Hour

	// keepWindows is far longer than a rate limit window.
	keepWindows = time.Hour
	// keepThrottles is longer than any throttle lasts.
	keepThrottles = 24 * time.Hour

	sweepEvery = time.Minute
	sweepJob   = "retention"
	// sweepLease is far longer than a batch takes, even on a slow database. A process that dies with the lease
	// delays the job by this time.
	sweepLease = 30 * time.Second
	// After each batch the sweep rests sweepRests times as long as the batch took, at most sweepRestsAtMost, so
	// that a sweep of millions of rows uses at most a tenth of the database's time.
	sweepRests       = 9
	sweepRestsAtMost = 2 * time.Second
)

// windows are the retention times.
var windows = map[store.Retirement]time.Duration{
	store.IdempotencyAnswers: unit.IdempotencyWindow,
	store.DeliveryLog:        DeliveryLogWindow,
	store.InboundNames:       inbound.InboundWindow,
	store.RateWindows:        keepWindows,
	store.Sessions:           0, // from when they end
	store.PasswordResets:     0, // from when they expire
	store.LoginThrottles:     keepThrottles,

	store.ReadNotifications:   ReadNotificationWindow,
	store.UnreadNotifications: UnreadNotificationWindow,
}

// Swept is the result of a sweep.
type Swept struct {
	// Elsewhere reports that another process is sweeping, so this one did nothing.
	Elsewhere bool
	Removed   map[store.Retirement]int
}

// sweeps counts what this process has deleted.
type sweeps struct {
	mu      sync.Mutex
	removed map[store.Retirement]int64
	last    time.Time
}

func newSweeps() *sweeps { return &sweeps{removed: map[store.Retirement]int64{}} }

// Kinds returns the kinds of data that are kept for a limited time.
func (Retention) Kinds() []string {
	names := make([]string, len(store.Retirements))
	for i, what := range store.Retirements {
		names[i] = string(what)
	}
	return names
}

// Removed returns how many records of a kind this process has deleted since it started.
func (s Retention) Removed(kind string) int64 {
	s.sweeps.mu.Lock()
	defer s.sweeps.mu.Unlock()
	return s.sweeps.removed[store.Retirement(kind)]
}

// LastSweep returns when this process last finished a sweep; the zero time if it has not.
func (s Retention) LastSweep() time.Time {
	s.sweeps.mu.Lock()
	defer s.sweeps.mu.Unlock()
	return s.sweeps.last
}

// run sweeps until the context ends.
func (s Retention) run(ctx context.Context) {
	s.core.Repeat(ctx, unit.Periodic{Every: sweepEvery, Name: "retention", Work: unit.ErrorOf(s.Sweep)})
}

// Sweep deletes everything that has expired, in small batches, unless another process is sweeping.
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
		begun := time.Now() //nolint:forbidigo // measures database time, not business time
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

// note counts what was deleted, and logs it unless nothing was.
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
		s.core.Log.LogAttrs(ctx, slog.LevelInfo, "deleted expired data",
			slog.Attr{Key: "removed", Value: slog.GroupValue(removed...)},
			slog.Float64("seconds", now.Sub(began).Seconds()))
	}
}

// Jobs returns the leases of the jobs that one process at a time runs, for operators.
func (s Retention) Jobs(ctx context.Context) ([]*ent.JobLease, error) {
	if err := unit.RequireOperator(ctx); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().JobLease.Query().Order(joblease.ByName()).All(ctx)
}
