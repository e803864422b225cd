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

	"paydown/internal/gate"
)

// net/http answers by itself, and past every handler, what it cannot read as a request: a target or a Host that is malformed,
// headers that are too large, an expectation that it does not know. What it writes then is plain text without any of the headers
// that each answer is promised to have. Nothing in net/http can be set to word that otherwise, so connections look at what
// is written on them until a handler is asked, and put an answer of ours in its place. From then on until the answer is
// complete they pass everything through: a write costs one atomic load more than without, and sendfile works as ever.
//
// Over TLS of our own the connection sees records and changes nothing: what net/http says there stays as it is.

// listener makes the connections that it accepts such ones.
type listener struct {
	net.Listener
	gate *gate.Gate
}

func (l listener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if tcp, ok := c.(*net.TCPConn); ok {
		wrapped := &conn{TCPConn: tcp, gate: l.gate}
		wrapped.unasked.Store(true)
		return wrapped, nil
	}
	return c, err
}

// conn is a connection of which nothing is hidden from net/http: it is a *net.TCPConn but for Write.
type conn struct {
	*net.TCPConn
	gate *gate.Gate
	// unasked says that no handler has been asked for the request that is read next, or is being read.
	unasked atomic.Bool
}

// Write passes on what is written, or an answer of ours in the place of one of net/http's own, which comes in one piece.
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

// net/http looks for these: the first has sendfile used, the second has what was sent arrive before the connection closes.
var _ interface {
	io.ReaderFrom
	CloseWrite() error
} = (*conn)(nil)

// plainToTLS is the end of what net/http says to a client that speaks plain HTTP where TLS is spoken.
const plainToTLS = "Client sent an HTTP request to an HTTPS server.\n"

// ownAnswer reads the status line of an answer of net/http's own, such as "HTTP/1.1 400 Bad Request: malformed Host header",
// whose reason never repeats what was sent; the status is 0 where it is anything else: TLS, or a frame of HTTP/2.
func ownAnswer(p []byte) (status int, reason string) {
	version, rest, _ := strings.Cut(string(p[:min(len(p), 200)]), " ")
	if version != "HTTP/1.1" && version != "HTTP/1.0" {
		return 0, ""
	}
	if strings.HasSuffix(rest, plainToTLS) {
		return http.StatusBadRequest, "this port takes HTTPS, not HTTP"
	}
	line, _, ended := strings.Cut(rest, "\r\n")
	digits, text, _ := strings.Cut(line, " ")
	if status, err := strconv.Atoi(digits); err == nil && ended && status >= http.StatusBadRequest {
		_, reason, _ = strings.Cut(text, ": ")
		return status, reason
	}
	return 0, ""
}

// answer is what is sent instead. The connection is closed after it, as net/http does.
func (c *conn) answer(status int, reason string) []byte {
	peer := netip.IPv6Unspecified()
	if at, err := netip.ParseAddrPort(c.RemoteAddr().String()); err == nil {
		peer = at.Addr().Unmap().WithZone("")
	}
	head, body := c.gate.Malformed(peer, status, sentence(status, reason))
	head.Set("Connection", "close")
	head.Set("Date", time.Now().UTC().Format(http.TimeFormat))
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\n", status, http.StatusText(status))
	_ = head.Write(&b) // to memory
	b.WriteString("\r\n")
	b.Write(body)
	return b.Bytes()
}

// sentence is what is wrong, for people.
func sentence(status int, reason string) string {
	switch {
	case status == http.StatusRequestHeaderFieldsTooLarge:
		return "The request line and headers are larger than the server takes."
	case status == http.StatusExpectationFailed:
		return "The server meets no expectation but 100-continue."
	case status == http.StatusNotImplemented:
		return "The server does not know this transfer encoding."
	case reason != "":
		return "The request is malformed: " + reason + "."
	default:
		return "The request is malformed."
	}
}

// connKey is where the context of a request has its connection.
type connKey struct{}

// watched has a server ask its handler for connections of a listener.
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

// under is the connection that net/http speaks over; nil where it is none of a listener's.
func under(c net.Conn) *conn {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	of, _ := c.(*conn)
	return of
}
