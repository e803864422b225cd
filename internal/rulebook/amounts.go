package rulebook

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// Cents is an amount of money. Positive postings are debits.
type Cents int64

// Rate is a rate, a percentage or a basis value in millionths: 1.30 is 1,300,000, 40 % is 40,000,000.
type Rate int64

// Whole is a rate of one, and Percent one percent in percentage notation.
const (
	Whole   Rate = 1_000_000
	Percent Rate = 1_000_000
)

// String returns the amount in API format: "515.88".
func (c Cents) String() string {
	sign := ""
	if c < 0 {
		sign, c = "-", -c
	}
	return fmt.Sprintf("%s%d.%02d", sign, c/100, c%100)
}

// String returns the rate with six decimals, which the API accepts.
func (r Rate) String() string { return fmt.Sprintf("%d.%06d", r/Whole, r%Whole) }

// ParseCents parses an amount in API format.
func ParseCents(text string) (Cents, error) {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, ok := strings.Cut(digits, ".")
	if !ok || len(fraction) != 2 {
		return 0, fmt.Errorf("amount %q has no two decimals", text)
	}
	n, err := strconv.ParseInt(whole+fraction, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("amount %q: %w", text, err)
	}
	if negative {
		n = -n
	}
	return Cents(n), nil
}

// fraction is a·b…/c·d…, rounded half up, away from zero if negative.
func fraction(above []int64, below ...int64) Cents {
	n, d := product(above), product(below)
	negative := n.Sign() < 0
	n.Abs(n)
	n.Add(n.Lsh(n, 1), d) // (2n + d) / 2d
	n.Quo(n, d.Lsh(d, 1))
	if negative {
		n.Neg(n)
	}
	return Cents(n.Int64())
}

func product(factors []int64) *big.Int {
	p := big.NewInt(1)
	for _, f := range factors {
		p.Mul(p, big.NewInt(f))
	}
	return p
}

// times returns the amount times a rate.
func (c Cents) times(r Rate) Cents { return fraction([]int64{int64(c), int64(r)}, int64(Whole)) }

// percent returns a percentage of the amount.
func (c Cents) percent(r Rate) Cents {
	return fraction([]int64{int64(c), int64(r)}, 100, int64(Percent))
}

// part returns the amount times n/d; zero if d is 0.
func (c Cents) part(n, d Cents) Cents {
	if d == 0 {
		return 0
	}
	return fraction([]int64{int64(c), int64(n)}, int64(d))
}
