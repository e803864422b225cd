// Package server runs the listeners with all surfaces behind them, and stops them in order.
package server

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"paydown/graph"
	"paydown/internal/auth"
	"paydown/internal/documents"
	"paydown/internal/middleware"
	"paydown/internal/portal"
	"paydown/internal/public"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
	"paydown/internal/signin"
	"paydown/rest"
	"paydown/rpc"
	"paydown/web"
)

// Config configures a server.
type Config struct {
	Service   *service.Service
	Log       *slog.Logger
	Limiter   *ratelimit.Limiter
	Trusted   []netip.Prefix
	Addr      string
	AdminAddr string
	// TLSCert and TLSKey are files. If both are empty the server speaks plain HTTP, for use behind a proxy or on
	// loopback.
	TLSCert, TLSKey string
	// AdminTLSCert and AdminTLSKey are those of the operators' listener. AdminClientCA is a file with the
	// authorities whose client certificates are accepted; if empty, none are.
	AdminTLSCert, AdminTLSKey, AdminClientCA string
	// Introspection lets every GraphQL caller read the schema.
	Introspection bool
	// StopDelay is how long the server keeps serving after a stop was requested, while /readyz already reports it,
	// so that load balancers can send requests elsewhere.
	StopDelay time.Duration
	// Deliveries counts the deliveries of this process; it may be nil.
	Deliveries *DeliveryMetrics
}

// bounds are the limits of a connection. Reading must allow a body of 8 MiB over a slow line, writing an
// answer.
type bounds struct {
	readHeader, read, write, idle time.Duration
	headerBytes                   int
}

var usual = bounds{
	readHeader: 10 * time.Second, read: 60 * time.Second, write: 90 * time.Second, idle: 2 * time.Minute,
	headerBytes: 64 << 10,
}

const (
	// drain is how long requests in flight may take after the listeners close.
	drain = 30 * time.Second
	// readyTimeout limits the readiness check of the database.
	readyTimeout = 2 * time.Second
)

// Server serves the product.
type Server struct {
	cfg    Config
	bounds bounds
	after  func(time.Duration) <-chan time.Time
	public http.Handler
	admin  http.Handler
	queue  *queueMetrics
	// malformed responds to malformed requests.
	malformed *middleware.Chain
	// endStreams ends GraphQL subscriptions and streaming calls, which otherwise last as long as the client reads.
	endStreams func()
	stopping   atomic.Bool
}

// New returns the server; Run serves.
func New(cfg Config) *Server {
	s := &Server{cfg: cfg, bounds: usual, after: time.After}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	passed := middleware.Config{
		Service: cfg.Service, Log: cfg.Log, Limiter: cfg.Limiter, Trusted: cfg.Trusted, Observe: observer(registry),
	}
	s.malformed = middleware.New(passed, auth.REST, nil)
	api, signIn := rest.New(passed), signin.New(passed)
	queries := graph.New(graph.Config{Config: passed, Introspection: cfg.Introspection})
	calls := rpc.New(rpc.Config{Config: passed, Called: observeCalls(registry)})
	s.endStreams = func() { queries.EndStreams(); calls.EndStreams() }
	pages, shown, papers := portal.New(passed, web.Files()), public.New(passed), documents.New(passed, time.Now)
	observeRetention(registry, cfg.Service)
	observeSecretKeys(registry, cfg.Service)
	s.queue = observeDeliveries(registry, cfg)
	// Not a ServeMux: it would redirect unclean paths instead of passing them to the API.
	s.public = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A chunked body may have come with a Content-Length too, which net/http has removed and a proxy may have
		// used. Nothing that follows on the connection may be read as a request (RFC 9112, section 6.3).
		if len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		switch r.URL.Path {
		case "/healthz":
			s.healthz(w, r)
		case "/readyz":
			s.readyz(w, r)
		case graph.Path:
			queries.ServeHTTP(w, r)
		default:
			switch path := r.URL.Path; {
			case strings.HasPrefix(path, signin.Prefix):
				signIn.ServeHTTP(w, r)
			case strings.HasPrefix(path, rpc.Prefix):
				calls.Staff().ServeHTTP(w, r)
			case documents.Takes(r):
				papers.ServeHTTP(w, r)
			case public.Takes(r):
				shown.ServeHTTP(w, r)
			case portal.Takes(r):
				pages.ServeHTTP(w, r)
			default:
				api.ServeHTTP(w, r)
			}
		}
	})
	admin := http.NewServeMux()
	admin.HandleFunc("GET /healthz", s.healthz)
	admin.HandleFunc("GET /readyz", s.readyz)
	admin.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	admin.Handle("/", calls.Operators())
	s.admin = admin
	return s
}

