// Package portal serves the staff portal: the one page of the application to whoever goes to an address of it with a
// browser, and the files that the page loads. It knows nothing of what the portal shows; that comes through the other
// surfaces, to those who are signed in.
package portal

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"mime"
	"net/http"
	"path"
	"slices"
	"strconv"
	"strings"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/gate"
)

const (
	// assetsPrefix is what the paths of the page's files begin with.
	assetsPrefix = "/assets/"
	// noncePlace stands in the page where each answer has a nonce of its own.
	noncePlace = "__NONCE__"
	pageMedia  = "text/html; charset=utf-8"
)

// reserved are the paths of the other surfaces, with whatever is below them: what they do not know they say themselves.
var reserved = []string{"/api", "/apply", "/auth", "/documents", "/graphql", "/healthz", "/metrics", "/offers", "/readyz", "/rpc"}

// notBuilt is the page of a program that was built without the portal.
const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>paydown</title></head>
<body>
<h1>The portal is not part of this build</h1>
<p>Run <code>make build</code>, which needs Node.js, and start the program that it makes. The API answers all the same.</p>
</body>
</html>
`

// Handler serves the portal.
type Handler struct {
	log    *slog.Logger
	gate   *gate.Gate
	page   []byte // nil where the portal was not built
	assets map[string]asset
}

// asset is a file that the page loads, in each of its codings.
type asset struct {
	media             string
	plain, gzip, brot []byte // gzip and brot may be nil
}

// New makes the handler of a built portal, as web.Files describes it. It reads all of it, and panics where that fails.
func New(cfg gate.Config, built fs.FS) *Handler {
	h := &Handler{log: cfg.Log, assets: map[string]asset{}}
	h.gate = gate.New(cfg, auth.SignIn, behind{h})
	page, err := fs.ReadFile(built, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		return h
	}
	if err == nil {
		h.page = page
		err = fs.WalkDir(built, "assets", h.load(built))
	}
	if err != nil {
		panic(fmt.Errorf("read the portal: %w", err))
	}
	return h
}

// load keeps a file under the path that it is asked for by.
func (h *Handler) load(built fs.FS) fs.WalkDirFunc {
	return func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(built, name)
		if err != nil {
			return err
		}
		coding := path.Ext(name)
		if coding == ".gz" || coding == ".br" {
			name = strings.TrimSuffix(name, coding)
		}
		file := h.assets["/"+name]
		file.media = mediaOf(name)
		switch coding {
		case ".gz":
			file.gzip = body
		case ".br":
			file.brot = body
		default:
			file.plain = body
		}
		h.assets["/"+name] = file
		return nil
	}
}

// mediaOf does not ask the machine for what its other programs have registered.
func mediaOf(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	default:
		return "application/octet-stream"
	}
}

// Takes reports whether a request is the portal's: for a file of its page, or a browser that goes to an address which
// belongs to no other surface.
func Takes(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return false
	}
	if strings.HasPrefix(r.URL.Path, assetsPrefix) {
		return true
	}
	return !slices.ContainsFunc(reserved, func(taken string) bool {
		return r.URL.Path == taken || strings.HasPrefix(r.URL.Path, taken+"/")
	}) && wantsPage(r)
}

// wantsPage reads Accept, by whose text/html a browser's navigation is known.
func wantsPage(r *http.Request) bool {
	for accepted := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		if media, _, err := mime.ParseMediaType(accepted); err == nil && media == "text/html" {
			return true
		}
	}
	return false
}

// ServeHTTP serves one request that the portal takes, past the gate.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.gate.ServeHTTP(w, r) }

// behind is the handler to its gate.
type behind struct{ *Handler }

// Route tells the page from what it loads.
func (b behind) Route(r *http.Request) gate.Route {
	if !strings.HasPrefix(r.URL.Path, assetsPrefix) {
		return gate.Route{Name: "portal", Entry: gate.ByViewer, Handler: http.HandlerFunc(b.servePage)}
	}
	if file, ok := b.assets[r.URL.Path]; ok {
		return gate.Route{Name: "portal assets", Entry: gate.ByLoader, Handler: file}
	}
	return gate.Route{Name: gate.Unmatched, Entry: gate.ByLoader, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			gate.WriteProblem(w, r, b.log, fault.New(fault.NotFound, "There is nothing at this path."))
		})}
}

// Refuse answers with the envelope.
func (b behind) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	gate.WriteProblem(w, r, b.log, err)
}

// servePage answers every address of the portal with its one page, which finds out what to show there.
func (h *Handler) servePage(w http.ResponseWriter, _ *http.Request) {
	nonce := rand.Text()
	secure(w.Header(), nonce)
	status, body := http.StatusOK, bytes.ReplaceAll(h.page, []byte(noncePlace), []byte(nonce))
	if h.page == nil {
		status, body = http.StatusServiceUnavailable, []byte(notBuilt)
	}
	w.Header().Set("Content-Type", pageMedia)
	w.Header().Set("Vary", "Accept")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a caller who has gone away cannot be told
}

// secure lets the page run the scripts and load the files that are served here, add the styles that have the nonce, and
// call this host; nothing else.
func secure(h http.Header, nonce string) {
	gate.SecurePage(h,
		"default-src 'none'", "script-src 'self'", "style-src 'self' 'nonce-"+nonce+"'", "img-src 'self' data:", "font-src 'self'",
		"connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
	)
}

// ServeHTTP sends the file in the smallest coding that the caller takes.
func (f asset) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, coding := f.plain, ""
	switch {
	case f.brot != nil && gate.Accepts(r, "br"):
		body, coding = f.brot, "br"
	case f.gzip != nil && gate.Accepts(r, "gzip"):
		body, coding = f.gzip, "gzip"
	}
	h := w.Header()
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	if f.brot != nil || f.gzip != nil {
		h.Set("Vary", "Accept-Encoding")
	}
	gate.KeepForever(h)
	h.Set("Content-Type", f.media)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // a caller who has gone away cannot be told
}
