package input

import (
	"encoding/json"
	"reflect"
	"strconv"

	"paydown/internal/fault"
)

// Payload is the JSON object that a sender's system sent. Each source reads the fields that it needs and
// ignores the rest, so that senders need not remove fields.
type Payload map[string]json.RawMessage

// ParsePayload parses a JSON object. Errors: validation of the path body.
func ParsePayload(raw json.RawMessage) (Payload, error) {
	var p Payload
	if err := json.Unmarshal(raw, &p); err != nil || p == nil {
		return nil, fault.Field("body", "must be a JSON object")
	}
	if message := numberViolation(raw); message != "" {
		return nil, fault.Field("body", "%s", message)
	}
	return p, nil
}

// maxEventID is a length in bytes.
const maxEventID = 255

// ID returns the sender's id of the event: eventId or, if absent, id. It may be a string or an integer.
func (p Payload) ID() (string, error) {
	for _, name := range []string{"eventId", "id"} {
		raw, given := p[name]
		if !given || string(raw) == "null" {
			continue
		}
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			n, err := strconv.ParseInt(string(raw), 10, 64)
			if err != nil {
				return "", fault.Field(name, "must be a string or an integer")
			}
			text = strconv.FormatInt(n, 10)
		}
		if text == "" || len(text) > maxEventID || !IsLine(text) {
			return "", fault.Field(name, "must be 1 to %d bytes without control characters", maxEventID)
		}
		return text, nil
	}
	return "", fault.Field("eventId", "is required: send the event's id as eventId or id")
}

// FromPayload reads the fields of an input from the payload and checks them; further adds checks across fields.
// It reports all problems at once.
func FromPayload[I any](p Payload, further func(I) []fault.Detail) (I, error) {
	var in I
	v := reflect.ValueOf(&in).Elem()
	var problems []fault.Detail
	for _, f := range PublicFields(v.Type()) {
		raw, given := p[f.Name]
		if !given {
			continue
		}
		if err := json.Unmarshal(raw, v.FieldByIndex(f.Index).Addr().Interface()); err != nil {
			problems = append(problems, fault.Detail{Path: f.Name, Message: DecodeMessage(f.Type, err)})
		}
	}
	if len(problems) == 0 {
		problems = Check(in, ForCreate)
	}
	if len(problems) == 0 && further != nil {
		problems = further(in)
	}
	if len(problems) > 0 {
		return in, fault.Invalid(problems...)
	}
	return in, nil
}
