// Package public serves the pages that a company shows to people who are not its staff: its application forms, at
// /apply/, and the offers that it makes to merchants, at /offers/. They are rendered here, need no script and set no
// cookie: what is sent is told apart by the ticket of a form or the token of an offer, and by nothing else.
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
	"paydown/internal/gate"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
)

// What the paths of the pages begin with.
const (
	applyPrefix  = "/apply/"
	offersPrefix = "/offers/"
)

const (
	// maxBody holds the answers to a long form, in the coding of forms, in which a character can take nine bytes.
	maxBody = 1 << 20
	// sendLimit is how many forms an address may send in a window of the rate limit.
	sendLimit = 20
)

// Handler serves the pages.
type Handler struct {
	service *service.Service
	log     *slog.Logger
	gate    *gate.Gate
}

// New makes the handler.
func New(cfg gate.Config) *Handler {
	h := &Handler{service: cfg.Service, log: cfg.Log}
	h.gate = gate.New(cfg, auth.ApplicationPage, behind{h})
	return h
}

// Takes reports whether the path of a request is a page's.
func Takes(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, applyPrefix) || strings.HasPrefix(r.URL.Path, offersPrefix)
}

// ServeHTTP serves one request that Takes, past the gate.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.gate.ServeHTTP(w, r) }

// behind is the handler to its gate.
type behind struct{ *Handler }

// Route finds the page of a path.
func (b behind) Route(r *http.Request) gate.Route {
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
func (b behind) Refuse(w http.ResponseWriter, r *http.Request, err error) { b.refuse(w, r, err) }

// handle answers a request about what the rest of its path names. An error is answered with a page that says so.
type handle func(w http.ResponseWriter, r *http.Request, name string) error

// page is the route of a page; post is nil where nothing can be sent to it.
func (b behind) page(route string, get, post handle, name string) gate.Route {
	return gate.Route{Name: route, Entry: gate.ByViewer, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
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
	})}
}

var errMethod error = fault.New(fault.MethodNotAllowed, "This page cannot be asked for like that.")

func allowed(post bool) string {
	if post {
		return "GET, HEAD, POST"
	}
	return "GET, HEAD"
}

// take reads what a form sends, if its address may send one.
func (b behind) take(w http.ResponseWriter, r *http.Request) error {
	if err := gate.SameOrigin(r); err != nil {
		return err
	}
	if _, err := b.gate.Take(w, r, ratelimit.Sender(gate.Of(r.Context()).Address), sendLimit); err != nil {
		return err
	}
	if err := gate.Unencoded(w, r); err != nil {
		return err
	}
	if media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || media != "application/x-www-form-urlencoded" {
		return fault.New(fault.UnsupportedMediaType, "This page takes what its own form sends.")
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	err := r.ParseForm()
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		return fault.New(fault.PayloadTooLarge, "That is more text than the form takes.")
	}
	if err != nil {
		return fault.New(fault.BadRequest, "What was sent could not be read.").Because(err)
	}
	return nil
}

// asApplicant is the context of whoever fills in a form of the tenant whose host was asked.
func asApplicant(r *http.Request) context.Context {
	in := gate.Of(r.Context())
	return auth.AsApplicant(r.Context(), in.Tenant.ID, in.Tenant.Zone, in.RequestID)
}

// asHolder is the context of whoever has the token of an offer of the tenant whose host was asked.
func asHolder(r *http.Request) context.Context {
	in := gate.Of(r.Context())
	return auth.AsOfferHolder(r.Context(), in.Tenant.ID, in.Tenant.Zone, in.RequestID)
}
