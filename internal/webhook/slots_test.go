package webhook_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"paydown/internal/webhook"
)

var (
	accepting = webhook.Outcome{Status: 200}
	failing   = webhook.Outcome{Status: 500, Error: webhook.CodeStatus}
	starved   = webhook.Outcome{Error: webhook.CodeDNS, Internal: true}
)

// backlogs are a tenant's endpoints with due deliveries.
func backlogs(tenant int, endpoints ...int) []webhook.Backlog {
	all := make([]webhook.Backlog, len(endpoints))
	for i, e := range endpoints {
		all[i] = webhook.Backlog{Tenant: tenant, Endpoint: e}
	}
	return all
}

// fill takes slots for an endpoint until there are none, and returns how many it took.
func fill(s *webhook.Slots, tenant, endpoint int) (n int) {
	for s.Take(tenant, endpoint) {
		n++
	}
	return n
}

// healthy has an endpoint answer once, so that it is known to answer.
func healthy(t *testing.T, s *webhook.Slots, tenant, endpoint int) {
	t.Helper()
	if !s.Take(tenant, endpoint) {
		t.Fatalf("no place for endpoint %d", endpoint)
	}
	s.Learn(tenant, endpoint, accepting)
}

func TestSlotsAreBounded(t *testing.T) {
	bounds := webhook.Bounds{Total: 20, Tenant: 12, Endpoint: 8, Doubtful: 10, Start: 5}
	t.Run("for each endpoint, tenant and altogether", func(t *testing.T) {
		s := webhook.NewSlots(bounds)
		for _, e := range []struct{ tenant, endpoint int }{{1, 1}, {1, 2}, {1, 3}, {2, 4}, {2, 5}, {3, 6}, {3, 7}} {
			healthy(t, s, e.tenant, e.endpoint)
		}
		for _, want := range []struct{ tenant, endpoint, n int }{
			{1, 1, 5}, {1, 2, 5}, {1, 3, 2}, {2, 4, 5}, {2, 5, 3}, {3, 6, 0}, {3, 7, 0},
		} {
			if n := fill(s, want.tenant, want.endpoint); n != want.n {
				t.Errorf("endpoint %d of tenant %d got %d places, want %d", want.endpoint, want.tenant, n, want.n)
			}
		}
	})
	t.Run("and some are kept from endpoints that are not known to answer", func(t *testing.T) {
		s := webhook.NewSlots(bounds)
		healthy(t, s, 4, 9)
		for tenant, want := range map[int]int{1: 5, 2: 5} {
			if n := fill(s, tenant, tenant); n != want {
				t.Errorf("%d places for a new endpoint, want %d", n, want)
			}
		}
		if s.Take(3, 3) {
			t.Error("new endpoints took more than their share")
		}
		if n := fill(s, 4, 9); n != 5 {
			t.Errorf("%d places for the endpoint that answers, want 5", n)
		}
	})
	t.Run("and who was new and answers takes no such place any more", func(t *testing.T) {
		s := webhook.NewSlots(bounds)
		fill(s, 1, 1)
		fill(s, 2, 2)
		s.Learn(1, 1, accepting)
		if got := s.Doubtful(); got != 9 {
			t.Errorf("%d doubtful places, want 9", got)
		}
		if !s.Take(1, 1) {
			t.Error("no place for the endpoint that answers")
		}
		if got := s.Doubtful(); got != 9 {
			t.Errorf("%d doubtful places, want 9: the place is taken by one that answers", got)
		}
	})
}

func TestNewEndpointGetsSlotWhileOthersHang(t *testing.T) {
	s := webhook.NewSlots(
		webhook.Bounds{Total: 40, Tenant: 40, Endpoint: 8, Doubtful: 20, Failing: 12, Trial: 2, Start: 5},
	)
	for endpoint := 1; endpoint <= 8; endpoint++ {
		if n := fill(s, 1, endpoint); n != 2 {
			t.Errorf("%d places for endpoint %d, of which nothing is known, want 2", n, endpoint)
		}
	}
	for endpoint := 1; endpoint <= 8; endpoint++ {
		s.Learn(1, endpoint, failing)
		s.Learn(1, endpoint, failing)
	}
	taken := 0
	for endpoint := 1; endpoint <= 8; endpoint++ {
		taken += fill(s, 1, endpoint)
	}
	if taken != 12 {
		t.Errorf("%d places for endpoints that fail, want 12", taken)
	}
	healthy(t, s, 2, 9)
	if n := fill(s, 2, 9); n != 5 {
		t.Errorf("%d places for the new endpoint, now that it answers, want 5", n)
	}
	s.Learn(1, 1, failing)
	if n := fill(s, 1, 8); n != 1 {
		t.Errorf("%d places once one was given back, want 1", n)
	}
}

