package rest

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"strconv"

	"paydown/internal/fault"
	"paydown/internal/gate"
)

// Problem is the error envelope.
type Problem struct {
	Error     string         `json:"error" doc:"What went wrong, for people"`
	Code      fault.Code     `json:"code" doc:"What went wrong, for programs"`
	Details   []fault.Detail `json:"details,omitempty" nullable:"false" doc:"The fields or parameters at fault, where there are any"`
	RequestID string         `json:"requestId" doc:"Equal to the X-Request-Id header; quote it to support"`
}

// writeProblem answers with the envelope. An error that is no fault is logged, once, and hidden.
func writeProblem(w http.ResponseWriter, r *http.Request, log *slog.Logger, err error) {
	f := gate.Explain(r.Context(), log, err)
	writeJSON(w, gate.Head(w.Header(), f), Problem{
		Error: f.Message, Code: f.Code, Details: f.Details, RequestID: gate.RequestID(r.Context()),
	})
}

// writeJSON sends a value that always marshals: a view, an envelope, a problem.
func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	writeBody(w, status, body)
}

func writeBody(w http.ResponseWriter, status int, body []byte) {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a caller who has gone away cannot be told
}
