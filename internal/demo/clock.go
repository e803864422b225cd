package demo

import (
	"sync"
	"time"
)

// Clock is the clock of a service that makes a portfolio. It stands still where it was put; before that, and
// after its release, it is the real clock.
type Clock struct {
	machine func() time.Time
	mu      sync.Mutex
	at      time.Time
}

// NewClock makes a clock over the real one.
func NewClock(machine func() time.Time) *Clock { return &Clock{machine: machine} }

// Now is the time it stands at, or else the real one.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.at.IsZero() {
		return c.machine()
	}
	return c.at
}

func (c *Clock) put(at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = at
}

func (c *Clock) release() { c.put(time.Time{}) }
