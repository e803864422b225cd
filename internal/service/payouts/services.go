// Package payouts pays syndicators and ISOs: participations, payout batches, carried items, returned transfers
// and reversed shares.
package payouts

import (
	"context"

	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Participations Participations
	Payouts        Payouts
}

// New creates the aggregates. transfers posts the payments to syndicators.
func New(core *unit.Core, transfers Transfers) *Services {
	return &Services{
		Participations: Participations{core},
		Payouts:        Payouts{core, transfers},
	}
}

// Background returns the jobs that run until their context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.Payouts.run}
}
