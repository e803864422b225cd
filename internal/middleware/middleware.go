// Package middleware admits requests before they reach a surface: request id, recovery and log around it; then host,
// key, address and rate limit. Every surface has a chain of its own, so all admit the same callers. Each surface words
// its own refusals.
package middleware

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
)

// Config is the configuration that all surfaces share.
type Config struct {
	Service *service.Service
	Log     *slog.Logger
	// Limiter counts requests per key, and per address of callers without a valid one.
	Limiter *ratelimit.Limiter
	// Trusted are the proxies whose X-Forwarded-For is trusted.
	Trusted []netip.Prefix
	// Observe is called after every request, for metrics. It may be nil.
	Observe func(route string, status int, seconds float64)
}

// Surface is the handler behind a chain.
type Surface interface {
	// Route returns the route of a request. A request that matches nothing gets a handler that says so.
	Route(r *http.Request) Route
	// Refuse answers a request that was not admitted, or whose handler panicked before answering. Explain turns an
	// error that is not a fault.Error into one.
	Refuse(w http.ResponseWriter, r *http.Request, err error)
}

// Route is a matched route.
type Route struct {
	Handler http.Handler
	Name    string // for logs and metrics; one of few, whatever callers send
	Entry   Entry
}

// Unmatched is the route name of requests that match nothing.
const Unmatched = "unmatched"

// Entry is what a route requires of its callers.
type Entry int

// The kinds of entry.
const (
	// ByKey requires a valid API key.
	ByKey Entry = iota
	// ByAnyone admits every caller, counted by address.
	ByAnyone
	// ByViewer admits every viewer of a page, counted by address and separately from calls: PageLimit.
	ByViewer
	// ByLoader admits every request for a page's files, counted by address and separately from everything else:
	// FileLimit.
	ByLoader
	// BySession requires a signed-in member of staff, by session cookie. A cross-origin request that could change
	// something is refused.
	BySession
	// ByCaller requires a key if the request has one, and otherwise a session.
	ByCaller
	// BySignature is for a route that authenticates its callers itself, for info.Tenant. Until then the caller
	// is info.Sender, counted by address and separately from calls.
	BySignature
	// ByOperator requires an operator: an admin token, or a client certificate that the listener has verified. The
	// host is ignored; the actor has no tenant yet.
	ByOperator
	// InProcess admits commands of this program as the operator at the command line; the calling process has
	// opened the database itself. No listener may serve such a route.
	InProcess
)

// Chain admits requests to a surface.
type Chain struct {
	Config
	via    auth.Surface
	behind Surface
}

// New returns the chain of a surface. via is the surface's name in its callers' actors.
func New(cfg Config, via auth.Surface, behind Surface) *Chain {
	if cfg.Observe == nil {
		cfg.Observe = func(string, int, float64) {}
	}
	return &Chain{Config: cfg, via: via, behind: behind}
}

// RequestInfo is what the middleware has established about a request.
type RequestInfo struct {
	RequestID string
	// Address is the caller's. Secure reports whether the caller connected over TLS.
	Address netip.Addr
	Secure  bool
	// Caller is set if the route is ByKey, BySession or ByCaller. Its key is nil for a session.
	Caller *service.Caller
	// Operator is set if the route is ByOperator or InProcess.
	Operator *auth.Actor
	// Decision is the caller's use of its rate limit.
	Decision ratelimit.Decision
	// counted is the caller in the rate limiter, limit its requests per window.
	counted ratelimit.Caller
	limit   int
	// Tenant is set if the route is ByAnyone, ByViewer or BySignature, Sender if it is BySignature.
	Tenant *service.TenantEntry
	Sender *Unauthenticated
}

type requestInfoKey struct{}

// FromContext returns the info about the request that the context belongs to, or nil.
func FromContext(ctx context.Context) *RequestInfo {
	p, _ := ctx.Value(requestInfoKey{}).(*RequestInfo)
	return p
}

// RequestID returns the X-Request-Id of the request that the context belongs to, or "".
func RequestID(ctx context.Context) string {
	if p := FromContext(ctx); p != nil {
		return p.RequestID
	}
	return ""
}

