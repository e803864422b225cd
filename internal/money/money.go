// Package money has the two exact decimal types of the product: Amount, in dollars and cents, and Rate, a
// factor, percentage or basis value with up to six decimals. Neither is ever a float. Money rounds half up.
package money

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"regexp"
	"strconv"

	"github.com/shopspring/decimal"
)

const (
	// AmountScale and RateScale are the numbers of decimals of the two types.
	AmountScale = 2
	RateScale   = 6
)

// Input errors; callers may see them.
var (
	ErrAmount = errors.New("must be a decimal string with at most 12 digits before and 2 after the point")
	ErrRate   = errors.New("must be a decimal string with at most 9 digits before and 6 after the point")
)

// The accepted string forms (see the section on decimal strings in the API contract).
const (
	AmountPattern = `^-?\d{1,12}(\.\d{1,2})?$`
	RatePattern   = `^-?\d{1,9}(\.\d{1,6})?$`
)

var (
	amountText   = regexp.MustCompile(AmountPattern)
	rateText     = regexp.MustCompile(RatePattern)
	rateAsNumber = regexp.MustCompile(`^-?\d{1,9}(\.\d{1,2})?$`)
)

// Amount is a sum of money in dollars with exactly two decimals, |x| < 1 000 000 000 000. The zero value is 0.00.
type Amount struct{ d decimal.Decimal }

// Rate is a factor, a percentage (12.5 means 12.5 %) or a value whose unit is given by a basis. The zero
// value is 0.
type Rate struct{ d decimal.Decimal }

// Zero is no money.
var Zero Amount

// Parse parses an amount in API format; the error is ErrAmount.
func Parse(s string) (Amount, error) {
	if !amountText.MatchString(s) {
		return Amount{}, ErrAmount
	}
	d, err := decimal.NewFromString(s)
	if err != nil {
		return Amount{}, ErrAmount
	}
	return Amount{d}, nil
}

// Must is Parse for constants in the code. It panics if s is not an amount.
func Must(s string) Amount {
	a, err := Parse(s)
	if err != nil {
		panic("money: " + s + " is not an amount") // s is a constant, never input
	}
	return a
}

// Cents returns an amount of n cents.
func Cents(n int64) Amount { return Amount{decimal.New(n, -AmountScale)} }

// Round converts a decimal to an amount, rounding half up (away from zero), the general rule for money.
func Round(d decimal.Decimal) Amount { return Amount{d.Round(AmountScale)} }

// RoundUp converts a decimal to an amount, rounding up to the next cent, the rule for periodic payments.
func RoundUp(d decimal.Decimal) Amount { return Amount{d.RoundCeil(AmountScale)} }

// Decimal returns the exact value, for computations that Round or RoundUp converts back.
func (a Amount) Decimal() decimal.Decimal { return a.d }

// Cents returns the amount in whole cents.
func (a Amount) Cents() int64 { return a.d.Shift(AmountScale).IntPart() }

// Add is a + b, exactly.
func (a Amount) Add(b Amount) Amount { return Amount{a.d.Add(b.d)} }

// Sub is a - b, exactly.
func (a Amount) Sub(b Amount) Amount { return Amount{a.d.Sub(b.d)} }

// Neg is -a.
func (a Amount) Neg() Amount { return Amount{a.d.Neg()} }

// Abs is a without its sign.
func (a Amount) Abs() Amount { return Amount{a.d.Abs()} }

// Times is a × r, rounded half up.
func (a Amount) Times(r Rate) Amount { return Round(a.d.Mul(r.d)) }

// Percent is r percent of a, rounded half up.
func (a Amount) Percent(r Rate) Amount { return Round(a.d.Mul(r.d).Shift(-2)) }

// Cmp compares: -1, 0 or 1.
func (a Amount) Cmp(b Amount) int { return a.d.Cmp(b.d) }

// Equal reports a = b.
func (a Amount) Equal(b Amount) bool { return a.d.Equal(b.d) }

// Less reports a < b.
func (a Amount) Less(b Amount) bool { return a.d.LessThan(b.d) }

// IsZero reports a = 0.
func (a Amount) IsZero() bool { return a.d.IsZero() }

// Sign is -1, 0 or 1.
func (a Amount) Sign() int { return a.d.Sign() }

// Min is the smaller of the two.
func Min(a, b Amount) Amount {
	if b.Less(a) {
		return b
	}
	return a
}

// Max is the larger of the two.
func Max(a, b Amount) Amount {
	if a.Less(b) {
		return b
	}
	return a
}

// Sum adds up.
func Sum(amounts ...Amount) Amount {
	var total Amount
	for _, a := range amounts {
		total = total.Add(a)
	}
	return total
}

// String returns the API format: always two decimals, "5000.00".
func (a Amount) String() string { return fixed(a.d, AmountScale) }

// MarshalText writes the API format.
func (a Amount) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// MarshalJSON writes the API format as a JSON string.
func (a Amount) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, a.String()), nil }

