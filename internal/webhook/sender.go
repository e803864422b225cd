package webhook

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"time"
)

// Why an attempt failed, as shown in the delivery log. Receivers' programs may depend on these codes.
const (
	// CodeDNS: the host's name has no address, or one that is not public, or its name servers did not answer in
	// time. The log does not say which, in order not to reveal the names of the server's own network.
	CodeDNS = "dns"
	// CodeBlockedAddress: the URL, as written, must not be delivered to. Nothing was looked up or sent.
	CodeBlockedAddress = "blocked_address"
	// CodeTLS: the TLS handshake failed: the certificate is not trusted, has expired or is for another host, or
	// the receiver aborted the handshake or does not support TLS 1.2 or later.
	CodeTLS = "tls"
	// CodeTimeout: time ran out before the response was complete, in any phase except the name lookup.
	CodeTimeout = "timeout"
	// CodeConnection: the connection failed, or broke before the response was complete, or the response is not
	// HTTP. The response is complete with its body, or with the first 64 KiB of it.
	CodeConnection = "connection"
	// CodeTooLarge: the headers of the response, including those of interim responses, are larger than 64 KiB.
	CodeTooLarge = "too_large"
	// CodeStatus: the response is complete, and its status is not in 200 to 299. Redirects are not followed.
	CodeStatus = "status"
)

// Codes lists them.
var Codes = []string{
	CodeDNS, CodeBlockedAddress, CodeTLS, CodeTimeout, CodeConnection, CodeTooLarge, CodeStatus,
}

// SenderConfig configures a Sender. The zero value works.
type SenderConfig struct {
	Guard Guard
	// RootCAs are the trusted authorities for receivers' certificates; nil means those of the system.
	RootCAs *x509.CertPool
	// Timeout limits an attempt; 0 means AttemptTimeout.
	Timeout time.Duration
	// KeepAlive is how long an idle connection is kept; 0 means a minute. MaxIdle limits the idle connections; 0
	// means 1024.
	KeepAlive time.Duration
	MaxIdle   int
}

// Attempt is a request to send.
type Attempt struct {
	Endpoint int // id of the endpoint, whose connections it may use
	URL      string
	Header   http.Header // from Headers; it is not changed
	Body     []byte
}

// Outcome is the result of an attempt.
type Outcome struct {
	Status   int           // of the response; 0 if there was none
	Snippet  string        // the first 1 KiB of the response's body: valid UTF-8 without NUL, cut between characters
	Duration time.Duration // on a monotonic clock
	Error    string        // one of the codes above, or "" if it was delivered
	// Internal means that the attempt failed because of this machine: name servers, network, file descriptors, or
	// time, if the caller's context has ended. It says nothing about the endpoint.
	Internal bool
}

// Sender makes attempts. It is safe for concurrent use.
//
// It only speaks HTTP/1.1: with HTTP/2 the attempts at an endpoint would share a connection, and one that
// stalls would stall them all. It supports no proxies, cookies, redirects or decompression.
//
// It has its own connection pool. The pool of http.Transport does not tell where an idle connection leads, so
// it could not be restricted to the addresses that were just looked up. It also keeps connections to abandoned
// origins, limits idle connections per transport instead of in total, and costs each attempt a third more
// allocations.
type Sender struct {
	guard   Guard
	timeout time.Duration
	tls     *tls.Config
	dial    dialFunc
	pool    *pool
}

// NewSender returns a Sender; Close ends it.
func NewSender(cfg SenderConfig) *Sender {
	return &Sender{
		guard: cfg.Guard, timeout: cmp.Or(cfg.Timeout, AttemptTimeout), dial: dialTCP,
		tls:  &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: cfg.RootCAs, NextProtos: []string{"http/1.1"}},
		pool: newPool(cmp.Or(cfg.KeepAlive, time.Minute), cmp.Or(cfg.MaxIdle, 1024)),
	}
}

// Forget closes the connections of an endpoint that was deleted, moved or turned off. Attempts in flight
// continue.
func (s *Sender) Forget(endpoint int) { s.pool.forget(endpoint) }

