package pricing

import (
	"paydown/internal/civil"
	"paydown/internal/money"
)

// Position is where the collection of a funded deal stands.
type Position struct {
	// Collected is what was paid against the purchased amount, fees apart.
	Collected money.Amount
	// Outstanding is what is left of the purchased amount, fees apart; not negative.
	Outstanding money.Amount
	// Fees are assessed and unpaid.
	Fees      money.Amount
	Defaulted bool
}

// Payoff is what settles a deal in one payment.
type Payoff struct {
	// Amount is to be paid, unpaid fees included.
	Amount money.Amount
	// Discount is what is then forgiven of the purchased amount: Amount + Discount = outstanding + fees.
	Discount money.Amount
}

// EarlyPayoffUntil is the last day on which the early-payoff price holds; ok is false where none was agreed or the deal
// is not funded.
func (t Terms) EarlyPayoffUntil() (last civil.Date, ok bool) {
	if t.FundedOn == nil || t.FundedAmount == nil || t.EPOFactorRate == nil || t.EPOWindowDays == nil {
		return civil.Date{}, false
	}
	return t.FundedOn.AddDays(*t.EPOWindowDays), true
}

// PayoffOn is the payoff of the deal on a day. Within the early-payoff window, and while the deal is not in default, the
// purchased amount costs funded × epoFactorRate less what was collected. That is never less than nothing, as what was
// paid above the early price is not returned, and never more than what is outstanding. Unpaid fees are owed in full.
func (t Terms) PayoffOn(day civil.Date, at Position) Payoff {
	due := at.Outstanding
	if until, agreed := t.EarlyPayoffUntil(); agreed && !at.Defaulted && !day.After(until) {
		price := t.FundedAmount.Times(*t.EPOFactorRate)
		due = money.Min(due, money.Max(money.Zero, price.Sub(at.Collected)))
	}
	return Payoff{Amount: due.Add(at.Fees), Discount: at.Outstanding.Sub(due)}
}
