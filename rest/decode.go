package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/service"
)

const (
	maxBody  = 1 << 20
	maxDepth = 100
)

// readBody reads a JSON body of at most limit bytes.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if err := declaredJSON(w, r); err != nil {
		return nil, err
	}
	return rawBody(w, r, limit)
}

// declaredJSON refuses a body whose Content-Type is not JSON, and a compressed body.
func declaredJSON(w http.ResponseWriter, r *http.Request) error {
	if err := middleware.Unencoded(w, r); err != nil {
		return err
	}
	if declared := r.Header.Get("Content-Type"); declared != "" {
		media, _, err := mime.ParseMediaType(declared)
		if err != nil || (media != "application/json" && !strings.HasSuffix(media, "+json")) {
			return fault.New(fault.UnsupportedMediaType, "The body must be JSON: send Content-Type: application/json.")
		}
	}
	return nil
}

// rawBody reads a body of at most limit bytes, of any type.
func rawBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	if err != nil {
		return nil, unread(err, limit)
	}
	return body, nil
}

// unread returns the error for a body of at most limit bytes that could not be read.
func unread(err error, limit int64) error {
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return tooLarge(limit)
	}
	return fault.New(fault.BadRequest, "The body could not be read.").Because(err)
}

func tooLarge(limit int64) error {
	return fault.New(fault.PayloadTooLarge, "The body is larger than %d bytes.", limit)
}

// decode reads an input from a body. If the body is malformed, it reports every problem of its form and of its
// values at once. The values of a well-formed body are checked by the service, which knows more rules. I must
// be a struct of service.Opt fields.
func decode[I any](body []byte, mode service.Mode) (I, error) {
	var in I
	if len(bytes.TrimSpace(body)) == 0 {
		return in, fault.Field("body", "is required")
	}
	members, problems, err := scan(body)
	if err != nil {
		return in, err
	}
	v := reflect.ValueOf(&in).Elem()
	fields := map[string]service.InputField{}
	for _, f := range service.PublicFields(v.Type()) {
		fields[f.Name] = f
	}
	wrong := map[string]bool{} // fields that have an error already: one each is enough
	for _, p := range problems {
		wrong[p.Path] = true
	}
	for _, m := range members {
		if wrong[m.name] {
			continue
		}
		message := "unknown field"
		if f, known := fields[m.name]; known {
			err := json.Unmarshal(m.value, v.FieldByIndex(f.Index).Addr().Interface())
			if err == nil {
				continue
			}
			message = service.DecodeMessage(f.Type, err)
		}
		problems = append(problems, fault.Detail{Path: m.name, Message: message})
		wrong[m.name] = true
	}
	if len(problems) == 0 {
		return in, nil
	}
	for _, p := range service.Check(in, mode) {
		if field, _, _ := strings.Cut(p.Path, "."); !wrong[field] {
			problems = append(problems, p)
		}
	}
	return in, fault.Invalid(problems...)
}

// member is a field of the body's object.
type member struct {
	name  string
	value json.RawMessage
}

// scan splits the body's object into its members. It refuses a body that is not JSON, not an object, or nested
// too deeply. Duplicate names and invalid Unicode, at any depth, are problems of the top-level field that
// contains them.
func scan(body []byte) ([]member, []fault.Detail, error) {
	if !utf8.Valid(body) {
		return nil, nil, fault.Field("body", "must be UTF-8")
	}
	if problem := checkSyntax(body); problem != nil {
		return nil, nil, problem
	}
	dec := jsontext.NewDecoder(bytes.NewReader(body), leniently...)
	if dec.PeekKind() != '{' {
		return nil, nil, fault.Field("body", "must be a JSON object")
	}
	_, _ = dec.ReadToken() // checkSyntax has read all of it: no error can occur from here on
	var members []member
	times := map[string]int{}
	for dec.PeekKind() == '"' {
		name, _ := dec.ReadToken()
		key := name.String()
		value, _ := dec.ReadValue()
		if times[key]++; times[key] == 1 {
			members = append(members, member{key, bytes.Clone(value)})
		}
	}
	var problems []fault.Detail
	for _, m := range members {
		message := textProblemOf(m.value)
		if times[m.name] > 1 {
			message = "is given more than once"
		}
		if message != "" {
			problems = append(problems, fault.Detail{Path: m.name, Message: message})
		}
	}
	return members, problems, nil
}

// leniently lets the decoder accept what unclean reports per field.
var leniently = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}

// checkSyntax checks the syntax and the depth token by token, so that a body is refused as soon as it is too
// deep.
func checkSyntax(body []byte) error {
	dec := jsontext.NewDecoder(bytes.NewReader(body), leniently...)
	for {
		_, err := dec.ReadToken()
		if errors.Is(err, io.EOF) && dec.StackDepth() == 0 {
			return nil
		}
		if err != nil {
			return fault.New(fault.InvalidJSON, "The body is not JSON.").Because(err)
		}
		if dec.StackDepth() > maxDepth {
			return fault.Field("body", "is nested deeper than %d levels", maxDepth)
		}
		if dec.StackDepth() == 0 && len(bytes.TrimSpace(body[dec.InputOffset():])) > 0 {
			return fault.New(fault.InvalidJSON, "The body must not have anything after its JSON value.")
		}
	}
}

// textProblemOf returns what is wrong with a member's value, independent of its field: a NUL character, half of a
// surrogate pair, or a duplicate name inside it. It returns "" if the value is fine.
func textProblemOf(value []byte) string {
	escapes := bytes.IndexByte(value, '\\') >= 0
	if escapes && hasNUL(value) {
		return "must not contain NUL characters"
	}
	if !escapes && value[0] != '{' && value[0] != '[' {
		return ""
	}
	_, err := jsontext.NewDecoder(bytes.NewReader(value)).ReadValue()
	switch {
	case err == nil:
		return ""
	case errors.Is(err, jsontext.ErrDuplicateName):
		return "must not repeat a name"
	default:
		return "must be valid Unicode: it contains half of a surrogate pair"
	}
}

// hasNUL reports whether the JSON text contains an escaped NUL; an unescaped one is a syntax error.
func hasNUL(value []byte) bool {
	for i := bytes.Index(value, []byte(`\u0000`)); i >= 0; {
		slashes := 0
		for j := i - 1; j >= 0 && value[j] == '\\'; j-- {
			slashes++
		}
		if slashes%2 == 0 {
			return true
		}
		next := bytes.Index(value[i+1:], []byte(`\u0000`))
		if next < 0 {
			return false
		}
		i += 1 + next
	}
	return false
}
