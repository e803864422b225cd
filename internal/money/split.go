package money

import "github.com/shopspring/decimal"

// Cumulative returns the accrued part of total after part of whole: total × part ÷ whole, rounded half up.
// Posting the difference between two calls makes a series of rounded amounts add up to total exactly. It
// returns total if whole is 0.
func Cumulative(total, part, whole Amount) Amount {
	if whole.IsZero() {
		return total
	}
	return Round(total.d.Mul(part.d).DivRound(whole.d, 20))
}

// Split divides total by the given percentages with cumulative rounding. The shares are in the order of the
// percentages; rest is the remainder.
func Split(total Amount, percents []Rate) (shares []Amount, rest Amount) {
	var done decimal.Decimal
	var given Amount
	for _, p := range percents {
		done = done.Add(p.d)
		upTo := Round(total.d.Mul(done).Shift(-2))
		shares = append(shares, upTo.Sub(given))
		given = upTo
	}
	return shares, total.Sub(given)
}
