package e2e

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/ratelimit"
	"paydown/internal/secret"
	listeners "paydown/internal/server"
	"paydown/internal/service"
	"paydown/internal/webhook"
)

// process is the application's handler without a listener, so that a test holds the contexts of its requests
// and of its background jobs.
type process struct {
	service *service.Service
	handler http.Handler
}

func newProcess(t *testing.T, a *apptest.App) *process {
	t.Helper()
	box, err := secret.Open(a.Secret)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewJSONHandler(a.Log, nil))
	sender := webhook.NewSender(webhook.SenderConfig{})
	t.Cleanup(sender.Close)
	s := service.New(service.Config{Store: a.Store, Secrets: box, Log: log, Now: a.Clock.Now, Sender: sender})
	return &process{s, listeners.New(listeners.Config{
		Service: s, Log: log, Limiter: ratelimit.New(nil, a.Clock.Now),
		Trusted: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")},
	}).Handler()}
}

// request comes from 192.0.2.1.
func (p *process) request(host, token, method, path, body string) *http.Request {
	r := httptest.NewRequestWithContext(context.Background(), method, path, strings.NewReader(body))
	r.Host = host
	r.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	return r
}

func (p *process) serve(r *http.Request) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	p.handler.ServeHTTP(w, r)
	return w
}

// run starts the process's background jobs and returns a function that ends them: by then what it counted is
// stored. The end of the test does so too.
func (p *process) run(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	var upkeep sync.WaitGroup
	upkeep.Go(func() { p.service.Run(ctx) })
	stop = func() {
		cancel()
		upkeep.Wait()
	}
	t.Cleanup(stop)
	return stop
}
