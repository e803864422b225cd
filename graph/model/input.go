package model

import (
	"errors"
	"io"
)

// Input is an input object as it came: which fields are there, and which of those are null. What it means is decided
// where the service's own input is read from it, so that everything that is wrong with it is told at once.
type Input map[string]any

// UnmarshalGQL takes an object that has been held against the schema.
func (i *Input) UnmarshalGQL(v any) error {
	object, ok := v.(map[string]any)
	if !ok {
		return errors.New("an input is an object")
	}
	*i = withEmptyLists(object).(map[string]any)
	return nil
}

// withEmptyLists is a value in which an empty list is one: the parser makes a nil slice of [] in a document, which would be
// taken for null.
func withEmptyLists(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, value := range v {
			v[name] = withEmptyLists(value)
		}
	case []any:
		if v == nil {
			return []any{}
		}
		for i, value := range v {
			v[i] = withEmptyLists(value)
		}
	}
	return v
}

// MarshalGQL is never called: an input is no part of an answer.
func (i Input) MarshalGQL(io.Writer) {}
