package webhook

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"sync"
	"time"
)

const (
	// maxAddresses limits how many addresses of a name are tried: a name may have hundreds, and anybody can set
	// them.
	maxAddresses = 8
	// headStart is the delay before the next address is tried in parallel, according to RFC 8305.
	headStart = 250 * time.Millisecond
)

// dialFunc makes one TCP connection.
type dialFunc func(ctx context.Context, to netip.AddrPort) (net.Conn, error)

func dialTCP(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
	var d net.Dialer
	conn, err := d.DialTCP(ctx, "tcp", netip.AddrPort{}, to)
	if err != nil {
		return nil, err
	}
	return conn, nil
}

// dialed is the result of dialing one of several addresses.
type dialed struct {
	conn net.Conn
	peer netip.Addr
	err  error
}

// any connects to the first of the addresses that answers. If none does, it returns the first error that is the
// receiver's fault, or else the last one of this machine's.
func (dial dialFunc) any(ctx context.Context, addrs []netip.Addr, port uint16) (net.Conn, netip.Addr, error) {
	if len(addrs) == 1 {
		conn, err := dial(ctx, netip.AddrPortFrom(addrs[0], port))
		return conn, addrs[0], err
	}
	addrs = alternating(addrs)
	addrs = addrs[:min(len(addrs), maxAddresses)]
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan dialed)
	try := func(addr netip.Addr) {
		conn, err := dial(ctx, netip.AddrPortFrom(addr, port))
		select {
		case results <- dialed{conn, addr, err}:
		case <-ctx.Done():
			if conn != nil {
				_ = conn.Close()
			}
		}
	}
	next := time.NewTimer(0)
	defer next.Stop()
	var failed error
	for begun, over := 0, 0; ; {
		select {
		case <-next.C:
			if begun < len(addrs) {
				go try(addrs[begun])
				begun++
				next.Reset(headStart)
			}
		case d := <-results:
			if d.err == nil {
				return d.conn, d.peer, nil
			}
			if failed == nil || internalFault(failed) {
				failed = d.err
			}
			if over++; over == len(addrs) {
				return nil, netip.Addr{}, failed
			}
			next.Reset(0)
		case <-ctx.Done():
			return nil, netip.Addr{}, ctx.Err()
		}
	}
}

// alternating interleaves IPv4 and IPv6 addresses, starting with the family of the first one, and otherwise
// keeps the order.
func alternating(addrs []netip.Addr) []netip.Addr {
	var same, other []netip.Addr
	for _, a := range addrs {
		if a.Is4() == addrs[0].Is4() {
			same = append(same, a)
		} else {
			other = append(other, a)
		}
	}
	mixed := make([]netip.Addr, 0, len(addrs))
	for i := range max(len(same), len(other)) {
		if i < len(same) {
			mixed = append(mixed, same[i])
		}
		if i < len(other) {
			mixed = append(mixed, other[i])
		}
	}
	return mixed
}

// connect connects to one of the target's addresses, for the endpoint of the line.
func (s *Sender) connect(ctx context.Context, t *target, l *line) (*conn, error) {
	tcp, peer, err := s.dial.any(ctx, t.addrs, t.port)
	if err != nil {
		return nil, err
	}
	made := &link{Conn: tcp, tcp: tcp}
	if t.url.Scheme == "https" {
		cfg := s.tls.Clone()
		cfg.ServerName = t.host
		session := tls.Client(tcp, cfg)
		if err := session.HandshakeContext(ctx); err != nil {
			_ = tcp.Close()
			return nil, &failure{CodeTLS, cfg.RootCAs == nil && noRoots(err), err}
		}
		made.Conn = session
	}
	// Each connection has its own transport, because the transport's dialer must return exactly this connection.
	transport := &http.Transport{
		DialContext:            func(context.Context, string, string) (net.Conn, error) { return made, nil },
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxResponseHeaders,
		Protocols:              http1,
	}
	client, err := transport.NewClientConn(ctx, "http", net.JoinHostPort(t.host, strconv.Itoa(int(t.port))))
	if err != nil {
		_ = tcp.Close()
		return nil, err
	}
	return &conn{http: client, link: made, line: l, origin: t.origin, peer: peer}, nil
}

var http1 = func() *http.Protocols {
	p := &http.Protocols{}
	p.SetHTTP1(true)
	return p
}()

// noRoots reports whether a certificate was refused because this machine has no root certificates.
func noRoots(err error) bool {
	_, none := errors.AsType[x509.SystemRootsError](err)
	_, unknown := errors.AsType[x509.UnknownAuthorityError](err)
	return none || (unknown && emptyRoots())
}

var emptyRoots = sync.OnceValue(func() bool {
	pool, err := x509.SystemCertPool()
	return err != nil || pool.Equal(x509.NewCertPool())
})
