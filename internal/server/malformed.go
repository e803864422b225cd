package server

import (
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"paydown/internal/middleware"
)

// net/http itself answers input that it cannot read as a request, before any handler runs: a malformed target or Host,
// headers that are too large, an unknown expectation. Its answers are plain text without the headers that every answer
// must have, and net/http has no setting for their wording. Connections therefore inspect what is written to them
// before a handler runs, and replace net/http's answer with one in the usual form. From the start of a handler to the
// end of its answer they pass everything through: a write costs one more atomic load, and sendfile still works.
//
// If this server terminates TLS, the connection sees only records and changes nothing: net/http's answers stay as they
// are.

// listener wraps the connections that it accepts in conn.
type listener struct {
	net.Listener
	chain *middleware.Chain
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		wrapped := &conn{TCPConn: tcp, chain: l.chain}
		wrapped.unasked.Store(true)
		return wrapped, nil
	}
	return c, err
}

// conn is a connection that hides nothing from net/http: it is a *net.TCPConn except for Write.
type conn struct {
	*net.TCPConn
	chain *middleware.Chain
	// unasked is true until a handler has been called for the request that is being read.
	unasked atomic.Bool
}

// Write passes data on, or replaces an answer of net/http's own, which arrives in a single Write.
func (c *conn) Write(p []byte) (int, error) {
	if !c.unasked.Load() {
		return c.TCPConn.Write(p)
	}
	status, reason := ownAnswer(p)
	if status == 0 {
		return c.TCPConn.Write(p)
	}
	if _, err := c.TCPConn.Write(c.answer(status, reason)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// net/http checks for these interfaces: the first enables sendfile, the second lets sent data arrive before the
// connection closes.
var _ interface {
	io.ReaderFrom
	CloseWrite() error
} = (*conn)(nil)

// plainToTLS is the end of net/http's answer to a client that speaks plain HTTP on a TLS port.
const plainToTLS = "Client sent an HTTP request to an HTTPS server.\n"

// ownAnswer parses the status line of an answer of net/http's own, such as "HTTP/1.1 400 Bad Request: malformed
// Host header". The reason never repeats input. The status is 0 for anything else: TLS, or an HTTP/2 frame.
func ownAnswer(p []byte) (status int, reason string) {
	version, rest, _ := strings.Cut(string(p[:min(len(p), 200)]), " ")
	if version != "HTTP/1.1" && version != "HTTP/1.0" {
		return 0, ""
	}
	if strings.HasSuffix(rest, plainToTLS) {
		return http.StatusBadRequest, "this port requires HTTPS, not HTTP"
	}
	line, _, ended := strings.Cut(rest, "\r\n")
	digits, text, _ := strings.Cut(line, " ")
	if status, err := strconv.Atoi(digits); err == nil && ended && status >= http.StatusBadRequest {
		_, reason, _ = strings.Cut(text, ": ")
		return status, reason
	}
	return 0, ""
}

// answer returns the replacement. The connection closes after it, as net/http does.
func (c *conn) answer(status int, reason string) []byte {
	peer := netip.IPv6Unspecified()
	if at, err := netip.ParseAddrPort(c.RemoteAddr().String()); err == nil {
		peer = at.Addr().Unmap().WithZone("")
	}
	head, body := c.chain.Malformed(peer, status, sentence(status, reason))
	head.Set("Connection", "close")
	head.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = head.Write(&b) // writes to memory
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// sentence explains the problem to people.
func sentence(status int, reason string) string {
	switch {
	case status == http.StatusRequestHeaderFieldsTooLarge:
		return "The request line and headers are too large."
	case status == http.StatusExpectationFailed:
		return "The Expect header must be 100-continue."
	case status == http.StatusNotImplemented:
		return "This transfer encoding is not supported."
	case reason != "":
		return "The request is malformed: " + reason + "."
	default:
		return "The request is malformed."
	}
}

// connKey is the context key of a request's connection.
type connKey struct{}

// watched makes a server call its handler for connections of a listener.
func watched(s *http.Server) *http.Server {
	next := s.Handler
	s.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if c, ok := r.Context().Value(connKey{}).(*conn); ok {
			c.unasked.Store(false)
		}
		next.ServeHTTP(w, r)
	})
	s.ConnContext = func(ctx context.Context, c net.Conn) context.Context {
		if of := under(c); of != nil {
			ctx = context.WithValue(ctx, connKey{}, of)
		}
		return ctx
	}
	s.ConnState = func(c net.Conn, state http.ConnState) {
		if of := under(c); of != nil && state == http.StateIdle { // the answer is complete
			of.unasked.Store(true)
		}
	}
	return s
}

// under returns the conn below a connection, or nil if no listener of this package accepted it.
func under(c net.Conn) *conn {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	of, _ := c.(*conn)
	return of
}
