package webhook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Why an attempt failed: what the log of deliveries says of it. The codes are part of the contract.
const (
	// CodeDNS: the host's name has no address, or its name servers did not say in time.
	CodeDNS = "dns"
	// CodeBlockedAddress: the URL, or any address that its host stands for, must not be delivered to. Nothing was sent.
	CodeBlockedAddress = "blocked_address"
	// CodeTLS: no encrypted session came about: the certificate is not trusted, has expired or is for another host, or the
	// receiver broke the handshake off or speaks no TLS of version 1.2 or later.
	CodeTLS = "tls"
	// CodeTimeout: the time ended before the answer was complete, in whatever phase but the look-up of the name.
	CodeTimeout = "timeout"
	// CodeConnection: no connection came about, or it broke before the answer was complete, or what came is not HTTP.
	CodeConnection = "connection"
	// CodeTooLarge: the headers of the answer are larger than 64 KiB, those of interim answers among them.
	CodeTooLarge = "too_large"
	// CodeStatus: the answer is complete, and its status is none of 200 to 299. Redirects are not followed.
	CodeStatus = "status"
)

// defaultTimeout is how long an attempt may take, from the look-up of the name to the last byte of the answer.
const defaultTimeout = 10 * time.Second

// Bounds of what is read of an answer, in bytes.
const (
	// SnippetSize is how much of the body is kept.
	SnippetSize = 1 << 10
	// maxResponseBody is how much of the body is waited for. What is longer counts as complete there, since the receiver
	// has said by its status how it took the delivery; the connection is closed.
	maxResponseBody    = 64 << 10
	maxResponseHeaders = 64 << 10
)

// SenderConfig is what a Sender works with. The zero value will do.
type SenderConfig struct {
	Guard Guard
	// RootCAs are the authorities that receivers' certificates must come from; nil stands for those of the system.
	RootCAs *x509.CertPool
	// Timeout is how long an attempt may take; 0 stands for ten seconds.
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

// Sender makes attempts. It speaks HTTP/1.1 alone: under HTTP/2 all attempts at a receiver would share a connection, so
// that one which stalls holds up the others. It knows no proxies, cookies and redirects, and unpacks nothing. It is
// safe for concurrent use.
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
		guard: cfg.Guard, timeout: cmp.Or(cfg.Timeout, defaultTimeout), dial: dialTCP,
		tls:  &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: cfg.RootCAs, NextProtos: []string{"http/1.1"}},
		pool: newPool(cmp.Or(cfg.KeepAlive, time.Minute), cmp.Or(cfg.MaxIdle, 1024)),
	}
}

// Forget closes the connections of an endpoint that was deleted, moved or turned off. Attempts under way go on.
func (s *Sender) Forget(endpoint int) { s.pool.forget(endpoint) }

// Close closes all connections; attempts under way go on, and close theirs. Attempts made later work, and keep none.
func (s *Sender) Close() { s.pool.close() }

// Send makes one attempt: one POST, sent again on a fresh connection only where one that was kept turns out to be dead.
// The URL is judged as it is written, then the host is looked up and every address judged, and only those are connected
// to, or were by a connection that is used again. It returns when the time has ended at the latest.
func (s *Sender) Send(ctx context.Context, a Attempt) Outcome {
	begun := elapsed()
	limited, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var o Outcome
	if err := s.deliver(limited, a, &o); err != nil {
		o.Error, o.Ours = codeOf(err)
		if o.Error != CodeDNS && o.Error != CodeBlockedAddress && errors.Is(limited.Err(), context.DeadlineExceeded) {
			o.Error, o.Ours = CodeTimeout, false
		}
		if ctx.Err() != nil && o.Error != CodeBlockedAddress {
			o.Ours = true // it was not given its time
		}
	} else if o.Status < 200 || o.Status > 299 {
		o.Error = CodeStatus
	}
	o.Duration = elapsed() - begun
	return o
}

// failure is an error with its code.
type failure struct {
	code string
	err  error
}

func (f *failure) Error() string { return f.code + ": " + f.err.Error() }
func (f *failure) Unwrap() error { return f.err }

