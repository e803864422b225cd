package mail

import "crypto/x509"

// Trusting is the server where these certificates are trusted and no others.
func Trusting(s *Server, roots *x509.CertPool) *Server {
	s.roots = roots
	return s
}
