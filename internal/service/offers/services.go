// Package offers takes a deal from approval to acceptance: offers to merchants, their counters and their public pages.
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

// New makes the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Approvals: Approvals{core},
		Offers:    Offers{core},
	}
}

// Background is the work that goes on until its context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.Approvals.run}
}
