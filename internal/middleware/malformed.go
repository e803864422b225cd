package middleware

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

// malformedRoute is the route name, in logs and metrics, of input that is not an HTTP request.
const malformedRoute = "malformed"

// Malformed returns the answer to input that could not be read as a request and so reached no surface. Like
// every answer it has a request id, rate-limit headers and the error envelope. It counts for the address of the
// connection, unless that is a trusted proxy, which may speak for anybody.
func (m *Chain) Malformed(peer netip.Addr, status int, message string) (http.Header, []byte) {
	id := "req_" + rand.Text()
	code := fault.BadRequest
	if status == http.StatusRequestHeaderFieldsTooLarge {
		code = fault.PayloadTooLarge
	}
	h := http.Header{}
	h.Set("X-Request-Id", id)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	announce(h, m.countMalformed(peer, id))
	body, err := json.Marshal(Problem{Error: message, Code: code, RequestID: id})
	if err != nil {
		panic(err) // it always marshals
	}
	h.Set("Content-Type", "application/json")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	m.Observe(malformedRoute, status, 0)
	m.Log.Info("request", slog.String("requestId", id), slog.String("route", malformedRoute), slog.Int("status", status))
	return h, body
}

// countMalformed counts input that is not a request.
func (m *Chain) countMalformed(peer netip.Addr, id string) ratelimit.Decision {
	if m.isTrusted(peer) {
		return ratelimit.Decision{
			Limit: service.DefaultRateLimit, Remaining: service.DefaultRateLimit, Reset: ratelimit.Window,
		}
	}
	d, err := m.Limiter.Take(context.Background(), ratelimit.Address(peer), service.DefaultRateLimit)
	if err != nil {
		m.Log.Warn("rate limit store unavailable: counting in this process only", "error", err, "requestId", id)
	}
	return d
}
