// Package scalar converts the scalars of the schema. They are written as in REST.
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

// MarshalID writes a record's id, an integer in REST, as a string.
func MarshalID(id int) graphql.Marshaler { return quoted(strconv.Itoa(id)) }

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

// MarshalInt writes an integer.
func MarshalInt(n int) graphql.Marshaler { return graphql.MarshalInt(n) }

// UnmarshalInt reads a 32-bit integer.
func UnmarshalInt(v any) (int, error) {
	n, err := graphql.UnmarshalInt32(v)
	if _, text := v.(string); err != nil || text {
		return 0, fault.New(fault.BadRequest, "An integer argument must have at most 32 bits.")
	}
	return int(n), nil
}

// MarshalMoney writes an amount: "515.88".
func MarshalMoney(a money.Amount) graphql.Marshaler { return quoted(a.String()) }

// UnmarshalMoney reads an amount; the error is a FormatError of money.ErrAmount.
func UnmarshalMoney(v any) (money.Amount, error) { return read(v, money.ErrAmount, money.Parse) }

// MarshalRate writes a rate: "1.30".
func MarshalRate(r money.Rate) graphql.Marshaler { return quoted(r.String()) }

// UnmarshalRate reads a rate; the error is a FormatError of money.ErrRate.
func UnmarshalRate(v any) (money.Rate, error) { return read(v, money.ErrRate, money.ParseRate) }

// MarshalDate writes a date: "2026-01-05".
func MarshalDate(d civil.Date) graphql.Marshaler { return quoted(d.String()) }

// UnmarshalDate reads a date; the error is a FormatError of civil.ErrDate.
func UnmarshalDate(v any) (civil.Date, error) { return read(v, civil.ErrDate, civil.Parse) }

// MarshalDateTime writes a time in UTC, with milliseconds.
func MarshalDateTime(t time.Time) graphql.Marshaler {
	return quoted(t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// UnmarshalDateTime reads a time with its offset; the error is a FormatError of civil.ErrMoment.
func UnmarshalDateTime(v any) (time.Time, error) {
	return read(v, civil.ErrMoment, func(s string) (time.Time, error) {
		m, err := civil.ParseMoment(s)
		return m.At(time.UTC), err
	})
}

// MarshalJSON writes a stored value unchanged; no value is null.
func MarshalJSON(raw json.RawMessage) graphql.Marshaler {
	if len(raw) == 0 {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(raw) })
}

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

// quoted writes text that needs no escapes.
func quoted(text string) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, `"`+text+`"`) })
}
