package pricing

import (
	"github.com/shopspring/decimal"

	"paydown/internal/money"
	"paydown/internal/schedule"
)

// PercentageOfRevenue is the percentage of the merchant's average monthly true revenue that a plan's payments
// take, with six decimals. ok is false without revenue or with an invalid plan.
func PercentageOfRevenue(
	payment money.Amount, plan schedule.Plan, monthlyRevenue money.Amount,
) (p money.Rate, ok bool) {
	perYear := plan.PaymentsPerYear()
	if monthlyRevenue.Sign() <= 0 || perYear.IsZero() {
		return money.Rate{}, false
	}
	yearly := payment.Decimal().Mul(perYear)
	revenue := monthlyRevenue.Decimal().Mul(decimal.New(12, 0))
	return money.RoundRate(yearly.Shift(2).DivRound(revenue, money.RateScale)), true
}
