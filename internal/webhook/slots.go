package webhook

import (
	"slices"
	"sync"
)

// Bounds are how much is sent at once.
type Bounds struct {
	// Total is for the whole process, Tenant and Endpoint for each.
	Total, Tenant, Endpoint int
	// Doubtful is how many of the total may go to endpoints that are not known to answer: new ones, and those whose
	// last try failed. The rest is kept free for endpoints that do, however many others hang.
	Doubtful int
	// Troubled is how many of these may go to endpoints whose last try failed, and Trial how many to each that is new until
	// a try has ended there, so that even while hundreds hang a new one has its turn. 0 sets no bound.
	Troubled, Trial int
	// Start is what an endpoint begins with and falls back to when a try fails. While it uses most of that, each try that
	// succeeds raises it by one, up to Endpoint.
	Start int
}

// DefaultBounds suit a small machine: what waits for an answer costs a socket and some 30 KB.
var DefaultBounds = Bounds{Total: 1024, Tenant: 256, Endpoint: 128, Doubtful: 512, Troubled: 256, Trial: 2, Start: 8}

// Standing is what is known of an endpoint.
type Standing int

// The standings.
const (
	Unknown  Standing = iota // nothing was tried yet, or not lately
	Sound                    // the last try succeeded
	Troubled                 // the last try failed
)

// slots are the places for deliveries that are being tried. A process keeps for each endpoint how many it takes at once,
// as TCP does for a connection: slowly more while it answers, little once it does not.
type slots struct {
	bounds Bounds

	mu        sync.Mutex
	used      int
	doubtful  int
	failing   int // of the doubtful, how many were taken by the troubled
	tenants   map[int]int
	endpoints map[int]*lane
	// full is set once a place was refused for want of what all share.
	full bool
}

// lane is one endpoint's share.
type lane struct {
	tenant   int
	used     int
	doubtful int // of those used, how many were taken while it was not sound
	failing  int // and of these, while it was troubled
	limit    int
	standing Standing
	awaited  bool // it was refused a place for want of its own
}

// maxLanes bounds what is remembered of endpoints where nothing is under way.
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
	doubtful, troubled := l.standing != Sound, l.standing == Troubled
	switch {
	case l.used >= l.limit || (l.standing == Unknown && s.bounds.Trial > 0 && l.used >= s.bounds.Trial):
		l.awaited = true
		return false
	case s.used >= s.bounds.Total || s.tenants[tenant] >= s.bounds.Tenant || (doubtful && s.doubtful >= s.bounds.Doubtful) ||
		(troubled && s.bounds.Troubled > 0 && s.failing >= s.bounds.Troubled):
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
	if troubled {
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

// leave reports whether the place may serve for something that was refused one since the last share.
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

// learn gives a place back, and takes into account how the try went. What is Ours says nothing of the endpoint. It reports
// what leave does.
func (s *slots) learn(tenant, endpoint int, o Outcome) (awaited bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.endpoints[endpoint]
	switch {
	case o.Ours:
	case o.Error == "":
		l.standing = Sound
		if 2*l.used > l.limit {
			l.limit = min(l.limit+1, s.bounds.Endpoint)
		}
	default:
		l.standing = Troubled
		l.limit = s.bounds.Start
	}
	return s.leave(tenant, endpoint)
}

// share divides the free places among endpoints that have deliveries due: one for each in turn, until there are no more
// places or nobody may take another. from says whose turn it is first. full reports that some were refused a place for
// want of what all share.
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
		if b.Failing && l.standing == Unknown {
			l.standing = Troubled
		}
	}
	for len(open) > 0 {
		still := open[:0]
		for _, i := range open {
			if s.take(due[i].Tenant, due[i].Endpoint) {
				quotas[i].N++
				still = append(still, i)
			}
		}
		open = still
	}
	return slices.DeleteFunc(quotas, func(q Quota) bool { return q.N == 0 }), s.full
}

// inFlight is how many places are taken.
func (s *slots) inFlight() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.used
}

// troubled lists endpoints whose last try failed.
func (s *slots) troubled() []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ids []int
	for id, l := range s.endpoints {
		if l.standing == Troubled {
			ids = append(ids, id)
		}
	}
	return ids
}
