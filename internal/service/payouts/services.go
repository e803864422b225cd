// Package payouts pays syndicators and ISOs: participations, batches, carrying, transfers that fail, and shares that
// are taken back.
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

// New makes the aggregates. transfers books what is paid to syndicators.
func New(core *unit.Core, transfers Transfers) *Services {
	return &Services{
		Participations: Participations{core},
		Payouts:        Payouts{core, transfers},
	}
}

// Background is the work that goes on until its context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.Payouts.run}
}
