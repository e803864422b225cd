package deal

import "paydown/internal/money"

// LineOf returns the status of a line of credit after its deal has moved from one state to another; now is
// the line's current status. A line is open while its deal is being collected. If the deal returns to FUNDED
// from default or from a final state, the line stays closed to draws until staff open it. A line that staff
// have closed stays closed.
func LineOf(now string, from, to State) string {
	switch {
	case now == lineClosed && !from.isFinished():
		return lineClosed
	case to == Funded && !from.Live():
		return lineActive
	case to.isFinished():
		return lineClosed
	default:
		return lineSuspended
	}
}

// isFinished reports whether the deal is finished.
func (s State) isFinished() bool { return s == Closed || s == Renewed || s == Withdrawn }

// Draw is a paid draw under a line of credit.
type Draw struct {
	Amount, Payback money.Amount
	// Tagged is the amount of payments that name this draw.
	Tagged money.Amount
}

// Unpaid splits the outstanding balance by draw. A payment that names a draw repays that draw; all other
// collections, discounts and write-offs repay the oldest draw first. The parts add up to outstanding.
func Unpaid(draws []Draw, outstanding money.Amount) []money.Amount {
	left := make([]money.Amount, len(draws))
	var payback money.Amount
	for _, d := range draws {
		payback = payback.Add(d.Payback)
	}
	rest := money.Max(money.Zero, payback.Sub(outstanding)) // no longer owed
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

// Principal returns the unpaid part of a draw's amount while the given part of its payback is unpaid. Each
// collected dollar repays principal in proportion.
func (d Draw) Principal(unpaid money.Amount) money.Amount {
	if d.Payback.Sign() <= 0 {
		return d.Amount
	}
	return money.Cumulative(d.Amount, unpaid, d.Payback)
}
