package server

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/http"
	"os"

	"github.com/prometheus/client_golang/prometheus"
)

// adminServer returns the operators' listener. It supports HTTP/2 without TLS too, because gRPC requires
// HTTP/2. A client may authenticate with a certificate; without one it needs a token.
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
		return nil, fmt.Errorf("--admin-client-ca: %s contains no certificate", s.cfg.AdminClientCA)
	}
	server.TLSConfig.ClientCAs, server.TLSConfig.ClientAuth = authorities, tls.VerifyClientCertIfGiven
	return server, nil
}

// AdminProtocols returns the protocols of the operators' listener.
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
		Name: "paydown_rpc_calls_total",
		Help: "Authorized calls of the admin services, by procedure and Connect code (ok on success).",
	}, []string{"procedure", "code"})
	durations := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "paydown_rpc_call_seconds", Help: "Duration of a call of the admin services, by procedure.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"procedure"})
	registry.MustRegister(calls, durations)
	return func(procedure, code string, seconds float64) {
		calls.WithLabelValues(procedure, code).Inc()
		durations.WithLabelValues(procedure).Observe(seconds)
	}
}
