package payment

import (
	"github.com/shopspring/decimal"

	"paydown/internal/money"
)

// ReturnRateKind is one of Nacha's return rates.
type ReturnRateKind string

// The rates. Each counts the returns of its class; the overall rate counts all returns.
const (
	UnauthorizedRate   ReturnRateKind = "UNAUTHORIZED"
	AdministrativeRate ReturnRateKind = "ADMINISTRATIVE"
	OverallRate        ReturnRateKind = "OVERALL"
)

// Values lists the rates.
func (ReturnRateKind) Values() []string {
	return []string{string(UnauthorizedRate), string(AdministrativeRate), string(OverallRate)}
}

// ReturnRateLimit is the maximum percentage of debits that may be returned.
type ReturnRateLimit struct {
	Kind  ReturnRateKind
	Limit money.Rate
}

// ReturnRateLimits are the limits of the Nacha Operating Rules. A rate counts the debits and returns of
// ReturnRateDays.
var ReturnRateLimits = []ReturnRateLimit{
	{UnauthorizedRate, money.MustRate("0.5")},
	{AdministrativeRate, money.MustRate("3")},
	{OverallRate, money.MustRate("15")},
}

const (
	// ReturnRateDays is the number of days that the rates cover, including today.
	ReturnRateDays = 60
	// warnAtPercent is the percentage of a limit at which a warning starts.
	warnAtPercent = 80
)

// ReturnRateLevel compares a rate with its limit.
type ReturnRateLevel string

// The levels. A rate equal to its limit does not exceed it.
const (
	RateOK       ReturnRateLevel = "OK"
	RateWarning  ReturnRateLevel = "WARNING"
	RateExceeded ReturnRateLevel = "EXCEEDED"
)

// Values lists the levels.
func (ReturnRateLevel) Values() []string {
	return []string{string(RateOK), string(RateWarning), string(RateExceeded)}
}

// percent is 100 as a decimal.
var percent = decimal.NewFromInt(100)

// ReturnRate returns the rate in percent, 0 without debits and returns. There can be more returns than
// debits, because returns may belong to debits from before the window.
func ReturnRate(returns, debits int) money.Rate {
	if returns == 0 {
		return money.Rate{}
	}
	return money.RoundRate(decimal.NewFromInt(int64(returns)).Mul(percent).Div(decimal.NewFromInt(int64(max(debits, 1)))))
}

// Level compares the rate of these returns and debits with the limit. It uses the counts, which are exact.
func (l ReturnRateLimit) Level(returns, debits int) ReturnRateLevel {
	of := decimal.NewFromInt(int64(returns)).Mul(percent)                    // percent times the debits
	most := l.Limit.Decimal().Mul(decimal.NewFromInt(int64(max(debits, 1)))) // also percent times the debits
	switch {
	case of.GreaterThan(most):
		return RateExceeded
	case returns > 0 && of.Mul(percent).GreaterThanOrEqual(most.Mul(decimal.NewFromInt(warnAtPercent))):
		return RateWarning
	}
	return RateOK
}
