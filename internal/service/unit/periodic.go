package unit

import (
	"context"
	"time"
)

// DailyLook is how often a process checks for tenants whose day has begun.
const DailyLook = 15 * time.Minute

// Periodic is background work that repeats.
type Periodic struct {
	Every time.Duration
	// Wake makes the work run at once; a process then also runs it first when it starts. Nil: only Every.
	Wake <-chan struct{}
	Name string // in the log, when it fails
	Work func(context.Context) error
}

// Repeat runs the work until the context ends.
func (c *Core) Repeat(ctx context.Context, p Periodic) {
	ticker := time.NewTicker(p.Every)
	defer ticker.Stop()
	for first := true; ; first = false {
		if !first || p.Wake != nil {
			if err := p.Work(ctx); err != nil && ctx.Err() == nil {
				c.Log.WarnContext(ctx, "periodic work failed; it is done again the next time", "work", p.Name, "error", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-p.Wake:
		}
	}
}

// ErrorOf adapts work that returns a result and an error; the result is dropped.
func ErrorOf[T any](work func(context.Context) (T, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := work(ctx)
		return err
	}
}

const (
	// MorningHour is the hour, in the tenant's time zone, from which its deals are scanned.
	MorningHour = 6
	// ScanLease is far longer than a scan takes. If a process dies during a scan, the tenant's next scan waits
	// this long.
	ScanLease = 10 * time.Minute
)
