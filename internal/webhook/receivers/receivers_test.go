// Package receivers_test tests the sample receivers that customers copy: with the test vectors, and as a
// process that gets deliveries from the engine's own signer over a socket.
package receivers_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/webhook"
)

const vectorsFile = "../vectors/vectors.json"

// samples are the ways to run each receiver.
var samples = map[string]func(t *testing.T) []string{
	"Go": func(t *testing.T) []string {
		program := filepath.Join(t.TempDir(), "receiver")
		if err := apptest.Build(".", "./go", program); err != nil {
			t.Fatal(err)
		}
		return []string{program}
	},
	"Python": func(t *testing.T) []string { return []string{interpreter(t, "python3"), "python/receiver.py"} },
	"Node":   func(t *testing.T) []string { return []string{interpreter(t, "node"), "node/receiver.mjs"} },
}

// interpreter finds a program. A receiver that cannot be run is a failure: passing means that all were tested.
func interpreter(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("the tests of the sample receivers need %s: %v", name, err)
	}
	return path
}

func eachSample(t *testing.T, test func(t *testing.T, program []string)) {
	t.Helper()
	for name, program := range samples {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, program(t))
		})
	}
}

func TestReceiversAgreeWithVectors(t *testing.T) {
	text, err := os.ReadFile(vectorsFile)
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Vectors []map[string]any }
	if err := json.Unmarshal(text, &file); err != nil || len(file.Vectors) == 0 {
		t.Fatal(len(file.Vectors), err)
	}
	eachSample(t, func(t *testing.T, program []string) {
		want := fmt.Sprintf("%d vectors, 0 wrong\n", len(file.Vectors))
		if out, err := run(t, program, "vectors", vectorsFile).CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("%v\n%s", err, out)
		}
		// The comparison can fail: with the verdicts inverted nothing matches.
		turned := slices.Clone(text)
		for _, verdict := range []string{"valid", "missing", "timestamp", "stale", "signature"} {
			turned = bytes.ReplaceAll(turned, []byte(`"verdict": "`+verdict+`"`), []byte(`"verdict": "not `+verdict+`"`))
		}
		path := filepath.Join(t.TempDir(), "turned.json")
		if err := os.WriteFile(path, turned, 0o600); err != nil {
			t.Fatal(err)
		}
		want = fmt.Sprintf("%d vectors, %[1]d wrong\n", len(file.Vectors))
		if out, err := run(t, program, "vectors", path).CombinedOutput(); err == nil || !strings.Contains(string(out), want) {
			t.Errorf("with wrong verdicts: %v\n%s", err, out)
		}
	})
}

func run(t *testing.T, program []string, args ...string) *exec.Cmd {
	t.Helper()
	args = append(slices.Clone(program[1:]), args...)
	return exec.CommandContext(t.Context(), program[0], args...)
}

// listening is a running receiver.
type listening struct {
	url     string
	kill    func() // ends it at once
	mu      sync.Mutex
	handled []string
	news    chan struct{}
}

// serve starts a receiver; the file is the database of one that has one.
func serve(t *testing.T, program []string, inbox string, secrets ...string) *listening {
	t.Helper()
	cmd := run(t, program, "serve", "127.0.0.1:0")
	cmd.Env = append(os.Environ(), "WEBHOOK_SECRETS="+strings.Join(secrets, ","), "WEBHOOK_INBOX="+inbox)
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	l := &listening{news: make(chan struct{}, 100)}
	address := make(chan string, 1)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if at, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
				address <- at
			} else if what, ok := strings.CutPrefix(lines.Text(), "handled "); ok {
				l.mu.Lock()
				l.handled = append(l.handled, what)
				l.mu.Unlock()
				l.news <- struct{}{}
			}
		}
	}()
	l.kill = sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		<-ended
		_ = cmd.Wait() // it was killed
	})
	t.Cleanup(func() {
		l.kill()
		if t.Failed() {
			t.Logf("the receiver said:\n%s", log.String())
		}
	})
	select {
	case at := <-address:
		l.url = "http://" + at + "/hooks"
	case <-ended:
		t.Fatal("the receiver ended at once")
	case <-time.After(time.Minute):
		t.Fatal("the receiver does not listen")
	}
	return l
}

// await waits until the delivery is handled, and returns all handled ones.
func (l *listening) await(t *testing.T, what string) []string {
	t.Helper()
	patience := time.After(time.Minute)
	for {
		l.mu.Lock()
		handled := slices.Clone(l.handled)
		l.mu.Unlock()
		if slices.Contains(handled, what) {
			return handled
		}
		select {
		case <-l.news:
		case <-patience:
			t.Fatalf("%s is not handled, only %v", what, handled)
		}
	}
}

// delivery is a delivery as sent by the engine.
type delivery struct {
	id, event string
	body      []byte
	header    http.Header
}

func deliver(t *testing.T, kind webhook.Kind, at time.Time, secret, previous string) delivery {
	t.Helper()
	e := webhook.NewEnvelope(kind.Event, webhook.Version, at, kind.Example)
	body, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	header, err := webhook.Headers(e.ID, kind.Event, at, body, secret, previous)
	if err != nil {
		t.Fatal(err)
	}
	return delivery{e.ID, kind.Event, body, header}
}

func (d delivery) String() string { return d.id + " " + d.event }

