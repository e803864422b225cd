package rest

import (
	"net/http"
	"path"
	"strings"

	"paydown/internal/fault"
	"paydown/internal/middleware"
)

// ServeHTTP serves a request that starts at the middleware.
func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) { a.chain.ServeHTTP(w, r) }

// surfaceHandler is the API as its middleware calls it.
type surfaceHandler struct{ *API }

// Route finds the handler of a request. A request that matches no route gets an error in the usual envelope.
func (b surfaceHandler) Route(r *http.Request) middleware.Route {
	handler, pattern := b.handlerOf(r)
	return middleware.Route{Handler: handler, Name: pattern, Entry: entryOf(r, pattern)}
}

// Refuse answers with the error envelope.
func (b surfaceHandler) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	middleware.WriteProblem(w, r, b.log, err)
}

// entryOf says what a path requires of its callers. The docs page, its assets and the description need no key.
func entryOf(r *http.Request, pattern string) middleware.Entry {
	switch {
	case r.URL.Path == docsPath || strings.HasPrefix(r.URL.Path, docsPath+"/"):
		return middleware.ByViewer
	case r.URL.Path == descriptionPath:
		return middleware.ByAnyone
	case pattern == inboundRoute:
		return middleware.BySignature
	default:
		return middleware.ByKey
	}
}

// handlerOf returns the handler and the pattern that matched.
func (a *API) handlerOf(r *http.Request) (http.Handler, string) {
	if clean := path.Clean(r.URL.Path); clean == r.URL.Path {
		handler, pattern := a.mux.Handler(r)
		if pattern != "" {
			return a.mux, pattern // the mux itself, because it sets the path values
		}
		answer := &probe{header: http.Header{}}
		handler.ServeHTTP(answer, r)
		if answer.status == http.StatusMethodNotAllowed {
			allow := answer.Header().Get("Allow")
			return a.refusal(fault.New(fault.MethodNotAllowed, "This path supports %s.", allow), allow), middleware.Unmatched
		}
	}
	return a.refusal(fault.New(fault.NotFound, "There is nothing at this path."), ""), middleware.Unmatched
}

// refusal answers every request with the fault.
func (a *API) refusal(f *fault.Error, allow string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if allow != "" {
			w.Header().Set("Allow", allow)
		}
		middleware.WriteProblem(w, r, a.log, f)
	})
}

// probe records the status that a handler would answer with and drops the body.
type probe struct {
	header http.Header
	status int
}

func (p *probe) Header() http.Header         { return p.header }
func (p *probe) Write(b []byte) (int, error) { return len(b), nil }
func (p *probe) WriteHeader(status int)      { p.status = status }
