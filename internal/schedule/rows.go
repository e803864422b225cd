package schedule

import (
	"github.com/shopspring/decimal"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
)

// MaxPayments is the maximum number of payments of a schedule: ten years of days, far more than any deal has.
const MaxPayments = 3660

// Row is one scheduled payment.
type Row struct {
	Date   civil.Date
	Amount money.Amount
}

// Rows returns the n payments of a plan that repay the payback amount exactly, starting with the first
// collection day on or after first. All have the same amount except the last, which is the rest: more than
// zero and at most the others. If no such schedule exists, the error is a validation fault.
func Rows(plan Plan, first civil.Date, n int, payment, payback money.Amount) ([]Row, error) {
	if err := plan.Validate(); err != nil {
		return nil, err
	}
	if n < 1 || n > MaxPayments {
		return nil, fault.Field("numberOfPayments", "must be from 1 to %d", MaxPayments)
	}
	last, ok := FinalPayment(payback, payment, n)
	if !ok {
		return nil, fault.Field("paymentAmount", "must repay the payback amount in exactly the number of payments")
	}
	rows := make([]Row, 0, n)
	for _, d := range plan.Dates(first, n) {
		rows = append(rows, Row{Date: d, Amount: payment})
	}
	rows[n-1].Amount = last
	return rows, nil
}

// FinalPayment returns the amount of the last of n payments that makes the total equal to payback. ok is true
// if it is more than zero and at most payment.
func FinalPayment(payback, payment money.Amount, n int) (last money.Amount, ok bool) {
	before := payment.Decimal().Mul(decimal.NewFromInt(int64(n - 1)))
	last = money.Round(payback.Decimal().Sub(before))
	return last, n > 0 && last.Sign() > 0 && !payment.Less(last)
}
