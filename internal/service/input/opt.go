package input

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// FromPtr returns a nullable column as an input field.
func FromPtr[T any](p *T) Opt[T] {
	if p == nil {
		return Opt[T]{}
	}
	return Some(*p)
}

// Nullable returns the value of a nullable column, or nil.
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

// Null returns a field that clears the record's value.
func Null[T any]() Opt[T] { return Opt[T]{state: null} }

// Some returns a field that is set to v.
func Some[T any](v T) Opt[T] { return Opt[T]{value: v, state: given} }

// Get returns the value, and whether there is one.
func (o Opt[T]) Get() (T, bool) { return o.value, o.state == given }

// Ptr returns the value, or nil if it is absent or null.
func (o Opt[T]) Ptr() *T {
	if o.state != given {
		return nil
	}
	return &o.value
}

// Or returns the value, or fallback if it is absent or null.
func (o Opt[T]) Or(fallback T) T {
	if o.state != given {
		return fallback
	}
	return o.value
}

// Given reports whether there is a value, IsNull whether it is null. An absent field is neither.
func (o Opt[T]) Given() bool { return o.state == given }

// IsNull reports whether the caller sent null.
func (o Opt[T]) IsNull() bool { return o.state == null }

// Absent reports whether the caller left the field out.
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

// MarshalJSON writes null for absent and null. Only tests and generated examples write inputs.
func (o Opt[T]) MarshalJSON() ([]byte, error) {
	if o.state != given {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// Optional is any Opt, for code that inspects inputs.
type Optional interface {
	Given() bool
	IsNull() bool
	Absent() bool
	any() any
}

func (o Opt[T]) any() any { return o.value }

// ValueType returns the type of an Opt's value.
func ValueType(opt reflect.Type) (reflect.Type, bool) {
	if !opt.Implements(reflect.TypeFor[Optional]()) {
		return nil, false
	}
	field, ok := opt.FieldByName("value")
	return field.Type, ok
}
