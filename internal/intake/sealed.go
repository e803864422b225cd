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

// Social security numbers and numbers of bank accounts are stored sealed, each answer for itself and for the application it
// is of. In the stored payload such an answer is an object, which no answer that somebody gives is:
//
//	{"business": "Harbor Street Bakery", "ownerSsn": {"$sealed": "base64"}}
//
// What is sealed is the answer's JSON.

// Mask stands for a sealed answer where nobody may read it.
const Mask = "(sealed)"

type sealedAnswer struct {
	Sealed []byte `json:"$sealed"`
}

// sealedIn is what is sealed in a stored answer; nil where it is in the clear.
func sealedIn(raw json.RawMessage) []byte {
	var answer sealedAnswer
	if !bytes.HasPrefix(raw, []byte("{")) || json.Unmarshal(raw, &answer) != nil {
		return nil
	}
	return answer.Sealed
}

// boundTo is what an answer is sealed for.
func boundTo(id int, name string) string { return fmt.Sprintf("application %d answer %s", id, name) }

// inText finds a social security number, as people write one, in the midst of a text.
var inText = regexp.MustCompile(`(^|[^0-9-])[0-9]{3}-[0-9]{2}-[0-9]{4}($|[^0-9-])`)

// secretWords are runs of words in a field's name or label that ask for what is sealed, where its type does not say so.
var secretWords = [][]string{
	{"ssn"}, {"itin"}, {"social", "security"}, {"account", "number"}, {"account", "no"}, {"account", "num"}, {"acct", "number"}, {"acct", "no"},
}

// isSecret reports whether an answer to a field is stored sealed: by the type of the field, or by what it is called, or by
// what the answer looks like.
func (f Field) isSecret(answer json.RawMessage) bool {
	switch f.Type { //nolint:exhaustive // what the other types take can be anything
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

// wordsOf are the words of a label or of a name in camel case, in small letters.
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

// answersIn are the answers of a payload by name; nil where it is no object.
func answersIn(payload json.RawMessage) map[string]json.RawMessage {
	var answers map[string]json.RawMessage
	if json.Unmarshal(payload, &answers) != nil {
		return nil
	}
	return answers
}

// each is the payload with each of its answers as change says. A payload of which nothing changes comes back as it is.
func each(payload json.RawMessage, change func(name string, answer json.RawMessage) (json.RawMessage, error)) (json.RawMessage, error) {
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

// Reseal is the payload of an application as it is to be stored: answers that are secret are sealed, and those that are
// sealed already are sealed anew, under the key in use. It is for an application that comes in and for a change of the
// secret key alike. fields are what the form asks; sealed says how many answers are sealed now.
func Reseal(box *secret.Box, id int, fields []Field, payload json.RawMessage) (stored json.RawMessage, sealed int, err error) {
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

// Reveal is a stored payload as it came in.
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

// Masked is a payload without what is secret: what is sealed in it and, by the fields of its form, what would be. Without
// fields it is for payloads that are stored.
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
		return payload // never: nothing above fails
	}
	return masked
}
