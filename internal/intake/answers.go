package intake

import (
	"encoding/json"
	"slices"
	"strings"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
)

// Answers are the answers of an application, by field name, without empty ones.
type Answers map[string]json.RawMessage

// ParseAnswers parses a completed form and reports all problems, with paths below payload. text checks a text
// answer and returns its problem or "". Null and the empty string count as no answer.
func ParseAnswers(
	fields []Field, payload json.RawMessage, text func(t Type, answer string) string,
) (Answers, []fault.Detail) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(payload, &given); err != nil || given == nil {
		return nil, []fault.Detail{{Path: "payload", Message: "must be an object with the form's fields"}}
	}
	answers := Answers{}
	var problems []fault.Detail
	for _, f := range fields {
		raw, there := given[f.Name]
		delete(given, f.Name)
		if !there || string(raw) == "null" || string(raw) == `""` {
			if f.Required {
				problems = append(problems, fault.Detail{Path: "payload." + f.Name, Message: "is required"})
			}
			continue
		}
		if message := f.violation(raw, text); message != "" {
			problems = append(problems, fault.Detail{Path: "payload." + f.Name, Message: message})
			continue
		}
		answers[f.Name] = raw
	}
	if len(given) > 0 {
		problems = append(problems, fault.Detail{Path: "payload", Message: "must have only fields of the form"})
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return answers, nil
}

// violation returns the problem of an answer, or "".
func (f Field) violation(raw json.RawMessage, text func(Type, string) string) string {
	switch f.Type {
	case Money:
		var amount money.Amount
		if err := json.Unmarshal(raw, &amount); err != nil {
			return money.ErrAmount.Error()
		}
		if amount.Sign() < 0 {
			return "must be at least 0"
		}
		return ""
	case Date:
		if err := json.Unmarshal(raw, new(civil.Date)); err != nil {
			return civil.ErrDate.Error()
		}
		return ""
	case Number:
		if err := json.Unmarshal(raw, new(int)); err != nil {
			return "must be an integer"
		}
		return ""
	case Checkbox:
		var ticked bool
		if err := json.Unmarshal(raw, &ticked); err != nil {
			return "must be true or false"
		}
		if f.Required && !ticked {
			return "must be true"
		}
		return ""
	default:
		return f.textProblem(raw, text)
	}
}

// textProblem returns the problem of a text answer, or "".
func (f Field) textProblem(raw json.RawMessage, text func(Type, string) string) string {
	var answer string
	if err := json.Unmarshal(raw, &answer); err != nil {
		return "must be a string"
	}
	if f.Type == Choice {
		if !slices.Contains(f.Options, answer) {
			return "must be one of the form's options"
		}
		return ""
	}
	return text(f.Type, answer)
}

// For returns the object that the answers map to for a record: an answer mapped to "lead.businessName" is the
// lead's businessName. It is nil if nothing is mapped to the record.
func (a Answers) For(record string, fields []Field) json.RawMessage {
	object := map[string]json.RawMessage{}
	for _, f := range fields {
		answer, there := a[f.Name]
		if !there {
			continue
		}
		for _, target := range f.MapsTo {
			if of, name, _ := strings.Cut(target, "."); of == record {
				object[name] = answer
			}
		}
	}
	if len(object) == 0 {
		return nil
	}
	raw, _ := json.Marshal(object) // valid JSON cannot fail
	return raw
}
