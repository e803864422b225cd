package model

import (
	"errors"
	"io"
)

// Input is an input object as it was sent: which fields are present, and which of those are null. The service's
// own input is read from it, so that all problems are reported at once.
type Input map[string]any

// UnmarshalGQL accepts a validated object.
func (i *Input) UnmarshalGQL(v any) error {
	object, ok := v.(map[string]any)
	if !ok {
		return errors.New("an input must be an object")
	}
	*i = withEmptyLists(object).(map[string]any)
	return nil
}

// withEmptyLists copies a value and replaces nil slices by empty ones: the parser makes a nil slice of [] in a
// document, which would be read as null. It does not change the original, because fields that are resolved
// concurrently may share a variable.
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

// MarshalGQL is never called: an input is not part of a response.
func (i Input) MarshalGQL(io.Writer) {}
