package webhook

import (
	"slices"
	"sync"
)

// Bounds limit concurrent attempts.
type Bounds struct {
	// Total is the limit of the process; Tenant and Endpoint are limits for each.
	Total, Tenant, Endpoint int
	// Doubtful is how many of the total may go to endpoints that are not known to answer: new ones, and those
	// whose last attempt failed. The rest is reserved for endpoints that answer, however many others hang.
	Doubtful int
	// Failing is how many of these may go to endpoints whose last attempt failed. Trial is the limit for each new
	// endpoint until an attempt has ended there, so that a new one gets its turn even while hundreds hang. 0 means
	// no limit.
	Failing, Trial int
	// Start is the initial limit of an endpoint, and its limit after a failed attempt. While it uses most of its
	// limit, each successful attempt raises the limit by one, up to Endpoint.
	Start int
}

// DefaultBounds suit a small machine: an attempt in flight costs a socket and some 30 KB.
var DefaultBounds = Bounds{Total: 1024, Tenant: 256, Endpoint: 128, Doubtful: 512, Failing: 256, Trial: 2, Start: 8}

// EndpointHealth is what is known of an endpoint.
type EndpointHealth int

// The states of health.
const (
	Unknown EndpointHealth = iota // no attempt yet, or not lately
	Healthy                       // the last attempt succeeded
	Failing                       // the last attempt failed
)

// slots are the places for deliveries in flight. For each endpoint a process tracks how many concurrent
// attempts it handles, like TCP's congestion control: the limit rises slowly while the endpoint answers, and
// falls when it fails.
type slots struct {
	bounds Bounds

	mu        sync.Mutex
	used      int
	doubtful  int
	failing   int // of the doubtful, those taken for failing endpoints
	tenants   map[int]int
	endpoints map[int]*lane
	// full is set once a slot was refused because of a shared limit.
	full bool
}

// lane is one endpoint's share.
type lane struct {
	tenant   int
	used     int
	doubtful int // of those used, taken while it was not healthy
	failing  int // of these, taken while it was failing
	limit    int
	health   EndpointHealth
	awaited  bool // it was refused a slot because of its own limit
}

// maxLanes limits how many endpoints are remembered without attempts in flight.
const maxLanes = 20_000

func newSlots(b Bounds) *slots {
	return &slots{bounds: b, tenants: map[int]int{}, endpoints: map[int]*lane{}}
}

func (s *slots) lane(tenant, endpoint int) *lane {
	l := s.endpoints[endpoint]
	if l == nil {
		if len(s.endpoints) >= maxLanes {
			s.forgetIdle()
		}
		l = &lane{tenant: tenant, limit: s.bounds.Start}
		s.endpoints[endpoint] = l
	}
	return l
}

func (s *slots) forgetIdle() {
	for id, l := range s.endpoints {
		if l.used == 0 {
			delete(s.endpoints, id)
		}
	}
}

// Take implements Room.
func (s *slots) Take(tenant, endpoint int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.take(tenant, endpoint)
}

func (s *slots) take(tenant, endpoint int) bool {
	l := s.lane(tenant, endpoint)
	doubtful, failing := l.health != Healthy, l.health == Failing
	switch {
	case l.used >= l.limit || (l.health == Unknown && s.bounds.Trial > 0 && l.used >= s.bounds.Trial):
		l.awaited = true
		return false
	case s.used >= s.bounds.Total || s.tenants[tenant] >= s.bounds.Tenant ||
		(doubtful && s.doubtful >= s.bounds.Doubtful) ||
		(failing && s.bounds.Failing > 0 && s.failing >= s.bounds.Failing):
		s.full = true
		return false
	}
	l.used++
	s.used++
	s.tenants[tenant]++
	if doubtful {
		l.doubtful++
		s.doubtful++
	}
	if failing {
		l.failing++
		s.failing++
	}
	return true
}

// Leave implements Room.
func (s *slots) Leave(tenant, endpoint int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.leave(tenant, endpoint)
}

// leave frees a slot and reports whether one was refused since the last share, so that the slot may be needed.
func (s *slots) leave(tenant, endpoint int) (awaited bool) {
	l := s.endpoints[endpoint]
	l.used--
	s.used--
	if s.tenants[tenant]--; s.tenants[tenant] == 0 {
		delete(s.tenants, tenant)
	}
	if l.doubtful > 0 {
		l.doubtful--
		s.doubtful--
	}
	if l.failing > 0 {
		l.failing--
		s.failing--
	}
	return s.full || l.awaited
}

// learn frees a slot and records the outcome of the attempt. An internal error says nothing about the endpoint.
// It returns what leave does.
func (s *slots) learn(tenant, endpoint int, o Outcome) (awaited bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.endpoints[endpoint]
	switch {
	case o.Internal:
	case o.Error == "":
		l.health = Healthy
		if 2*l.used > l.limit {
			l.limit = min(l.limit+1, s.bounds.Endpoint)
		}
	default:
		l.health = Failing
		l.limit = s.bounds.Start
	}
	return s.leave(tenant, endpoint)
}

// share divides the free slots among endpoints with due deliveries: one each in turn, until no slots are left or no
// endpoint may have more. from is the index of the first endpoint. full reports that a slot was refused because of a
// shared limit.
func (s *slots) share(due []Backlog, from int) (granted []Quota, full bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	quotas := make([]Quota, len(due))
	open := make([]int, len(due))
	s.full = false
	for i, b := range due {
		quotas[i].Backlog = b
		open[i] = (from + i) % len(due)
		l := s.lane(b.Tenant, b.Endpoint)
		l.awaited = false
		if b.Failing && l.health == Unknown {
			l.health = Failing
		}
	}
	for len(open) > 0 {
		remaining := open[:0]
		for _, i := range open {
			if s.take(due[i].Tenant, due[i].Endpoint) {
				quotas[i].N++
				remaining = append(remaining, i)
			}
		}
		open = remaining
	}
	return slices.DeleteFunc(quotas, func(q Quota) bool { return q.N == 0 }), s.full
}

// inFlight returns the number of slots in use.
func (s *slots) inFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

// failingEndpoints lists endpoints whose last attempt failed.
func (s *slots) failingEndpoints() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []int
	for id, l := range s.endpoints {
		if l.health == Failing {
			ids = append(ids, id)
		}
	}
	return ids
}
