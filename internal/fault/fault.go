// Package fault is the one error type of the product. A fault is what a caller may be told: a kind that each
// surface maps to its own status, a sentence for people, and details that name the offending fields.
// Every other error is an internal one: surfaces log it once and answer without its text.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Code is the stable, machine-readable name of a failure. It is the `code` of the REST error envelope and of
// `extensions.code` in GraphQL.
type Code string

// The codes that the public contract names.
const (
	Validation           Code = "validation_error"
	InvalidID            Code = "invalid_id"
	InvalidJSON          Code = "invalid_json"
	InvalidSort          Code = "invalid_sort"
	InvalidExpand        Code = "invalid_expand"
	InvalidCursor        Code = "invalid_cursor"
	BadRequest           Code = "bad_request"
	Unauthorized         Code = "unauthorized"
	Forbidden            Code = "forbidden"
	NotFound             Code = "not_found"
	MethodNotAllowed     Code = "method_not_allowed"
	Conflict             Code = "conflict"
	PayloadTooLarge      Code = "payload_too_large"
	UnsupportedMediaType Code = "unsupported_media_type"
	InvalidReference     Code = "invalid_reference"
	IdempotencyKeyReused Code = "idempotency_key_reused"
	RateLimited          Code = "rate_limited"
	Internal             Code = "internal_error"
	Unavailable          Code = "unavailable"

	// NotAcceptable is of GraphQL alone: an answer that there is in no form that the caller takes.
	NotAcceptable Code = "not_acceptable"
)

// Detail names one problem: Path is the dotted path of the field or parameter ("amount", "positions.0.payment"),
// Message says what is wrong with it. A message never repeats the offending value.
type Detail struct {
	Path    string `json:"path" doc:"Dotted path of the field or parameter the problem is in"`
	Message string `json:"message" doc:"What is wrong with it"`
}

// Error is a failure that the caller may see.
type Error struct {
	Code    Code
	Message string
	Details []Detail
	// RetryAfter is how many seconds the caller should wait before the same request can succeed; 0 means unknown.
	RetryAfter int
	cause      error
}

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Code))
	b.WriteString(": ")
	b.WriteString(e.Message)
	for _, d := range e.Details {
		fmt.Fprintf(&b, "; %s: %s", d.Path, d.Message)
	}
	return b.String()
}

// Unwrap returns what caused the fault; it is for logs and errors.Is, never for the caller.
func (e *Error) Unwrap() error { return e.cause }

// New makes a fault of the given code.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Because adds the cause, for the log.
func (e *Error) Because(err error) *Error { e.cause = err; return e }

// With adds a detail.
func (e *Error) With(path, format string, args ...any) *Error {
	e.Details = append(e.Details, Detail{Path: path, Message: fmt.Sprintf(format, args...)})
	return e
}

// Conflictf is a request that the record's present state does not allow.
func Conflictf(format string, args ...any) *Error { return New(Conflict, format, args...) }

// Missing is a record that does not exist for this caller; what is its singular name ("deal").
func Missing(what string) *Error { return New(NotFound, "No such %s.", what) }

// Field is a validation error of a single field.
func Field(path, format string, args ...any) *Error {
	return Invalid(Detail{path, fmt.Sprintf(format, args...)})
}

// maxDetails keeps the answer to a hopeless request small.
const maxDetails = 100

// Invalid is a validation error with all of its problems, or the first hundred of very many.
func Invalid(details ...Detail) *Error {
	message := "The request has a problem."
	if len(details) > 1 {
		message = fmt.Sprintf("The request has %d problems.", len(details))
	}
	if len(details) > maxDetails {
		message = fmt.Sprintf("The request has %d problems; the first %d are listed.", len(details), maxDetails)
		details = details[:maxDetails]
	}
	if len(details) == 1 && details[0].Path != "" {
		message = details[0].Path + ": " + details[0].Message
	}
	return &Error{Code: Validation, Message: message, Details: details}
}

// UnknownReference is an id in a body that names no record of the caller's tenant.
func UnknownReference(details ...Detail) *Error {
	return &Error{Code: InvalidReference, Message: "The request refers to a record that does not exist.", Details: details}
}

// As returns the fault in err's chain, or nil where err is an internal error.
func As(err error) *Error {
	f, _ := errors.AsType[*Error](err)
	return f
}

// Is reports whether err is a fault of that code.
func Is(err error, code Code) bool {
	f := As(err)
	return f != nil && f.Code == code
}
