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

// rule is a named check that a `check` tag may use: what it demands of a string, and how that is told to people and to
// machines (the pattern and length go into the API description).
type rule struct {
	Message string
	Max     int
	Pattern string
	Format  string
	ok      func(string) bool
}

// The lengths of text, in characters.
const (
	MaxName  = 200
	MaxText  = 500
	MaxNotes = 10_000
)

// Rules are the named checks for text. Every text also refuses control characters; notes allow newline and tab.
var Rules = map[string]rule{
	"name": {Message: "must be 1 to 200 characters without control characters", Max: MaxName, ok: func(s string) bool {
		return strings.TrimSpace(s) != "" && IsLine(s)
	}},
	"text":  {Message: "must be at most 500 characters without control characters", Max: MaxText, ok: IsLine},
	"notes": {Message: "must be at most 10000 characters without control characters but newline and tab", Max: MaxNotes, ok: isNotes},
	"code": {
		Message: "must be 1 to 64 capitals, digits and underscores, beginning with a capital", Max: 64, Pattern: `^[A-Z][A-Z0-9_]*$`,
		ok: regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`).MatchString,
	},
	"words": {
		Message: "must be 1 to 10000 characters, not all of them blank, without control characters but newline and tab", Max: MaxNotes,
		ok: func(s string) bool { return strings.TrimSpace(s) != "" && isNotes(s) },
	},
	"email": {Message: "must be an e-mail address", Max: MaxText, Format: "email", ok: isEmail},
	"web": {Message: "must be an http or https URL", Max: MaxText, Format: "uri", ok: func(s string) bool {
		return IsLine(s) && plain.Var(s, "http_url") == nil
	}},
	"domain": {Message: "must be a domain name", Max: 253, Format: "hostname", ok: func(s string) bool {
		return IsLine(s) && plain.Var(s, "fqdn") == nil
	}},
	"phone":   {Message: "must be a phone number in E.164 or a US form", Max: 50, ok: isPhone},
	"usstate": {Message: "must be the two letters of a US state or territory", Max: 2, Pattern: "^[A-Z]{2}$", ok: IsUSState},
	"zip": {
		Message: "must be a US ZIP code of five or nine digits", Max: 10, Pattern: `^\d{5}(-\d{4})?$`,
		ok: regexp.MustCompile(`^\d{5}(-\d{4})?$`).MatchString,
	},
	"ein": {
		Message: "must be nine digits, with or without a hyphen after the second", Max: 10, Pattern: `^\d{2}-?\d{7}$`,
		ok: regexp.MustCompile(`^\d{2}-?\d{7}$`).MatchString,
	},
	"ssn": {
		Message: "must be nine digits, with or without hyphens after the third and the fifth", Max: 11,
		Pattern: `^\d{3}-?\d{2}-?\d{4}$`, ok: regexp.MustCompile(`^\d{3}-?\d{2}-?\d{4}$`).MatchString,
	},
	"routing": {Message: "must be a routing number: nine digits, of which the last is the check digit", Max: 9, Pattern: `^\d{9}$`, ok: deal.IsRoutingNumber},
	"account": {Message: "must be 4 to 17 digits", Max: 17, Pattern: `^\d{4,17}$`, ok: regexp.MustCompile(`^\d{4,17}$`).MatchString},
	"slug": {
		Message: "must be 1 to 100 small letters, digits and hyphens, which stand between others", Max: 100,
		Pattern: `^[a-z0-9]+(-[a-z0-9]+)*$`, ok: regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`).MatchString,
	},
}

var plain = newValidator()

// newValidator teaches the library our exact types: comparisons of amounts are in cents, of rates in millionths.
func newValidator() *validator.Validate {
	v := validator.New()
	v.RegisterCustomTypeFunc(func(f reflect.Value) any { return f.Interface().(money.Amount).Cents() }, money.Amount{})
	v.RegisterCustomTypeFunc(func(f reflect.Value) any {
		return f.Interface().(money.Rate).Decimal().Shift(money.RateScale).IntPart()
	}, money.Rate{})
	return v
}

// MaxEntries bounds a list in an input.
const MaxEntries = 100

// violations lists what is wrong with the value of a field; of a list, with each of its entries.
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

// Violation says what is wrong with a value, or "".
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

// describe words a failed comparison; the units are the caller's, not those of the comparison.
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
		return "is not valid"
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

// unscaled turns "1000000" at scale 6 into "1".
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

// The bounds of JSON that is stored as it was sent.
const (
	maxObjectBytes = 256 << 10
	maxObjectDepth = 20
)

// jsonViolation judges an object or, where that will do too, an array.
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

// numberViolation refuses numbers that not every reader of the JSON could hold.
func numberViolation(raw json.RawMessage) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	for {
		token, err := dec.Token()
		if err != nil {
			return "" // its end: the decoder of the body has made sure that it is JSON
		}
		number, ok := token.(json.Number)
		if !ok {
			continue
		}
		if _, err := number.Float64(); err != nil || len(number) > maxNumber {
			return "must not hold numbers beyond the range of a double, or of more than 40 characters"
		}
	}
}

const maxNumber = 40

func IsLine(s string) bool { return !strings.ContainsFunc(s, unicode.IsControl) }

func isNotes(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' })
}

// isEmail takes the bare address only, of what the library also allows around it.
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

// usStates are the postal codes of the states, the District of Columbia and the territories (USPS Publication 28,
// appendix B), without the military ones.
var usStates = strings.Fields(`AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH
	NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI`)

func IsUSState(s string) bool {
	return slices.Contains(usStates, s)
}
