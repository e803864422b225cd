package money

import (
	"bytes"
	"strconv"
)

// AppendAmount appends a stored amount in the API format, as Amount.Scan and Amount.String would, but without making
// an Amount where the database returns the format already or nearly so.
func AppendAmount(out []byte, src any) ([]byte, error) {
	if formatted, ok := appendStored(out, src, AmountScale); ok {
		return formatted, nil
	}
	var a Amount
	if err := a.Scan(src); err != nil {
		return out, err
	}
	return append(out, a.String()...), nil
}

// AppendRate is AppendAmount for a rate.
func AppendRate(out []byte, src any) ([]byte, error) {
	if formatted, ok := appendStored(out, src, RateScale); ok {
		return formatted, nil
	}
	var r Rate
	if err := r.Scan(src); err != nil {
		return out, err
	}
	return append(out, r.String()...), nil
}

// appendStored appends a decimal as it is stored, with at least two decimals and at most scale. It reports false for
// what it cannot format without rounding.
func appendStored(out []byte, src any, scale int) ([]byte, bool) {
	start := len(out)
	switch v := src.(type) {
	case []byte: // PostgreSQL: with all decimals of the column
		out = append(out, v...)
	case int64: // SQLite: a whole number
		return append(strconv.AppendInt(out, v, 10), ".00"...), true
	case float64: // SQLite: any other; up to 15 digits are exact
		out = strconv.AppendFloat(out, v, 'f', -1, 64)
	default:
		return out, false
	}
	point := bytes.IndexByte(out[start:], '.')
	decimals := len(out) - start - 1 - point
	if point < 1 || out[start+point-1] == '-' || decimals > scale {
		return out[:start], false
	}
	for ; decimals < AmountScale; decimals++ {
		out = append(out, '0')
	}
	for ; decimals > AmountScale && out[len(out)-1] == '0'; decimals-- {
		out = out[:len(out)-1]
	}
	return out, true
}
