// Package servicing implements the life of a deal: pricing, funding, payments, returns, early payoff, renewals,
// credit facilities and write-offs.
package servicing

import (
	"context"

	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	CreditFacilities CreditFacilities
	Deals            Deals
	Disbursements    Disbursements
	Payments         Payments
	Renewals         Renewals
}

// New creates the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		CreditFacilities: CreditFacilities{core},
		Deals:            Deals{core},
		Disbursements:    Disbursements{core},
		Payments:         Payments{core},
		Renewals:         Renewals{core},
	}
}

// Background returns the jobs that run until their context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.Renewals.run}
}
