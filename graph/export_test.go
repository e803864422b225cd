package graph

import "time"

// Within creates a server whose operations have this time limit.
func (s *Server) Within(d time.Duration) *Server {
	s.timeout = d
	return s
}

// KeepingAlive creates a server whose streams send a keep-alive at this interval.
func (s *Server) KeepingAlive(d time.Duration) *Server {
	s.streams.keepAlive = d
	return s
}

// Impatient creates a server that waits this long for a reader.
func (s *Server) Impatient(d time.Duration) *Server {
	s.streams.readWithin = d
	return s
}

// Streams counts the open streams.
func (s *Server) Streams() int {
	s.streams.mu.Lock()
	defer s.streams.mu.Unlock()
	return s.streams.open
}

// The two ways to read a request.
var (
	ParsedStrictly  = parsedStrictly
	ParsedLeniently = parsedLeniently
)
