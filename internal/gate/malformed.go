package gate

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/netip"
	"strconv"

	"paydown/internal/fault"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
)

// malformedRoute names in logs and metrics what never became a request.
const malformedRoute = "malformed"

// Malformed is the answer to what could not be read as a request, and so reached no surface: with a request id, rate-limit
// headers and the envelope, as every answer has them. It counts for the address that the connection comes from, unless that
// is a trusted proxy, of which nobody can tell for whom it speaks.
func (g *Gate) Malformed(peer netip.Addr, status int, message string) (http.Header, []byte) {
	id := "req_" + rand.Text()
	code := fault.BadRequest
	if status == http.StatusRequestHeaderFieldsTooLarge {
		code = fault.PayloadTooLarge
	}
	h := http.Header{}
	h.Set("X-Request-Id", id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	announce(h, g.strangerAt(peer, id))
	body, err := json.Marshal(Problem{Error: message, Code: code, RequestID: id})
	if err != nil {
		panic(err) // it always marshals
	}
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	g.Observe(malformedRoute, status, 0)
	g.Log.Info("request", slog.String("requestId", id), slog.String("route", malformedRoute), slog.Int("status", status))
	return h, body
}

// strangerAt counts something that is no request.
func (g *Gate) strangerAt(peer netip.Addr, id string) ratelimit.Decision {
	if g.isTrusted(peer) {
		return ratelimit.Decision{Limit: service.DefaultRateLimit, Remaining: service.DefaultRateLimit, Reset: ratelimit.Window}
	}
	d, err := g.Limiter.Take(context.Background(), ratelimit.Address(peer), service.DefaultRateLimit)
	if err != nil {
		g.Log.Warn("a caller is counted by this process alone", "error", err, "requestId", id)
	}
	return d
}