// ServeHTTP serves one request: id, log and recovery around it; then host, key, address, rate limit; then the
// route.
func (m *Chain) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	in := &RequestInfo{RequestID: "req_" + rand.Text(), Address: m.addressOf(r), Secure: m.isSecure(r)}
	ctx := context.WithValue(r.Context(), requestInfoKey{}, in)
	r = r.WithContext(ctx)
	rec := &recorder{ResponseWriter: w}
	h := rec.Header()
	h["X-Request-Id"] = []string{in.RequestID}
	h["X-Content-Type-Options"], h["Cache-Control"] = nosniff, noStore
	if in.Secure {
		h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
	announceUncounted(h)
	route := Route{Name: Unmatched}
	defer func() { m.finished(r, in, rec, route.Name, time.Since(began)) }() // also runs for an answer that is cut off
	defer func() {
		if p := recover(); p != nil {
			m.recovered(rec, r, p)
		}
	}()
	route = m.behind.Route(r)
	if err := m.admit(rec, r, in, route.Entry); err != nil {
		m.behind.Refuse(rec, r, err)
		return
	}
	if in.Caller != nil {
		r = r.WithContext(auth.With(ctx, in.Caller.Actor))
	}
	if in.Operator != nil {
		r = r.WithContext(auth.With(ctx, in.Operator))
	}
	route.Handler.ServeHTTP(rec, r)
}

// Header values that every response shares. Nothing changes them in place: http.Header replaces values.
var (
	nosniff = []string{"nosniff"}
	noStore = []string{"no-store"}
)

// recovered answers a request whose handler panicked. If the answer has begun, it cuts the connection, so that
// the caller cannot mistake half an answer for a whole one.
func (m *Chain) recovered(rec *recorder, r *http.Request, p any) {
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http documents the comparison of this very value
		panic(p)
	}
	LogPanic(r.Context(), m.Log, p)
	if rec.status != 0 {
		panic(http.ErrAbortHandler)
	}
	m.behind.Refuse(rec, r, fault.New(fault.Internal, InternalMessage))
}

// LogPanic logs a recovered panic with the stack of the goroutine.
func LogPanic(ctx context.Context, log *slog.Logger, p any) {
	log.ErrorContext(ctx, "panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()), "requestId", RequestID(ctx))
}

// finished logs the request and counts it.
func (m *Chain) finished(r *http.Request, in *RequestInfo, rec *recorder, route string, took time.Duration) {
	m.Observe(route, rec.status, took.Seconds())
	attrs := []slog.Attr{
		slog.String("requestId", in.RequestID), slog.String("method", r.Method), slog.String("route", route),
		slog.Int("status", rec.status), slog.Float64("ms", float64(took.Microseconds())/1000),
	}
	if in.Caller != nil {
		who := "keyId"
		if in.Caller.Actor.IsUser() {
			who = "userId"
		}
		attrs = append(attrs, slog.String("tenant", in.Caller.Tenant.Host), slog.Int(who, in.Caller.Actor.ID))
	}
	if in.Operator != nil {
		attrs = append(attrs, slog.String("operator", in.Operator.Name))
	}
	if in.Tenant != nil {
		attrs = append(attrs, slog.String("tenant", in.Tenant.Host))
	}
	if trace := traceID(r.Header.Get("Traceparent")); trace != "" {
		attrs = append(attrs, slog.String("traceId", trace))
	}
	m.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
}

// traceID returns the trace id of a W3C traceparent, or "" if it is not one.
func traceID(traceparent string) string {
	if traceparent == "" {
		return ""
	}
	parts := strings.Split(traceparent, "-")
	if len(parts) < 4 || len(parts[1]) != 32 || strings.Trim(parts[1], "0123456789abcdef") != "" {
		return ""
	}
	return parts[1]
}

// recorder records the status of a response.
type recorder struct {
	http.ResponseWriter
	status int
}

func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(b []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(b)
}

// Flush sends what was written so far, for handlers that look for an http.Flusher.
func (w *recorder) Flush() {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	_ = http.NewResponseController(w.ResponseWriter).Flush() // the next write returns the error
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
