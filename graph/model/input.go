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
	*i = object
	return nil
}

// MarshalGQL is never called: an input is no part of an answer.
func (i Input) MarshalGQL(io.Writer) {}
