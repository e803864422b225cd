// Package collections decides whether a deal may be debited, and from which account: bank accounts and
// collection holds.
package collections

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	BankAccounts    BankAccounts
	CollectionHolds CollectionHolds
}

// New creates the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		BankAccounts:    BankAccounts{core},
		CollectionHolds: CollectionHolds{core},
	}
}
