package rest

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"path"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
)

// admitted is what the middleware found out about a request.
type admitted struct {
	requestID string
	caller    *service.Caller
	decision  ratelimit.Decision
	// signed is set for a route that knows its callers by their signatures. It judges them by itself: for this tenant, and
	// until then the sender is a stranger.
	signed bool
	tenant *service.TenantEntry
	sender *stranger
}

type admittedKey struct{}

func admittedOf(ctx context.Context) *admitted {
	in, _ := ctx.Value(admittedKey{}).(*admitted)
	return in
}

func requestID(ctx context.Context) string {
	if in := admittedOf(ctx); in != nil {
		return in.requestID
	}
	return ""
}

// ServeHTTP serves one request: id, log and recovery around it; then host, key, address, rate limit; then the route.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	in := &admitted{requestID: "req_" + rand.Text()}
	ctx := context.WithValue(r.Context(), admittedKey{}, in)
	r = r.WithContext(ctx)
	rec := &recorder{ResponseWriter: w}
	h := rec.Header()
	h.Set("X-Request-Id", in.requestID)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	if a.isSecure(r) {
		h.Set("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
	}
	announce(h, ratelimit.Decision{Limit: service.DefaultRateLimit}) // until the caller has been counted
	route := "unmatched"
	defer func() { a.finished(r, in, rec, route, time.Since(began)) }() // also of an answer that is cut off
	defer func() {
		if p := recover(); p != nil {
			a.recovered(rec, r, p)
		}
	}()
	var handler http.Handler
	handler, route = a.route(r)
	in.signed = route == inboundRoute
	if err := a.admit(rec, r, in); err != nil {
		writeProblem(rec, r, a.log, err)
		return
	}
	if in.caller != nil {
		r = r.WithContext(auth.With(ctx, in.caller.Actor))
	}
	handler.ServeHTTP(rec, r)
}

// recovered answers a request whose handler panicked. Where the answer has begun, the connection is cut, so that the
// caller cannot take half an answer for a whole one.
func (a *API) recovered(rec *recorder, r *http.Request, p any) {
	if p == http.ErrAbortHandler { //nolint:errorlint // net/http documents the comparison of this very value
		panic(p)
	}
	a.log.ErrorContext(r.Context(), "panic", "panic", fmt.Sprint(p), "stack", string(debug.Stack()),
		"requestId", requestID(r.Context()))
	if rec.status != 0 {
		panic(http.ErrAbortHandler)
	}
	writeProblem(rec, r, a.log, fault.New(fault.Internal, faultOfOurs))
}

// finished logs the request and counts it.
func (a *API) finished(r *http.Request, in *admitted, rec *recorder, route string, took time.Duration) {
	a.observe(route, rec.status, took.Seconds())
	attrs := []slog.Attr{
		slog.String("requestId", in.requestID), slog.String("method", r.Method), slog.String("route", route),
		slog.Int("status", rec.status), slog.Float64("ms", float64(took.Microseconds())/1000),
	}
	if in.caller != nil {
		attrs = append(attrs, slog.String("tenant", in.caller.Tenant.Host), slog.Int("keyId", in.caller.Key.ID))
	}
	if in.tenant != nil {
		attrs = append(attrs, slog.String("tenant", in.tenant.Host))
	}
	if trace := traceID(r.Header.Get("Traceparent")); trace != "" {
		attrs = append(attrs, slog.String("traceId", trace))
	}
	a.log.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
}

// traceID takes the trace out of a W3C traceparent; "" where it is not one.
func traceID(traceparent string) string {
	parts := strings.Split(traceparent, "-")
	if len(parts) < 4 || len(parts[1]) != 32 || strings.Trim(parts[1], "0123456789abcdef") != "" {
		return ""
	}
	return parts[1]
}

// route finds the handler, and the pattern that names it in logs and metrics. What no route answers is a problem in the
// envelope like any other.
func (a *API) route(r *http.Request) (http.Handler, string) {
	if clean := path.Clean(r.URL.Path); clean == r.URL.Path {
		handler, pattern := a.mux.Handler(r)
		if pattern != "" {
			return a.mux, pattern // the mux itself, which fills in the path's values
		}
		probe := &recorder{ResponseWriter: discard{header: http.Header{}}}
		handler.ServeHTTP(probe, r)
		if probe.status == http.StatusMethodNotAllowed {
			allow := probe.Header().Get("Allow")
			return a.refuse(fault.New(fault.MethodNotAllowed, "This path answers %s.", allow), allow), "unmatched"
		}
	}
	return a.refuse(fault.New(fault.NotFound, "There is nothing at this path."), ""), "unmatched"
}

func (a *API) refuse(f *fault.Error, allow string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if allow != "" {
			w.Header().Set("Allow", allow)
		}
		writeProblem(w, r, a.log, f)
	})
}

// isPage reports whether a path is that of a page or of what it loads: they answer without a key, and are counted apart.
func isPage(r *http.Request) bool {
	return r.URL.Path == docsPath || strings.HasPrefix(r.URL.Path, docsPath+"/")
}

