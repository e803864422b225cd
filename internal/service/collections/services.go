// Package collections decides whether and where a deal may be debited: bank accounts and collection holds.
package collections

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	BankAccounts    BankAccounts
	CollectionHolds CollectionHolds
}

// New makes the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		BankAccounts:    BankAccounts{core},
		CollectionHolds: CollectionHolds{core},
	}
}
