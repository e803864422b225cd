// Package public serves a company's pages for people who are not its staff: its application forms, at /apply/,
// and its offers to merchants, at /offers/. The pages are rendered on the server, need no script and set no
// cookie. The ticket of a form or the token of an offer is all that identifies a visitor.
package public

import (
	"context"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"strings"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
)

// Path prefixes of the pages.
const (
	applyPrefix  = "/apply/"
	offersPrefix = "/offers/"
)

const (
	// maxBody allows the answers to a long form, URL-encoded, with up to nine bytes per character.
	maxBody = 1 << 20
	// sendLimit is how many forms an address may send per window of the rate limit.
	sendLimit = 20
)

// Handler serves the pages.
type Handler struct {
	service *service.Service
	log     *slog.Logger
	chain   *middleware.Chain
}

// New returns the handler.
func New(cfg middleware.Config) *Handler {
	h := &Handler{service: cfg.Service, log: cfg.Log}
	h.chain = middleware.New(cfg, auth.ApplicationPage, surfaceHandler{h})
	return h
}

// Takes reports whether the request's path is one of a public page.
func Takes(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, applyPrefix) || strings.HasPrefix(r.URL.Path, offersPrefix)
}

// ServeHTTP serves a request that Takes accepts, starting at the middleware.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.chain.ServeHTTP(w, r) }

// surfaceHandler is the handler as its middleware calls it.
type surfaceHandler struct{ *Handler }

// Route returns the page of a path.
func (b surfaceHandler) Route(r *http.Request) middleware.Route {
	switch slug, thanks := strings.CutSuffix(strings.TrimPrefix(r.URL.Path, applyPrefix), thanksSuffix); {
	case strings.HasPrefix(r.URL.Path, offersPrefix):
		return b.page("offer", b.getOffer, b.postOffer, strings.TrimPrefix(r.URL.Path, offersPrefix))
	case thanks:
		return b.page("application thanks", b.thanks, nil, slug)
	default:
		return b.page("application form", b.getForm, b.postForm, slug)
	}
}

// Refuse answers with a page.
func (b surfaceHandler) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	b.refuse(w, r, err)
}

// handle answers a request; name is the rest of its path. An error is answered with an error page.
type handle func(w http.ResponseWriter, r *http.Request, name string) error

// page returns the route of a page; post is nil if it accepts no form.
func (b surfaceHandler) page(route string, get, post handle, name string) middleware.Route {
	serve := func(w http.ResponseWriter, r *http.Request) {
		err := errMethod
		switch {
		case r.Method == http.MethodGet || r.Method == http.MethodHead:
			err = get(w, r, name)
		case r.Method == http.MethodPost && post != nil:
			if err = b.take(w, r); err == nil {
				err = post(w, r, name)
			}
		default:
			w.Header().Set("Allow", allowed(post != nil))
		}
		if err != nil {
			b.refuse(w, r, err)
		}
	}
	return middleware.Route{Name: route, Entry: middleware.ByViewer, Handler: http.HandlerFunc(serve)}
}

var errMethod error = fault.New(fault.MethodNotAllowed, "This page does not support that request.")

func allowed(post bool) string {
	if post {
		return "GET, HEAD, POST"
	}
	return "GET, HEAD"
}

// take reads a form, if its address has requests left.
func (b surfaceHandler) take(w http.ResponseWriter, r *http.Request) error {
	if err := middleware.SameOrigin(r); err != nil {
		return err
	}
	if _, err := b.chain.Take(w, r, ratelimit.Sender(middleware.FromContext(r.Context()).Address), sendLimit); err != nil {
		return err
	}
	if err := middleware.Unencoded(w, r); err != nil {
		return err
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/x-www-form-urlencoded" {
		return fault.New(fault.UnsupportedMediaType, "This page only accepts its own form.")
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	err = r.ParseForm()
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return fault.New(fault.PayloadTooLarge, "The form is too long. Please shorten your answers.")
	}
	if err != nil {
		return fault.New(fault.BadRequest, "The form could not be read.").Because(err)
	}
	return nil
}

// asApplicant returns the context of a person who fills in a form of the host's tenant.
func asApplicant(r *http.Request) context.Context {
	in := middleware.FromContext(r.Context())
	return auth.AsApplicant(r.Context(), in.Tenant.ID, in.Tenant.Zone, in.RequestID)
}

// asHolder returns the context of a person who has the token of an offer of the host's tenant.
func asHolder(r *http.Request) context.Context {
	in := middleware.FromContext(r.Context())
	return auth.AsOfferHolder(r.Context(), in.Tenant.ID, in.Tenant.Zone, in.RequestID)
}
