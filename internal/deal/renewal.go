package deal

import (
	"fmt"

	"github.com/shopspring/decimal"

	"paydown/internal/civil"
	"paydown/internal/money"
)

// RenewalPolicy says when a funded deal may be renewed. Its figures are a decision of ours.
type RenewalPolicy struct {
	// Threshold is how much of the payback has to be collected, in per cent; a product without one is not renewed.
	Threshold map[Product]money.Rate
	// NoReturnDays is for how many days, today among them, no payment may have come back.
	NoReturnDays int
	// FewReturnsDays is for how many days fewer than TooManyReturns may have.
	FewReturnsDays, TooManyReturns int
	// RestDays is for how long a deal whose opportunity was dismissed is left alone.
	RestDays int
}

// Renewals is the policy in force.
var Renewals = RenewalPolicy{
	Threshold: map[Product]money.Rate{
		MCA: money.MustRate("50"), TermLoan: money.MustRate("50"), Equipment: money.MustRate("60"),
	},
	NoReturnDays: 30, FewReturnsDays: 60, TooManyReturns: 2,
	RestDays: 30,
}

// AdvisedFunding is how many times the payoff of the prior deal a renewal should fund, at least.
const AdvisedFunding = 2

// RenewalFacts are what decides whether a deal may be renewed.
type RenewalFacts struct {
	State    State
	Product  Product
	PaidDown money.Rate   // see PaidDown
	Returned []civil.Date // the days on which payments came back
	Today    civil.Date
}

// PaidDown is the part of the payback that is collected, in per cent; 0 where there is no payback.
func PaidDown(collected, payback money.Amount) money.Rate {
	if payback.Sign() <= 0 {
		return money.Rate{}
	}
	return money.RoundRate(collected.Decimal().Mul(hundredPerCent).DivRound(payback.Decimal(), 2))
}

var hundredPerCent = decimal.New(100, 0)

// Refusal says why the deal may not be renewed at present, in a sentence for people; "" where it may be.
func (p RenewalPolicy) Refusal(f RenewalFacts) string {
	threshold, ok := p.Threshold[f.Product]
	switch {
	case f.State != Funded:
		return fmt.Sprintf("The deal is %s.", f.State)
	case !ok:
		return fmt.Sprintf("A deal of the product %s is not renewed.", f.Product)
	case f.PaidDown.Cmp(threshold) < 0:
		return fmt.Sprintf("%s %% are paid down, and %s %% are needed.", f.PaidDown, threshold)
	case p.returns(f, p.NoReturnDays) > 0:
		return fmt.Sprintf("A payment came back in the last %d days.", p.NoReturnDays)
	case p.returns(f, p.FewReturnsDays) >= p.TooManyReturns:
		return fmt.Sprintf("%d payments came back in the last %d days.", p.returns(f, p.FewReturnsDays), p.FewReturnsDays)
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

// Rests reports whether the deal of an opportunity that was dismissed on a day is still left alone today.
func (p RenewalPolicy) Rests(dismissed, today civil.Date) bool {
	return today.Sub(dismissed) < p.RestDays
}
