package auth

import (
	"context"
	"slices"
	"sync"

	"paydown/internal/fault"
)

// SignInQueue decides whose password is checked next. Networks take turns, so one network's flood delays the others
// by one sign-in each. Known networks, from which somebody has signed in before, have their own line, which gets every
// second turn, so a flood from any number of unknown networks cannot keep staff out. It is safe for concurrent use.
type SignInQueue struct {
	mu   sync.Mutex
	free int // turns that may begin at once
	// lines are those of unknown and of known networks; next is the index of the one that is served next.
	lines [2]signInLine
	next  int
}

// signInLine has the networks with places in it. Those with a waiting caller are in turns, in their order.
type signInLine struct {
	places   int
	networks map[string]*signInNetwork
	turns    []*signInNetwork
}

type signInNetwork struct {
	places  int
	waiting []chan struct{}
}

// Places in the queue. If two hashes of 20 ms are computed at a time, a full line waits for one to two seconds.
const (
	crowdedPlaces = 8
	linePlaces    = 128
	networkPlaces = 64
	busyRetry     = 2 // seconds
)

// Lines of the queue.
const (
	unknown = 0
	known   = 1
)

// NewSignInQueue returns a queue with so many turns at a time.
func NewSignInQueue(turns int) *SignInQueue {
	q := &SignInQueue{free: turns}
	for i := range q.lines {
		q.lines[i].networks = map[string]*signInNetwork{}
	}
	return q
}

// Crowded reports whether callers from unknown networks have to wait, so that it matters which networks are known.
func (q *SignInQueue) Crowded() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.lines[unknown].places >= crowdedPlaces
}

// Turn waits for the turn of a caller from a network; leave ends it. isKnown means that somebody has signed in from
// there. The error is the context's, or a fault if the queue is full: the caller is told to come back.
func (q *SignInQueue) Turn(ctx context.Context, network string, isKnown bool) (leave func(), err error) {
	line := &q.lines[unknown]
	if isKnown {
		line = &q.lines[known]
	}
	n, err := q.enter(line, network)
	if err != nil {
		return nil, err
	}
	if err := q.start(ctx, line, n); err != nil {
		q.leave(line, network)
		return nil, err
	}
	return func() {
		q.finish()
		q.leave(line, network)
	}, nil
}

// enter takes a place.
func (q *SignInQueue) enter(line *signInLine, network string) (*signInNetwork, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := line.networks[network]
	if n == nil {
		n = &signInNetwork{}
	}
	if line.places >= linePlaces || n.places >= networkPlaces {
		f := fault.New(fault.Unavailable, "Too many people are signing in. Please try again.")
		f.RetryAfter = busyRetry
		return nil, f
	}
	line.networks[network] = n
	n.places++
	line.places++
	return n, nil
}

// leave gives the place back.
func (q *SignInQueue) leave(line *signInLine, network string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	line.places--
	if n := line.networks[network]; n.places > 1 {
		n.places--
	} else {
		delete(line.networks, network)
	}
}

// start waits for the turn of a caller who has a place. The error is the context's.
func (q *SignInQueue) start(ctx context.Context, line *signInLine, n *signInNetwork) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	q.mu.Lock()
	if q.free > 0 {
		q.free--
		q.mu.Unlock()
		return nil
	}
	mine := make(chan struct{})
	if n.waiting = append(n.waiting, mine); len(n.waiting) == 1 {
		line.turns = append(line.turns, n)
	}
	q.mu.Unlock()
	select {
	case <-mine:
		return nil
	case <-ctx.Done():
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := slices.Index(n.waiting, mine); i >= 0 {
		n.waiting = slices.Delete(n.waiting, i, i+1)
		if len(n.waiting) == 0 {
			line.turns = slices.DeleteFunc(line.turns, func(other *signInNetwork) bool { return other == n })
		}
	} else {
		q.pass() // the turn came at the same time
	}
	return ctx.Err()
}

// finish gives the turn to the next caller.
func (q *SignInQueue) finish() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.pass()
}

func (q *SignInQueue) pass() {
	for range q.lines {
		line := &q.lines[q.next]
		q.next = (q.next + 1) % len(q.lines)
		if len(line.turns) == 0 {
			continue
		}
		n := line.turns[0]
		line.turns = line.turns[1:]
		mine := n.waiting[0]
		if n.waiting = n.waiting[1:]; len(n.waiting) > 0 {
			line.turns = append(line.turns, n)
		}
		close(mine)
		return
	}
	q.free++
}
