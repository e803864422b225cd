package webhook

import (
	"context"
	"net"
	"net/netip"
)

// What the tests of the package look into.
var (
	CutOff        = cutOff
	InternalFault = internalFault
	Snippet       = snippet
)

// CheckName judges what a name stands for, as is done before every attempt.
func (g Guard) CheckName(ctx context.Context, host string) error {
	_, err := g.addresses(ctx, host)
	return err
}

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

// Slots are the places of a dispatcher.
type Slots = slots

// NewSlots makes them.
var NewSlots = newSlots

// Learn gives a place back after a try.
func (s *slots) Learn(tenant, endpoint int, o Outcome) { s.learn(tenant, endpoint, o) }

// Share divides what is free: how many each endpoint gets.
func (s *slots) Share(due []Backlog, from int) map[int]int {
	granted := map[int]int{}
	quotas, _ := s.share(due, from)
	for _, q := range quotas {
		granted[q.Endpoint] = q.N
	}
	return granted
}

// InFlight is how many places are taken, and Doubtful how many of those by endpoints that are not known to answer.
func (s *slots) InFlight() int { return s.inFlight() }
func (s *slots) Doubtful() int { return s.doubtful }
