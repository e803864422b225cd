package rest

import (
	"sync/atomic"

	"paydown/internal/fault"
)

// unverifiedBodies is how many bytes of bodies whose signature is not checked yet a process holds at a time.
const unverifiedBodies = 64 << 20

// budget is an amount of bytes of which everybody takes what they need and gives it back; nobody waits for it.
type budget struct {
	size int64
	used atomic.Int64
}

// take takes bytes; the error is unavailable where so many are not left. What was taken is given back by release.
func (b *budget) take(bytes int64) (release func(), err error) {
	if b.used.Add(bytes) > b.size {
		b.used.Add(-bytes)
		f := fault.New(fault.Unavailable, "Too many large requests at once. Please try again.")
		f.RetryAfter = 1
		return nil, f
	}
	return func() { b.used.Add(-bytes) }, nil
}
