package server

import (
	"net/http"
	"time"
)

// Admin is the handler of the admin listener.
func Admin(s *Server) http.Handler { return s.admin }

// QueueClock sets the clock for refreshing the queue depth.
func QueueClock(s *Server) func(time.Duration) {
	var ahead time.Duration
	s.queue.now = func() time.Time { return time.Now().Add(ahead) }
	return func(by time.Duration) { ahead += by }
}

// Within creates a server with this timeout for headers and bodies.
func Within(s *Server, header, body time.Duration) *Server {
	s.bounds.readHeader, s.bounds.read = header, body
	return s
}

// Waiting creates a server that waits by the test's timer; asked receives each duration.
func Waiting(s *Server, timer <-chan time.Time, asked chan<- time.Duration) *Server {
	s.after = func(d time.Duration) <-chan time.Time {
		asked <- d
		return timer
	}
	return s
}
