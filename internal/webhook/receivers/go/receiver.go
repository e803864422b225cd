// A receiver of paydown's webhooks, with the standard library alone. Copy it, and put your own work into handle.
//
//	WEBHOOK_SECRETS=whsec_... go run receiver.go serve [HOST:PORT]
//	go run receiver.go vectors FILE
//
// WEBHOOK_SECRETS are the endpoint's signing secret and, while you rotate it, the one before, separated by a comma.
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
	freshness  = 300     // seconds that a timestamp may be from our clock
	maxBody    = 1 << 20 // bytes; deliveries are far smaller
	maxWaiting = 1000    // deliveries that wait to be handled
	remembered = 100_000 // ids of deliveries
)

// verify judges a delivery by X-Timestamp and X-Signature: the body exactly as it came, now in seconds. During a rotation a
// delivery has X-Signature-Previous as well; either may match any secret that we know. It returns "valid", or why not:
// "missing", "timestamp", "stale" or "signature".
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

// verifyStandard judges a delivery by the headers of Standard Webhooks instead. The libraries of that scheme do the same.
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
			// hmac.Equal takes the same time wherever the two differ, so that nobody can guess a signature bit by bit.
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

// inbox tells repeats apart and keeps what is to be handled. This one is in memory, and so forgets both when the process
// ends. Where that matters make it a table, and let add return only once it is stored:
//
//	CREATE TABLE inbox (id text PRIMARY KEY, body bytea NOT NULL, received_at timestamptz NOT NULL, handled_at timestamptz);
//	INSERT INTO inbox VALUES ($1, $2, now(), NULL) ON CONFLICT (id) DO NOTHING;
//
// The primary key lets each id in once, however many processes receive, and what has no handled_at is handled after a
// restart. The sample for Python does that with SQLite.
type inbox struct {
	mu      sync.Mutex
	seen    map[string]bool
	order   []string // of the ids seen, oldest first
	waiting chan envelope
}

func newInbox() *inbox {
	return &inbox{seen: map[string]bool{}, waiting: make(chan envelope, maxWaiting)}
}

// add reports whether the delivery is taken care of: it is not where too many wait.
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

// handle is your work. It runs after the delivery was acknowledged. Deliveries may come in another order than things
// happened in: OccurredAt tells.
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
		return // the sender has gone away
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
		w.WriteHeader(http.StatusServiceUnavailable) // what is not acknowledged comes again
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

// vectors compares the verdicts of this program with those of the file of test vectors.
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
