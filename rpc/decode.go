package rpc

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"paydown/internal/fault"
)

// longestName limits how much of an unknown field's name an error repeats.
const longestName = 64

// decodeError explains why JSON is not a valid message: all problems at once, by field. It repeats no value.
func decodeError(raw []byte, m proto.Message) *fault.Error {
	var fields map[string]json.RawMessage
	err := json.Unmarshal(raw, &fields)
	if broken, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fault.New(fault.InvalidJSON, "The message is not valid JSON: error at byte %d.", broken.Offset)
	}
	if err != nil || fields == nil {
		return fault.New(fault.InvalidJSON, "The message must be a JSON object.")
	}
	if !utf8.Valid(raw) {
		return fault.New(fault.InvalidJSON, "The message is not valid UTF-8.")
	}
	var problems []fault.Detail
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if problem := fieldProblem(m, name, fields[name]); problem != nil {
			problems = append(problems, *problem)
		}
	}
	if len(problems) == 0 {
		return fault.New(fault.InvalidJSON, "The message cannot be read: a field must not be repeated.")
	}
	return fault.Invalid(problems...)
}

// fieldProblem returns what is wrong with one field, or nil.
func fieldProblem(m proto.Message, name string, value json.RawMessage) *fault.Detail {
	known := m.ProtoReflect().Descriptor().Fields()
	field := known.ByJSONName(name)
	if field == nil {
		field = known.ByName(protoreflect.Name(name))
	}
	if field == nil {
		if len(name) > longestName {
			name = string([]rune(name)[:longestName/4]) + "…"
		}
		return &fault.Detail{Path: name, Message: "unknown field"}
	}
	alone, err := json.Marshal(map[string]json.RawMessage{name: value})
	if err == nil && protojson.Unmarshal(alone, m.ProtoReflect().New().Interface()) == nil {
		return nil
	}
	return &fault.Detail{Path: field.JSONName(), Message: "must be " + expected(field)}
}

// expected describes the values that a field accepts.
func expected(field protoreflect.FieldDescriptor) string {
	one := "text"
	switch field.Kind() {
	case protoreflect.BoolKind:
		one = "true or false"
	case protoreflect.Uint32Kind:
		one = "a whole number from 0 to 4294967295"
	case protoreflect.MessageKind:
		one = "an object"
		switch field.Message().FullName() {
		case "google.protobuf.Timestamp":
			one = "a time such as 2026-01-31T09:00:00Z"
		case "paydown.admin.v1.StringList":
			one = `an object such as {"values": ["one"]}`
		}
	default:
	}
	if field.IsList() {
		return fmt.Sprintf("a list of entries, each %s", one)
	}
	return one
}
