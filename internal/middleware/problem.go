package middleware

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"paydown/internal/fault"
	"paydown/internal/service"
)

// statuses is the only mapping from fault codes to HTTP statuses.
var statuses = map[fault.Code]int{
	fault.Validation:           http.StatusBadRequest,
	fault.InvalidID:            http.StatusBadRequest,
	fault.InvalidJSON:          http.StatusBadRequest,
	fault.InvalidSort:          http.StatusBadRequest,
	fault.InvalidExpand:        http.StatusBadRequest,
	fault.InvalidCursor:        http.StatusBadRequest,
	fault.BadRequest:           http.StatusBadRequest,
	fault.Unauthorized:         http.StatusUnauthorized,
	fault.Forbidden:            http.StatusForbidden,
	fault.NotFound:             http.StatusNotFound,
	fault.MethodNotAllowed:     http.StatusMethodNotAllowed,
	fault.NotAcceptable:        http.StatusNotAcceptable,
	fault.Conflict:             http.StatusConflict,
	fault.PayloadTooLarge:      http.StatusRequestEntityTooLarge,
	fault.UnsupportedMediaType: http.StatusUnsupportedMediaType,
	fault.InvalidReference:     http.StatusUnprocessableEntity,
	fault.IdempotencyKeyReused: http.StatusUnprocessableEntity,
	fault.RateLimited:          http.StatusTooManyRequests,
	fault.Internal:             http.StatusInternalServerError,
	fault.Unavailable:          http.StatusServiceUnavailable,
}

// unavailableRetry is the Retry-After while the database does not respond, in seconds.
const unavailableRetry = 5

// Head sets the headers of a fault and returns the HTTP status for it.
func Head(h http.Header, f *fault.Error) int {
	if f.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(f.RetryAfter))
	}
	status := statuses[f.Code]
	if status == http.StatusUnauthorized {
		h.Set("WWW-Authenticate", `Bearer realm="paydown"`)
	}
	return status
}

// InternalMessage is the message of every internal error.
const InternalMessage = "An internal error occurred. Please quote the request id to support."

// Explain returns what the caller may know of an error: the error itself if it is a fault, otherwise a fault
// that hides it. It logs hidden errors, once.
func Explain(ctx context.Context, log *slog.Logger, err error) *fault.Error {
	if f := fault.As(err); f != nil {
		return f
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		// The caller is gone; nobody reads the answer.
		return fault.New(fault.Unavailable, "The request was cancelled.")
	}
	if service.Unreachable(err) {
		log.ErrorContext(ctx, "database unavailable", "error", err, "requestId", RequestID(ctx))
		f := fault.New(fault.Unavailable, "The service is temporarily unavailable. Please try again.")
		f.RetryAfter = unavailableRetry
		return f
	}
	log.ErrorContext(ctx, "internal error", "error", err, "requestId", RequestID(ctx))
	return fault.New(fault.Internal, InternalMessage)
}

// Problem is the error envelope of the surfaces that answer in plain JSON.
type Problem struct {
	Error     string         `json:"error" doc:"Error message, for people"`
	Code      fault.Code     `json:"code" doc:"Error code, for programs"`
	Details   []fault.Detail `json:"details,omitempty" nullable:"false" doc:"The fields or parameters at fault, if any"`
	RequestID string         `json:"requestId" doc:"Equal to the X-Request-Id header; quote it to support"`
}

// WriteProblem answers with the envelope. An error that is not a fault is logged, once, and hidden.
func WriteProblem(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	f := Explain(r.Context(), log, err)
	WriteJSON(w, Head(w.Header(), f), Problem{
		Error: f.Message, Code: f.Code, Details: f.Details, RequestID: RequestID(r.Context()),
	})
}

// WriteJSON sends a value that always marshals: a view, an envelope, a problem.
func WriteJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	WriteBody(w, status, body)
}

var jsonType = []string{"application/json"}

// WriteBody sends JSON.
func WriteBody(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h["Content-Type"] = jsonType
	h["Content-Length"] = []string{strconv.Itoa(len(body))}
	w.WriteHeader(status)
	_, _ = w.Write(body) // the caller may be gone; there is nobody to report an error to
}
