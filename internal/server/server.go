// Package server puts the surfaces behind listeners: the order of what a request passes through, and an orderly stop.
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
	"paydown/internal/gate"
	"paydown/internal/portal"
	"paydown/internal/public"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
	"paydown/internal/signin"
	"paydown/rest"
	"paydown/rpc"
	"paydown/web"
)

// Config is what a server is made of.
type Config struct {
	Service   *service.Service
	Log       *slog.Logger
	Limiter   *ratelimit.Limiter
	Trusted   []netip.Prefix
	Addr      string
	AdminAddr string
	// TLSCert and TLSKey are files; both empty means plain HTTP, for behind a proxy or on loopback.
	TLSCert, TLSKey string
	// AdminTLSCert and AdminTLSKey are those of the listener for operators, AdminClientCA the file of the authorities whose
	// clients are let in by their certificates; empty means that none is.
	AdminTLSCert, AdminTLSKey, AdminClientCA string
	// Introspection lets every caller of the graph read its schema.
	Introspection bool
	// StopDelay is how long the server goes on as before once a stop was asked for, but for /readyz, which says so: time
	// for whoever sends requests here to look there and send them elsewhere.
	StopDelay time.Duration
	// Deliveries count how the deliveries of this process go; nil where nobody counts.
	Deliveries *DeliveryMetrics
}

// bounds are those of a connection. A body of 8 MiB must fit into read on a slow line, an answer into write.
type bounds struct {
	readHeader, read, write, idle time.Duration
	headerBytes                   int
}

var usual = bounds{
	readHeader: 10 * time.Second, read: 60 * time.Second, write: 90 * time.Second, idle: 2 * time.Minute,
	headerBytes: 64 << 10,
}

const (
	// drain is how long requests in flight may take once the listeners are closed.
	drain = 30 * time.Second
	// readyTimeout bounds the question whether the database answers.
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
	// strangers answers what never became a request.
	strangers *gate.Gate
	// endStreams cuts the streams of the graph and of calls, which would go on for as long as they are read.
	endStreams func()
	stopping   atomic.Bool
}

// New makes the server; Run serves.
func New(cfg Config) *Server {
	s := &Server{cfg: cfg, bounds: usual, after: time.After}
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	passed := gate.Config{
		Service: cfg.Service, Log: cfg.Log, Limiter: cfg.Limiter, Trusted: cfg.Trusted, Observe: observer(registry),
	}
	s.strangers = gate.New(passed, auth.REST, nil)
	api, signIn := rest.New(passed), signin.New(passed)
	queries := graph.New(graph.Config{Config: passed, Introspection: cfg.Introspection})
	calls := rpc.New(rpc.Config{Config: passed, Called: observeCalls(registry)})
	s.endStreams = func() { queries.EndStreams(); calls.EndStreams() }
	pages, shown, papers := portal.New(passed, web.Files()), public.New(passed), documents.New(passed, time.Now)
	observeRetention(registry, cfg.Service)
	observeSecretKeys(registry, cfg.Service)
	s.queue = observeDeliveries(registry, cfg)
	// Not a ServeMux: that would redirect a path it finds unclean, past the API's own answer to it.
	s.public = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// A body in chunks may have come with a length too, which is gone by now and which a proxy may have gone by:
		// whatever follows on the connection is not to be taken for a request (RFC 9112, section 6.3).
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

// observer counts requests by route and status, and how long they take.
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

// Handler is what the public listener serves, for tests.
func (s *Server) Handler() http.Handler { return s.public }

// AdminHandler is what the listener for operators serves, for tests.
func (s *Server) AdminHandler() http.Handler { return s.admin }

// healthz reports that the process runs.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") }

// readyz reports whether requests can be answered: the database answers, the secret keys that the data is sealed under are
// here, and no stop was asked for.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if s.stopping.Load() {
		plain(w, http.StatusServiceUnavailable, "stopping")
		return
	}
	if err := s.cfg.Service.Ready(ctx); err != nil {
		s.cfg.Log.WarnContext(ctx, "not ready", "error", err)
		why := "the database does not answer"
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

// Run listens and serves until the context ends: then /readyz says that it stops, the listeners close after StopDelay,
// and requests in flight may finish. started is told the addresses
// once both listeners are open; it may be nil.
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
	servers[0].RegisterOnShutdown(s.endStreams) // of both: they are closed one after the other
	failed := make(chan error, len(servers))
	open := func(l net.Listener) net.Listener { return listener{l, s.strangers} }
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
	s.cfg.Log.Info("stopping: requests in flight may finish")
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

// announceStop says that the server is about to stop, and gives others the time to take notice.
func (s *Server) announceStop(failed <-chan error) error {
	s.stopping.Store(true)
	if s.cfg.StopDelay <= 0 {
		return nil
	}
	s.cfg.Log.Info("about to stop: not ready any more", "delay", s.cfg.StopDelay.String())
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
		// OPTIONS * would be answered past the handler, and 200.
		DisableGeneralOptionsHandler: true,
	})
}

func serve(server *http.Server, listener net.Listener, cert, key string) error {
	if cert != "" {
		return server.ServeTLS(listener, cert, key)
	}
	return server.Serve(listener)
}
