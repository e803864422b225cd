// Package fault has the product's one error type for callers. A fault has a code that each surface maps to
// its own status, a sentence for people, and details that name the fields at fault. All other errors are
// internal: surfaces log them once and do not show their text.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Code is the stable, machine-readable name of a failure. It is `code` in the REST error envelope and
// `extensions.code` in GraphQL.
type Code string

// The codes in the API contract.
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

	// NotAcceptable is used only by GraphQL: the response is not available in a format that the caller accepts.
	NotAcceptable Code = "not_acceptable"
)

// Detail is one problem. Path is the dotted path of the field or parameter ("amount", "positions.0.payment"),
// Message says what is required. A message never repeats the value.
type Detail struct {
	Path    string `json:"path" doc:"Dotted path of the field or parameter the problem is in"`
	Message string `json:"message" doc:"What is wrong with it"`
}

// Error is a failure that the caller may see.
type Error struct {
	Code    Code
	Message string
	Details []Detail
	// RetryAfter is the number of seconds after which the same request can succeed; 0 means unknown.
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

// Unwrap returns the cause of the fault, for logs and errors.Is, never for the caller.
func (e *Error) Unwrap() error { return e.cause }

// New returns a fault with the code.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// Because sets the cause, for the log.
func (e *Error) Because(err error) *Error { e.cause = err; return e }

// With adds a detail.
func (e *Error) With(path, format string, args ...any) *Error {
	e.Details = append(e.Details, Detail{Path: path, Message: fmt.Sprintf(format, args...)})
	return e
}

// Conflictf returns the fault for a request that the record's current state does not allow.
func Conflictf(format string, args ...any) *Error { return New(Conflict, format, args...) }

// Missing returns the fault for a record that does not exist for this caller; what is its name in the
// singular ("deal").
func Missing(what string) *Error { return New(NotFound, "No such %s.", what) }

// Field returns a validation error of a single field.
func Field(path, format string, args ...any) *Error {
	return Invalid(Detail{path, fmt.Sprintf(format, args...)})
}

// maxDetails limits the size of the response to a request with very many problems.
const maxDetails = 100

// Invalid returns a validation error with all problems, limited to maxDetails.
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

// UnknownReference returns the fault for ids in a body that do not belong to a record of the caller's tenant.
func UnknownReference(details ...Detail) *Error {
	return &Error{Code: InvalidReference, Message: "The request refers to a record that does not exist.", Details: details}
}

// As returns the fault in err's chain, or nil if err is an internal error.
func As(err error) *Error {
	f, _ := errors.AsType[*Error](err)
	return f
}

// Is reports whether err is a fault with that code.
func Is(err error, code Code) bool {
	f := As(err)
	return f != nil && f.Code == code
}
