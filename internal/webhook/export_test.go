package webhook

import (
	"context"
	"net"
	"net/netip"
)

// Internals for the tests.
var (
	CutOff        = cutOff
	InternalFault = internalFault
	Snippet       = snippet
)

// CheckName checks what a name resolves to, as before every attempt.
func (g Guard) CheckName(ctx context.Context, host string) error {
	_, err := g.addresses(ctx, host)
	return err
}

// DialWith sets how a Sender connects.
func (s *Sender) DialWith(dial func(context.Context, netip.AddrPort) (net.Conn, error)) {
	s.dial = dial
}

// Kept returns how many idle connections a Sender keeps, and for how many endpoints it keeps any state.
func (s *Sender) Kept() (connections, endpoints int) {
	s.pool.mu.Lock()
	defer s.pool.mu.Unlock()
	return s.pool.idle.Len(), len(s.pool.lines)
}

// Slots are the slots of a dispatcher.
type Slots = slots

// NewSlots creates them.
var NewSlots = newSlots

// Learn returns a slot after an attempt.
func (s *slots) Learn(tenant, endpoint int, o Outcome) { s.learn(tenant, endpoint, o) }

// Share divides the free slots: how many each endpoint gets.
func (s *slots) Share(due []Backlog, from int) map[int]int {
	granted := map[int]int{}
	quotas, _ := s.share(due, from)
	for _, q := range quotas {
		granted[q.Endpoint] = q.N
	}
	return granted
}

// InFlight returns how many slots are taken, and Doubtful how many of those by endpoints not known to answer.
func (s *slots) InFlight() int { return s.inFlight() }
func (s *slots) Doubtful() int { return s.doubtful }
