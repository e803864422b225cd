package service

import (
	"context"
	"time"
)

// dailyLook is how often the product looks for companies whose day has begun.
const dailyLook = 15 * time.Minute

// periodic is work that is done over and over.
type periodic struct {
	every time.Duration
	// wake has it done at once, and done first when the process starts; nil where nothing does.
	wake    <-chan struct{}
	failure string // is logged when it fails; it is done again the next time
	work    func(context.Context) error
}

// repeat does the work until the context ends.
func (c *core) repeat(ctx context.Context, p periodic) {
	ticker := time.NewTicker(p.every)
	defer ticker.Stop()
	for first := true; ; first = false {
		if !first || p.wake != nil {
			if err := p.work(ctx); err != nil && ctx.Err() == nil {
				c.log.WarnContext(ctx, p.failure, "error", err)
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-p.wake:
		}
	}
}

// errorOf drops what a periodic work says besides its error.
func errorOf[T any](work func(context.Context) (T, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := work(ctx)
		return err
	}
}
