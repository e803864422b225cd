package graph

import "time"

// Within makes a surface whose operations may take no longer than that.
func (s *Server) Within(d time.Duration) *Server {
	s.timeout = d
	return s
}
