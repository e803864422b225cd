package rest

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	_ "embed" // the page and what it loads
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"strconv"

	"paydown/internal/middleware"
)

// This file serves /api/docs: the description, rendered for people. The page loads everything from this server,
// and its content security policy forbids loading anything from elsewhere.

const docsPath, descriptionPath = "/api/docs", "/api/openapi.json"

var (
	//go:embed docs/page.html
	docsHTML string
	//go:embed docs/page.css
	docsStyle []byte
	//go:embed docs/page.js
	docsScript []byte
	//go:embed docs/redoc.js.gz
	redocPacked []byte
)

var docsTemplate = template.Must(template.New("docs").Parse(docsHTML))

// asset is a file that the page loads. Its name contains a digest of its content, so browsers may cache it
// forever.
type asset struct {
	path, media   string
	plain, packed []byte // one of them may be nil
}

func newAsset(name, extension, media string, plain, packed []byte) asset {
	sum := sha256.New()
	sum.Write(plain)
	sum.Write(packed)
	return asset{docsPath + "/" + name + "-" + hex.EncodeToString(sum.Sum(nil)[:8]) + extension, media, plain, packed}
}

// docs registers the page and its assets.
func (a *API) docs() {
	style := newAsset("page", ".css", "text/css; charset=utf-8", docsStyle, nil)
	script := newAsset("page", ".js", "text/javascript; charset=utf-8", docsScript, nil)
	redoc := newAsset("redoc", ".js", "text/javascript; charset=utf-8", nil, redocPacked)
	for _, file := range []asset{style, script, redoc} {
		a.mux.HandleFunc("GET "+file.path, func(w http.ResponseWriter, r *http.Request) {
			if err := file.serve(w, r); err != nil {
				middleware.WriteProblem(w, r, a.log, err)
			}
		})
	}
	a.mux.HandleFunc("GET "+docsPath, func(w http.ResponseWriter, r *http.Request) {
		nonce := rand.Text()
		var page bytes.Buffer
		err := docsTemplate.Execute(&page, map[string]string{
			"Style": style.path, "Script": script.path, "Redoc": redoc.path, "Description": descriptionPath, "Nonce": nonce,
		})
		if err != nil {
			middleware.WriteProblem(w, r, a.log, err)
			return
		}
		h := w.Header()
		secureDocs(h, nonce)
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Length", strconv.Itoa(page.Len()))
		_, _ = w.Write(page.Bytes()) // the caller may be gone; there is nobody to report an error to
	})
}

// redocStyles are the digests of two styles that Redoc adds before it can be told the nonce. A new version of Redoc
// may have others: the browser's console then shows them.
const redocStyles = "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=' " +
	"'sha256-QMIg+bpjm3JdElJ388KYke01izlUW0UoNOeKjpMxdgc='"

// secureDocs forbids the page everything that it does not need. It may run the two scripts served here and a
// worker for search, add styles that carry the nonce, and fetch the description from its own host.
func secureDocs(h http.Header, nonce string) {
	middleware.SecurePage(h,
		"default-src 'none'", "script-src 'self'", "style-src 'self' 'nonce-"+nonce+"' "+redocStyles,
		"img-src data:", "connect-src 'self'", "worker-src blob:", "base-uri 'none'", "form-action 'none'",
		"frame-ancestors 'none'",
	)
}

// serve sends the file, compressed if the caller accepts gzip.
func (f asset) serve(w http.ResponseWriter, r *http.Request) error {
	body, packed := f.plain, f.packed != nil && middleware.Accepts(r, "gzip")
	if packed {
		body = f.packed
	} else if f.packed != nil {
		var err error
		if body, err = unpacked(f.packed); err != nil {
			return fmt.Errorf("unpack %s: %w", f.path, err)
		}
	}
	h := w.Header()
	if packed {
		h.Set("Content-Encoding", "gzip")
	}
	if f.packed != nil {
		h.Set("Vary", "Accept-Encoding")
	}
	h.Set("Content-Type", f.media)
	middleware.KeepForever(h)
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the caller may be gone; there is nobody to report an error to
	return nil
}

// unpacked decompresses a file for the rare caller that does not accept gzip.
func unpacked(packed []byte) ([]byte, error) {
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(reader)
}