// Close closes all connections. Attempts in flight continue and close theirs. Later attempts work, but keep no
// connections.
func (s *Sender) Close() { s.pool.close() }

// Send makes one attempt: one POST, repeated on a fresh connection only if an idle one turns out to be dead. It
// checks the URL as written, looks the host up, checks every address, and connects only to those, or reuses a
// connection to one of them. It returns within the timeout.
func (s *Sender) Send(ctx context.Context, a Attempt) Outcome {
	begun := elapsed()
	limited, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var o Outcome
	err := s.deliver(limited, a, &o)
	switch {
	case err != nil:
		o.Error, o.Internal = codeOf(err)
		if o.Error != CodeBlockedAddress {
			o.blameClock(ctx, limited)
		}
	case o.Status < 200 || o.Status > 299:
		o.Error = CodeStatus
	}
	o.Duration = elapsed() - begun
	return o
}

// blameClock corrects the error if time ran out, because that caused whatever failed.
func (o *Outcome) blameClock(ctx, limited context.Context) {
	if expired(limited) && o.Error != CodeDNS {
		o.Error, o.Internal = CodeTimeout, false
	}
	if ctx.Err() != nil || expired(ctx) {
		o.Internal = true // the caller did not allow enough time
	}
}

// expired reports whether a context's deadline has passed. Connections may notice that before the context does.
func expired(ctx context.Context) bool {
	until, ok := ctx.Deadline()
	return ok && time.Until(until) <= 0
}

// failure is an error with its code, and whether it is an internal error.
type failure struct {
	code     string
	internal bool
	err      error
}

func (f *failure) Error() string { return f.code + ": " + f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func codeOf(err error) (code string, internal bool) {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.code, f.internal
	}
	return CodeConnection, internalFault(err)
}

// deliver makes the attempt, and fills in the outcome as far as it gets.
func (s *Sender) deliver(ctx context.Context, a Attempt, o *Outcome) error {
	t, err := s.aim(ctx, a.URL)
	if err != nil {
		return err
	}
	l := s.pool.enter(a.Endpoint)
	defer s.pool.leave(l)
	if c := s.pool.take(l, t.origin, t.addrs); c != nil {
		if err := s.over(ctx, c, t, a, o); !errors.Is(err, errStale) {
			return err
		}
	}
	c, err := s.connect(ctx, t, l)
	if err != nil {
		return err
	}
	return s.over(ctx, c, t, a, o)
}

// over makes the attempt over a connection, and keeps the connection if it can be used again.
func (s *Sender) over(ctx context.Context, c *conn, t *target, a Attempt, o *Outcome) error {
	err := exchange(ctx, c, t.url, a, o)
	if err == nil && c.http.Available() > 0 {
		s.pool.put(c)
	} else {
		_ = c.http.Close()
	}
	return err
}

// target is the checked destination of an attempt.
type target struct {
	url    *url.URL
	origin string
	host   string // as in certificates
	port   uint16
	addrs  []netip.Addr
}

// aim checks the destination of an attempt.
func (s *Sender) aim(ctx context.Context, raw string) (*target, error) {
	blocked := func(err error) (*target, error) { return nil, &failure{CodeBlockedAddress, false, err} }
	if err := s.guard.CheckURL(raw); err != nil {
		return blocked(err)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return blocked(err)
	}
	host, err := asciiOf(u.Hostname())
	if err != nil {
		return blocked(err)
	}
	port, err := strconv.ParseUint(cmp.Or(u.Port(), defaultPorts[u.Scheme]), 10, 16)
	if err != nil {
		return blocked(err)
	}
	addrs, err := s.guard.addresses(ctx, host)
	if err != nil {
		// A name with a private address is reported like one without an address.
		return nil, &failure{CodeDNS, errors.Is(err, ErrNoDNS), err}
	}
	origin := u.Scheme + "://" + net.JoinHostPort(host, strconv.FormatUint(port, 10))
	return &target{u, origin, host, uint16(port), addrs}, nil
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

var start = time.Now() //nolint:forbidigo // durations of network calls use the machine's clock

// elapsed is the machine's monotonic clock.
func elapsed() time.Duration { return time.Since(start) } //nolint:forbidigo // see start
