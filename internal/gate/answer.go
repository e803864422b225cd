package gate

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

// statuses is the one place where codes become statuses.
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

// unavailableRetry is how long a caller should wait for a database that does not answer, in seconds.
const unavailableRetry = 5

// Head sets the headers that go with a fault and returns the status of an answer that is nothing else.
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

// FaultOfOurs is all that a caller is told of an internal error.
const FaultOfOurs = "Something went wrong on our side. Please quote the request id to support."

// Explain is what the caller may know of an error: the fault that it is or, where it is none, one that hides it. Such an
// error is logged here, once.
func Explain(ctx context.Context, log *slog.Logger, err error) *fault.Error {
	if f := fault.As(err); f != nil {
		return f
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		// The caller has gone; nobody reads the answer.
		return fault.New(fault.Unavailable, "The request was cancelled.")
	}
	if service.Unreachable(err) {
		log.ErrorContext(ctx, "database unavailable", "error", err, "requestId", RequestID(ctx))
		f := fault.New(fault.Unavailable, "The service cannot answer at the moment. Please try again.")
		f.RetryAfter = unavailableRetry
		return f
	}
	log.ErrorContext(ctx, "internal error", "error", err, "requestId", RequestID(ctx))
	return fault.New(fault.Internal, FaultOfOurs)
}

// Problem is the error envelope of the surfaces that answer plain JSON.
type Problem struct {
	Error     string         `json:"error" doc:"What went wrong, for people"`
	Code      fault.Code     `json:"code" doc:"What went wrong, for programs"`
	Details   []fault.Detail `json:"details,omitempty" nullable:"false" doc:"The fields or parameters at fault, where there are any"`
	RequestID string         `json:"requestId" doc:"Equal to the X-Request-Id header; quote it to support"`
}

// WriteProblem answers with the envelope. An error that is no fault is logged, once, and hidden.
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

// WriteBody sends JSON.
func WriteBody(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a caller who has gone away cannot be told
}
