// Package scalar converts the scalars of the schema. They are written as in REST. The Append functions write responses;
// by the Marshal functions, gqlgen finds which Go types the scalars are of.
package scalar

import (
	"encoding/json"
	"io"
	"strconv"
	"time"

	"github.com/99designs/gqlgen/graphql"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service"
)

// AppendID appends a record's id, an integer in REST, as a string.
func AppendID(dst []byte, id int) []byte {
	return append(strconv.AppendInt(append(dst, '"'), int64(id), 10), '"')
}

// MarshalID writes a record's id.
func MarshalID(id int) graphql.Marshaler { return written(AppendID(nil, id)) }

// UnmarshalID reads an id: a positive integer in decimal, as a string or a number. The error is
// fault.InvalidID.
func UnmarshalID(v any) (int, error) {
	text := ""
	switch v := v.(type) {
	case string:
		text = v
	case json.Number:
		text = v.String()
	case int64:
		text = strconv.FormatInt(v, 10)
	case int:
		text = strconv.Itoa(v)
	}
	if text != "" {
		if id, ok := service.ParseID(text); ok {
			return id, nil
		}
	}
	return 0, fault.New(fault.InvalidID, "The id must be a positive integer.").With("id", "must be a positive integer")
}

// AppendInt appends an integer.
func AppendInt(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }

// MarshalInt writes an integer.
func MarshalInt(n int) graphql.Marshaler { return written(AppendInt(nil, n)) }

// UnmarshalInt reads a 32-bit integer.
func UnmarshalInt(v any) (int, error) {
	n, err := graphql.UnmarshalInt32(v)
	if _, text := v.(string); err != nil || text {
		return 0, fault.New(fault.BadRequest, "An integer argument must have at most 32 bits.")
	}
	return int(n), nil
}

// AppendMoney appends an amount: "515.88".
func AppendMoney(dst []byte, a money.Amount) []byte { return quoted(dst, a.String()) }

// MarshalMoney writes an amount.
func MarshalMoney(a money.Amount) graphql.Marshaler { return written(AppendMoney(nil, a)) }

// UnmarshalMoney reads an amount; the error is a FormatError of money.ErrAmount.
func UnmarshalMoney(v any) (money.Amount, error) { return read(v, money.ErrAmount, money.Parse) }

// AppendRate appends a rate: "1.30".
func AppendRate(dst []byte, r money.Rate) []byte { return quoted(dst, r.String()) }

// MarshalRate writes a rate.
func MarshalRate(r money.Rate) graphql.Marshaler { return written(AppendRate(nil, r)) }

// UnmarshalRate reads a rate; the error is a FormatError of money.ErrRate.
func UnmarshalRate(v any) (money.Rate, error) { return read(v, money.ErrRate, money.ParseRate) }

// AppendDate appends a date: "2026-01-05".
func AppendDate(dst []byte, d civil.Date) []byte { return quoted(dst, d.String()) }

// MarshalDate writes a date.
func MarshalDate(d civil.Date) graphql.Marshaler { return written(AppendDate(nil, d)) }

// UnmarshalDate reads a date; the error is a FormatError of civil.ErrDate.
func UnmarshalDate(v any) (civil.Date, error) { return read(v, civil.ErrDate, civil.Parse) }

// AppendDateTime appends a time in UTC, with milliseconds.
func AppendDateTime(dst []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(dst, `"2006-01-02T15:04:05.000Z"`)
}

// MarshalDateTime writes a time.
func MarshalDateTime(t time.Time) graphql.Marshaler { return written(AppendDateTime(nil, t)) }

// UnmarshalDateTime reads a time with its offset; the error is a FormatError of civil.ErrMoment.
func UnmarshalDateTime(v any) (time.Time, error) {
	return read(v, civil.ErrMoment, func(s string) (time.Time, error) {
		m, err := civil.ParseMoment(s)
		return m.At(time.UTC), err
	})
}

// AppendJSON appends a stored value, in one line; of no value it appends nothing.
func AppendJSON(dst []byte, raw json.RawMessage) []byte {
	if len(raw) == 0 {
		return dst
	}
	text, err := json.Marshal(raw)
	if err != nil {
		panic(err) // a column of JSON holds nothing else
	}
	return append(dst, text...)
}

// MarshalJSON writes a stored value.
func MarshalJSON(raw json.RawMessage) graphql.Marshaler { return written(AppendJSON(nil, raw)) }

// UnmarshalJSON accepts any value.
func UnmarshalJSON(v any) (json.RawMessage, error) { return json.Marshal(v) }

// FormatError is returned for an argument that does not have the required form.
type FormatError struct{ form error }

func (e *FormatError) Error() string { return e.form.Error() }
func (e *FormatError) Unwrap() error { return e.form }

func read[T any](v any, form error, parse func(string) (T, error)) (T, error) {
	if text, ok := v.(string); ok {
		if value, err := parse(text); err == nil {
			return value, nil
		}
	}
	var none T
	return none, &FormatError{form}
}

// quoted appends text that needs no escapes.
func quoted(dst []byte, text string) []byte { return append(append(append(dst, '"'), text...), '"') }

// written is a value as it is in a response.
type written []byte

// MarshalGQL implements graphql.Marshaler.
func (v written) MarshalGQL(w io.Writer) { _, _ = w.Write(v) }
