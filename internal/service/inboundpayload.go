package service

import (
	"encoding/json"
	"reflect"
	"strconv"
	"time"

	"paydown/internal/fault"
	"paydown/internal/webhook"
)

// inboundPayload is the object that a sender's system sent. Each source takes what it needs and passes over the rest,
// so that a system may send what it has.
type inboundPayload map[string]json.RawMessage

func parseInbound(raw json.RawMessage) (inboundPayload, error) {
	var p inboundPayload
	if err := json.Unmarshal(raw, &p); err != nil || p == nil {
		return nil, fault.Field("body", "must be a JSON object")
	}
	if message := numberViolation(raw); message != "" {
		return nil, fault.Field("body", "%s", message)
	}
	return p, nil
}

// maxEventID is in bytes.
const maxEventID = 255

// id is what the sender calls the event: eventId or, without one, id; text, or a whole number.
func (p inboundPayload) id() (string, error) {
	for _, name := range []string{"eventId", "id"} {
		raw, given := p[name]
		if !given || string(raw) == "null" {
			continue
		}
		var text string
		if err := json.Unmarshal(raw, &text); err != nil {
			n, err := strconv.ParseInt(string(raw), 10, 64)
			if err != nil {
				return "", fault.Field(name, "must be a string or a whole number")
			}
			text = strconv.FormatInt(n, 10)
		}
		if text == "" || len(text) > maxEventID || !isLine(text) {
			return "", fault.Field(name, "must be 1 to %d bytes without control characters", maxEventID)
		}
		return text, nil
	}
	return "", fault.Field("eventId", "is required: what the sender calls the event, as eventId or id")
}

// inputOf reads the fields of an input out of the payload and checks them; judge adds what the fields demand of each
// other. All problems are reported at once.
func inputOf[I any](p inboundPayload, judge func(I) []fault.Detail) (I, error) {
	var in I
	v := reflect.ValueOf(&in).Elem()
	var problems []fault.Detail
	for _, f := range PublicFields(v.Type()) {
		raw, given := p[f.Name]
		if !given {
			continue
		}
		if err := json.Unmarshal(raw, v.FieldByIndex(f.Index).Addr().Interface()); err != nil {
			problems = append(problems, fault.Detail{Path: f.Name, Message: Misfit(f.Type, err)})
		}
	}
	if len(problems) == 0 {
		problems = Check(in, ForCreate)
	}
	if len(problems) == 0 && judge != nil {
		problems = judge(in)
	}
	if len(problems) > 0 {
		return in, fault.Invalid(problems...)
	}
	return in, nil
}

// notAhead refuses a time that lies in the future. The sender's clock may be as far ahead of ours as the timestamp of a
// signature may.
func (t *tx) notAhead(occurredAt time.Time) error {
	if occurredAt.After(t.At().Add(webhook.Freshness)) {
		return fault.Field("occurredAt", "must not lie in the future")
	}
	return nil
}
