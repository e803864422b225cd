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

// Errors of an annual percentage rate.
var (
	// ErrNoAdvance means that the amount financed is not above zero.
	ErrNoAdvance = errors.New("disclosure: an annual percentage rate needs an amount financed above zero")
	// ErrNoPayments means that there are no payments, or one is not above zero or is before the advance.
	ErrNoPayments = errors.New(
		"disclosure: an annual percentage rate needs payments above zero, each after the day of the advance")
	// ErrUnderpaid means that the payments do not repay the amount financed.
	ErrUnderpaid = errors.New("disclosure: the payments do not repay the amount financed")
	// ErrNoRate means that no rate was found, or it is too large to display.
	ErrNoRate = errors.New("disclosure: the annual percentage rate is too large to display")
)

// APR returns the annual percentage rate of an amount that is advanced on one day and repaid by the payments,
// in percent, rounded to two decimals. It solves the general equation of Regulation Z, Appendix J (12 CFR
// 1026), in decimals. The payments may be in any order; unit is their interval. A single payment needs no
// unit: its own term, up to a year, is the unit period.
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

// largestRate is the smallest value that is too large for money.Rate.
var largestRate = decimal.New(1, 9)

// term is a payment in the general equation: its amount, and the whole and fractional unit periods since the
// advance.
type term struct {
	amount decimal.Decimal
	whole  int
	part   decimal.Decimal
}

const (
	// digits is the number of decimals in the computation: far more than needed for a percentage with two
	// decimals over thousands of payments.
	digits = 40
	// most is the maximum number of steps. A step multiplies 1+i by at least 1+1/t while it is far from the
	// rate, and doubles the digits when it is near; no amounts of package money need half as many.
	most = 200
)

var (
	one = decimal.NewFromInt(1)
	// near is the step size at which the rate is precise enough to display.
	near = decimal.New(1, -20)
)

// solve finds the rate per unit period at which the present value of the payments on the day of the advance
// equals the amount financed. The present value falls, more and more slowly, as the rate rises; so Newton's
// method, started at 0, approaches the rate from below and never overshoots.
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

// presentValue returns the present value of the payments at a rate, Σ P ÷ ((1 + f·i)(1 + i)^t), and its
// slope. The payments must be sorted by day.
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

// power returns base to the n-th power; n must not be negative.
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

// valid returns an error if the unit period is invalid.
func (u UnitPeriod) valid() error {
	if u.length < 1 {
		return fmt.Errorf("disclosure: %d is not a valid length of a unit period", u.length)
	}
	return nil
}
