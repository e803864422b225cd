package ratelimit_test

import (
	"context"
	"errors"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paydown/internal/ratelimit"
)

const limit = 120

// clock is a clock that only a test moves.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Date(2026, time.January, 5, 14, 0, 0, 0, time.UTC)} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// taken takes n requests and returns how many were allowed.
func taken(tb testing.TB, l *ratelimit.Limiter, c ratelimit.Caller, n int) int {
	tb.Helper()
	allowed := 0
	for range n {
		d, err := l.Take(tb.Context(), c, limit)
		if err != nil {
			tb.Fatal(err)
		}
		if d.Allowed {
			allowed++
		}
	}
	return allowed
}

func expect(tb testing.TB, what string, got, want int) {
	tb.Helper()
	if got != want {
		tb.Errorf("%s: %d, want %d", what, got, want)
	}
}

func TestWindowAdmitsExactlyLimit(t *testing.T) {
	clock := newClock()
	l := ratelimit.New(nil, clock.now)
	key := ratelimit.Key(1)
	for i := range limit {
		d, err := l.Take(t.Context(), key, limit)
		want := ratelimit.Window - time.Duration(i)*100*time.Millisecond
		if err != nil || !d.Allowed || d.Limit != limit || d.Remaining != limit-1-i || d.Reset != want {
			t.Fatalf("request %d: %+v, %v; want a reset in %s", i+1, d, err, want)
		}
		clock.advance(100 * time.Millisecond)
	}
	// The window started with the first request, 12 seconds ago.
	for range 3 {
		if d, _ := l.Take(t.Context(), key, limit); d.Allowed || d.Remaining != 0 || d.Reset != 48*time.Second {
			t.Fatalf("beyond the limit: %+v", d)
		}
	}
	clock.advance(48*time.Second - time.Nanosecond)
	expect(t, "in the last moment of the window", taken(t, l, key, 3), 0)
	clock.advance(time.Nanosecond)
	expect(t, "60 seconds after the first request", taken(t, l, key, 2*limit), limit)
}

// A window starts with a request, not with the end of the previous one: idle time earns nothing.
func TestIdleTimeAddsNoQuota(t *testing.T) {
	clock := newClock()
	l := ratelimit.New(nil, clock.now)
	expect(t, "the first window", taken(t, l, ratelimit.Key(1), 1), 1)
	clock.advance(10 * ratelimit.Window)
	expect(t, "after ten quiet minutes", taken(t, l, ratelimit.Key(1), 3*limit), limit)
	clock.advance(ratelimit.Window - time.Nanosecond)
	expect(t, "within 60 seconds of that", taken(t, l, ratelimit.Key(1), 1), 0)
}

func TestConcurrentRequestsGetExactlyLimit(t *testing.T) {
	l := ratelimit.New(nil, newClock().now)
	var allowed atomic.Int64
	var callers sync.WaitGroup
	for range 32 {
		callers.Go(func() {
			for range 20 {
				if d, _ := l.Take(t.Context(), ratelimit.Key(7), limit); d.Allowed {
					allowed.Add(1)
				}
			}
		})
	}
	callers.Wait()
	expect(t, "640 at once", int(allowed.Load()), limit)
}

func TestCallersAreCountedApart(t *testing.T) {
	l := ratelimit.New(nil, newClock().now)
	for _, c := range []ratelimit.Caller{
		ratelimit.Key(1), ratelimit.Key(11), ratelimit.Known("inbound", 1),
		ratelimit.Address(netip.MustParseAddr("203.0.113.7")), ratelimit.Address(netip.MustParseAddr("203.0.113.8")),
		ratelimit.Address(netip.MustParseAddr("2001:db8:0:1::1")), ratelimit.Address(netip.MustParseAddr("2001:db8:0:2::1")),
		ratelimit.Address(netip.Addr{}),
	} {
		expect(t, "a caller of its own", taken(t, l, c, limit+5), limit)
	}
	for _, same := range []string{"2001:db8:0:1:ffff::1", "2001:db8:0:1::1%eth0", "::ffff:203.0.113.7"} {
		expect(t, same, taken(t, l, ratelimit.Address(netip.MustParseAddr(same)), 1), 0)
	}
}

// A caller with many addresses uses limited memory, and gets no key a new window.
func TestAddressesDoNotEvictKeys(t *testing.T) {
	l := ratelimit.New(nil, newClock().now)
	key := ratelimit.Key(1)
	expect(t, "the key", taken(t, l, key, limit), limit)
	last := ratelimit.Address(netip.MustParseAddr("203.0.113.7"))
	expect(t, "the address", taken(t, l, last, limit), limit)
	for i := range 150_000 {
		prefix := netip.AddrFrom16([16]byte{0x20, 1, 0xd, 0xb8, byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i), 15: 1})
		taken(t, l, ratelimit.Address(prefix), 1)
	}
	expect(t, "the key after a flood of addresses", taken(t, l, key, 1), 0)
}

