package webhook

import (
	"errors"
	"net"
	"net/netip"
	"slices"
	"syscall"
)

// ourFault reports whether a connection failed for want of something on this machine: descriptors, memory, ports, or a
// network.
func ourFault(err error) bool {
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

// publicAddresses are always there: those of a root name server. Nothing is sent to them.
var publicAddresses = []netip.AddrPort{
	netip.MustParseAddrPort("198.41.0.4:53"), netip.MustParseAddrPort("[2001:503:ba3e::2:30]:53"),
}

// cutOff judges an address that the system calls unreachable, or for which it finds no address of our own. Where there
// is a route to it, somebody on the way has said so, or else we have run out of ports. Where there is none, nor to any
// public address, we have no network. Otherwise it is an address that a machine like ours does not reach, such as one
// of IPv6 where only IPv4 is spoken: trying again would not help, and its owner must hear of it.
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
