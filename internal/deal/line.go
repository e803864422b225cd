package deal

import "paydown/internal/money"

// LineOf is the status of a line of credit, which has one now, once its deal has moved from a state to another: a line is
// open while its deal is collected. One whose deal comes back to FUNDED out of default or from its end is closed to draws
// until staff open it, and one that staff have closed stays so.
func LineOf(now string, from, to State) string {
	switch {
	case now == lineClosed && !from.over():
		return lineClosed
	case to == Funded && !from.Live():
		return lineActive
	case to.over():
		return lineClosed
	default:
		return lineSuspended
	}
}

// over reports whether nothing more is expected of the deal.
func (s State) over() bool { return s == Closed || s == Renewed || s == Withdrawn }

// Draw is an advance under a line of credit that was paid out.
type Draw struct {
	Amount, Payback money.Amount
	// Tagged is what was collected for this very draw, by payments that name it.
	Tagged money.Amount
}

// Unpaid is what is left to collect of each draw, of the outstanding balance of them all: a payment that names a draw
// repays that one, and whatever else was collected, forgiven or written off the oldest first. The parts add up to
// outstanding.
func Unpaid(draws []Draw, outstanding money.Amount) []money.Amount {
	left := make([]money.Amount, len(draws))
	var payback money.Amount
	for _, d := range draws {
		payback = payback.Add(d.Payback)
	}
	rest := money.Max(money.Zero, payback.Sub(outstanding)) // what is not owed any more
	for i, d := range draws {
		repaid := money.Min(rest, money.Max(money.Zero, money.Min(d.Tagged, d.Payback)))
		left[i] = d.Payback.Sub(repaid)
		rest = rest.Sub(repaid)
	}
	for i := range left {
		repaid := money.Min(rest, left[i])
		left[i] = left[i].Sub(repaid)
		rest = rest.Sub(repaid)
	}
	return left
}

// Principal is what is left of a draw's amount while so much of its payback is unpaid: each dollar collected repays its
// part.
func (d Draw) Principal(unpaid money.Amount) money.Amount {
	if d.Payback.Sign() <= 0 {
		return d.Amount
	}
	return money.Cumulative(d.Amount, unpaid, d.Payback)
}