func TestUnlimitedCallerIsNotCounted(t *testing.T) {
	l := ratelimit.New(failing{}, newClock().now)
	for range 3 * limit {
		if d, err := l.Take(t.Context(), ratelimit.Key(1), 0); err != nil || !d.Allowed || d.Limit != 0 {
			t.Fatalf("%+v, %v", d, err)
		}
	}
}

func TestWhatIsGivenBackCountsForItsOwnWindowOnly(t *testing.T) {
	clock := newClock()
	l := ratelimit.New(nil, clock.now)
	address := ratelimit.Address(netip.MustParseAddr("203.0.113.7"))
	d, _ := l.Take(t.Context(), address, limit)
	l.Return(address, d)
	expect(t, "after one that was given back", taken(t, l, address, 2*limit), limit)
	refused, _ := l.Take(t.Context(), address, limit)
	l.Return(address, refused)
	expect(t, "a refusal gives nothing back", taken(t, l, address, 1), 0)
	l.Return(address, d)
	expect(t, "one more", taken(t, l, address, 2), 1)
	clock.advance(ratelimit.Window)
	taken(t, l, address, 1)
	l.Return(address, d) // of the window before
	l.Return(address, ratelimit.Decision{Allowed: true})
	expect(t, "the next window", taken(t, l, address, 2*limit), limit-1)
}

func TestClockJump(t *testing.T) {
	for jump, want := range map[time.Duration]int{
		-time.Second: 0, -time.Hour: 0, -10 * 365 * 24 * time.Hour: 0, time.Hour: limit, ratelimit.Window: limit,
	} {
		clock := newClock()
		l := ratelimit.New(nil, clock.now)
		expect(t, "before", taken(t, l, ratelimit.Key(1), limit), limit)
		clock.advance(jump)
		expect(t, "after a jump of "+jump.String(), taken(t, l, ratelimit.Key(1), 2*limit), want)
		if d, _ := l.Take(t.Context(), ratelimit.Key(1), limit); d.Reset > ratelimit.Window || d.Reset <= 0 {
			t.Errorf("after a jump of %s the window lasts another %s", jump, d.Reset)
		}
		clock.advance(ratelimit.Window)
		expect(t, "a minute after a jump of "+jump.String(), taken(t, l, ratelimit.Key(1), 2*limit), limit)
	}
}

// failing is a store whose database is down.
type failing struct{}

var errDown = errors.New("the database is down")

func (failing) Lease(context.Context, string, int) (ratelimit.Lease, error) {
	return ratelimit.Lease{}, errDown
}

// shaky is a store that can be switched off; it grants ten at a time.
type shaky struct {
	down    bool
	asked   int
	granted int
}

func (s *shaky) Lease(ctx context.Context, _ string, limit int) (ratelimit.Lease, error) {
	s.asked++
	if s.down {
		return ratelimit.Lease{}, errDown
	}
	if ctx.Err() != nil {
		return ratelimit.Lease{}, ctx.Err()
	}
	n := min(10, limit-s.granted)
	s.granted += n
	return ratelimit.Lease{Granted: n, Remaining: limit - s.granted, Ends: ratelimit.Window}, nil
}

// through takes n requests; it returns how many were allowed and the number of errors.
func through(tb testing.TB, l *ratelimit.Limiter, n int) (allowed, failures int) {
	tb.Helper()
	for range n {
		d, err := l.Take(tb.Context(), ratelimit.Key(1), limit)
		if d.Allowed {
			allowed++
		}
		if err != nil {
			failures++
			if !errors.Is(err, errDown) {
				tb.Errorf("the error is %v", err)
			}
		}
	}
	return allowed, failures
}

func TestLimiterWithoutStore(t *testing.T) {
	clock, store := newClock(), &shaky{down: true}
	l := ratelimit.New(store, clock.now)
	allowed, failures := through(t, l, 2*limit)
	expect(t, "let through without a store", allowed, limit)
	expect(t, "failures told", failures, 1)
	expect(t, "times the store was asked", store.asked, 1)

	store.down = false
	clock.advance(ratelimit.Window)
	allowed, failures = through(t, l, 2*limit)
	expect(t, "let through with the store back", allowed, limit)
	expect(t, "failures told with the store back", failures, 0)
	expect(t, "requests leased", store.granted, limit)
}

func TestStoreOutage(t *testing.T) {
	store := &shaky{}
	l := ratelimit.New(store, newClock().now)
	expect(t, "at first", taken(t, l, ratelimit.Key(1), 30), 30)
	store.down = true
	store.granted = 0 // it may have lost what it knew
	allowed, failures := through(t, l, 2*limit)
	expect(t, "of the same window afterwards", allowed, limit-30)
	expect(t, "failures told", failures, 1)
}

// A caller that hangs up does not lose a lease.
func TestDisconnectedCallerIsCounted(t *testing.T) {
	store := &shaky{}
	l := ratelimit.New(store, newClock().now)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if d, err := l.Take(gone, ratelimit.Key(1), limit); err != nil || !d.Allowed || d.Remaining != limit-1 {
		t.Errorf("%+v, %v", d, err)
	}
	expect(t, "leased", store.granted, 10)
}
