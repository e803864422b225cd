package public

import (
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"paydown/internal/fault"
	"paydown/internal/intake"
)

// question is a field of a form with its value and its problem.
type question struct {
	intake.Field
	Value   string
	Ticked  bool
	Problem string // "" if nothing is wrong
}

// problem is an error to correct, with the id of its input.
type problem struct{ ID, Label, Message string }

// ID is the id of the input.
func (q question) ID() string { return "q-" + q.Name }

// Describes returns the ids of the texts that describe the input, or "".
func (q question) Describes() string {
	var ids []string
	if q.Help != "" {
		ids = append(ids, q.ID()+"-help")
	}
	if q.Problem != "" {
		ids = append(ids, q.ID()+"-problem")
	}
	return strings.Join(ids, " ")
}

// Kind selects the template's input.
func (q question) Kind() string {
	switch q.Type {
	case intake.Notes, intake.Choice, intake.State, intake.Checkbox, intake.Money:
		return string(q.Type)
	default:
		return "line"
	}
}

// Input is the type attribute.
func (q question) Input() string {
	switch q.Type {
	case intake.Email, intake.Phone, intake.URL, intake.Date:
		return string(q.Type)
	default:
		return "text"
	}
}

// Mode selects the keyboard that a phone shows.
func (q question) Mode() string {
	switch q.Type {
	case intake.Number, intake.ZIP, intake.EIN, intake.SSN, intake.Account:
		return "numeric"
	default:
		return ""
	}
}

// Example shows the format of an answer if it is not obvious.
func (q question) Example() string {
	switch q.Type {
	case intake.EIN:
		return "12-3456789"
	case intake.SSN:
		return "123-45-6789"
	case intake.URL:
		return "https://"
	default:
		return ""
	}
}

// fills are the autocomplete values by mapped field.
var fills = map[string]string{
	"lead.businessName": "organization", "lead.dbaName": "organization", "merchant.legalName": "organization",
	"merchant.dbaName": "organization", "lead.contactName": "name", "merchant.address": "street-address",
	"merchant.city": "address-level2",
}

// Fill is the autocomplete attribute.
func (q question) Fill() string {
	switch q.Type { //nolint:exhaustive // the other types have no autocomplete value
	case intake.Email:
		return "email"
	case intake.Phone:
		return "tel"
	case intake.URL:
		return "url"
	case intake.State:
		return "address-level1"
	case intake.ZIP:
		return "postal-code"
	}
	for _, target := range q.MapsTo {
		if fill, ok := fills[target]; ok {
			return fill
		}
	}
	return "off"
}

// States are the options of a state field.
func (question) States() []state { return states }

// blank returns the questions without answers.
func blank(fields []intake.Field) []question {
	questions := make([]question, len(fields))
	for i, f := range fields {
		questions[i] = question{Field: f}
	}
	return questions
}

// keep adds the input of a refused form and its problems.
func (p *formPage) keep(sent url.Values, problems []fault.Detail) {
	for i := range p.Questions {
		q := &p.Questions[i]
		q.Value, q.Ticked = sent.Get(q.Name), sent.Has(q.Name)
		at := slices.IndexFunc(problems, func(d fault.Detail) bool { return d.Path == "payload."+q.Name })
		if at >= 0 {
			q.Problem = q.formatAnswer(problems[at].Message)
			p.Problems = append(p.Problems, problem{q.ID(), q.Label, q.Problem})
		}
	}
	if len(p.Problems) > 0 {
		p.Title = "Please check: " + p.Title
	}
}

// formatAnswer rewords a problem for the person who answered.
func (q question) formatAnswer(message string) string {
	switch {
	case q.Type == intake.Checkbox:
		return "Check this box to continue."
	case q.Type == intake.Choice, q.Type == intake.State:
		return "Select an option."
	case message == "is required":
		return "Fill in this field."
	case q.Type == intake.Money && !strings.HasPrefix(message, "must be at least"):
		return "Must be an amount in dollars, such as 25,000 or 1,250.50."
	default:
		return sentence(message)
	}
}

// sentence makes a message a full sentence.
func sentence(message string) string {
	return strings.ToUpper(message[:1]) + message[1:] + "."
}

// payloadOf converts the form input to answers for the service. People write amounts and numbers with commas,
// and put blanks around anything.
func payloadOf(fields []intake.Field, sent url.Values) json.RawMessage {
	answers := map[string]any{}
	for _, f := range fields {
		answer := strings.TrimSpace(strings.ReplaceAll(sent.Get(f.Name), "\r\n", "\n"))
		switch {
		case f.Type == intake.Checkbox:
			answers[f.Name] = sent.Has(f.Name)
		case answer == "":
		case f.Type == intake.Money:
			answers[f.Name] = plainAmount(answer)
		case f.Type == intake.Number:
			answers[f.Name] = wholeNumber(answer)
		default:
			answers[f.Name] = answer
		}
	}
	raw, err := json.Marshal(answers)
	if err != nil {
		panic(err) // strings, numbers and booleans always marshal
	}
	return raw
}

// thousands matches a number with commas as thousands separators. Any other comma may be a decimal comma: 2,5.
var thousands = regexp.MustCompile(`^-?[0-9]{1,3}(,[0-9]{3})+(\.[0-9]*)?$`)

// plainAmount removes dollar signs, blanks and thousands separators from an amount.
func plainAmount(s string) string {
	return ungrouped(strings.NewReplacer("$", "", " ", "").Replace(s))
}

// ungrouped removes thousands separators from a number, and returns any other text unchanged.
func ungrouped(s string) string {
	if thousands.MatchString(s) {
		return strings.ReplaceAll(s, ",", "")
	}
	return s
}

// wholeNumber returns the number, or the text if it is not a number.
func wholeNumber(s string) any {
	if n, err := strconv.Atoi(ungrouped(s)); err == nil {
		return n
	}
	return s
}