func TestHealthyEndpointGetsMoreSlots(t *testing.T) {
	s := webhook.NewSlots(webhook.Bounds{Total: 100, Tenant: 100, Endpoint: 6, Doubtful: 100, Start: 2})
	for range 10 {
		healthy(t, s, 1, 1) // of two places it uses one: it needs no more
	}
	if n := fill(s, 1, 1); n != 2 {
		t.Fatalf("%d places for who uses one at a time, want 2", n)
	}
	for range 10 {
		s.Learn(1, 1, accepting)
		fill(s, 1, 1)
	}
	if n := s.InFlight(); n != 6 {
		t.Errorf("%d places for who uses all of them, want 6", n)
	}
	s.Learn(1, 1, starved)
	if n := fill(s, 1, 1); n != 1 {
		t.Errorf("%d places are free after a failure of starved, want the one that it gave back", n)
	}
	s.Learn(1, 1, failing)
	if s.Take(1, 1) {
		t.Error("who fails keeps its places")
	}
	for range 5 {
		s.Learn(1, 1, failing)
	}
	if n := fill(s, 1, 1); n != 2 {
		t.Errorf("%d places for who fails, want 2", n)
	}
}

func TestSlotsAreShared(t *testing.T) {
	bounds := webhook.Bounds{Total: 10, Tenant: 10, Endpoint: 10, Doubtful: 10, Start: 10}
	for _, test := range []struct {
		name string
		due  []webhook.Backlog
		from int
		want map[int]int
	}{
		{"one takes all", backlogs(1, 1), 0, map[int]int{1: 10}},
		{"two take half each", backlogs(1, 1, 2), 0, map[int]int{1: 5, 2: 5}},
		{"what does not divide goes to whose turn it is", backlogs(1, 1, 2, 3, 4), 2, map[int]int{1: 2, 2: 2, 3: 3, 4: 3}},
		{
			"more than there are places: each in turn gets one", backlogs(1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12), 6,
			map[int]int{1: 1, 2: 1, 3: 1, 4: 1, 7: 1, 8: 1, 9: 1, 10: 1, 11: 1, 12: 1},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := webhook.NewSlots(bounds)
			if got := s.Share(test.due, test.from); !maps.Equal(got, test.want) {
				t.Errorf("shared %v, want %v", got, test.want)
			}
			if s.InFlight() != bounds.Total {
				t.Errorf("%d places are taken, want all", s.InFlight())
			}
		})
	}
	t.Run("who failed before this process began counts as doubtful", func(t *testing.T) {
		s := webhook.NewSlots(bounds)
		s.Share([]webhook.Backlog{{Tenant: 1, Endpoint: 1, Failing: true}}, 0)
		if s.Doubtful() != 10 {
			t.Errorf("%d doubtful places, want 10", s.Doubtful())
		}
	})
}

// Whatever happens, as many slots are free at the end as at the start, and the limits hold all the time.
func TestSlotsAreReleased(t *testing.T) {
	bounds := webhook.Bounds{Total: 30, Tenant: 12, Endpoint: 9, Doubtful: 15, Start: 3}
	dice := rand.New(rand.NewPCG(7, 0))
	s := webhook.NewSlots(bounds)
	type place struct{ tenant, endpoint int }
	var held []place
	perTenant, perEndpoint := map[int]int{}, map[int]int{}
	outcomes := []webhook.Outcome{accepting, failing, starved}
	for step := range 20_000 {
		endpoint := dice.IntN(12)
		p := place{endpoint / 3, endpoint}
		switch {
		case dice.IntN(2) == 0 && s.Take(p.tenant, p.endpoint):
			held = append(held, p)
			perTenant[p.tenant]++
			perEndpoint[p.endpoint]++
		case len(held) > 0:
			i := dice.IntN(len(held))
			p, held[i] = held[i], held[len(held)-1]
			held = held[:len(held)-1]
			perTenant[p.tenant]--
			perEndpoint[p.endpoint]--
			if dice.IntN(4) == 0 {
				s.Leave(p.tenant, p.endpoint)
			} else {
				s.Learn(p.tenant, p.endpoint, outcomes[dice.IntN(len(outcomes))])
			}
		}
		if s.InFlight() != len(held) || len(held) > bounds.Total || perTenant[p.tenant] > bounds.Tenant ||
			perEndpoint[p.endpoint] > bounds.Endpoint || s.Doubtful() > bounds.Doubtful {
			t.Fatalf("step %d: %d places are taken, %d held, %d of tenant %d, %d of endpoint %d, %d doubtful", step,
				s.InFlight(), len(held), perTenant[p.tenant], p.tenant, perEndpoint[p.endpoint], p.endpoint, s.Doubtful())
		}
	}
	for _, p := range held {
		s.Leave(p.tenant, p.endpoint)
	}
	if s.InFlight() != 0 || s.Doubtful() != 0 {
		t.Errorf("%d places are taken in the end, %d of them doubtful", s.InFlight(), s.Doubtful())
	}
}
