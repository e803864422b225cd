package input

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// FromPtr is a column that may be null as a field of an input.
func FromPtr[T any](p *T) Opt[T] {
	if p == nil {
		return Opt[T]{}
	}
	return Some(*p)
}

// Nullable is the value of a column that may be null, as nil where it is.
func Nullable[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// Opt is an input field with three states: absent (leave the record's value alone), null (clear it), or a value.
type Opt[T any] struct {
	value T
	state optState
}

type optState uint8

const (
	absent optState = iota
	null
	given
)

// Null clears the record's value.
func Null[T any]() Opt[T] { return Opt[T]{state: null} }

// Some is a given value.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, state: given} }

// Get returns the value, and whether there is one.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == given }

// Ptr is the value, or nil where it is absent or null.
func (o Opt[T]) Ptr() *T {
	if o.state != given {
		return nil
	}
	return &o.value
}

// Or is the value, or fallback where it is absent or null.
func (o Opt[T]) Or(fallback T) T {
	if o.state != given {
		return fallback
	}
	return o.value
}

// Given reports a value, IsNull a null, Absent neither.
func (o Opt[T]) Given() bool { return o.state == given }

func (o Opt[T]) IsNull() bool { return o.state == null }

func (o Opt[T]) Absent() bool { return o.state == absent }

// UnmarshalJSON is called only for a field that is present.
func (o *Opt[T]) UnmarshalJSON(raw []byte) error {
	if bytes.Equal(raw, []byte("null")) {
		*o = Null[T]()
		return nil
	}
	o.state = given
	return json.Unmarshal(raw, &o.value)
}

// MarshalJSON writes null for absent and null; inputs are only written by tests and generated examples.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state != given {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// Optional is any Opt, for code that walks over an input.
type Optional interface {
	Given() bool
	IsNull() bool
	Absent() bool
	any() any
}

func (o Opt[T]) any() any { return o.value }

// ValueType is the type of an Opt's value.
func ValueType(opt reflect.Type) (reflect.Type, bool) {
	if !opt.Implements(reflect.TypeFor[Optional]()) {
		return nil, false
	}
	field, ok := opt.FieldByName("value")
	return field.Type, ok
}
