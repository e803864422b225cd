package server

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"

	"github.com/prometheus/client_golang/prometheus"
)

// adminServer serves the listener for operators: over HTTP/2 too where it has no TLS, since gRPC speaks nothing else. A
// client may prove by a certificate who it is; one that has none needs a token.
func (s *Server) adminServer() (*http.Server, error) {
	server := s.httpServer(s.admin)
	server.Protocols = AdminProtocols()
	if s.cfg.AdminClientCA == "" {
		return server, nil
	}
	raw, err := os.ReadFile(s.cfg.AdminClientCA)
	if err != nil {
		return nil, fmt.Errorf("--admin-client-ca: %w", err)
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(raw) {
		return nil, fmt.Errorf("--admin-client-ca: %s holds no certificate", s.cfg.AdminClientCA)
	}
	server.TLSConfig.ClientCAs, server.TLSConfig.ClientAuth = authorities, tls.VerifyClientCertIfGiven
	return server, nil
}

// AdminProtocols are what the listener for operators speaks.
func AdminProtocols() *http.Protocols {
	p := &http.Protocols{}
	p.SetHTTP1(true)
	p.SetHTTP2(true)
	p.SetUnencryptedHTTP2(true)
	return p
}

// observeCalls counts calls by procedure and Connect code.
func observeCalls(registry *prometheus.Registry) func(procedure, code string, seconds float64) {
	calls := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "paydown_rpc_calls_total", Help: "Calls of the admin services that were let in, by procedure and Connect code, ok among them.",
	}, []string{"procedure", "code"})
	durations := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "paydown_rpc_call_seconds", Help: "Time of a call of the admin services, by procedure.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"procedure"})
	registry.MustRegister(calls, durations)
	return func(procedure, code string, seconds float64) {
		calls.WithLabelValues(procedure, code).Inc()
		durations.WithLabelValues(procedure).Observe(seconds)
	}
}
