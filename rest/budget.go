package rest

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"

	"paydown/internal/fault"
)

// Limits, in bytes per process, on bodies whose signature has not been checked yet: for all of them, and for
// those from addresses that have used up their allowance of wrong signatures.
const (
	unverifiedBodies = 64 << 20
	suspectBodies    = 16 << 20
	// firstBytes is charged for a body before any of it has arrived.
	firstBytes = 4 << 10
)

// budget is an amount of bytes that requests take from and give back. Nobody waits for it.
type budget struct {
	size int64
	used atomic.Int64
}

// take takes bytes from the budget, or returns an unavailable error if too few are left.
func (b *budget) take(bytes int64) error {
	if b.used.Add(bytes) > b.size {
		b.used.Add(-bytes)
		f := fault.New(fault.Unavailable, "Too many large requests at once. Please try again.")
		f.RetryAfter = 1
		return f
	}
	return nil
}

// read reads a body of at most limit bytes and charges the budget only for what has arrived, so that slow
// senders hold little. The caller must call release to give the bytes back. Errors: payload too large,
// unavailable, or that the body could not be read.
func (b *budget) read(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, release func(), err error) {
	var held int64
	give := func() { b.used.Add(-held) }
	source := http.MaxBytesReader(w, r.Body, limit)
	for err == nil {
		if len(body) == cap(body) {
			room := max(2*held, firstBytes)
			if room >= limit {
				room = limit + 1 // one more, so that reading past the limit is noticed
			}
			if err := b.take(room - held); err != nil {
				give()
				return nil, nil, err
			}
			held = room
			body = append(make([]byte, 0, room), body...)
		}
		var n int
		n, err = source.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
	}
	if errors.Is(err, io.EOF) {
		return body, give, nil
	}
	give()
	return nil, nil, unread(err, limit)
}
