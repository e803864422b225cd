package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/mail"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-playground/validator/v10"
	"github.com/nyaruka/phonenumbers"

	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
)

// rule is a named check for strings that a `check` tag may use, with its description for people and for
// machines (pattern and length go into the API description).
type rule struct {
	Message string
	Max     int
	Pattern string
	Format  string
	ok      func(string) bool
}

// Maximum lengths of text, in characters.
const (
	MaxName  = 200
	MaxText  = 500
	MaxNotes = 10_000
)

// Rules are the named checks for text. All of them also refuse control characters; notes allow newline and
// tab.
var Rules = map[string]rule{
	"name": {Message: "must be 1 to 200 characters without control characters", Max: MaxName, ok: func(s string) bool {
		return strings.TrimSpace(s) != "" && IsLine(s)
	}},
	"text": {Message: "must be at most 500 characters without control characters", Max: MaxText, ok: IsLine},
	"notes": {
		Message: "must be at most 10000 characters without control characters except newline and tab", Max: MaxNotes,
		ok: isNotes,
	},
	"code": {
		Message: "must be 1 to 64 uppercase letters, digits and underscores, starting with a letter", Max: 64,
		Pattern: `^[A-Z][A-Z0-9_]*$`,
		ok:      regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`).MatchString,
	},
	"words": {
		Message: "must be 1 to 10000 characters, not all blank, without control characters except newline and tab",
		Max:     MaxNotes,
		ok:      func(s string) bool { return strings.TrimSpace(s) != "" && isNotes(s) },
	},
	"email": {Message: "must be an email address", Max: MaxText, Format: "email", ok: isEmail},
	"web": {Message: "must be an http or https URL", Max: MaxText, Format: "uri", ok: func(s string) bool {
		return IsLine(s) && plain.Var(s, "http_url") == nil
	}},
	"domain": {Message: "must be a domain name", Max: 253, Format: "hostname", ok: func(s string) bool {
		return IsLine(s) && plain.Var(s, "fqdn") == nil
	}},
	"phone": {Message: "must be a phone number in E.164 or US format", Max: 50, ok: isPhone},
	"usstate": {
		Message: "must be the two-letter code of a US state or territory", Max: 2, Pattern: "^[A-Z]{2}$", ok: IsUSState,
	},
	"zip": {
		Message: "must be a US ZIP code of five or nine digits", Max: 10, Pattern: `^\d{5}(-\d{4})?$`,
		ok: regexp.MustCompile(`^\d{5}(-\d{4})?$`).MatchString,
	},
	"ein": {
		Message: "must be nine digits, optionally with a hyphen after the second", Max: 10, Pattern: `^\d{2}-?\d{7}$`,
		ok: regexp.MustCompile(`^\d{2}-?\d{7}$`).MatchString,
	},
	"ssn": {
		Message: "must be nine digits, optionally with hyphens after the third and the fifth", Max: 11,
		Pattern: `^\d{3}-?\d{2}-?\d{4}$`, ok: regexp.MustCompile(`^\d{3}-?\d{2}-?\d{4}$`).MatchString,
	},
	"routing": {
		Message: "must be a nine-digit routing number with a valid check digit", Max: 9, Pattern: `^\d{9}$`,
		ok: deal.IsRoutingNumber,
	},
	"account": {
		Message: "must be 4 to 17 digits", Max: 17, Pattern: `^\d{4,17}$`, ok: regexp.MustCompile(`^\d{4,17}$`).MatchString,
	},
	"slug": {
		Message: "must be 1 to 100 lowercase letters, digits and single hyphens, starting and ending with a letter or digit",
		Max:     100,
		Pattern: `^[a-z0-9]+(-[a-z0-9]+)*$`, ok: regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString,
	},
}

var plain = newValidator()

// newValidator registers the money types with the library: it compares amounts in cents and rates in
// millionths.
func newValidator() *validator.Validate {
	v := validator.New()
	v.RegisterCustomTypeFunc(func(f reflect.Value) any { return f.Interface().(money.Amount).Cents() }, money.Amount{})
	v.RegisterCustomTypeFunc(func(f reflect.Value) any {
		return f.Interface().(money.Rate).Decimal().Shift(money.RateScale).IntPart()
	}, money.Rate{})
	return v
}

// MaxEntries is the maximum number of entries of a list in an input.
const MaxEntries = 100

// violations lists the problems of a field's value; for a list, the problems of each entry.
func violations(path string, value any, check string) []fault.Detail {
	list, ok := value.([]string)
	if !ok {
		if message := Violation(value, check); message != "" {
			return []fault.Detail{{Path: path, Message: message}}
		}
		return nil
	}
	if len(list) > MaxEntries {
		return []fault.Detail{{Path: path, Message: fmt.Sprintf("must have at most %d entries", MaxEntries)}}
	}
	var problems []fault.Detail
	for i, entry := range list {
		if message := Violation(entry, check); message != "" {
			problems = append(problems, fault.Detail{Path: fmt.Sprintf("%s.%d", path, i), Message: message})
		}
	}
	return problems
}

// Violation returns the problem of a value, or "".
func Violation(value any, check string) string {
	if message := enumViolation(value); message != "" {
		return message
	}
	if raw, ok := value.(json.RawMessage); ok {
		return jsonViolation(raw, check == "json")
	}
	if s, ok := value.(string); ok {
		named, rest, _ := strings.Cut(check, ",")
		r, known := Rules[named]
		if !known {
			r, rest = Rules["text"], check
		}
		if !utf8.ValidString(s) || utf8.RuneCountInString(s) > r.Max || !r.ok(s) {
			return r.Message
		}
		check = rest
	}
	if check == "" {
		return ""
	}
	var failures validator.ValidationErrors
	if err := plain.Var(value, check); errors.As(err, &failures) {
		return describe(value, failures[0])
	}
	return ""
}

// describe words a failed comparison in the caller's units, not in those of the comparison.
func describe(value any, f validator.FieldError) string {
	switch f.Tag() {
	case "gt":
		return "must be greater than " + param(value, f)
	case "gte", "min":
		return "must be at least " + param(value, f)
	case "lte", "max":
		return "must be at most " + param(value, f)
	case "ne":
		return "must not be " + param(value, f)
	default:
		return "is invalid"
	}
}

func param(value any, f validator.FieldError) string {
	switch value.(type) {
	case money.Amount:
		return unscaled(f.Param(), money.AmountScale)
	case money.Rate:
		return unscaled(f.Param(), money.RateScale)
	}
	return f.Param()
}

// unscaled returns an integer of the given scale as a decimal: "1000000" at scale 6 is "1".
func unscaled(digits string, scale int) string {
	padded := strings.Repeat("0", max(0, scale+1-len(digits))) + digits
	whole, frac := padded[:len(padded)-scale], strings.TrimRight(padded[len(padded)-scale:], "0")
	if frac == "" {
		return whole
	}
	return whole + "." + frac
}

// Enum is a string type with a closed set of values.
type Enum interface{ Values() []string }

func enumViolation(value any) string {
	e, ok := value.(Enum)
	if !ok {
		return ""
	}
	for _, allowed := range e.Values() {
		if allowed == fmt.Sprint(value) {
			return ""
		}
	}
	return "must be one of " + strings.Join(e.Values(), ", ")
}

// Limits of JSON that is stored as sent.
const (
	maxObjectBytes = 256 << 10
	maxObjectDepth = 20
)

// jsonViolation checks an object or, if array is true, an object or an array.
func jsonViolation(raw json.RawMessage, array bool) string {
	if len(raw) == 0 || (raw[0] != '{' && (raw[0] != '[' || !array)) {
		if array {
			return "must be an array or an object"
		}
		return "must be an object"
	}
	if len(raw) > maxObjectBytes {
		return "must be at most 256 KiB"
	}
	depth, deepest, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	if deepest > maxObjectDepth {
		return "must not be nested deeper than 20 levels"
	}
	return numberViolation(raw)
}

// numberViolation refuses numbers that a JSON reader may not be able to represent.
func numberViolation(raw json.RawMessage) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil {
			return "" // end of input: the body's decoder has already checked the syntax
		}
		number, ok := token.(json.Number)
		if !ok {
			continue
		}
		if _, err := number.Float64(); err != nil || len(number) > maxNumber {
			return "must not contain numbers outside the range of a double or longer than 40 characters"
		}
	}
}

const maxNumber = 40

// IsLine reports whether s has no control characters, so that it fits on one line.
func IsLine(s string) bool { return !strings.ContainsFunc(s, unicode.IsControl) }

func isNotes(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
}

// isEmail accepts only a bare address, without the display name that the library also parses.
func isEmail(s string) bool {
	parsed, err := mail.ParseAddress(s)
	return err == nil && parsed.Address == s && IsLine(s) && plain.Var(s, "email") == nil
}

var phoneText = regexp.MustCompile(`^\+?[0-9(][0-9 ().\-/]*(?: ?(?:x|ext\.?) ?\d{1,6})?$`)

func isPhone(s string) bool {
	if !phoneText.MatchString(s) {
		return false
	}
	number, err := phonenumbers.Parse(s, "US")
	return err == nil && phonenumbers.IsPossibleNumber(number)
}

// usStates are the postal codes of the states, the District of Columbia and the territories, without the
// military ones. Source: USPS Publication 28, appendix B.
var usStates = strings.Fields(`AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH
	NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI`)

// IsUSState reports whether s is the postal code of a US state, DC or a territory.
func IsUSState(s string) bool {
	return slices.Contains(usStates, s)
}
