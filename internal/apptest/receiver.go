package apptest

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"paydown/internal/webhook"
)

// Receiver is a customer's webhook receiver.
type Receiver struct {
	URL string

	mu     sync.Mutex
	got    []Received
	more   chan struct{} // closed and replaced with each request
	answer http.HandlerFunc
}

// Received is a request that a Receiver got.
type Received struct {
	At     time.Time
	Header http.Header
	Body   []byte
	Envelope
}

// Envelope is the envelope of a delivery.
type Envelope struct {
	ID         string          `json:"id"`
	Event      string          `json:"event"`
	Version    int             `json:"version"`
	OccurredAt string          `json:"occurredAt"`
	Data       json.RawMessage `json:"data"`
}

// NewReceiver starts a receiver on this machine. answer writes the responses; nil answers 200.
func NewReceiver(tb testing.TB, answer http.HandlerFunc) *Receiver {
	tb.Helper()
	r := &Receiver{more: make(chan struct{}), answer: answer}
	server := httptest.NewServer(r)
	tb.Cleanup(server.Close)
	r.URL = server.URL
	return r
}

// ServeHTTP implements http.Handler.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	got := Received{At: time.Now(), Header: req.Header.Clone()}
	got.Body, _ = io.ReadAll(req.Body)
	_ = json.Unmarshal(got.Body, &got.Envelope) // a body that is not an envelope has no id
	r.mu.Lock()
	r.got = append(r.got, got)
	close(r.more)
	r.more = make(chan struct{})
	answer := r.answer
	r.mu.Unlock()
	if answer != nil {
		answer(w, req)
	}
}

// Answer changes the responses; nil answers 200.
func (r *Receiver) Answer(answer http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = answer
}

// Got returns the requests so far.
func (r *Receiver) Got() []Received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]Received(nil), r.got...)
}

// Await waits for n requests, and returns them.
func (r *Receiver) Await(tb testing.TB, n int) []Received {
	tb.Helper()
	deadline := time.After(patience)
	for {
		r.mu.Lock()
		got, more := len(r.got), r.more
		r.mu.Unlock()
		if got >= n {
			return r.Got()
		}
		select {
		case <-more:
		case <-deadline:
			tb.Fatalf("the receiver got %d requests, want %d", got, n)
		}
	}
}

// Verify checks the signature of the request, as a customer does.
func (r Received) Verify(secret string) error {
	return webhook.Verify(
		secret, r.Header.Get(webhook.HeaderTimestamp), r.Header.Get(webhook.HeaderSignature), r.Body, r.At,
	)
}
