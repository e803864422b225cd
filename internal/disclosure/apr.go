package disclosure

import (
	"errors"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"paydown/internal/civil"
	"paydown/internal/money"
)

// Payment is an amount that the merchant pays on a day.
type Payment struct {
	On     civil.Date
	Amount money.Amount
}

// The problems of an annual percentage rate.
var (
	// ErrNoAdvance is a financing of nothing, which has no rate.
	ErrNoAdvance = errors.New("disclosure: an annual percentage rate needs an amount financed above zero")
	// ErrNoPayments is a financing without payments, with one that is not above zero, or with one before the advance.
	ErrNoPayments = errors.New("disclosure: an annual percentage rate needs payments above zero, each after the day of the advance")
	// ErrUnderpaid is a financing whose payments do not come to the amount financed.
	ErrUnderpaid = errors.New("disclosure: the payments do not repay the amount financed")
	// ErrNoRate is a financing whose rate is not found, or is too large to be shown.
	ErrNoRate = errors.New("disclosure: the annual percentage rate is too large to be shown")
)

// APR is the annual percentage rate of an amount that is advanced on one day and repaid by the payments, in per cent and
// rounded to two decimals: the rate of the general equation of Regulation Z, Appendix J (12 CFR 1026), which is solved in
// decimals. The payments may come in any order; unit is how often they come. A single payment needs no unit: its own term
// is the unit period, up to a year.
func APR(financed money.Amount, advanced civil.Date, payments []Payment, unit UnitPeriod) (money.Rate, error) {
	if financed.Sign() <= 0 {
		return money.Rate{}, ErrNoAdvance
	}
	payments = slices.SortedFunc(slices.Values(payments), func(a, b Payment) int { return a.On.Sub(b.On) })
	var total money.Amount
	for _, p := range payments {
		if p.Amount.Sign() <= 0 || !p.On.After(advanced) {
			return money.Rate{}, ErrNoPayments
		}
		total = total.Add(p.Amount)
	}
	switch {
	case len(payments) == 0:
		return money.Rate{}, ErrNoPayments
	case total.Less(financed):
		return money.Rate{}, ErrUnderpaid
	case len(payments) == 1:
		unit = single(advanced, payments[0].On)
	}
	if err := unit.valid(); err != nil {
		return money.Rate{}, err
	}
	equation := make([]term, len(payments))
	for i, p := range payments {
		equation[i].amount = p.Amount.Decimal()
		equation[i].whole, equation[i].part = unit.between(advanced, p.On)
	}
	i, err := solve(financed.Decimal(), equation)
	if err != nil {
		return money.Rate{}, err
	}
	percent := i.Mul(unit.perYear()).Mul(decimal.NewFromInt(100)).Round(2)
	if percent.GreaterThanOrEqual(largestRate) {
		return money.Rate{}, ErrNoRate
	}
	return money.RoundRate(percent), nil
}

// largestRate is the least that is too large for money.Rate.
var largestRate = decimal.New(1, 9)

// term is a payment in the general equation: its amount, and the unit periods from the advance to it, whole ones and what
// is left as a part of one.
type term struct {
	amount decimal.Decimal
	whole  int
	part   decimal.Decimal
}

const (
	// digits is how many decimals are carried: far more than two of a percentage need, over thousands of payments.
	digits = 40
	// most is how many steps are tried. A step multiplies 1+i by 1+1/t at least, while it is still far from the rate, and
	// doubles the digits once it is near; no amounts that money holds take half as many.
	most = 200
)

var (
	one = decimal.NewFromInt(1)
	// near is the step after which the rate is as good as it can be shown.
	near = decimal.New(1, -20)
)

// solve finds the rate of a unit period at which what the payments are worth on the day of the advance is what was
// financed. That worth falls, and ever more slowly, as the rate rises; so Newton's steps from 0 rise to the rate and never
// go past it.
func solve(financed decimal.Decimal, payments []term) (decimal.Decimal, error) {
	rate := decimal.Zero
	for range most {
		worth, slope := presentValue(payments, rate)
		if slope.IsZero() {
			return decimal.Decimal{}, ErrNoRate
		}
		step := worth.Sub(financed).DivRound(slope, digits).Neg()
		if step.Abs().LessThan(near) {
			return rate, nil
		}
		rate = rate.Add(step)
	}
	return decimal.Decimal{}, ErrNoRate
}

// presentValue is the worth of the payments at a rate, Σ P ÷ ((1 + f·i)(1 + i)^t), and its slope there. Payments come in
// order of their days.
func presentValue(payments []term, rate decimal.Decimal) (worth, slope decimal.Decimal) {
	discount := one.DivRound(one.Add(rate), digits)
	factor, at := one, 0
	for _, p := range payments {
		factor = factor.Mul(power(discount, p.whole-at)).Round(digits)
		at = p.whole
		odd := one.DivRound(one.Add(p.part.Mul(rate)), digits)
		value := p.amount.Mul(factor).Mul(odd).Round(digits)
		worth = worth.Add(value)
		fall := p.part.Mul(odd).Add(decimal.NewFromInt(int64(p.whole)).Mul(discount))
		slope = slope.Sub(value.Mul(fall).Round(digits))
	}
	return worth, slope
}

// power is base to the n-th, n not negative.
func power(base decimal.Decimal, n int) decimal.Decimal {
	result := one
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result = result.Mul(base).Round(digits)
		}
		base = base.Mul(base).Round(digits)
	}
	return result
}

// valid refuses a unit period that is none.
func (u UnitPeriod) valid() error {
	if u.length < 1 {
		return fmt.Errorf("disclosure: %d is no length of a unit period", u.length)
	}
	return nil
}
