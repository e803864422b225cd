package unit

import (
	"context"
	"time"
)

// DailyLook is how often the product looks for companies whose day has begun.
const DailyLook = 15 * time.Minute

// Periodic is work that is done over and over.
type Periodic struct {
	Every time.Duration
	// Wake has it done at once, and done first when the process starts; nil where nothing does.
	Wake <-chan struct{}
	Name string // in the log, when it fails
	Work func(context.Context) error
}

// Repeat does the work until the context ends.
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

// ErrorOf drops what a periodic work says besides its error.
func ErrorOf[T any](work func(context.Context) (T, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := work(ctx)
		return err
	}
}

const (
	// MorningHour is the hour of the company's day at which its deals are scanned.
	MorningHour = 6
	// ScanLease outlives a scan by far. A process that dies in one holds that company's scan up for so long.
	ScanLease = 10 * time.Minute
)
