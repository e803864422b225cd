package gate

import (
	"crypto/sha256"
	"crypto/x509"
	"fmt"
	"net/http"

	"paydown/internal/auth"
	"paydown/internal/ratelimit"
)

// admitOperator lets in the bearer of an admin token, or whoever the listener's TLS has proven to be one of the operators'
// clients. Others are counted by address; who is let in has no limit, as the headers say.
func (g *Gate) admitOperator(w http.ResponseWriter, r *http.Request, in *Passage, s *Stranger) error {
	actor, err := g.operator(r, in)
	if err != nil {
		return s.Refuse(w, r, err)
	}
	in.Operator = actor
	announce(w.Header(), ratelimit.Decision{})
	return nil
}

// operator is who sends the request. A token that is sent counts, whatever the certificate says.
func (g *Gate) operator(r *http.Request, in *Passage) (*auth.Actor, error) {
	if shown := certificate(r); shown != nil && len(r.Header.Values("Authorization")) == 0 {
		credential := fmt.Sprintf("certificate %x", sha256.Sum256(shown.Raw))
		return auth.NewOperator(shown.Subject.CommonName, credential, g.via, in.RequestID), nil
	}
	return g.Service.AdminTokens.Authenticate(r.Context(), bearer(r), g.via, in.RequestID)
}

// certificate is the client's, where the listener has verified it and it names somebody; else nil.
func certificate(r *http.Request) *x509.Certificate {
	if r.TLS == nil || len(r.TLS.VerifiedChains) == 0 || r.TLS.PeerCertificates[0].Subject.CommonName == "" {
		return nil
	}
	return r.TLS.PeerCertificates[0]
}
