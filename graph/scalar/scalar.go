// Package scalar says how the graph writes and reads its scalars. Values are written as REST writes them.
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

// MarshalID writes a record's id, REST's integer, as a string.
func MarshalID(id int) graphql.Marshaler { return quoted(strconv.Itoa(id)) }

// UnmarshalID reads an id: a positive integer in decimal, as a string or a number. The error is fault.InvalidID.
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
	return 0, fault.New(fault.InvalidID, "An id is a positive integer.").With("id", "must be a positive integer")
}

// MarshalInt writes an integer.
func MarshalInt(n int) graphql.Marshaler { return graphql.MarshalInt(n) }

// UnmarshalInt reads an integer of 32 bits.
func UnmarshalInt(v any) (int, error) {
	n, err := graphql.UnmarshalInt32(v)
	if _, text := v.(string); err != nil || text {
		return 0, fault.New(fault.BadRequest, "An argument that is an integer must be one of 32 bits.")
	}
	return int(n), nil
}

// MarshalMoney writes an amount: "515.88".
func MarshalMoney(a money.Amount) graphql.Marshaler { return quoted(a.String()) }

// UnmarshalMoney reads an amount; the error is a MisfitError of money.ErrAmount.
func UnmarshalMoney(v any) (money.Amount, error) { return read(v, money.ErrAmount, money.Parse) }

// MarshalRate writes a rate: "1.30".
func MarshalRate(r money.Rate) graphql.Marshaler { return quoted(r.String()) }

// UnmarshalRate reads a rate; the error is a MisfitError of money.ErrRate.
func UnmarshalRate(v any) (money.Rate, error) { return read(v, money.ErrRate, money.ParseRate) }

// MarshalDate writes a day: "2026-01-05".
func MarshalDate(d civil.Date) graphql.Marshaler { return quoted(d.String()) }

// UnmarshalDate reads a day; the error is a MisfitError of civil.ErrDate.
func UnmarshalDate(v any) (civil.Date, error) { return read(v, civil.ErrDate, civil.Parse) }

// MarshalDateTime writes an instant in UTC, in milliseconds.
func MarshalDateTime(t time.Time) graphql.Marshaler {
	return quoted(t.UTC().Format("2006-01-02T15:04:05.000Z"))
}

// UnmarshalDateTime reads an instant with its offset; the error is a MisfitError of civil.ErrMoment.
func UnmarshalDateTime(v any) (time.Time, error) {
	return read(v, civil.ErrMoment, func(s string) (time.Time, error) {
		m, err := civil.ParseMoment(s)
		return m.At(time.UTC), err
	})
}

// MarshalJSON writes a stored value as it is; no value is null.
func MarshalJSON(raw json.RawMessage) graphql.Marshaler {
	if len(raw) == 0 {
		return graphql.Null
	}
	return graphql.WriterFunc(func(w io.Writer) { _, _ = w.Write(raw) })
}

// UnmarshalJSON takes any value.
func UnmarshalJSON(v any) (json.RawMessage, error) { return json.Marshal(v) }

// MisfitError says which form an argument must have that does not have it.
type MisfitError struct{ form error }

func (e *MisfitError) Error() string { return e.form.Error() }
func (e *MisfitError) Unwrap() error { return e.form }

func read[T any](v any, form error, parse func(string) (T, error)) (T, error) {
	if text, ok := v.(string); ok {
		if value, err := parse(text); err == nil {
			return value, nil
		}
	}
	var none T
	return none, &MisfitError{form}
}

// quoted writes text that needs no escapes.
func quoted(text string) graphql.Marshaler {
	return graphql.WriterFunc(func(w io.Writer) { _, _ = io.WriteString(w, `"`+text+`"`) })
}
