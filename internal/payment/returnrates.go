package payment

import (
	"github.com/shopspring/decimal"

	"paydown/internal/money"
)

// ReturnRateKind names one of NACHA's return rates.
type ReturnRateKind string

// The rates: each counts the returns of its class, the overall one all returns.
const (
	UnauthorizedRate   ReturnRateKind = "UNAUTHORIZED"
	AdministrativeRate ReturnRateKind = "ADMINISTRATIVE"
	OverallRate        ReturnRateKind = "OVERALL"
)

// Values lists the rates.
func (ReturnRateKind) Values() []string {
	return []string{string(UnauthorizedRate), string(AdministrativeRate), string(OverallRate)}
}

// ReturnRateLimit is how many per cent of the debits may come back.
type ReturnRateLimit struct {
	Kind  ReturnRateKind
	Limit money.Rate
}

// ReturnRateLimits are the limits of the NACHA Operating Rules. A rate counts debits and returns of ReturnRateDays.
var ReturnRateLimits = []ReturnRateLimit{
	{UnauthorizedRate, money.MustRate("0.5")},
	{AdministrativeRate, money.MustRate("3")},
	{OverallRate, money.MustRate("15")},
}

const (
	// ReturnRateDays is how many days, the present one the last, the rates are of.
	ReturnRateDays = 60
	// warnAtPercent of a limit is where a rate is warned of.
	warnAtPercent = 80
)

// ReturnRateLevel is how a rate stands to its limit.
type ReturnRateLevel string

// The levels. A rate that is at its limit does not exceed it.
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

// ReturnRate is the rate, in per cent, of so many returns among so many debits, 0 where there were none of both. Returns of
// debits from before the window may outnumber those in it.
func ReturnRate(returns, debits int) money.Rate {
	if returns == 0 {
		return money.Rate{}
	}
	return money.RoundRate(decimal.NewFromInt(int64(returns)).Mul(percent).Div(decimal.NewFromInt(int64(max(debits, 1)))))
}

// Level is how the rate of so many returns among so many debits stands to the limit. It is judged by the counts, which are
// exact.
func (l ReturnRateLimit) Level(returns, debits int) ReturnRateLevel {
	of := decimal.NewFromInt(int64(returns)).Mul(percent)                    // per cent, times the debits
	most := l.Limit.Decimal().Mul(decimal.NewFromInt(int64(max(debits, 1)))) // likewise
	switch {
	case of.GreaterThan(most):
		return RateExceeded
	case returns > 0 && of.Mul(percent).GreaterThanOrEqual(most.Mul(decimal.NewFromInt(warnAtPercent))):
		return RateWarning
	}
	return RateOK
}
