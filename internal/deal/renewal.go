package deal

import (
	"fmt"

	"github.com/shopspring/decimal"

	"paydown/internal/civil"
	"paydown/internal/money"
)

// RenewalPolicy says when a funded deal can be renewed. Its values are a product decision.
type RenewalPolicy struct {
	// Threshold is the required part of the payback that is collected, in percent; a product without a threshold
	// is not renewed.
	Threshold map[Product]money.Rate
	// NoReturnDays is the number of days, including today, without any returned payment.
	NoReturnDays int
	// FewReturnsDays is the number of days with fewer than TooManyReturns returned payments.
	FewReturnsDays, TooManyReturns int
	// RestDays is the number of days before a deal is offered again after its opportunity was dismissed.
	RestDays int
}

// Renewals is the active policy.
var Renewals = RenewalPolicy{
	Threshold: map[Product]money.Rate{
		MCA: money.MustRate("50"), TermLoan: money.MustRate("50"), Equipment: money.MustRate("60"),
	},
	NoReturnDays: 30, FewReturnsDays: 60, TooManyReturns: 2,
	RestDays: 30,
}

// AdvisedFunding is the recommended minimum funding of a renewal, as a multiple of the prior deal's payoff.
const AdvisedFunding = 2

// RenewalFacts are what the renewal policy checks.
type RenewalFacts struct {
	State    State
	Product  Product
	PaidDown money.Rate   // see PaidDown
	Returned []civil.Date // the days of returned payments
	Today    civil.Date
}

// PaidDown returns the collected part of the payback in percent; 0 without a payback.
func PaidDown(collected, payback money.Amount) money.Rate {
	if payback.Sign() <= 0 {
		return money.Rate{}
	}
	return money.RoundRate(collected.Decimal().Mul(hundredPerCent).DivRound(payback.Decimal(), 2))
}

var hundredPerCent = decimal.New(100, 0)

// Refusal returns a sentence that says why the deal cannot be renewed now; "" if it can.
func (p RenewalPolicy) Refusal(f RenewalFacts) string {
	threshold, ok := p.Threshold[f.Product]
	switch {
	case f.State != Funded:
		return fmt.Sprintf("The deal is %s.", f.State)
	case !ok:
		return fmt.Sprintf("Deals of the product %s cannot be renewed.", f.Product)
	case f.PaidDown.Cmp(threshold) < 0:
		return fmt.Sprintf("%s %% is paid down, but %s %% is required.", f.PaidDown, threshold)
	case p.returns(f, p.NoReturnDays) > 0:
		return fmt.Sprintf("A payment was returned in the last %d days.", p.NoReturnDays)
	case p.returns(f, p.FewReturnsDays) >= p.TooManyReturns:
		return fmt.Sprintf("%d payments were returned in the last %d days.", p.returns(f, p.FewReturnsDays), p.FewReturnsDays)
	}
	return ""
}

func (RenewalPolicy) returns(f RenewalFacts, days int) int {
	n := 0
	for _, day := range f.Returned {
		if f.Today.Sub(day) < days {
			n++
		}
	}
	return n
}

// Rests reports whether a deal whose opportunity was dismissed on the given day is still left alone.
func (p RenewalPolicy) Rests(dismissed, today civil.Date) bool {
	return today.Sub(dismissed) < p.RestDays
}
