// Package offers handles offers to merchants from approval to acceptance, including counters and public
// pages.
package offers

import (
	"context"

	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Approvals Approvals
	Offers    Offers
}

// New returns the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Approvals: Approvals{core},
		Offers:    Offers{core},
	}
}

// Background returns the background jobs. Each runs until its context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.Approvals.run}
}
