package input

import (
	"errors"
	"reflect"
	"strings"

	"paydown/internal/civil"
	"paydown/internal/money"
)

// DecodeMessage describes the form that a field of type t requires, after decoding it from JSON failed with err. It
// never repeats the value.
func DecodeMessage(t reflect.Type, err error) string {
	for _, known := range []error{money.ErrAmount, money.ErrRate, civil.ErrDate, civil.ErrMoment} {
		if errors.Is(err, known) {
			return known.Error()
		}
	}
	if e, ok := reflect.TypeAssert[Enum](reflect.Zero(t)); ok {
		return "must be one of " + strings.Join(e.Values(), ", ")
	}
	switch t.Kind() {
	case reflect.Bool:
		return "must be true or false"
	case reflect.Int:
		return "must be an integer"
	case reflect.Slice:
		return "must be an array of strings"
	default:
		return "must be a string"
	}
}
