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

// withEmptyLists copies a value with each empty list as one: the parser makes a nil slice of [] in a document, which would be
// taken for null. What came is left as it is, since fields that are resolved side by side may share a variable.
func withEmptyLists(v any) any {
	switch v := v.(type) {
	case map[string]any:
		copied := make(map[string]any, len(v))
		for name, value := range v {
			copied[name] = withEmptyLists(value)
		}
		return copied
	case []any:
		copied := make([]any, len(v))
		for i, value := range v {
			copied[i] = withEmptyLists(value)
		}
		return copied
	default:
		return v
	}
}

// MarshalGQL is never called: an input is no part of an answer.
func (i Input) MarshalGQL(io.Writer) {}
