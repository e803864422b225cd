package pricing

import (
	"paydown/internal/civil"
	"paydown/internal/money"
)

// Position is the state of collection of a funded deal.
type Position struct {
	// Collected is the amount paid against the purchased amount, without fees.
	Collected money.Amount
	// Outstanding is the rest of the purchased amount, without fees; not negative.
	Outstanding money.Amount
	// Fees are assessed but unpaid fees.
	Fees      money.Amount
	Defaulted bool
}

// Payoff is the single payment that closes a deal.
type Payoff struct {
	// Amount is the amount to pay, including unpaid fees.
	Amount money.Amount
	// Discount is the forgiven part of the purchased amount: Amount + Discount = outstanding + fees.
	Discount money.Amount
}

// EarlyPayoffUntil returns the last day of the early-payoff price; ok is false if none was agreed or the deal
// is not funded.
func (t Terms) EarlyPayoffUntil() (last civil.Date, ok bool) {
	if t.FundedOn == nil || t.FundedAmount == nil || t.EPOFactorRate == nil || t.EPOWindowDays == nil {
		return civil.Date{}, false
	}
	return t.FundedOn.AddDays(*t.EPOWindowDays), true
}

// PayoffOn returns the payoff of the deal on a day. Within the early-payoff window, and unless the deal is in
// default, the payoff is funded × epoFactorRate less the amount collected: at least zero, because payments
// above the early price are not refunded, and at most the outstanding amount. Unpaid fees are owed in full.
func (t Terms) PayoffOn(day civil.Date, at Position) Payoff {
	due := at.Outstanding
	if until, agreed := t.EarlyPayoffUntil(); agreed && !at.Defaulted && !day.After(until) {
		price := t.FundedAmount.Times(*t.EPOFactorRate)
		due = money.Min(due, money.Max(money.Zero, price.Sub(at.Collected)))
	}
	return Payoff{Amount: due.Add(at.Fees), Discount: at.Outstanding.Sub(due)}
}
