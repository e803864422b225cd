package webhook

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"syscall"
	"time"
)

const (
	// maxAddresses is how many addresses of a name are tried: a name may have hundreds, and they may be anybody's.
	maxAddresses = 8
	// headStart is how long an address is waited for before the next one is tried beside it, as RFC 8305 has it.
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

// dialed is how one of several addresses took it.
type dialed struct {
	conn net.Conn
	peer netip.Addr
	err  error
}

// any connects to the first of the addresses that answers. Where none does the error is the first that tells of the
// receiver, if any.
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
			if failed == nil || ourFault(failed) {
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

// alternating has the two families take turns, beginning with that of the first address, and otherwise keeps the order.
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

// ourFault reports whether a connection failed for want of something on this machine: descriptors, memory, ports, or a
// network.
func ourFault(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ENETDOWN} {
		if errors.Is(err, e) {
			return true
		}
	}
	for _, e := range []error{syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.EADDRNOTAVAIL} {
		var op *net.OpError
		if errors.Is(err, e) && errors.As(err, &op) {
			return noWay(op.Addr, errors.Is(err, syscall.EADDRNOTAVAIL))
		}
	}
	return false
}

// Public addresses that always are: those of a root name server. Nothing is sent to them.
var publicAddresses = []netip.AddrPort{
	netip.MustParseAddrPort("198.41.0.4:53"), netip.MustParseAddrPort("[2001:503:ba3e::2:30]:53"),
}

// noWay judges an address that the system says cannot be reached. Where there is a route to it, somebody on the way
// said so, unless we have run out of ports. Where there is none, and to no public address either, we have no network;
// otherwise it is an address that a machine like ours cannot reach, such as one of IPv6 where only IPv4 is spoken, and
// its owner must hear of that.
func noWay(addr net.Addr, ports bool) bool {
	tcp, ok := addr.(*net.TCPAddr)
	if !ok {
		return true
	}
	if routed(tcp.AddrPort()) {
		return ports
	}
	for _, public := range publicAddresses {
		if routed(public) {
			return false
		}
	}
	return true
}

// routed reports whether the machine has a route to an address. It sends nothing.
func routed(to netip.AddrPort) bool {
	conn, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(to))
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
