// Package reports has what staff look at: figures, the work queue, the audit trail, and feeds of changes.
package reports

import (
	"context"

	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Audit   Audit
	Feeds   Feeds
	Figures Figures

	feeds *feeds
}

// New returns the aggregates.
func New(core *unit.Core) *Services {
	feeds := newFeeds(core)
	core.Signals.Recorded = feeds.signal
	return &Services{
		Audit:   Audit{core, feeds},
		Feeds:   Feeds{core, feeds},
		Figures: Figures{core},
		feeds:   feeds,
	}
}

// Background returns the background jobs. Each runs until its context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.feeds.run}
}