// admit lets the request in: its host must be a tenant's, its key good, its address allowed, its rate within the limit.
// A caller without a good key is counted by address. So is, before it is looked up, a host or key that is not known to
// exist; a key that proves good gets the request back.
func (a *API) admit(w http.ResponseWriter, r *http.Request, in *admitted) error {
	address := a.addressOf(r)
	s := &stranger{api: a, caller: ratelimit.Address(address)}
	if !a.service.Tenants.Known(r.Host) {
		if err := s.count(w, r); err != nil {
			return err
		}
	}
	tenant, err := a.service.Tenants.ByHost(r.Context(), r.Host)
	if err != nil {
		return s.refuse(w, r, err)
	}
	if isPage(r) {
		return (&stranger{api: a, caller: ratelimit.Viewer(address)}).count(w, r)
	}
	if r.URL.Path == descriptionPath {
		return s.count(w, r)
	}
	if in.signed {
		in.tenant, in.sender = tenant, s
		return nil
	}
	token := bearer(r)
	if !a.service.Keys.Known(token) {
		if err := s.count(w, r); err != nil {
			return err
		}
	}
	caller, err := a.service.Keys.Authenticate(r.Context(), tenant, token, in.requestID, address)
	if err != nil {
		return s.refuse(w, r, err)
	}
	in.caller = caller
	if !auth.Allowed(caller.Key.IPAllowList, address) {
		// Counted by the address, so that nobody can use up a key from where it is not good, and refused either way.
		_ = s.count(w, r)
		return fault.New(fault.Forbidden, "This key may not be used from this address.")
	}
	s.forgive()
	in.decision, err = a.take(w, r, ratelimit.Key(caller.Key.ID), caller.Key.RateLimit)
	return err
}

// stranger is a caller as long as nobody else is known to be calling: whoever it is at the address.
type stranger struct {
	api      *API
	caller   ratelimit.Caller
	decision *ratelimit.Decision // nil until the request is counted
	err      error
}

// count counts the request, once.
func (s *stranger) count(w http.ResponseWriter, r *http.Request) error {
	if s.decision == nil {
		var d ratelimit.Decision
		d, s.err = s.api.take(w, r, s.caller, service.DefaultRateLimit)
		s.decision = &d
	}
	return s.err
}

// refuse counts the request and lets the reason stand. Where the fault is ours the stranger is not counted for it.
func (s *stranger) refuse(w http.ResponseWriter, r *http.Request, reason error) error {
	if fault.As(reason) == nil {
		return reason
	}
	if err := s.count(w, r); err != nil {
		return err
	}
	return reason
}

// forgive gives the request back: it is counted as somebody else's.
func (s *stranger) forgive() {
	if s.decision != nil {
		s.api.limiter.Return(s.caller, *s.decision)
	}
}

// take counts the request and sets the headers that every response carries.
func (a *API) take(
	w http.ResponseWriter, r *http.Request, caller ratelimit.Caller, limit int,
) (ratelimit.Decision, error) {
	d, err := a.limiter.Take(r.Context(), caller, limit)
	if err != nil {
		a.log.WarnContext(r.Context(), "a caller is counted by this process alone", "error", err,
			"requestId", requestID(r.Context()))
	}
	announce(w.Header(), d)
	if !d.Allowed {
		f := fault.New(fault.RateLimited, "Too many requests: at most %d in %d seconds.",
			d.Limit, int(ratelimit.Window.Seconds()))
		f.RetryAfter = ratelimit.RetryAfter
		return d, f
	}
	return d, nil
}

// unlimited is what a caller without a limit is told: the headers are on every response, and are numbers.
const unlimited = math.MaxInt32

// announce sets the headers of the rate limit.
func announce(h http.Header, d ratelimit.Decision) {
	if d.Limit == 0 {
		d.Limit, d.Remaining, d.Reset = unlimited, unlimited, ratelimit.Window
	}
	h.Set("X-RateLimit-Limit", strconv.Itoa(d.Limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(d.Remaining))
	h.Set("X-RateLimit-Reset", strconv.Itoa(wholeSeconds(d.Reset.Seconds())))
}

// bearer is the token of the Authorization header; "" where there is none, or more than one: nobody may be taken for
// another by whoever reads the other one.
func bearer(r *http.Request) string {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}

// isSecure reports whether the caller came over TLS: to us, or as a trusted proxy says to it.
func (a *API) isSecure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !a.isTrusted(peer.Addr().Unmap().WithZone("")) {
		return false
	}
	protocol, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
	return strings.EqualFold(strings.TrimSpace(protocol), "https")
}

// addressOf is the caller's address: the socket's or, where that is a trusted proxy, the nearest one in
// X-Forwarded-For that is not.
func (a *API) addressOf(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.IPv6Unspecified()
	}
	address := peer.Addr().Unmap().WithZone("")
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && a.isTrusted(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop.Unmap().WithZone("")
	}
	return address
}

func (a *API) isTrusted(address netip.Addr) bool {
	for _, p := range a.trusted {
		if p.Contains(address) {
			return true
		}
	}
	return false
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

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// discard takes an answer that nobody will see.
type discard struct{ header http.Header }

func (d discard) Header() http.Header         { return d.header }
func (d discard) Write(b []byte) (int, error) { return len(b), nil }
func (d discard) WriteHeader(int)             {}
