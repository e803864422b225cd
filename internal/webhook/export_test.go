package webhook

import (
	"context"
	"net"
	"net/netip"
)

// What the tests of the package look into.
var (
	CutOff   = cutOff
	OurFault = ourFault
	Snippet  = snippet
)

// DialWith has a Sender make its connections that way.
func (s *Sender) DialWith(dial func(context.Context, netip.AddrPort) (net.Conn, error)) {
	s.dial = dial
}

// Kept is how many connections a Sender keeps that are not in use, and how many endpoints it holds anything for.
func (s *Sender) Kept() (connections, endpoints int) {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.pool.idle.Len(), len(s.pool.lines)
}