func (l *listening) post(t *testing.T, d delivery) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, l.url, bytes.NewReader(d.body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header = d.header
	client := http.Client{Timeout: 30 * time.Second}
	res, err := client.Do(req)
	if err != nil {
		return 0 // the receiver hung up
	}
	defer func() { _ = res.Body.Close() }()
	_, _ = io.Copy(io.Discard, res.Body) // only the status matters
	return res.StatusCode
}

func TestReceiversAcceptSignedDeliveries(t *testing.T) {
	secret, previous, next := webhook.NewSecret(), webhook.NewSecret(), webhook.NewSecret()
	kinds := webhook.Catalogue
	eachSample(t, func(t *testing.T, program []string) {
		l := serve(t, program, filepath.Join(t.TempDir(), "inbox.db"), secret, previous)
		now := time.Now()
		good := []delivery{
			deliver(t, kinds[6], now, secret, ""),
			deliver(t, kinds[0], now, secret, previous),
			deliver(t, kinds[1], now, previous, ""), // the receiver was told of the new secret before it was in use
			deliver(t, kinds[2], now, next, secret), // the secret was rotated, and the receiver not told yet
			deliver(t, kinds[3], now.Add(-4*time.Minute), secret, ""),
			deliver(t, kinds[9], now.Add(4*time.Minute), secret, ""),
		}
		want := make([]string, 0, len(good)+1)
		for _, d := range good {
			if status := l.post(t, d); status != http.StatusNoContent {
				t.Errorf("%s is answered with %d", d, status)
			}
			want = append(want, d.String())
		}
		l.refuses(t, secret)
		// Repeats are acknowledged, even if the unsigned header has another id.
		repeat := good[0]
		repeat.header = repeat.header.Clone()
		for _, id := range []string{repeat.id, "msg_OTHER"} {
			repeat.header.Set(webhook.HeaderID, id)
			if status := l.post(t, repeat); status != http.StatusNoContent {
				t.Errorf("a repeat is answered with %d", status)
			}
		}
		last := deliver(t, kinds[11], now, secret, "")
		if status := l.post(t, last); status != http.StatusNoContent {
			t.Errorf("the last is answered with %d", status)
		}
		if got := l.await(t, last.String()); !slices.Equal(got, append(want, last.String())) {
			t.Errorf("handled were\n%v, want\n%v", got, want)
		}
	})
}

// refuses checks that nothing is accepted that is not signed with the secret, over the whole body, within five
// minutes.
func (l *listening) refuses(t *testing.T, secret string) {
	t.Helper()
	kind, now, stranger := webhook.Catalogue[6], time.Now(), webhook.NewSecret()
	good := deliver(t, kind, now, secret, "")
	unsigned, changed, longer, tooLarge := good, good, good, good
	unsigned.header = http.Header{"Content-Type": {"application/json"}}
	changed.body = bytes.Replace(good.body, []byte("515.88"), []byte("915.88"), 1)
	longer.body = append(slices.Clone(good.body), '\n')
	tooLarge.body = append(slices.Clone(good.body), bytes.Repeat([]byte{' '}, 2<<20)...)
	for name, c := range map[string]struct {
		sent delivery
		want []int
	}{
		"unsigned":           {unsigned, []int{http.StatusUnauthorized}},
		"changed":            {changed, []int{http.StatusUnauthorized}},
		"with a newline":     {longer, []int{http.StatusUnauthorized}},
		"of a stranger":      {deliver(t, kind, now, stranger, ""), []int{http.StatusUnauthorized}},
		"of a stranger, too": {deliver(t, kind, now, stranger, stranger), []int{http.StatusUnauthorized}},
		"stale":              {deliver(t, kind, now.Add(-6*time.Minute), secret, ""), []int{http.StatusUnauthorized}},
		"of the future":      {deliver(t, kind, now.Add(6*time.Minute), secret, ""), []int{http.StatusUnauthorized}},
		// A receiver that stops reading may hang up before the sender has read its answer.
		"too large": {tooLarge, []int{http.StatusRequestEntityTooLarge, 0}},
	} {
		if status := l.post(t, c.sent); !slices.Contains(c.want, status) {
			t.Errorf("a delivery that is %s is answered with %d", name, status)
		}
	}
}

// The sample with a table still knows its deliveries after a crash.
func TestDurableReceiverDeduplicatesAfterCrash(t *testing.T) {
	program, inbox, secret := samples["Python"](t), filepath.Join(t.TempDir(), "inbox.db"), webhook.NewSecret()
	before := deliver(t, webhook.Catalogue[6], time.Now(), secret, "")
	after := deliver(t, webhook.Catalogue[7], time.Now(), secret, "")
	l := serve(t, program, inbox, secret)
	l.post(t, before)
	l.await(t, before.String())
	last := deliver(t, webhook.Catalogue[0], time.Now(), secret, "")
	l.post(t, last) // by which the one before is marked as handled
	l.await(t, last.String())
	l.kill()
	l = serve(t, program, inbox, secret)
	for _, d := range []delivery{before, after} {
		if status := l.post(t, d); status != http.StatusNoContent {
			t.Errorf("%s is answered with %d", d, status)
		}
	}
	if handled := l.await(t, after.String()); slices.Contains(handled, before.String()) {
		t.Errorf("handled again: %v", handled)
	}
}
