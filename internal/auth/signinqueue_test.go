package auth

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"paydown/internal/fault"
)

func TestHowManyHashesAreComputedAtATime(t *testing.T) {
	for _, c := range []struct {
		memory           uint32
		processors, want int
	}{
		{19 << 10, 1, 1}, {19 << 10, 2, 2}, {19 << 10, 64, 6}, {1 << 20, 64, 1}, {0, 4, 4},
	} {
		if got := atATime(PasswordCost{Memory: c.memory}, c.processors); got != c.want {
			t.Errorf("%d KiB on %d processors: %d, want %d", c.memory, c.processors, got, c.want)
		}
	}
}

// waitFor yields until so many callers wait in the queue.
func (q *SignInQueue) waitFor(callers int) {
	for {
		q.mu.Lock()
		waiting := 0
		for i := range q.lines {
			for _, n := range q.lines[i].networks {
				waiting += len(n.waiting)
			}
		}
		q.mu.Unlock()
		if waiting == callers {
			return
		}
		runtime.Gosched()
	}
}

// caller is somebody who signs in.
type caller struct {
	network string
	isKnown bool
}

// served is the order in which callers, who come one after the other, get the only turn of a queue.
func served(t *testing.T, callers ...caller) []string {
	t.Helper()
	q := NewSignInQueue(1)
	leave, err := q.Turn(t.Context(), "before them", false)
	if err != nil {
		t.Fatal(err)
	}
	var order []string
	var all sync.WaitGroup
	for i, c := range callers {
		all.Go(func() {
			leave, err := q.Turn(t.Context(), c.network, c.isKnown)
			if err != nil {
				t.Error(err)
				return
			}
			order = append(order, c.network) // one at a time
			leave()
		})
		q.waitFor(i + 1)
	}
	leave()
	all.Wait()
	return order
}

func TestNetworksTakeTurns(t *testing.T) {
	flood, one, two := caller{network: "flood"}, caller{network: "one"}, caller{network: "two"}
	got := served(t, flood, flood, flood, flood, one, two, two)
	if want := []string{"flood", "one", "two", "flood", "two", "flood", "flood"}; !slices.Equal(got, want) {
		t.Errorf("served %q, want %q", got, want)
	}
}

func TestKnownNetworksGetEverySecondTurn(t *testing.T) {
	var callers []caller
	for i := range 6 {
		callers = append(callers, caller{fmt.Sprint("stranger ", i), false})
	}
	for i := range 3 {
		callers = append(callers, caller{fmt.Sprint("known ", i), true})
	}
	got := served(t, callers...)
	known := 0
	for _, network := range got[:6] {
		if strings.HasPrefix(network, "known") {
			known++
		}
	}
	if known != 3 || len(got) != len(callers) {
		t.Errorf("served %q", got)
	}
}

func TestAFullQueueRefusesStrangersAndNotStaff(t *testing.T) {
	q := NewSignInQueue(2 * linePlaces)
	var leave []func()
	busy := func(network string, isKnown bool) bool {
		left, err := q.Turn(t.Context(), network, isKnown)
		if err == nil {
			leave = append(leave, left)
			return false
		}
		if f := fault.As(err); f == nil || f.Code != fault.Unavailable || f.RetryAfter == 0 {
			t.Fatal(err)
		}
		return true
	}
	if q.Crowded() {
		t.Error("an empty queue is crowded")
	}
	for range networkPlaces {
		if busy("flood", false) {
			t.Fatal("no place in an empty queue")
		}
	}
	if !busy("flood", false) || !q.Crowded() {
		t.Error("one network takes more than its places")
	}
	for i := range linePlaces - networkPlaces {
		if busy(fmt.Sprint("stranger ", i), false) {
			t.Fatal("one network takes the places of others")
		}
	}
	if !busy("other", false) || busy("office", true) {
		t.Error("a full queue takes unknown networks, or refuses a known network")
	}
	for _, left := range leave {
		left()
	}
	for _, line := range q.lines {
		if line.places != 0 || len(line.networks) != 0 {
			t.Errorf("when all have left, there are %d places in %d networks", line.places, len(line.networks))
		}
	}
}

func TestACallerWhoGivesUpIsPassedOver(t *testing.T) {
	q := NewSignInQueue(1)
	leave, err := q.Turn(t.Context(), "first", false)
	if err != nil {
		t.Fatal(err)
	}
	ctx, giveUp := context.WithCancel(t.Context())
	var all sync.WaitGroup
	all.Go(func() {
		if _, err := q.Turn(ctx, "gone", false); err == nil {
			t.Error("a turn for a caller who is gone")
		}
	})
	q.waitFor(1)
	all.Go(func() {
		leave, err := q.Turn(t.Context(), "waits", false)
		if err != nil {
			t.Error(err)
			return
		}
		leave()
	})
	q.waitFor(2)
	giveUp()
	q.waitFor(1)
	leave()
	all.Wait()
	if line := q.lines[unknown]; q.free != 1 || len(line.turns) != 0 || line.places != 0 {
		t.Errorf("%d free, %d turns, %d places", q.free, len(line.turns), line.places)
	}
}

// Callers from many networks, some of whom give up, never have more turns at a time than there are.
func TestNoMoreTurnsThanThereAre(t *testing.T) {
	const turns = 3
	q := NewSignInQueue(turns)
	var now, most, done atomic.Int64
	var all sync.WaitGroup
	for i := range 120 {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			if i%5 == 0 {
				go cancel()
			}
			defer cancel()
			leave, err := q.Turn(ctx, fmt.Sprint(i%30), i%4 == 0)
			if err != nil {
				return
			}
			defer leave()
			defer now.Add(-1)
			for n := now.Add(1); ; {
				if m := most.Load(); n <= m || most.CompareAndSwap(m, n) {
					break
				}
			}
			runtime.Gosched()
			done.Add(1)
		})
	}
	all.Wait()
	if most.Load() > turns || done.Load() < 96 || q.free != turns {
		t.Errorf("%d at a time, %d in all, %d turns free", most.Load(), done.Load(), q.free)
	}
}
