package intake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"paydown/internal/secret"
)

// Social security numbers and bank account numbers are stored sealed, each one bound to its answer and
// application. In the stored payload such an answer is an object, which a regular answer never is:
//
//         {"business": "Harbor Street Bakery", "ownerSsn": {"$sealed": "base64"}}
//
// The sealed value is the answer's JSON.

// Mask replaces a sealed answer for readers without access.
const Mask = "(sealed)"

type sealedAnswer struct {
	Sealed []byte `json:"$sealed"`
}

// sealedIn returns the sealed value of a stored answer; nil if the answer is not sealed.
func sealedIn(raw json.RawMessage) []byte {
	var answer sealedAnswer
	if !bytes.HasPrefix(raw, []byte("{")) || json.Unmarshal(raw, &answer) != nil {
		return nil
	}
	return answer.Sealed
}

// boundTo returns the context that an answer is sealed for.
func boundTo(id int, name string) string { return fmt.Sprintf("application %d answer %s", id, name) }

// inText matches a social security number within a text, in the usual format.
var inText = regexp.MustCompile(`(^|[^0-9-])[0-9]{3}-[0-9]{2}-[0-9]{4}($|[^0-9-])`)

// secretWords are sequences of words in a field's name or label that indicate a secret answer, regardless of
// the type.
var secretWords = [][]string{
	{"ssn"},
	{"itin"},
	{"social", "security"},
	{"account", "number"},
	{"account", "no"},
	{"account", "num"},
	{"acct", "number"},
	{"acct", "no"},
}

// isSecret reports whether an answer is stored sealed, because of the field's type, its name or label, or the
// format of the answer.
func (f Field) isSecret(answer json.RawMessage) bool {
	switch f.Type { //nolint:exhaustive // the other types accept any text
	case SSN, Account:
		return true
	case Checkbox, Choice, Date, Money, EIN, Email, State, ZIP, URL, Phone:
		return false
	}
	return asksForSecret(f.Name) || asksForSecret(f.Label) || inText.Match(answer)
}

func asksForSecret(name string) bool {
	all := wordsOf(name)
	for _, run := range secretWords {
		for i := range all {
			if len(all)-i >= len(run) && slices.Equal(all[i:i+len(run)], run) {
				return true
			}
		}
	}
	return false
}

// wordsOf returns the words of a label or of a camel-case name, in lower case.
func wordsOf(name string) []string {
	var b strings.Builder
	small := false
	for _, r := range name {
		if unicode.IsUpper(r) && small {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(r)
		if unicode.IsLetter(r) {
			b.WriteRune(unicode.ToLower(r))
		} else {
			b.WriteByte(' ')
		}
	}
	return strings.Fields(b.String())
}

// answersIn returns the answers of a payload by name; nil if it is not an object.
func answersIn(payload json.RawMessage) map[string]json.RawMessage {
	var answers map[string]json.RawMessage
	if json.Unmarshal(payload, &answers) != nil {
		return nil
	}
	return answers
}

// each applies change to each answer of a payload. It returns the payload itself if nothing changes.
func each(
	payload json.RawMessage, change func(name string, answer json.RawMessage) (json.RawMessage, error),
) (json.RawMessage, error) {
	answers := answersIn(payload)
	changed := false
	for name, answer := range answers {
		next, err := change(name, answer)
		if err != nil {
			return nil, err
		}
		if next != nil {
			answers[name], changed = next, true
		}
	}
	if !changed {
		return payload, nil
	}
	return json.Marshal(answers)
}

// Reseal returns the payload of an application for storage: secret answers are sealed, and already sealed
// ones are sealed again under the active key. It serves new applications and changes of the secret key.
// fields are the form's fields; sealed is the number of sealed answers.
func Reseal(
	box *secret.Box, id int, fields []Field, payload json.RawMessage,
) (stored json.RawMessage, sealed int, err error) {
	asked := map[string]Field{}
	for _, f := range fields {
		asked[f.Name] = f
	}
	stored, err = each(payload, func(name string, answer json.RawMessage) (json.RawMessage, error) {
		plain := []byte(answer)
		if old := sealedIn(answer); old != nil {
			var err error
			if plain, err = box.Unseal(old, boundTo(id, name)); err != nil {
				return nil, fmt.Errorf("answer %s of application %d: %w", name, id, err)
			}
		} else if f, known := asked[name]; !known && !inText.Match(answer) || known && !f.isSecret(answer) {
			return nil, nil
		}
		sealed++
		return json.Marshal(sealedAnswer{box.Seal(plain, boundTo(id, name))})
	})
	return stored, sealed, err
}

// Reveal returns a stored payload with its answers unsealed.
func Reveal(box *secret.Box, id int, stored json.RawMessage) (json.RawMessage, error) {
	return each(stored, func(name string, answer json.RawMessage) (json.RawMessage, error) {
		sealed := sealedIn(answer)
		if sealed == nil {
			return nil, nil
		}
		plain, err := box.Unseal(sealed, boundTo(id, name))
		if err != nil {
			return nil, fmt.Errorf("answer %s of application %d: %w", name, id, err)
		}
		return plain, nil
	})
}

// Masked returns a payload with secret answers masked: those that are sealed and, according to the form's
// fields, those that would be. Pass no fields for a stored payload.
func Masked(fields []Field, payload json.RawMessage) json.RawMessage {
	mask, _ := json.Marshal(Mask)
	masked, err := each(payload, func(name string, answer json.RawMessage) (json.RawMessage, error) {
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == name })
		if sealedIn(answer) == nil && (i < 0 || !fields[i].isSecret(answer)) {
			return nil, nil
		}
		return mask, nil
	})
	if err != nil {
		return payload // not reached: change never fails
	}
	return masked
}