// codeOf is the code of what went wrong, and whether we are to blame.
func codeOf(err error) (code string, ours bool) {
	var f *failure
	if errors.As(err, &f) {
		return f.code, errors.Is(err, ErrNoDNS) || ourFault(err) || noRoots(err)
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
	for {
		c := s.pool.take(l, t.origin, t.addrs)
		reused := c != nil
		if !reused {
			if c, err = s.connect(ctx, t); err != nil {
				s.pool.leave(l)
				return err
			}
			c.line = l
		}
		before := c.link.read.Load()
		err := exchange(ctx, c, t, a, o)
		if err == nil && c.http.Available() > 0 {
			s.pool.put(c)
			return nil
		}
		_ = c.http.Close()
		if err == nil || !reused || c.link.read.Load() > before || ctx.Err() != nil {
			s.pool.leave(l)
			return err
		}
	}
}

// target is where an attempt goes, judged.
type target struct {
	url    *url.URL
	origin string
	host   string // as certificates have it
	port   uint16
	addrs  []netip.Addr
}

func (s *Sender) aim(ctx context.Context, raw string) (*target, error) {
	if err := s.guard.CheckURL(raw); err != nil {
		return nil, &failure{CodeBlockedAddress, err}
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, &failure{CodeBlockedAddress, err}
	}
	host, err := asciiOf(u.Hostname())
	if err != nil {
		return nil, &failure{CodeBlockedAddress, err}
	}
	port := cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, &failure{CodeBlockedAddress, err}
	}
	addrs, err := s.guard.addresses(ctx, host)
	switch {
	case errors.Is(err, ErrPrivate):
		return nil, &failure{CodeBlockedAddress, err}
	case err != nil:
		return nil, &failure{CodeDNS, err}
	}
	return &target{u, u.Scheme + "://" + net.JoinHostPort(host, port), host, uint16(number), addrs}, nil
}

// connect makes a connection to one of the target's addresses.
func (s *Sender) connect(ctx context.Context, t *target) (*conn, error) {
	tcp, peer, err := s.dial.any(ctx, t.addrs, t.port)
	if err != nil {
		return nil, err
	}
	l := &link{Conn: tcp, tcp: tcp}
	if t.url.Scheme == "https" {
		cfg := s.tls.Clone()
		cfg.ServerName = t.host
		session := tls.Client(tcp, cfg)
		if err := session.HandshakeContext(ctx); err != nil {
			_ = tcp.Close()
			return nil, &failure{CodeTLS, err}
		}
		l.Conn = session
	}
	// A transport of its own, since what it dials is the connection that is there.
	transport := &http.Transport{
		DialContext:            func(context.Context, string, string) (net.Conn, error) { return l, nil },
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxResponseHeaders,
		Protocols:              http1,
	}
	client, err := transport.NewClientConn(ctx, "http", net.JoinHostPort(t.host, strconv.Itoa(int(t.port))))
	if err != nil {
		_ = tcp.Close()
		return nil, err
	}
	return &conn{http: client, link: l, origin: t.origin, peer: peer}, nil
}

var http1 = func() *http.Protocols {
	p := &http.Protocols{}
	p.SetHTTP1(true)
	return p
}()

// exchange sends the request and reads the answer. Afterwards the connection is available again, or of no more use.
func exchange(ctx context.Context, c *conn, t *target, a Attempt, o *Outcome) error {
	header := maps.Clone(a.Header)
	if header == nil {
		header = http.Header{}
	}
	header.Set("Accept-Encoding", "identity")
	req := (&http.Request{
		Method: http.MethodPost, URL: t.url, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: header,
		Body: io.NopCloser(bytes.NewReader(a.Body)), ContentLength: int64(len(a.Body)),
	}).WithContext(ctx)
	before := c.link.read.Load()
	resp, err := c.http.RoundTrip(req)
	if err != nil {
		if c.link.read.Load()-before >= maxResponseHeaders {
			return &failure{CodeTooLarge, err}
		}
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	o.Status = resp.StatusCode
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return nil // what follows is no body
	}
	var body bytes.Buffer
	_, err = io.Copy(&body, io.LimitReader(resp.Body, maxResponseBody))
	o.Snippet = snippet(body.Bytes())
	return err
}

// snippet is the beginning of a body as text that any database takes.
func snippet(body []byte) string {
	cut := body[:min(len(body), SnippetSize)]
	if len(cut) < len(body) {
		for i := len(cut) - 1; i >= max(0, len(cut)-utf8.UTFMax); i-- {
			if utf8.RuneStart(cut[i]) {
				if !utf8.FullRune(cut[i:]) {
					cut = cut[:i]
				}
				break
			}
		}
	}
	text := strings.ReplaceAll(strings.ToValidUTF8(string(cut), "\uFFFD"), "\x00", "\uFFFD")
	if len(text) <= SnippetSize {
		return text
	}
	end := SnippetSize
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// noRoots reports whether a certificate was refused because this machine trusts nobody at all.
func noRoots(err error) bool {
	var unknown x509.UnknownAuthorityError
	var none x509.SystemRootsError
	return errors.As(err, &none) || (errors.As(err, &unknown) && emptyRoots())
}

var emptyRoots = sync.OnceValue(func() bool {
	pool, err := x509.SystemCertPool()
	return err != nil || pool.Equal(x509.NewCertPool())
})

var start = time.Now() //nolint:forbidigo // what a network takes is told by the machine's clock, and only differences are

// elapsed is the machine's monotonic clock.
func elapsed() time.Duration { return time.Since(start) } //nolint:forbidigo // see start
