package servicing

import (
	"paydown/internal/money"
	"paydown/internal/service/input"
)

// WithDerivedPayments is the change that also has the deal's payments follow from the other terms.
func (in DealUpdate) WithDerivedPayments() DealUpdate {
	in.NumberOfPayments, in.PaymentAmount = input.Opt[int]{State: input.Null}, input.Opt[money.Amount]{State: input.Null}
	return in
}
