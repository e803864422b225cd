package rest

import (
	"errors"
	"io"
	"net/http"
	"sync/atomic"

	"paydown/internal/fault"
)

// How many bytes of bodies whose signature is not checked yet a process holds at a time, and how many more of those that
// come from an address that has used up its wrong signatures.
const (
	unverifiedBodies = 64 << 20
	suspectBodies    = 16 << 20
	// firstBytes is what a body takes before any of it has come.
	firstBytes = 4 << 10
)

// budget is an amount of bytes of which everybody takes what they need and gives it back; nobody waits for it.
type budget struct {
	size int64
	used atomic.Int64
}

// take takes bytes; the error is unavailable where so many are not left.
func (b *budget) take(bytes int64) error {
	if b.used.Add(bytes) > b.size {
		b.used.Add(-bytes)
		f := fault.New(fault.Unavailable, "Too many large requests at once. Please try again.")
		f.RetryAfter = 1
		return f
	}
	return nil
}

// read reads a body of at most limit bytes, which takes of the budget what it holds: whoever sends slowly takes little.
// What was taken is given back by release. Errors: payload too large, unavailable, and that the body could not be read.
func (b *budget) read(w http.ResponseWriter, r *http.Request, limit int64) (body []byte, release func(), err error) {
	var held int64
	give := func() { b.used.Add(-held) }
	source := http.MaxBytesReader(w, r.Body, limit)
	for err == nil {
		if len(body) == cap(body) {
			room := max(2*held, firstBytes)
			if room >= limit {
				room = limit + 1 // so that the end of a body that is as long as that is seen
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
