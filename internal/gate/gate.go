// Package gate is what a request passes before it reaches a surface: request id, recovery and log around it; then host,
// key, address and rate limit. Every surface stands behind a gate of its own and so lets in the same callers; what it
// answers those who are not let in, it words by itself.
package gate

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

// Config is what every surface is made of.
type Config struct {
	Service *service.Service
	Log     *slog.Logger
	// Limiter counts requests per key, and per address of callers without a valid one.
	Limiter *ratelimit.Limiter
	// Trusted are the proxies whose X-Forwarded-For is believed.
	Trusted []netip.Prefix
	// Observe is told of every finished request, for metrics; it may be nil.
	Observe func(route string, status int, seconds float64)
}

// Surface is what stands behind a gate.
type Surface interface {
	// Route finds where a request goes; what leads nowhere goes to a handler that says so.
	Route(r *http.Request) Route
	// Refuse answers a request that is not let in, or whose handler panicked before it answered. Of an error that is no
	// fault.Error, Explain makes one.
	Refuse(w http.ResponseWriter, r *http.Request, err error)
}

// Route is where a request goes.
type Route struct {
	Handler http.Handler
	Name    string // in logs and metrics; one of few, whatever callers send
	Entry   Entry
}

// Unmatched is the name of the route of a request that leads nowhere.
const Unmatched = "unmatched"

// Entry says whom a route lets in.
type Entry int

// The entries.
const (
	// ByKey lets in the bearer of an API key that is good here.
	ByKey Entry = iota
	// ByAnybody lets in whoever calls, counted by address.
	ByAnybody
	// ByViewer lets in whoever looks at a page; counted by address, apart from calls: PageLimit.
	ByViewer
	// ByLoader lets in whoever loads the files that a page is made of; counted by address, apart from all else: FileLimit.
	ByLoader
	// BySession lets in a member of staff who is signed in, by the cookie that Sessions made. A request from another origin
	// that could change something is refused.
	BySession
	// ByCaller lets in either: by key where the request shows one, and otherwise by session.
	ByCaller
	// BySignature is for a route that judges by itself, for Passage.Tenant, who calls. Until then it is Passage.Sender, who is
	// counted by address, apart from calls.
	BySignature
	// ByOperator lets in whoever runs the installation: by an admin token or by a client's certificate that the listener has
	// verified. The host says nothing; the actor acts in no tenant yet.
	ByOperator
	// InProcess lets in the commands of this program, as the operator at the command line: the process that calls has opened
	// the database itself. No listener may serve such a route.
	InProcess
)

// Gate lets requests through to a surface.
type Gate struct {
	Config
	via    auth.Surface
	behind Surface
}

// New makes the gate before a surface, whose name its callers' actors carry.
func New(cfg Config, via auth.Surface, behind Surface) *Gate {
	if cfg.Observe == nil {
		cfg.Observe = func(string, int, float64) {}
	}
	return &Gate{Config: cfg, via: via, behind: behind}
}

// Passage is what the gate found out about a request.
type Passage struct {
	RequestID string
	// Address is the caller's; Secure says that the caller came over TLS.
	Address netip.Addr
	Secure  bool
	// Caller is nil unless the route is ByKey, BySession or ByCaller. It has no key where it is a session's.
	Caller *service.Caller
	// Operator is set for a route that is ByOperator or InProcess.
	Operator *auth.Actor
	// Decision is where the caller stands in its rate limit.
	Decision ratelimit.Decision
	// counted is as whom the caller is counted, and limit how many requests it has.
	counted ratelimit.Caller
	limit   int
	// Tenant is set for a route that is ByAnybody, ByViewer or BySignature, Sender for the last.
	Tenant *service.TenantEntry
	Sender *Stranger
}

type passageKey struct{}

// Of is the passage of the request that the context is of; nil in any other context.
func Of(ctx context.Context) *Passage {
	p, _ := ctx.Value(passageKey{}).(*Passage)
	return p
}

// RequestID names the request that the context is of, as X-Request-Id does; "" in any other context.
func RequestID(ctx context.Context) string {
	if p := Of(ctx); p != nil {
		return p.RequestID
	}
	return ""
}

// ServeHTTP serves one request: id, log and recovery around it; then host, key, address, rate limit; then the route.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	in := &Passage{RequestID: "req_" + rand.Text(), Address: g.addressOf(r), Secure: g.isSecure(r)}
	ctx := context.WithValue(r.Context(), passageKey{}, in)
	r = r.WithContext(ctx)
	rec := &recorder{ResponseWriter: w}
	h := rec.Header()
	h.Set("X-Request-Id", in.RequestID)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if in.Secure {
		h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
	announce(h, ratelimit.Decision{Limit: service.DefaultRateLimit}) // until the caller has been counted
	route := Route{Name: Unmatched}
	defer func() { g.finished(r, in, rec, route.Name, time.Since(began)) }() // also of an answer that is cut off
	defer func() {
		if p := recover(); p != nil {
			g.recovered(rec, r, p)
		}
	}()
	route = g.behind.Route(r)
	if err := g.admit(rec, r, in, route.Entry); err != nil {
		g.behind.Refuse(rec, r, err)
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

// recovered answers a request whose handler panicked. Where the answer has begun, the connection is cut, so that the
// caller cannot take half an answer for a whole one.
func (g *Gate) recovered(rec *recorder, r *http.Request, p any) {
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http documents the comparison of this very value
		panic(p)
	}
	LogPanic(r.Context(), g.Log, p)
	if rec.status != 0 {
		panic(http.ErrAbortHandler)
	}
	g.behind.Refuse(rec, r, fault.New(fault.Internal, FaultOfOurs))
}

// LogPanic logs what was recovered from, with the stack of the goroutine that panicked.
func LogPanic(ctx context.Context, log *slog.Logger, p any) {
	log.ErrorContext(ctx, "panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()), "requestId", RequestID(ctx))
}

// finished logs the request and counts it.
func (g *Gate) finished(r *http.Request, in *Passage, rec *recorder, route string, took time.Duration) {
	g.Observe(route, rec.status, took.Seconds())
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
	g.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
}

// traceID takes the trace out of a W3C traceparent; "" where it is not one.
func traceID(traceparent string) string {
	parts := strings.Split(traceparent, "-")
	if len(parts) < 4 || len(parts[1]) != 32 || strings.Trim(parts[1], "0123456789abcdef") != "" {
		return ""
	}
	return parts[1]
}

// recorder remembers the status of a response.
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
	_ = http.NewResponseController(w.ResponseWriter).Flush() // that it cannot be sent is found by the next write
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
