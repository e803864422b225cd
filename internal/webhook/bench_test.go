package webhook_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"paydown/internal/webhook"
)

// BenchmarkSend makes concurrent attempts of 1 KiB at a receiver on this machine, over kept connections.
func BenchmarkSend(b *testing.B) {
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.WriteHeader(http.StatusNoContent)
	})
	body := bytes.Repeat([]byte("x"), 1024)
	header := http.Header{"Content-Type": {"application/json"}, "User-Agent": {webhook.UserAgent}}
	for _, c := range []struct {
		name   string
		tls    bool
		byName bool
	}{{"http", false, false}, {"https", true, false}, {"http by name", false, true}} {
		b.Run(c.name, func(b *testing.B) {
			server := httptest.NewUnstartedServer(handler)
			cfg := webhook.SenderConfig{Guard: loopback(nil)}
			if c.tls {
				ca := newAuthority(b)
				server.TLS, cfg.RootCAs = ca.config(b), ca.pool
				server.StartTLS()
			} else {
				server.Start()
			}
			defer server.Close()
			url := server.URL
			if c.byName {
				cfg.Guard = startNameServer(b, map[string]string{"hooks.example": "127.0.0.1"}).guard()
				url = strings.Replace(url, "127.0.0.1", "hooks.example", 1)
			}
			s := webhook.NewSender(cfg)
			defer s.Close()
			b.SetParallelism(16)
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					o := s.Send(context.Background(), webhook.Attempt{Endpoint: 1, URL: url, Header: header, Body: body})
					if o.Error != "" {
						b.Errorf("%+v", o)
					}
				}
			})
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "deliveries/s")
		})
	}
}
