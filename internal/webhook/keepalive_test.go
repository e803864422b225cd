package webhook_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paydown/internal/webhook"
)

// eventually waits until a condition holds.
func eventually(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	for until := time.Now().Add(2 * time.Minute); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			tb.Fatalf("it never came about that %s", what)
		}
	}
}

// wantDelivered makes an attempt that must arrive.
func wantDelivered(tb testing.TB, s *webhook.Sender, endpoint int, url string) {
	tb.Helper()
	o := s.Send(context.Background(), webhook.Attempt{Endpoint: endpoint, URL: url, Body: []byte("{}")})
	if o.Error != "" {
		tb.Errorf("%s: %+v", url, o)
	}
}

func TestConnectionsAreKeptByEndpoint(t *testing.T) {
	s := sender(t, webhook.SenderConfig{})
	r := receive(t, "127.0.0.1:0", answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
	for range 5 {
		wantDelivered(t, s, 1, r.URL())
	}
	if n := r.accepted.Load(); n != 1 {
		t.Errorf("%d connections for five attempts, one after the other", n)
	}
	for range 2 {
		wantDelivered(t, s, 2, r.URL())
	}
	if n := r.accepted.Load(); n != 2 {
		t.Errorf("%d connections of two endpoints", n)
	}
	// A connection whose response was not read to its end is not reused, nor is one that the receiver wants
	// closed.
	for _, answer := range []string{
		"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.0 200 OK\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + strings.Repeat("x", 100000),
	} {
		closing := receive(t, "127.0.0.1:0", once(func(c net.Conn) { _, _ = io.WriteString(c, answer) }))
		for range 2 {
			wantDelivered(t, s, 3, closing.URL())
		}
		if n := closing.accepted.Load(); n != 2 {
			t.Errorf("%.50q: %d connections for two attempts", answer, n)
		}
	}
	if connections, endpoints := s.Kept(); connections != 2 || endpoints != 2 {
		t.Errorf("%d connections of %d endpoints are kept", connections, endpoints)
	}
}

// A busy endpoint keeps as many connections as it has concurrent attempts.
func TestConnectionsOfABusyEndpoint(t *testing.T) {
	const atOnce = 128
	s := sender(t, webhook.SenderConfig{})
	var there sync.WaitGroup
	r := receive(t, "127.0.0.1:0", func(conn net.Conn) {
		for in := bufio.NewReader(conn); readRequest(in); {
			there.Done()
			there.Wait() // for all the others of this round
			if _, err := io.WriteString(conn, ok204); err != nil {
				return
			}
		}
	})
	for range 3 {
		there.Add(atOnce)
		var all sync.WaitGroup
		for range atOnce {
			all.Go(func() { wantDelivered(t, s, 1, r.URL()) })
		}
		all.Wait()
	}
	if n := r.accepted.Load(); n != atOnce {
		t.Errorf("%d connections for three rounds of %d attempts", n, atOnce)
	}
}

func TestIdleConnectionsAreClosed(t *testing.T) {
	var closed atomic.Int32
	handle := func(conn net.Conn) {
		answering(ok204)(conn)
		closed.Add(1)
	}
	t.Run("but for a time", func(t *testing.T) {
		s := sender(t, webhook.SenderConfig{KeepAlive: 50 * time.Millisecond})
		r := receive(t, "127.0.0.1:0", handle)
		closed.Store(0)
		for endpoint := range 3 {
			wantDelivered(t, s, endpoint, r.URL())
		}
		eventually(t, "they are closed", func() bool { return closed.Load() == 3 })
		if connections, endpoints := s.Kept(); connections+endpoints > 0 {
			t.Errorf("%d connections of %d endpoints are kept", connections, endpoints)
		}
		wantDelivered(t, s, 1, r.URL())
		eventually(t, "it is closed", func() bool { return closed.Load() == 4 })
	})
	t.Run("but so many", func(t *testing.T) {
		s := sender(t, webhook.SenderConfig{MaxIdle: 2})
		r := receive(t, "127.0.0.1:0", handle)
		closed.Store(0)
		for endpoint := range 5 {
			wantDelivered(t, s, endpoint, r.URL())
		}
		eventually(t, "the first are closed", func() bool { return closed.Load() == 3 })
		if connections, endpoints := s.Kept(); connections != 2 || endpoints != 2 {
			t.Errorf("%d connections of %d endpoints are kept", connections, endpoints)
		}
		wantDelivered(t, s, 4, r.URL())
		if n := r.accepted.Load(); n != 5 {
			t.Error("the last was not kept")
		}
	})
	t.Run("but until the endpoint is forgotten", func(t *testing.T) {
		s := sender(t, webhook.SenderConfig{})
		r := receive(t, "127.0.0.1:0", handle)
		closed.Store(0)
		wantDelivered(t, s, 1, r.URL())
		wantDelivered(t, s, 2, r.URL())
		s.Forget(1)
		s.Forget(99)
		eventually(t, "it is closed", func() bool { return closed.Load() == 1 })
		wantDelivered(t, s, 2, r.URL())
		if n := r.accepted.Load(); n != 2 {
			t.Error("another endpoint was forgotten too")
		}
	})
	t.Run("but until the Sender is closed", func(t *testing.T) {
		s := sender(t, webhook.SenderConfig{})
		r := receive(t, "127.0.0.1:0", handle)
		closed.Store(0)
		wantDelivered(t, s, 1, r.URL())
		s.Close()
		eventually(t, "it is closed", func() bool { return closed.Load() == 1 })
		wantDelivered(t, s, 1, r.URL())
		eventually(t, "what came later is closed", func() bool { return closed.Load() == 2 })
		s.Close()
	})
}

// A connection in use when its endpoint is forgotten serves its attempt, and no other.
func TestForgettingAnEndpointInUse(t *testing.T) {
	s := sender(t, webhook.SenderConfig{})
	asked, answer := make(chan struct{}), make(chan struct{})
	r := receive(t, "127.0.0.1:0", func(conn net.Conn) {
		for in := bufio.NewReader(conn); readRequest(in); {
			asked <- struct{}{}
			<-answer
			_, _ = io.WriteString(conn, ok204)
		}
	})
	for _, forget := range []func(){func() { s.Forget(1) }, s.Close} {
		before := r.accepted.Load()
		var under sync.WaitGroup
		under.Go(func() { wantDelivered(t, s, 1, r.URL()) })
		<-asked
		forget()
		answer <- struct{}{}
		under.Wait()
		if connections, endpoints := s.Kept(); connections+endpoints > 0 {
			t.Errorf("%d connections of %d endpoints are kept", connections, endpoints)
		}
		if n := r.accepted.Load() - before; n != 1 {
			t.Errorf("%d connections", n)
		}
	}
}

// If a receiver drops a connection kept for a while, the attempt does not fail: it is made again, once and on a
// new connection. If any response arrived, or the connection was new, it fails.
func TestDeadConnectionsAreReplaced(t *testing.T) {
	for name, c := range map[string]struct {
		second   string // how the second request on a connection is answered, before it is closed
		code     string
		requests int32
	}{
		"without an answer":  {"", "", 3},
		"within an answer":   {"HTTP/1.1 20", "connection", 2},
		"with another error": {"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "status", 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := sender(t, webhook.SenderConfig{})
			var requests atomic.Int32
			r := receive(t, "127.0.0.1:0", func(conn net.Conn) {
				in := bufio.NewReader(conn)
				for _, answer := range []string{ok204, c.second} {
					if !readRequest(in) {
						return
					}
					requests.Add(1)
					_, _ = io.WriteString(conn, answer)
				}
			})
			wantDelivered(t, s, 1, r.URL())
			if o := s.Send(t.Context(), webhook.Attempt{Endpoint: 1, URL: r.URL()}); o.Error != c.code ||
				requests.Load() != c.requests {
				t.Errorf("%+v after %d requests", o, requests.Load())
			}
		})
	}
	t.Run("all of them", func(t *testing.T) {
		s := sender(t, webhook.SenderConfig{})
		var there sync.WaitGroup
		var requests, rude atomic.Int32
		r := receive(t, "127.0.0.1:0", func(conn net.Conn) {
			for in := bufio.NewReader(conn); readRequest(in); {
				requests.Add(1)
				if rude.Load() > 0 {
					return
				}
				there.Done()
				there.Wait()
				_, _ = io.WriteString(conn, ok204)
			}
		})
		there.Add(10)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { wantDelivered(t, s, 1, r.URL()) })
		}
		all.Wait()
		rude.Store(1)
		if o := s.Send(t.Context(), webhook.Attempt{Endpoint: 1, URL: r.URL()}); o.Error != "connection" ||
			requests.Load() != 12 {
			t.Errorf("%+v after %d requests", o, requests.Load())
		}
	})
}