// observer counts requests by route and status, and measures their duration.
func observer(registry *prometheus.Registry) func(route string, status int, seconds float64) {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "paydown_http_requests_total", Help: "Requests answered, by route and status.",
	}, []string{"route", "status"})
	durations := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "paydown_http_request_seconds", Help: "Time to answer a request, by route.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"route"})
	registry.MustRegister(requests, durations)
	return func(route string, status int, seconds float64) {
		requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
		durations.WithLabelValues(route).Observe(seconds)
	}
}

// Handler returns the handler of the public listener, for tests.
func (s *Server) Handler() http.Handler { return s.public }

// AdminHandler returns the handler of the operators' listener, for tests.
func (s *Server) AdminHandler() http.Handler { return s.admin }

// healthz reports that the process runs.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") }

// readyz reports whether requests can be answered: the database responds, all secret keys that the data is
// sealed under are present, and no stop was requested.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if s.stopping.Load() {
		plain(w, http.StatusServiceUnavailable, "stopping")
		return
	}
	if err := s.cfg.Service.Ready(ctx); err != nil {
		s.cfg.Log.WarnContext(ctx, "not ready", "error", err)
		why := "the database is not responding"
		if _, lacking := errors.AsType[*service.KeyError](err); lacking {
			why = "a secret key is missing"
		}
		plain(w, http.StatusServiceUnavailable, why)
		return
	}
	plain(w, http.StatusOK, "ready")
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}

// Run serves until the context ends. Then /readyz reports the stop, the listeners close after StopDelay, and
// requests in flight may finish. started is called with the addresses once both listeners are open; it may be
// nil.
func (s *Server) Run(ctx context.Context, started func(public, admin net.Addr)) error {
	var listen net.ListenConfig
	public, err := listen.Listen(ctx, "tcp", s.cfg.Addr)
	if err != nil {
		return fmt.Errorf("listen on --addr: %w", err)
	}
	admin, err := listen.Listen(ctx, "tcp", s.cfg.AdminAddr)
	if err != nil {
		return errors.Join(fmt.Errorf("listen on --admin-addr: %w", err), public.Close())
	}
	operators, err := s.adminServer()
	if err != nil {
		return errors.Join(err, public.Close(), admin.Close())
	}
	upkeep, stopUpkeep := context.WithCancel(context.WithoutCancel(ctx))
	var background sync.WaitGroup
	background.Go(func() { s.cfg.Service.Run(upkeep) })
	servers := []*http.Server{s.httpServer(s.public), operators}
	servers[0].RegisterOnShutdown(s.endStreams) // both servers' streams: the servers are shut down one after the other
	failed := make(chan error, len(servers))
	open := func(l net.Listener) net.Listener { return listener{l, s.malformed} }
	go func() { failed <- serve(servers[0], open(public), s.cfg.TLSCert, s.cfg.TLSKey) }()
	go func() { failed <- serve(servers[1], open(admin), s.cfg.AdminTLSCert, s.cfg.AdminTLSKey) }()
	if started != nil {
		started(public.Addr(), admin.Addr())
	}
	select {
	case <-ctx.Done():
		err = s.announceStop(failed)
	case err = <-failed:
	}
	s.stopping.Store(true)
	s.cfg.Log.Info("shutting down: waiting for requests in flight")
	deadline, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	for _, server := range servers {
		if stop := server.Shutdown(deadline); stop != nil {
			err = errors.Join(err, stop)
		}
	}
	stopUpkeep()
	background.Wait()
	return err
}

// announceStop makes /readyz report the stop and waits for StopDelay.
func (s *Server) announceStop(failed <-chan error) error {
	s.stopping.Store(true)
	if s.cfg.StopDelay <= 0 {
		return nil
	}
	s.cfg.Log.Info("shutdown requested: no longer ready", "delay", s.cfg.StopDelay.String())
	select {
	case <-s.after(s.cfg.StopDelay):
		return nil
	case err := <-failed:
		return err
	}
}

func (s *Server) httpServer(handler http.Handler) *http.Server {
	return watched(&http.Server{
		Handler: handler, ReadHeaderTimeout: s.bounds.readHeader, ReadTimeout: s.bounds.read, WriteTimeout: s.bounds.write,
		IdleTimeout: s.bounds.idle, MaxHeaderBytes: s.bounds.headerBytes,
		ErrorLog:  slog.NewLogLogger(s.cfg.Log.Handler(), slog.LevelWarn),
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12},
		// net/http would answer OPTIONS * with 200 without calling the handler.
		DisableGeneralOptionsHandler: true,
	})
}

func serve(server *http.Server, listener net.Listener, cert, key string) error {
	if cert != "" {
		return server.ServeTLS(listener, cert, key)
	}
	return server.Serve(listener)
}
