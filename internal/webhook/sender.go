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

// Why an attempt failed, as the log of deliveries has it. Receivers' own programs may go by these codes.
const (
	// CodeDNS: the host's name has no address, or one that is not public, or its name servers did not say in time. Which of
	// these it is nobody is told: the names of our own network are nobody's business.
	CodeDNS = "dns"
	// CodeBlockedAddress: the URL, as it is written, must not be delivered to. Nothing was looked up or sent.
	CodeBlockedAddress = "blocked_address"
	// CodeTLS: no encrypted session came about: the certificate is not trusted, has expired or is for another host, or the
	// receiver broke the handshake off or speaks no TLS of version 1.2 or later.
	CodeTLS = "tls"
	// CodeTimeout: the time ended before the answer was complete, in whatever phase but the look-up of the name.
	CodeTimeout = "timeout"
	// CodeConnection: no connection came about, or it broke before the answer was complete, or what came is not HTTP. The
	// answer is complete with its body, or with the first 64 KiB of it.
	CodeConnection = "connection"
	// CodeTooLarge: the headers of the answer are larger than 64 KiB, those of interim answers among them.
	CodeTooLarge = "too_large"
	// CodeStatus: the answer is complete, and its status is none of 200 to 299. Redirects are not followed.
	CodeStatus = "status"
)

// Codes lists them.
var Codes = []string{
	CodeDNS, CodeBlockedAddress, CodeTLS, CodeTimeout, CodeConnection, CodeTooLarge, CodeStatus,
}

// SenderConfig is what a Sender works with. The zero value will do.
type SenderConfig struct {
	Guard Guard
	// RootCAs are the authorities that receivers' certificates must come from; nil stands for those of the system.
	RootCAs *x509.CertPool
	// Timeout is how long an attempt may take; 0 stands for AttemptTimeout.
	Timeout time.Duration
	// KeepAlive is how long a connection is kept that is not in use, 0 standing for a minute, and MaxIdle how many are
	// at most, 0 standing for 1024.
	KeepAlive time.Duration
	MaxIdle   int
}

// Attempt is what is to be sent, and where.
type Attempt struct {
	Endpoint int // id of the endpoint, whose connections it may use
	URL      string
	Header   http.Header // as Headers makes them; it is not changed
	Body     []byte
}

// Outcome is how an attempt went.
type Outcome struct {
	Status   int           // of the answer; 0 where none came
	Snippet  string        // the first 1 KiB of the answer's body: valid UTF-8 without NUL, cut between characters
	Duration time.Duration // on a clock that nobody sets
	Error    string        // one of the codes above, or "" for a delivery that arrived
	// Ours says that it failed for want of something on our side: name servers, a network, descriptors, or time, where
	// the caller's context has ended. It says nothing about the endpoint.
	Ours bool
}

// Sender makes attempts. It is safe for concurrent use.
//
// It speaks HTTP/1.1 alone: under HTTP/2 the attempts at an endpoint would share a connection, and what stalls one of
// them, or the connection, would stall them all. It knows no proxies, cookies or redirects, and unpacks nothing.
//
// It keeps connections in a pool of its own, since a pool of http.Transport's does not say where a kept connection leads, so
// that it could not be held to the addresses that were just looked up; and it closes none of an origin that was left, bounds
// the idle ones by transport instead of altogether, and costs each attempt a third more allocations.
type Sender struct {
	guard   Guard
	timeout time.Duration
	tls     *tls.Config
	dial    dialFunc
	pool    *pool
}

// NewSender makes a Sender; Close ends it.
func NewSender(cfg SenderConfig) *Sender {
	return &Sender{
		guard: cfg.Guard, timeout: cmp.Or(cfg.Timeout, AttemptTimeout), dial: dialTCP,
		tls:  &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: cfg.RootCAs, NextProtos: []string{"http/1.1"}},
		pool: newPool(cmp.Or(cfg.KeepAlive, time.Minute), cmp.Or(cfg.MaxIdle, 1024)),
	}
}

// Forget closes the connections of an endpoint that was deleted, moved or turned off. Attempts under way go on.
func (s *Sender) Forget(endpoint int) { s.pool.forget(endpoint) }

// Close closes all connections; attempts under way go on, and close theirs. Attempts made later work, and keep none.
func (s *Sender) Close() { s.pool.close() }

// Send makes one attempt: one POST, made again on a fresh connection only where one that was kept turns out to be dead.
// The URL is judged as it is written, then the host is looked up and every address judged, and only those are connected
// to, or were by a connection that is used again. Send returns when the time has ended at the latest.
func (s *Sender) Send(ctx context.Context, a Attempt) Outcome {
	begun := elapsed()
	limited, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var o Outcome
	err := s.deliver(limited, a, &o)
	switch {
	case err != nil:
		o.Error, o.Ours = codeOf(err)
		if o.Error != CodeBlockedAddress {
			o.blameClock(ctx, limited)
		}
	case o.Status < 200 || o.Status > 299:
		o.Error = CodeStatus
	}
	o.Duration = elapsed() - begun
	return o
}

// blameClock mends why an attempt failed where its time is over: whatever failed then failed because of that.
func (o *Outcome) blameClock(ctx, limited context.Context) {
	if expired(limited) && o.Error != CodeDNS {
		o.Error, o.Ours = CodeTimeout, false
	}
	if ctx.Err() != nil || expired(ctx) {
		o.Ours = true // the caller did not leave it its time
	}
}

// expired reports whether a context's deadline has passed, which connections may learn before the context does.
func expired(ctx context.Context) bool {
	until, ok := ctx.Deadline()
	return ok && time.Until(until) <= 0
}

// failure is an error with its code, and whether it is ours.
type failure struct {
	code string
	ours bool
	err  error
}

func (f *failure) Error() string { return f.code + ": " + f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

func codeOf(err error) (code string, ours bool) {
	if f, ok := errors.AsType[*failure](err); ok {
		return f.code, f.ours
	}
	return CodeConnection, ourFault(err)
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

// over makes the attempt over a connection, and keeps that if it is good for more.
func (s *Sender) over(ctx context.Context, c *conn, t *target, a Attempt, o *Outcome) error {
	err := exchange(ctx, c, t.url, a, o)
	if err == nil && c.http.Available() > 0 {
		s.pool.put(c)
	} else {
		_ = c.http.Close()
	}
	return err
}

// target is where an attempt goes, judged.
type target struct {
	url    *url.URL
	origin string
	host   string // as certificates have it
	port   uint16
	addrs  []netip.Addr
}

// aim judges where an attempt goes.
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
		// A name that stands for a private address is told like one that stands for nothing.
		return nil, &failure{CodeDNS, errors.Is(err, ErrNoDNS), err}
	}
	origin := u.Scheme + "://" + net.JoinHostPort(host, strconv.FormatUint(port, 10))
	return &target{u, origin, host, uint16(port), addrs}, nil
}

var defaultPorts = map[string]string{"http": "80", "https": "443"}

var start = time.Now() //nolint:forbidigo // what a network takes is told by the machine's clock, and only differences are

// elapsed is the machine's monotonic clock.
func elapsed() time.Duration { return time.Since(start) } //nolint:forbidigo // see start
