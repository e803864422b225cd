// Package books is the ledger of deals: posting payments, reversing them, balances, statements and the figures of
// parties.
package books

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Ledger Ledger
}

// New makes the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Ledger: Ledger{core},
	}
}
