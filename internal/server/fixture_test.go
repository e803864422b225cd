package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/ratelimit"
	"paydown/internal/secret"
	"paydown/internal/server"
	"paydown/internal/service"
)

// patience is how long a test waits at most, on a busy machine.
const patience = 2 * time.Minute

// running is a server on real listeners.
type running struct {
	public, admin string // addresses
	host, token   string // of a tenant, and its key
	log           *apptest.Log
	stop          context.CancelFunc
	ended         chan error
}

// run starts a server over a new database; change may be nil.
func run(t *testing.T, cfg server.Config, change func(*server.Server) *server.Server) *running {
	t.Helper()
	a := apptest.OnSQLite(t)
	r := &running{host: a.Tenant(t, "server.test"), ended: make(chan error, 1)}
	r.token = a.Key(t, r.host).Token
	box, err := secret.Open(a.Secret)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewJSONHandler(a.Log, nil))
	cfg.Service = service.New(service.Config{Store: a.Store, Secrets: box, Log: log, Now: a.Clock.Now})
	r.log = a.Log
	cfg.Log, cfg.Limiter = log, ratelimit.New(nil, a.Clock.Now)
	cfg.Addr, cfg.AdminAddr = "127.0.0.1:0", "127.0.0.1:0"
	s := server.New(cfg)
	if change != nil {
		s = change(s)
	}
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	started := make(chan [2]string, 1)
	go func() {
		r.ended <- s.Run(ctx, func(public, admin net.Addr) { started <- [2]string{public.String(), admin.String()} })
	}()
	select {
	case at := <-started:
		r.public, r.admin = at[0], at[1]
	case err := <-r.ended:
		stop()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		stop()
		if err, ok := <-r.ended; ok && err != nil {
			t.Errorf("the server ended with %v", err)
		}
	})
	return r
}

// finished waits for the server's end.
func (r *running) finished(t *testing.T) {
	t.Helper()
	select {
	case err := <-r.ended:
		if err != nil {
			t.Errorf("the server ended with %v", err)
		}
		close(r.ended)
	case <-time.After(patience):
		t.Fatal("the server does not end")
	}
}

// conn is a connection on which a test writes what no client library would.
type conn struct {
	net.Conn
	read *bufio.Reader
}

func dial(t *testing.T, address string) *conn {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	return &conn{c, bufio.NewReader(c)}
}

func (c *conn) send(t *testing.T, format string, args ...any) {
	t.Helper()
	if _, err := fmt.Fprintf(c, format, args...); err != nil {
		t.Fatal(err)
	}
}

// answer reads one response with its body.
func (c *conn) answer(t *testing.T) *apptest.Answer {
	t.Helper()
	resp, err := http.ReadResponse(c.read, nil)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatalf("half an answer: %v", err)
	}
	return &apptest.Answer{Status: resp.StatusCode, Header: resp.Header, Body: body}
}

// closed waits until the server has closed the connection, and returns the bytes before that.
func (c *conn) closed(t *testing.T) string {
	t.Helper()
	rest, err := io.ReadAll(c.read)
	if timeout, ok := err.(net.Error); ok && timeout.Timeout() { //nolint:errorlint // the connection's own
		t.Fatalf("the connection stays open after %q", rest)
	}
	return string(rest)
}

// raw sends a request on a connection of its own, with the key and defaults for what the test omits.
func (r *running) raw(t *testing.T, request string) *apptest.Answer {
	t.Helper()
	c := dial(t, r.public)
	c.send(t, "%s", strings.ReplaceAll(request, "KEY", "Authorization: Bearer "+r.token))
	return c.answer(t)
}

// get sends a GET on a connection of its own.
func (r *running) get(t *testing.T, address, path string) *apptest.Answer {
	t.Helper()
	c := dial(t, address)
	c.send(
		t, "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nConnection: close\r\n\r\n", path, r.host, r.token,
	)
	return c.answer(t)
}

var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
