package signin

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"paydown/internal/fault"
	"paydown/internal/middleware"
)

const (
	// maxBody is the maximum size in bytes, far more than two fields need.
	maxBody = 16 << 10
	// maxField is the maximum size in bytes: a password of 256 characters fits.
	maxField = 2 << 10
)

// fields reads the body: a JSON object with exactly these members, each a non-empty string. It reports all
// problems at once, by name and never by value.
func fields(w http.ResponseWriter, r *http.Request, names ...string) (map[string]string, error) {
	if err := middleware.Unencoded(w, r); err != nil {
		return nil, err
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/json" {
		return nil, fault.New(fault.UnsupportedMediaType, "The body must be JSON: send Content-Type: application/json.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return nil, fault.New(fault.PayloadTooLarge, "The body is larger than %d bytes.", maxBody)
	}
	if err != nil {
		return nil, fault.New(fault.BadRequest, "The body could not be read.").Because(err)
	}
	var members map[string]jsontext.Value
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, malformed(err)
	}
	given := map[string]string{}
	var problems []fault.Detail
	for _, name := range names {
		value, problem := text(members[name])
		if problem != "" {
			problems = append(problems, fault.Detail{Path: name, Message: problem})
		}
		given[name] = value
	}
	var unknown []string
	for name := range members {
		if !slices.Contains(names, name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		problems = append(problems, fault.Detail{Path: name, Message: "unknown field"})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return given, nil
}

// malformed returns why a body is not an object. A duplicate member is refused, because readers could
// interpret it differently.
func malformed(err error) error {
	if errors.Is(err, jsontext.ErrDuplicateName) {
		return fault.Field("body", "must not contain a name more than once")
	}
	if _, ok := errors.AsType[*json.SemanticError](err); ok {
		return fault.Field("body", "must be a JSON object")
	}
	return fault.New(fault.InvalidJSON, "The body is not JSON.")
}

// text reads a member and returns its problem, if any.
func text(raw jsontext.Value) (value, problem string) {
	switch {
	case raw == nil:
		return "", "is required"
	case raw.Kind() != '"':
		return "", "must be a string"
	case len(raw) > maxField:
		return "", "is too long"
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		return "", "must be a string"
	}
	switch {
	case value == "":
		return "", "is required"
	case strings.ContainsRune(value, 0):
		return "", "must not contain NUL characters"
	}
	return value, ""
}
