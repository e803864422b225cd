package schedule

import (
	"github.com/shopspring/decimal"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
)

// MaxPayments is the most payments a schedule may have: ten years of days, and far more than any deal.
const MaxPayments = 3660

// Row is one scheduled payment.
type Row struct {
	Date   civil.Date
	Amount money.Amount
}

// Rows are the n payments of a plan that repay the payback amount exactly, beginning with the first collection day on
// or after first. All are of the same amount but the last, which is what remains: more than zero and no more than the
// others. Where no such schedule exists the error is a validation fault.
func Rows(plan Plan, first civil.Date, n int, payment, payback money.Amount) ([]Row, error) {
	if err := plan.Validate(); err != nil {
		return nil, err
	}
	if n < 1 || n > MaxPayments {
		return nil, fault.Field("numberOfPayments", "must be from 1 to %d", MaxPayments)
	}
	last, ok := FinalPayment(payback, payment, n)
	if !ok {
		return nil, fault.Field("paymentAmount", "does not repay the payback amount in that number of payments")
	}
	rows := make([]Row, 0, n)
	for _, d := range plan.Dates(first, n) {
		rows = append(rows, Row{Date: d, Amount: payment})
	}
	rows[n-1].Amount = last
	return rows, nil
}

// FinalPayment is what the last of n payments must be for all of them to add up to payback. It is ok where it is more
// than zero and no more than payment.
func FinalPayment(payback, payment money.Amount, n int) (last money.Amount, ok bool) {
	before := payment.Decimal().Mul(decimal.NewFromInt(int64(n - 1)))
	last = money.Round(payback.Decimal().Sub(before))
	return last, n > 0 && last.Sign() > 0 && !payment.Less(last)
}
