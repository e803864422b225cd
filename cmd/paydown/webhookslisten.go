package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"paydown/internal/webhook"
)

type webhooksListenCmd struct {
	signingSecrets
	Addr   string        `env:"PAYDOWN_WEBHOOK_LISTEN_ADDR" default:"127.0.0.1:8765" help:"Address to listen on. Default: ${default}."`
	Status int           `env:"PAYDOWN_WEBHOOK_LISTEN_STATUS" default:"200" help:"Status for valid deliveries; any other than 2xx makes the sender retry. Default: ${default}."`
	Delay  time.Duration `env:"PAYDOWN_WEBHOOK_LISTEN_DELAY" default:"0s" help:"Delay before answering; the sender waits for 10 seconds. Default: ${default}."`
	JSON   bool          `name:"json" help:"Print each delivery as a line of JSON: {\"at\", \"path\", \"id\", \"event\", \"valid\", \"reason\", \"repeat\", \"answered\", \"payload\"}."`
}

// Help explains how to deliver to this listener.
func (*webhooksListenCmd) Help() string {
	return "To make a server on this machine deliver here, allow it (for development only), and create an endpoint with " +
		"this URL:\n\n" +
		"  paydown serve --webhook-allow-cidr 127.0.0.0/8 --webhook-allow-http\n\n" +
		"Deliveries without a valid signature are answered with 401 and still printed. " +
		"Without a server: paydown webhooks trigger " +
		"payment.paid --to http://127.0.0.1:8765/"
}

// Validate checks the flags.
func (cmd *webhooksListenCmd) Validate() error {
	if cmd.Status < 200 || cmd.Status > 599 {
		return fmt.Errorf("--status must be from 200 to 599, not %d", cmd.Status)
	}
	if cmd.Delay < 0 {
		return errors.New("--delay must not be negative")
	}
	return nil
}

// Run receives until it is stopped.
func (cmd *webhooksListenCmd) Run(ctx context.Context, c *cli) error {
	secrets, err := cmd.readIssued()
	if err != nil {
		return err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", cmd.Addr)
	if err != nil {
		return err
	}
	l := &listening{cmd: cmd, secrets: secrets, out: c.out, stopped: ctx.Done(), seen: map[string]bool{}}
	server := &http.Server{
		Handler: l, ReadHeaderTimeout: patience, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelError),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	fmt.Fprintf(c.err, "Listening on http://%s/ until interrupted.\n", listener.Addr())
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	if server.Shutdown(closing) != nil {
		_ = server.Close() // cuts off requests that are still incomplete
	}
	return nil
}

// Limits.
const (
	maxDelivery   = 1 << 20 // bytes
	maxRemembered = 10_000  // ids
	patience      = 10 * time.Second
)

// listening prints the deliveries that it receives.
type listening struct {
	cmd     *webhooksListenCmd
	secrets []string
	stopped <-chan struct{}

	mu    sync.Mutex
	out   io.Writer
	seen  map[string]bool
	order []string // of the ids seen, oldest first
}

// receivedJSON is the JSON output for a delivery.
type receivedJSON struct {
	At       time.Time       `json:"at"`
	Path     string          `json:"path"`
	ID       string          `json:"id"`
	Event    string          `json:"event"`
	Valid    bool            `json:"valid"`
	Reason   string          `json:"reason,omitempty"`
	Repeat   bool            `json:"repeat"`
	Answered int             `json:"answered"`
	Payload  json.RawMessage `json:"payload,omitempty"`
	Body     string          `json:"body,omitempty"` // a body that is not JSON
}

// ServeHTTP receives one delivery.
func (l *listening) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		http.Error(w, "Deliveries must be sent by POST.", http.StatusMethodNotAllowed)
		return
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(patience)) // every connection here supports deadlines
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDelivery))
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		http.Error(w, "The delivery must be at most 1 MiB.", http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		http.Error(w, "The body did not arrive in full.", http.StatusRequestTimeout) // the client may be gone
		return
	}
	_ = control.SetReadDeadline(time.Time{})
	got := l.verify(r, body)
	l.print(got, body)
	select {
	case <-time.After(l.cmd.Delay):
	case <-r.Context().Done():
		return
	case <-l.stopped: // answer immediately
	}
	if !got.Valid {
		http.Error(w, got.Reason, got.Answered)
		return
	}
	w.WriteHeader(got.Answered)
}

func (l *listening) verify(r *http.Request, body []byte) receivedJSON {
	got := receivedJSON{At: time.Now(), Path: r.URL.Path, Valid: true, Answered: l.cmd.Status}
	var envelope struct{ ID, Event string }
	if json.Valid(body) {
		_ = json.Unmarshal(body, &envelope) // missing fields are taken from the headers
		got.Payload = body
	} else {
		got.Body = string(body)
	}
	got.ID = cmp.Or(envelope.ID, r.Header.Get(webhook.HeaderID), r.Header.Get(webhook.HeaderStandardID))
	got.Event = cmp.Or(envelope.Event, r.Header.Get(webhook.HeaderEvent))
	if err := verifyDelivery(l.secrets, r.Header, body, got.At); err != nil {
		got.Valid, got.Reason, got.Answered = false, err.Error(), http.StatusUnauthorized
		return got
	}
	got.Repeat = l.repeats(got.ID)
	return got
}

// repeats reports whether a delivery with the id was received before, and remembers it.
func (l *listening) repeats(id string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen[id] {
		return true
	}
	l.seen[id] = true
	if l.order = append(l.order, id); len(l.order) > maxRemembered {
		delete(l.seen, l.order[0])
		l.order = l.order[1:]
	}
	return false
}

func (l *listening) print(got receivedJSON, body []byte) {
	var text bytes.Buffer
	if l.cmd.JSON {
		encoder := json.NewEncoder(&text)
		encoder.SetEscapeHTML(false)
		_ = encoder.Encode(got) // plain data always encodes
	} else {
		verdict := "valid"
		switch {
		case !got.Valid:
			verdict = "REFUSED, " + line(got.Reason)
		case got.Repeat:
			verdict = "valid, a repeat"
		}
		fmt.Fprintf(&text, "%s  %s  %s  answered %d: %s\n%s\n\n",
			got.At.Format(time.TimeOnly), cmp.Or(line(got.Event), "no event"),
			cmp.Or(line(got.ID), "no id"), got.Answered, verdict, pretty(body))
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, _ = io.WriteString(l.out, printable(text.String())) // the reader may be gone
}
