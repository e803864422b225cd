package money

import "github.com/shopspring/decimal"

// Cumulative is what has accrued of total once part of whole is done: total × part ÷ whole, rounded half up. Posting
// the difference between two calls lets a series of roundings add up to total exactly, with no cent lost between.
// It is total where whole is 0.
func Cumulative(total, part, whole Amount) Amount {
	if whole.IsZero() {
		return total
	}
	return Round(total.d.Mul(part.d).DivRound(whole.d, 20))
}

// Split divides total by the given percentages with cumulative rounding. The shares come in the order of the
// percentages; what they leave of total is the rest.
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
