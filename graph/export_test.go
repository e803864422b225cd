package graph

import "time"

// Within makes a surface whose operations may take no longer than that.
func (s *Server) Within(d time.Duration) *Server {
	s.timeout = d
	return s
}

// KeepingAlive makes a surface whose streams say so often that they are there.
func (s *Server) KeepingAlive(d time.Duration) *Server {
	s.streams.keepAlive = d
	return s
}

// Impatient makes a surface that waits so long for a reader.
func (s *Server) Impatient(d time.Duration) *Server {
	s.streams.readWithin = d
	return s
}

// Streams counts those that are open.
func (s *Server) Streams() int {
	s.streams.mu.Lock()
	defer s.streams.mu.Unlock()
	return s.streams.open
}
