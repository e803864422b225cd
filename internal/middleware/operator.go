package middleware

import (
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"net/http"

	"paydown/internal/auth"
	"paydown/internal/ratelimit"
)

// admitOperator requires an admin token or a client certificate that the listener has verified. Refused callers
// are counted by address; operators have no limit, and the headers say so.
func (m *Chain) admitOperator(w http.ResponseWriter, r *http.Request, in *RequestInfo, s *Unauthenticated) error {
	actor, err := m.operator(r, in)
	if err != nil {
		return s.Refuse(w, r, err)
	}
	in.Operator = actor
	announce(w.Header(), ratelimit.Decision{})
	return nil
}

// operator returns who sends the request. A token takes precedence over a certificate.
func (m *Chain) operator(r *http.Request, in *RequestInfo) (*auth.Actor, error) {
	if shown := certificate(r); shown != nil && len(r.Header.Values("Authorization")) == 0 {
		credential := fmt.Sprintf("certificate %x", sha256.Sum256(shown.Raw))
		return auth.NewOperator(shown.Subject.CommonName, credential, m.via, in.RequestID), nil
	}
	return m.Service.AdminTokens.Authenticate(r.Context(), bearer(r), m.via, in.RequestID)
}

// certificate returns the client's certificate if the listener has verified it and it has a common name, or
// nil.
func certificate(r *http.Request) *x509.Certificate {
	if r.TLS == nil || len(r.TLS.VerifiedChains) == 0 || r.TLS.PeerCertificates[0].Subject.CommonName == "" {
		return nil
	}
	return r.TLS.PeerCertificates[0]
}
