package server_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"paydown/internal/server"
)

// When stopped, the server first fails its readiness check and continues; then it closes its listeners and lets
// started requests end.
func TestShutdownIsAnnounced(t *testing.T) {
	t.Parallel()
	timer, asked := make(chan time.Time), make(chan time.Duration, 1)
	r := run(t, server.Config{StopDelay: 7 * time.Second}, func(s *server.Server) *server.Server {
		return server.Waiting(s, timer, asked)
	})
	for _, address := range []string{r.public, r.admin} {
		if answer := r.get(t, address, "/readyz"); answer.Status != 200 {
			t.Fatalf("/readyz before: %d %s", answer.Status, answer.Body)
		}
	}
	slow := r.begin(t)
	r.stop()
	select {
	case delay := <-asked:
		if delay != 7*time.Second {
			t.Errorf("it waits for %s", delay)
		}
	case <-time.After(patience):
		t.Fatal("the stop is not announced")
	}
	for _, address := range []string{r.public, r.admin} {
		answer := r.get(t, address, "/readyz")
		if answer.Status != 503 || !strings.Contains(string(answer.Body), "stopping") ||
			answer.Header.Get("Retry-After") == "" {
			t.Errorf("/readyz meanwhile: %d %s", answer.Status, answer.Body)
		}
		if answer := r.get(t, address, "/healthz"); answer.Status != 200 {
			t.Errorf("/healthz meanwhile: %d", answer.Status)
		}
	}
	if answer := r.get(t, r.public, "/api/v1/whoami"); answer.Status != 200 {
		t.Errorf("a new request meanwhile: %d %s", answer.Status, answer.Body)
	}
	timer <- time.Time{}
	r.refusesConnections(t)
	slow.send(t, `"}`)
	if answer := slow.answer(t); answer.Status != 201 || !strings.Contains(string(answer.Body), "Slow Kiln") {
		t.Errorf("the request in flight: %d %s", answer.Status, answer.Body)
	}
	r.finished(t)
}

func TestShutdownWithoutDelay(t *testing.T) {
	t.Parallel()
	r := run(t, server.Config{}, func(s *server.Server) *server.Server {
		return server.Waiting(s, nil, nil) // which would block for ever
	})
	slow := r.begin(t)
	r.stop()
	r.refusesConnections(t)
	slow.send(t, `"}`)
	if answer := slow.answer(t); answer.Status != 201 {
		t.Errorf("the request in flight: %d %s", answer.Status, answer.Body)
	}
	r.finished(t)
}

// begin sends a request except for the end of its body, and returns when the handler reads it.
func (r *running) begin(t *testing.T) *conn {
	t.Helper()
	c := dial(t, r.public)
	const body = `{"businessName": "Slow Kiln Pottery`
	c.send(t, "POST /api/v1/leads HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n%s", r.host, r.token, len(body)+2, body)
	for _, want := range []string{"HTTP/1.1 100 Continue\r\n", "\r\n"} {
		if line, err := c.read.ReadString('\n'); err != nil || line != want {
			t.Fatalf("the handler does not ask for the body: %q %v", line, err)
		}
	}
	return c
}

func (r *running) refusesConnections(t *testing.T) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", r.public)
		if err != nil {
			return
		}
		_ = c.Close()
		if time.Now().After(deadline) {
			t.Fatal("the listener stays open")
		}
	}
}
