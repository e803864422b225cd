// Package signin is where members of staff sign in and out with a browser, and look after their passwords and second
// factors: /auth/. What it does, it does through package service; the session's token travels in a cookie and is shown
// nowhere else.
package signin

import (
	"log/slog"
	"net/http"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/service"
)

// Prefix is what the paths begin with that the handler serves.
const Prefix = "/auth/"

// Handler serves them.
type Handler struct {
	service *service.Service
	log     *slog.Logger
	chain   *middleware.Chain
	routes  map[string]route
}

// route is the one method of a path, whom it lets in, and what it does.
type route struct {
	method string
	entry  middleware.Entry
	handle func(http.ResponseWriter, *http.Request) error
}

// New makes the handler.
func New(cfg middleware.Config) *Handler {
	h := &Handler{service: cfg.Service, log: cfg.Log}
	h.chain = middleware.New(cfg, auth.SignIn, behind{h})
	h.routes = map[string]route{
		"/auth/login":          {http.MethodPost, middleware.ByAnybody, h.login},
		"/auth/second-factor":  {http.MethodPost, middleware.ByAnybody, h.secondFactor},
		"/auth/logout":         {http.MethodPost, middleware.ByAnybody, h.logout},
		"/auth/reset":          {http.MethodPost, middleware.ByAnybody, h.reset},
		"/auth/session":        {http.MethodGet, middleware.BySession, h.session},
		"/auth/password":       {http.MethodPost, middleware.BySession, h.password},
		"/auth/totp/enrol":     {http.MethodPost, middleware.BySession, h.enrol},
		"/auth/totp/confirm":   {http.MethodPost, middleware.BySession, h.confirm},
		"/auth/totp/disable":   {http.MethodPost, middleware.BySession, h.disable},
		"/auth/recovery-codes": {http.MethodPost, middleware.BySession, h.recoveryCodes},
	}
	return h
}

// ServeHTTP serves one request, after the middleware.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.chain.ServeHTTP(w, r) }

// behind is the handler as its middleware calls it.
type behind struct{ *Handler }

// Route finds what a path does.
func (b behind) Route(r *http.Request) middleware.Route {
	found, ok := b.routes[r.URL.Path]
	if !ok {
		return middleware.Route{
			Name:  middleware.Unmatched,
			Entry: middleware.ByAnybody,
			Handler: b.answer(func(http.ResponseWriter, *http.Request) error {
				return fault.New(fault.NotFound, "There is nothing at this path.")
			}),
		}
	}
	if found.method != r.Method {
		return middleware.Route{
			Name:  middleware.Unmatched,
			Entry: middleware.ByAnybody,
			Handler: b.answer(func(w http.ResponseWriter, _ *http.Request) error {
				w.Header().Set("Allow", found.method)
				return fault.New(fault.MethodNotAllowed, "This path answers %s.", found.method)
			}),
		}
	}
	handle := found.handle
	if found.method == http.MethodPost {
		handle = guarded(handle)
	}
	return middleware.Route{Name: found.method + " " + r.URL.Path, Entry: found.entry, Handler: b.answer(handle)}
}

// Refuse answers with the envelope.
func (b behind) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	middleware.WriteProblem(w, r, b.log, err)
}

func (b behind) answer(handle func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := handle(w, r); err != nil {
			middleware.WriteProblem(w, r, b.log, err)
		}
	})
}

// guarded refuses what another site made a browser send, so that nobody can sign somebody in or out behind their back,
// and secrets on a line that others can read. On one's own machine there is no such line.
func guarded(handle func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := middleware.SameOrigin(r); err != nil {
			return err
		}
		if in := middleware.Of(r.Context()); !in.Secure && !in.Address.IsLoopback() {
			return fault.New(fault.Forbidden, "Passwords and sessions travel over HTTPS only.")
		}
		return handle(w, r)
	}
}

// hostOf is the tenant whose host was asked, and where the request comes from.
func hostOf(r *http.Request) (*service.TenantEntry, service.Origin) {
	in := middleware.Of(r.Context())
	host := in.Tenant
	if in.Caller != nil {
		host = in.Caller.Tenant
	}
	return host, service.NewOrigin(in.Address, r.UserAgent(), auth.SignIn, in.RequestID)
}
