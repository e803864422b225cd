package webhook

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"syscall"
)

// internalFault reports whether a connection failed because of this machine: file descriptors, memory, ports,
// or the network.
func internalFault(err error) bool {
	for _, e := range []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOBUFS, syscall.ENOMEM, syscall.ENETDOWN} {
		if errors.Is(err, e) {
			return true
		}
	}
	for _, e := range []error{syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.EADDRNOTAVAIL} {
		if op, ok := errors.AsType[*net.OpError](err); ok && errors.Is(err, e) {
			to, ok := op.Addr.(*net.TCPAddr)
			return ok && cutOff(to.AddrPort(), errors.Is(err, syscall.EADDRNOTAVAIL), routed)
		}
	}
	return false
}

// publicAddresses always exist: they are those of a root name server. Nothing is sent to them.
var publicAddresses = []netip.AddrPort{
	netip.MustParseAddrPort("198.41.0.4:53"), netip.MustParseAddrPort("[2001:503:ba3e::2:30]:53"),
}

// cutOff decides whose fault an unreachable address is. If this machine has a route to it, a router on the way
// refused, or this machine has run out of ports. If it has no route to any public address either, this machine
// has no network. Otherwise this machine cannot reach that kind of address, such as IPv6 with only IPv4
// available: a retry would not help, and the endpoint's owner must be told.
func cutOff(to netip.AddrPort, noPort bool, routed func(netip.AddrPort) bool) bool {
	if routed(to) {
		return noPort
	}
	return !slices.ContainsFunc(publicAddresses, routed)
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
