// Package intake is how businesses apply: what a form asks, and what may become of an application. It reads no clock and
// no database.
package intake

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"paydown/internal/fault"
	"paydown/internal/status"
)

// Status is where an application stands.
type Status string

// The statuses of the public contract.
const (
	Received  Status = "RECEIVED"
	Reviewed  Status = "REVIEWED"
	Converted Status = "CONVERTED"
	Spam      Status = "SPAM"
)

// moves is the table of what becomes of an application. What was taken for spam can be taken back.
var moves = status.Table[Status]{
	Received: {Reviewed, Spam, Converted},
	Reviewed: {Spam, Converted},
	Spam:     {Reviewed},
}

// Check is nil where an application may move so, and otherwise a conflict.
func Check(from, to Status) error { return moves.Check("application", from, to) }

// Type is what kind of answer a field of a form takes.
type Type string

// The types. Money is a decimal string in dollars, a number is whole, a date is YYYY-MM-DD, a checkbox is true or false,
// and everything else is text. Social security numbers and account numbers are stored sealed.
const (
	Text     Type = "text"
	Notes    Type = "notes"
	Email    Type = "email"
	Phone    Type = "tel"
	URL      Type = "url"
	State    Type = "state"
	ZIP      Type = "zip"
	EIN      Type = "ein"
	SSN      Type = "ssn"
	Account  Type = "account"
	Money    Type = "money"
	Number   Type = "number"
	Date     Type = "date"
	Choice   Type = "choice"
	Checkbox Type = "checkbox"
)

// Types lists them.
var Types = []Type{Text, Notes, Email, Phone, URL, State, ZIP, EIN, SSN, Account, Money, Number, Date, Choice, Checkbox}

// Field is one thing that a form asks. Help is shown beside it. Options are what a choice offers. MapsTo are the fields of a lead or a merchant
// that an answer becomes when the application is converted: "lead.businessName", "merchant.legalName".
type Field struct {
	Name     string   `json:"name"`
	Label    string   `json:"label"`
	Type     Type     `json:"type"`
	Required bool     `json:"required"`
	Help     string   `json:"help,omitempty"`
	Options  []string `json:"options,omitempty"`
	MapsTo   []string `json:"mapsTo,omitempty"`
}

// The bounds of a form.
const (
	maxFields  = 100
	maxOptions = 100
	maxTargets = 10
	maxText    = 500
)

var fieldName = regexp.MustCompile(`^[a-z][A-Za-z0-9]{0,49}$`)

// ParseFields reads what a form asks, in order, and reports everything that is wrong with it by paths below fields. fits
// says what is wrong with having an answer of a type become a target, or "".
func ParseFields(raw json.RawMessage, fits func(t Type, target string) string) ([]Field, []fault.Detail) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var fields []Field
	if err := dec.Decode(&fields); err != nil || fields == nil {
		return nil, []fault.Detail{{Path: "fields", Message: "must be an array of {name, label, type, required, help, options, mapsTo}"}}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, []fault.Detail{{Path: "fields", Message: "must be one array"}}
	}
	j := judge{fits: fits, names: map[string]bool{}, targets: map[string]bool{}}
	if len(fields) == 0 || len(fields) > maxFields {
		j.problem("fields", "must have 1 to %d entries", maxFields)
		return nil, j.problems
	}
	for i, f := range fields {
		j.field(fmt.Sprintf("fields.%d", i), f)
	}
	if len(j.problems) > 0 {
		return nil, j.problems
	}
	return fields, nil
}

// judge collects what is wrong with the fields of one form.
type judge struct {
	fits           func(Type, string) string
	names, targets map[string]bool
	problems       []fault.Detail
}

func (j *judge) problem(path, format string, args ...any) {
	j.problems = append(j.problems, fault.Detail{Path: path, Message: fmt.Sprintf(format, args...)})
}

func (j *judge) field(path string, f Field) {
	switch {
	case !fieldName.MatchString(f.Name):
		j.problem(path+".name", "must be 1 to 50 letters and digits, beginning with a small letter")
	case j.names[f.Name]:
		j.problem(path+".name", "is the name of another field already")
	}
	j.names[f.Name] = true
	if !isLabel(f.Label) {
		j.problem(path+".label", "must be 1 to %d characters", maxText)
	}
	if f.Help != "" && !isLabel(f.Help) {
		j.problem(path+".help", "must be 1 to %d characters", maxText)
	}
	if !slices.Contains(Types, f.Type) {
		j.problem(path+".type", "must be one of %s", typeNames())
		return
	}
	j.options(path+".options", f)
	if len(f.MapsTo) > maxTargets {
		j.problem(path+".mapsTo", "must have at most %d entries", maxTargets)
		return
	}
	for i, target := range f.MapsTo {
		at := fmt.Sprintf("%s.mapsTo.%d", path, i)
		if message := j.fits(f.Type, target); message != "" {
			j.problem(at, "%s", message)
		} else if j.targets[target] {
			j.problem(at, "is what another field becomes already")
		}
		j.targets[target] = true
	}
}

func (j *judge) options(path string, f Field) {
	switch {
	case f.Type != Choice && len(f.Options) > 0:
		j.problem(path, "are for a field of type choice alone")
	case f.Type == Choice && (len(f.Options) == 0 || len(f.Options) > maxOptions):
		j.problem(path, "must have 1 to %d entries", maxOptions)
	}
	for i, option := range f.Options {
		if !isLabel(option) {
			j.problem(fmt.Sprintf("%s.%d", path, i), "must be 1 to %d characters", maxText)
		} else if slices.Contains(f.Options[:i], option) {
			j.problem(fmt.Sprintf("%s.%d", path, i), "is there twice")
		}
	}
}

func isLabel(s string) bool {
	return strings.TrimSpace(s) != "" && utf8.ValidString(s) && utf8.RuneCountInString(s) <= maxText
}

func typeNames() string {
	names := make([]string, len(Types))
	for i, t := range Types {
		names[i] = string(t)
	}
	return strings.Join(names, ", ")
}
