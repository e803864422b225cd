// Package portal serves the staff portal: its single page at every portal address, and the files that the page
// loads. It has no access to data; the portal gets that through the other surfaces, for signed-in staff.
package portal

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
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
	"paydown/internal/middleware"
)

const (
	// assetsPrefix is the path prefix of the page's files.
	assetsPrefix = "/assets/"
	// noncePlace is the placeholder in the page that each answer replaces by its own nonce.
	noncePlace = "__NONCE__"
	pageMedia  = "text/html; charset=utf-8"
)

// reserved are the path prefixes of the other surfaces, which answer unknown paths below them.
var reserved = []string{
	"/api", "/apply", "/auth", "/documents", "/graphql", "/healthz", "/metrics", "/offers", "/readyz", "/rpc",
}

// notBuilt is the page of a program that was built without the portal.
const notBuilt = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>paydown</title></head>
<body>
<h1>The portal is not part of this build</h1>
<p>Run <code>make build</code>, which needs Node.js, and start the program that it builds. The API works without the
portal.</p>
</body>
</html>
`

// Handler serves the portal.
type Handler struct {
	log    *slog.Logger
	chain  *middleware.Chain
	built  fs.FS
	page   []byte // nil if the portal was not built
	assets map[string]asset
}

// asset is a file that the page loads, in each of its encodings. The files stay in the file system, which is the
// program itself: reading them would make a copy of 3 MB.
type asset struct {
	media             string
	plain, gzip, brot file // gzip and brot may have no name
}

// file is the name of a file, and its size in bytes.
type file struct {
	name string
	size int64
}

// New returns the handler of a built portal, as web.Files describes it. It lists all files, and panics if that
// fails.
func New(cfg middleware.Config, built fs.FS) *Handler {
	h := &Handler{log: cfg.Log, built: built, assets: map[string]asset{}}
	h.chain = middleware.New(cfg, auth.SignIn, surfaceHandler{h})
	page, err := fs.ReadFile(built, "index.html")
	if errors.Is(err, fs.ErrNotExist) {
		return h
	}
	if err == nil {
		h.page = page
		err = fs.WalkDir(built, "assets", h.add)
	}
	if err != nil {
		panic(fmt.Errorf("read the portal: %w", err))
	}
	return h
}

// add stores a file under its request path.
func (h *Handler) add(name string, entry fs.DirEntry, err error) error {
	if err != nil || entry.IsDir() {
		return err
	}
	info, err := entry.Info()
	if err != nil {
		return err
	}
	coding := path.Ext(name)
	requested := "/" + name
	if coding == ".gz" || coding == ".br" {
		requested = strings.TrimSuffix(requested, coding)
	}
	found := h.assets[requested]
	found.media = mediaOf(requested)
	switch body := (file{name, info.Size()}); coding {
	case ".gz":
		found.gzip = body
	case ".br":
		found.brot = body
	default:
		found.plain = body
	}
	h.assets[requested] = found
	return nil
}

// mediaOf does not use the machine's media types, which depend on other installed programs.
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

// Takes reports whether the portal serves a request: one for a file of the page, or a browser navigation to a
// path of no other surface.
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

// wantsPage reports whether Accept contains text/html, as in a browser's navigation.
func wantsPage(r *http.Request) bool {
	for accepted := range strings.SplitSeq(strings.Join(r.Header.Values("Accept"), ","), ",") {
		if media, _, err := mime.ParseMediaType(accepted); err == nil && media == "text/html" {
			return true
		}
	}
	return false
}

// ServeHTTP serves a request that Takes accepts, starting at the middleware.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) { h.chain.ServeHTTP(w, r) }

// surfaceHandler is the handler as its middleware calls it.
type surfaceHandler struct{ *Handler }

// Route distinguishes the page from the files that it loads.
func (b surfaceHandler) Route(r *http.Request) middleware.Route {
	if !strings.HasPrefix(r.URL.Path, assetsPrefix) {
		return middleware.Route{Name: "portal", Entry: middleware.ByViewer, Handler: http.HandlerFunc(b.servePage)}
	}
	if found, ok := b.assets[r.URL.Path]; ok {
		return middleware.Route{Name: "portal assets", Entry: middleware.ByLoader, Handler: http.HandlerFunc(
			func(w http.ResponseWriter, r *http.Request) {
				if err := b.serve(w, r, found); err != nil {
					middleware.WriteProblem(w, r, b.log, err)
				}
			})}
	}
	return middleware.Route{Name: middleware.Unmatched, Entry: middleware.ByLoader, Handler: http.HandlerFunc(
		func(w http.ResponseWriter, r *http.Request) {
			middleware.WriteProblem(w, r, b.log, fault.New(fault.NotFound, "There is nothing at this path."))
		})}
}

// Refuse answers with the error envelope.
func (b surfaceHandler) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	middleware.WriteProblem(w, r, b.log, err)
}

// servePage answers every address of the portal with its single page, which decides what to show.
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
	_, _ = w.Write(body) // the caller may be gone; there is nobody to report an error to
}

// secure lets the page run scripts and load files from this host, add styles that carry the nonce, and call
// this host; nothing else.
func secure(h http.Header, nonce string) {
	middleware.SecurePage(h,
		"default-src 'none'", "script-src 'self'", "style-src 'self' 'nonce-"+nonce+"'", "img-src 'self' data:",
		"font-src 'self'",
		"connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
	)
}

// serve sends the file in the smallest encoding that the caller accepts.
func (h *Handler) serve(w http.ResponseWriter, r *http.Request, f asset) error {
	sent, coding := f.plain, ""
	switch {
	case f.brot.name != "" && middleware.Accepts(r, "br"):
		sent, coding = f.brot, "br"
	case f.gzip.name != "" && middleware.Accepts(r, "gzip"):
		sent, coding = f.gzip, "gzip"
	}
	body, err := h.built.Open(sent.name)
	if err != nil {
		return fmt.Errorf("open a file of the portal: %w", err)
	}
	defer func() { _ = body.Close() }()
	header := w.Header()
	if coding != "" {
		header.Set("Content-Encoding", coding)
	}
	if f.brot.name != "" || f.gzip.name != "" {
		header.Set("Vary", "Accept-Encoding")
	}
	middleware.KeepForever(header)
	header.Set("Content-Type", f.media)
	header.Set("Content-Length", strconv.FormatInt(sent.size, 10))
	_, _ = io.Copy(w, body) // the caller may be gone; there is nobody to report an error to
	return nil
}
