package mail

import "crypto/x509"

// Trusting returns the server with only these certificates trusted.
func Trusting(s *Server, roots *x509.CertPool) *Server {
	s.roots = roots
	return s
}
