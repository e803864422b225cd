package service

import (
	"context"
	"time"
)

const (
	purgeEvery = time.Minute
	// keepWindows is longer than a window of the rate limit can last, by far.
	keepWindows = time.Hour
)

// purge deletes what has outlived its use, a little at a time, until the context ends. That several replicas do so side
// by side does no harm: each finds what the others left.
func (c *core) purge(ctx context.Context) {
	ticker := time.NewTicker(purgeEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		for more := true; more && ctx.Err() == nil; {
			now := c.store.Now()
			var err error
			if more, err = c.store.Purge(ctx, now.Add(-IdempotencyWindow), now.Add(-keepWindows)); err != nil {
				c.log.WarnContext(ctx, "cannot delete what has expired yet", "error", err)
				break
			}
		}
	}
}
