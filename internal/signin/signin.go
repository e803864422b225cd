// Package signin serves /auth/: sign-in and sign-out of members of staff with a browser, and the management
// of their passwords and second factors. It calls package service. The session's token is only ever in a
// cookie.
package signin

import (
	"log/slog"
	"net/http"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/service"
)

// Prefix is the common prefix of all paths of the handler.
const Prefix = "/auth/"

// Handler serves the sign-in endpoints.
type Handler struct {
	service *service.Service
	log     *slog.Logger
	chain   *middleware.Chain
	routes  map[string]route
}

// route is the method, the admitted callers and the handler function of a path.
type route struct {
	method string
	entry  middleware.Entry
	handle func(http.ResponseWriter, *http.Request) error
}

// New returns the handler.
func New(cfg middleware.Config) *Handler {
	h := &Handler{service: cfg.Service, log: cfg.Log}
	h.chain = middleware.New(cfg, auth.SignIn, behind{h})
	h.routes = map[string]route{
		"/auth/login":          {http.MethodPost, middleware.ByAnyone, h.login},
		"/auth/second-factor":  {http.MethodPost, middleware.ByAnyone, h.secondFactor},
		"/auth/logout":         {http.MethodPost, middleware.ByAnyone, h.logout},
		"/auth/reset":          {http.MethodPost, middleware.ByAnyone, h.reset},
		"/auth/session":        {http.MethodGet, middleware.BySession, h.session},
		"/auth/password":       {http.MethodPost, middleware.BySession, h.password},
		"/auth/totp/enrol":     {http.MethodPost, middleware.BySession, h.enrol},
		"/auth/totp/confirm":   {http.MethodPost, middleware.BySession, h.confirm},
		"/auth/totp/disable":   {http.MethodPost, middleware.BySession, h.disable},
		"/auth/recovery-codes": {http.MethodPost, middleware.BySession, h.recoveryCodes},
	}
	return h
}

// ServeHTTP serves one request through the middleware.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.chain.ServeHTTP(w, r) }

// behind is the handler as its middleware calls it.
type behind struct{ *Handler }

// Route returns the route of a request's path.
func (b behind) Route(r *http.Request) middleware.Route {
	found, ok := b.routes[r.URL.Path]
	if !ok {
		return middleware.Route{
			Name:  middleware.Unmatched,
			Entry: middleware.ByAnyone,
			Handler: b.answer(func(http.ResponseWriter, *http.Request) error {
				return fault.New(fault.NotFound, "There is nothing at this path.")
			}),
		}
	}
	if found.method != r.Method {
		return middleware.Route{
			Name:  middleware.Unmatched,
			Entry: middleware.ByAnyone,
			Handler: b.answer(func(w http.ResponseWriter, _ *http.Request) error {
				w.Header().Set("Allow", found.method)
				return fault.New(fault.MethodNotAllowed, "This path accepts only %s.", found.method)
			}),
		}
	}
	handle := found.handle
	if found.method == http.MethodPost {
		handle = guarded(handle)
	}
	return middleware.Route{Name: found.method + " " + r.URL.Path, Entry: found.entry, Handler: b.answer(handle)}
}

// Refuse writes an error response.
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

// guarded refuses cross-site requests, so that another site cannot sign a user in or out, and requests over a
// connection that others can read. Requests from the same machine may be unencrypted.
func guarded(handle func(http.ResponseWriter, *http.Request) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		if err := middleware.SameOrigin(r); err != nil {
			return err
		}
		if in := middleware.FromContext(r.Context()); !in.Secure && !in.Address.IsLoopback() {
			return fault.New(fault.Forbidden, "Passwords and sessions require HTTPS.")
		}
		return handle(w, r)
	}
}

// hostOf returns the tenant of the request's host, and the request's origin.
func hostOf(r *http.Request) (*service.TenantEntry, service.Origin) {
	in := middleware.FromContext(r.Context())
	host := in.Tenant
	if in.Caller != nil {
		host = in.Caller.Tenant
	}
	return host, service.NewOrigin(in.Address, r.UserAgent(), auth.SignIn, in.RequestID)
}
