// Package books is the ledger of deals: posting and reversing payments, balances, statements and figures of
// syndicators.
package books

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Ledger Ledger
}

// New creates the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Ledger: Ledger{core},
	}
}
