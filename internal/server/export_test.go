package server

import (
	"net/http"
	"time"
)

// Admin is what the listener for operators serves.
func Admin(s *Server) http.Handler { return s.admin }

// QueueClock moves the clock by which the depth of the queue is read anew.
func QueueClock(s *Server) func(time.Duration) {
	var ahead time.Duration
	s.queue.now = func() time.Time { return time.Now().Add(ahead) }
	return func(by time.Duration) { ahead += by }
}

// Within makes a server that waits for headers and bodies no longer than that.
func Within(s *Server, header, body time.Duration) *Server {
	s.bounds.readHeader, s.bounds.read = header, body
	return s
}

// Waiting makes a server that waits by the test's own timer; asked is told for how long.
func Waiting(s *Server, timer <-chan time.Time, asked chan<- time.Duration) *Server {
	s.after = func(d time.Duration) <-chan time.Time {
		asked <- d
		return timer
	}
	return s
}