// UnmarshalJSON reads a decimal string, or a number without exponent with at most two decimals. The error is ErrAmount.
func (a *Amount) UnmarshalJSON(raw []byte) error {
	parsed, err := Parse(unquote(raw))
	if err != nil {
		return ErrAmount
	}
	*a = parsed
	return nil
}

// Value stores the API format; both databases store it exactly (numeric(14,2), decimal(14,2)).
func (a Amount) Value() (driver.Value, error) { return a.String(), nil }

// Scan reads what either database returns for a numeric column.
func (a *Amount) Scan(src any) error {
	d, err := scan(src, AmountScale)
	if err != nil {
		return fmt.Errorf("scan amount: %w", err)
	}
	a.d = d
	return nil
}

// ParseRate parses a rate in API format; the error is ErrRate.
func ParseRate(s string) (Rate, error) {
	if !rateText.MatchString(s) {
		return Rate{}, ErrRate
	}
	d, err := decimal.NewFromString(s)
	if err != nil {
		return Rate{}, ErrRate
	}
	return Rate{d}, nil
}

// MustRate is ParseRate for constants in the code. It panics if s is not a rate.
func MustRate(s string) Rate {
	r, err := ParseRate(s)
	if err != nil {
		panic("money: " + s + " is not a rate") // s is a constant, never input
	}
	return r
}

// RoundRate converts a decimal to a rate, rounding half up to six decimals.
func RoundRate(d decimal.Decimal) Rate { return Rate{d.Round(RateScale)} }

// Decimal is the exact value.
func (r Rate) Decimal() decimal.Decimal { return r.d }

// Cmp compares: -1, 0 or 1.
func (r Rate) Cmp(o Rate) int { return r.d.Cmp(o.d) }

// Equal reports r = o.
func (r Rate) Equal(o Rate) bool { return r.d.Equal(o.d) }

// IsZero reports r = 0.
func (r Rate) IsZero() bool { return r.d.IsZero() }

// Sign is -1, 0 or 1.
func (r Rate) Sign() int { return r.d.Sign() }

// String returns the API format: at least two decimals, no further trailing zeros: "1.30", "1.2345".
func (r Rate) String() string {
	s := fixed(r.d, RateScale)
	point := len(s) - RateScale
	end := len(s)
	for end > point+AmountScale && s[end-1] == '0' {
		end--
	}
	return s[:end]
}

// MarshalText writes the API format.
func (r Rate) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// MarshalJSON writes the API format as a JSON string.
func (r Rate) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, r.String()), nil }

// UnmarshalJSON reads a decimal string, or a number without exponent with at most two decimals. The error is ErrRate.
func (r *Rate) UnmarshalJSON(raw []byte) error {
	if raw[0] != '"' && !rateAsNumber.Match(raw) {
		return ErrRate
	}
	parsed, err := ParseRate(unquote(raw))
	if err != nil {
		return ErrRate
	}
	*r = parsed
	return nil
}

// Value stores the API format (numeric(15,6), decimal(15,6)).
func (r Rate) Value() (driver.Value, error) { return r.String(), nil }

// Scan reads what either database returns for a numeric column.
func (r *Rate) Scan(src any) error {
	d, err := scan(src, RateScale)
	if err != nil {
		return fmt.Errorf("scan rate: %w", err)
	}
	r.d = d
	return nil
}

func unquote(raw []byte) string {
	if len(raw) >= 2 && raw[0] == '"' {
		return string(raw[1 : len(raw)-1])
	}
	return string(raw)
}

// scan reads a numeric column. SQLite returns integers and floats: a float64 has 15 significant digits, one
// more than an amount and as many as a rate, so rounding its shortest form to the scale restores the exact
// value.
func scan(src any, scale int32) (decimal.Decimal, error) {
	switch v := src.(type) {
	case []byte:
		return decimal.NewFromString(string(v))
	case string:
		return decimal.NewFromString(v)
	case int64:
		return decimal.NewFromInt(v), nil
	case float64:
		return decimal.NewFromFloat(v).Round(scale), nil //nolint:forbidigo // see above: SQLite returns floats
	default:
		return decimal.Decimal{}, fmt.Errorf("unexpected %T", src)
	}
}

// maxDigits is the number of decimal digits that always fit into an int64.
const maxDigits = 18

// fixed is d.StringFixed(scale). It is four times as fast for numbers that have this scale and fit into an
// integer, which is nearly all of them; pages of records have many.
func fixed(d decimal.Decimal, scale int32) string {
	if d.Exponent() != -scale || d.NumDigits() > maxDigits {
		return d.StringFixed(scale)
	}
	n := d.CoefficientInt64()
	var text [maxDigits + 8]byte
	i := len(text)
	for digits, left := int32(0), max(n, -n); left > 0 || digits <= scale; digits++ {
		if digits == scale {
			i--
			text[i] = '.'
		}
		i--
		text[i] = byte('0' + left%10)
		left /= 10
	}
	if n < 0 {
		i--
		text[i] = '-'
	}
	return string(text[i:])
}
