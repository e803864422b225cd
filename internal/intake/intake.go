// Package intake defines application forms and the statuses of applications. It reads no clock and no
// database.
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

// Status is the status of an application.
type Status string

// The statuses in the API.
const (
	Received  Status = "RECEIVED"
	Reviewed  Status = "REVIEWED"
	Converted Status = "CONVERTED"
	Spam      Status = "SPAM"
)

// moves is the table of allowed status changes. An application marked as spam can be restored.
var moves = status.Table[Status]{
	Received: {Reviewed, Spam, Converted},
	Reviewed: {Spam, Converted},
	Spam:     {Reviewed},
}

// Check returns a conflict unless an application may change from one status to the other.
func Check(from, to Status) error { return moves.Check("application", from, to) }

// Type is the type of a form field's answer.
type Type string

// The types. Money is a decimal string in dollars, a number is an integer, a date is YYYY-MM-DD, a checkbox
// is true or false, and everything else is text. Social security numbers and account numbers are stored
// sealed.
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

// Field is a field of a form. Help is shown next to it. Options are the options of a choice. MapsTo are the
// fields of a lead or a merchant that get the answer at conversion: "lead.businessName",
// "merchant.legalName".
type Field struct {
	Name     string   `json:"name"`
	Label    string   `json:"label"`
	Type     Type     `json:"type"`
	Required bool     `json:"required"`
	Help     string   `json:"help,omitempty"`
	Options  []string `json:"options,omitempty"`
	MapsTo   []string `json:"mapsTo,omitempty"`
}

// Limits of a form.
const (
	maxFields  = 100
	maxOptions = 100
	maxTargets = 10
	maxText    = 500
)

var fieldName = regexp.MustCompile(`^[a-z][A-Za-z0-9]{0,49}$`)

// ParseFields parses a form's fields and reports all problems, with paths below fields. fits returns why
// answers of a type cannot be mapped to a target, or "".
func ParseFields(raw json.RawMessage, fits func(t Type, target string) string) ([]Field, []fault.Detail) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	var fields []Field
	if err := dec.Decode(&fields); err != nil || fields == nil {
		return nil, []fault.Detail{{
			Path: "fields", Message: "must be an array of {name, label, type, required, help, options, mapsTo}",
		}}
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, []fault.Detail{{Path: "fields", Message: "must be a single array"}}
	}
	j := checker{fits: fits, names: map[string]bool{}, targets: map[string]bool{}}
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

// checker collects the problems of a form's fields.
type checker struct {
	fits           func(Type, string) string
	names, targets map[string]bool
	problems       []fault.Detail
}

func (j *checker) problem(path, format string, args ...any) {
	j.problems = append(j.problems, fault.Detail{Path: path, Message: fmt.Sprintf(format, args...)})
}

func (j *checker) field(path string, f Field) {
	switch {
	case !fieldName.MatchString(f.Name):
		j.problem(path+".name", "must be 1 to 50 letters and digits, starting with a lowercase letter")
	case j.names[f.Name]:
		j.problem(path+".name", "must be unique: another field has this name")
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
			j.problem(at, "must be unique: another field maps to this target")
		}
		j.targets[target] = true
	}
}

func (j *checker) options(path string, f Field) {
	switch {
	case f.Type != Choice && len(f.Options) > 0:
		j.problem(path, "must be absent unless the type is choice")
	case f.Type == Choice && (len(f.Options) == 0 || len(f.Options) > maxOptions):
		j.problem(path, "must have 1 to %d entries", maxOptions)
	}
	for i, option := range f.Options {
		if !isLabel(option) {
			j.problem(fmt.Sprintf("%s.%d", path, i), "must be 1 to %d characters", maxText)
		} else if slices.Contains(f.Options[:i], option) {
			j.problem(fmt.Sprintf("%s.%d", path, i), "must be listed only once")
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
