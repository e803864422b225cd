// A receiver of paydown's webhooks, using only the standard library. Copy it, and add your own code to handle.
//
//	WEBHOOK_SECRETS=whsec_... go run receiver.go serve [HOST:PORT]
//	go run receiver.go vectors FILE
//
// WEBHOOK_SECRETS is the endpoint's signing secret and, during a rotation, the previous one, separated by a comma.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	freshness  = 300     // maximum difference of a timestamp from the clock, in seconds
	maxBody    = 1 << 20 // in bytes; deliveries are far smaller
	maxWaiting = 1000    // deliveries waiting to be handled
	remembered = 100_000 // ids of deliveries
)

// verify checks a delivery by X-Timestamp and X-Signature. body must be the exact bytes received; now is in seconds.
// During a rotation a delivery also has X-Signature-Previous; either may match any known secret. It returns "valid", or
// the problem: "missing", "timestamp", "stale" or "signature".
func verify(secrets []string, h http.Header, body []byte, now int64) string {
	timestamp, signature := h.Get("X-Timestamp"), h.Get("X-Signature")
	if timestamp == "" || signature == "" {
		return "missing"
	}
	var wanted []string
	for _, secret := range secrets {
		wanted = append(wanted, hex.EncodeToString(mac([]byte(secret), timestamp, body)))
	}
	given := []string{strings.ToLower(signature), strings.ToLower(h.Get("X-Signature-Previous"))}
	return judge(timestamp, given, wanted, now)
}

// verifyStandard checks a delivery by the headers of Standard Webhooks instead, like the libraries of that scheme.
func verifyStandard(secrets []string, h http.Header, body []byte, now int64) string {
	id, timestamp, signatures := h.Get("webhook-id"), h.Get("webhook-timestamp"), h.Get("webhook-signature")
	if id == "" || timestamp == "" || signatures == "" {
		return "missing"
	}
	var wanted []string
	for _, secret := range secrets {
		if key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_")); err == nil && len(key) > 0 {
			wanted = append(wanted, "v1,"+base64.StdEncoding.EncodeToString(mac(key, id+"."+timestamp, body)))
		}
	}
	return judge(timestamp, strings.Split(signatures, " "), wanted, now)
}

func mac(key []byte, start string, body []byte) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte(start + "."))
	h.Write(body)
	return h.Sum(nil)
}

var seconds = regexp.MustCompile(`^(0|[1-9][0-9]{0,15})$`)

func judge(timestamp string, given, wanted []string, now int64) string {
	if !seconds.MatchString(timestamp) {
		return "timestamp"
	}
	for _, g := range given {
		for _, w := range wanted {
			// hmac.Equal takes constant time, so that nobody can guess a signature bit by bit.
			if hmac.Equal([]byte(g), []byte(w)) {
				return fresh(timestamp, now)
			}
		}
	}
	return "signature"
}

func fresh(timestamp string, now int64) string {
	at, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || now-at > freshness || at-now > freshness {
		return "stale"
	}
	return "valid"
}

// envelope is the body of a delivery.
type envelope struct {
	ID         string          `json:"id"`
	Event      string          `json:"event"`
	Version    int             `json:"version"`
	OccurredAt time.Time       `json:"occurredAt"`
	Data       json.RawMessage `json:"data"`
}

// inbox detects repeats and holds the deliveries to handle. This one is in memory, and so forgets both when the process
// ends. If that matters, use a table, and let add return only after the delivery is stored:
//
//	CREATE TABLE inbox (
//	  id text PRIMARY KEY, body bytea NOT NULL, received_at timestamptz NOT NULL, handled_at timestamptz);
//	INSERT INTO inbox VALUES ($1, $2, now(), NULL) ON CONFLICT (id) DO NOTHING;
//
// The primary key accepts each id once, however many processes receive deliveries, and rows without handled_at are
// handled after a restart. The Python sample does that with SQLite.
type inbox struct {
	mu      sync.Mutex
	seen    map[string]bool
	order   []string // of the ids seen, oldest first
	waiting chan envelope
}

func newInbox() *inbox {
	return &inbox{seen: map[string]bool{}, waiting: make(chan envelope, maxWaiting)}
}

// add reports whether the delivery was accepted: it is not if too many are waiting.
func (in *inbox) add(e envelope) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.seen[e.ID] {
		return true
	}
	select {
	case in.waiting <- e:
	default:
		return false
	}
	in.seen[e.ID] = true
	if in.order = append(in.order, e.ID); len(in.order) > remembered {
		delete(in.seen, in.order[0])
		in.order = in.order[1:]
	}
	return true
}

func (in *inbox) work() {
	for e := range in.waiting {
		if err := handle(e); err != nil {
			slog.Error("not handled", "id", e.ID, "error", err)
		}
	}
}

// handle is for your code. It runs after the delivery was acknowledged. Deliveries may arrive out of order: OccurredAt
// is when the event happened.
func handle(e envelope) error {
	_, err := fmt.Println("handled", e.ID, e.Event)
	return err
}

// receiver answers deliveries.
type receiver struct {
	secrets []string
	inbox   *inbox
}

func (rc receiver) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	if err != nil {
		return // the sender is gone
	}
	if verdict := verify(rc.secrets, r.Header, body, time.Now().Unix()); verdict != "valid" {
		slog.Warn("refused", "verdict", verdict)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil || e.ID == "" { // X-Webhook-Id is not signed; the body is
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if !rc.inbox.add(e) {
		w.WriteHeader(http.StatusServiceUnavailable) // an unacknowledged delivery is sent again
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

func serve(address string) error {
	secrets := strings.FieldsFunc(os.Getenv("WEBHOOK_SECRETS"), func(r rune) bool { return r == ',' })
	if len(secrets) == 0 {
		return errors.New("set WEBHOOK_SECRETS")
	}
	in := newInbox()
	go in.work()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	fmt.Println("listening on", listener.Addr())
	server := &http.Server{Handler: receiver{secrets, in}, ReadTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	return server.Serve(listener)
}

// vectors compares the results of this program with those of the test vectors file.
func vectors(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var file struct {
		Vectors []struct {
			Name, Scheme, Verdict string
			Secrets               []string
			Headers               map[string]string
			Body                  string
			BodyBase64            []byte
			Now                   int64
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return err
	}
	wrong := 0
	for _, v := range file.Vectors {
		h := http.Header{}
		for name, value := range v.Headers {
			h.Set(name, value)
		}
		judgedBy := verify
		if v.Scheme == "standard-webhooks" {
			judgedBy = verifyStandard
		}
		if got := judgedBy(v.Secrets, h, append([]byte(v.Body), v.BodyBase64...), v.Now); got != v.Verdict {
			wrong++
			fmt.Printf("%s: %s, want %s\n", v.Name, got, v.Verdict)
		}
	}
	fmt.Printf("%d vectors, %d wrong\n", len(file.Vectors), wrong)
	if wrong > 0 {
		return errors.New("not all verdicts are right")
	}
	return nil
}

func main() {
	err := errors.New("receiver serve [HOST:PORT] | vectors FILE")
	switch args := os.Args[1:]; {
	case len(args) == 1 && args[0] == "serve":
		err = serve("127.0.0.1:8765")
	case len(args) == 2 && args[0] == "serve":
		err = serve(args[1])
	case len(args) == 2 && args[0] == "vectors":
		err = vectors(args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
