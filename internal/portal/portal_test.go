package portal_test

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"paydown/internal/apptest"
	"paydown/internal/middleware"
	"paydown/internal/portal"
	"paydown/internal/ratelimit"
)

const (
	host       = "portal.test"
	navigation = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
)

// built is a portal of three files, one of them uncompressed.
var built = fstest.MapFS{
	"index.html": {
		Data: []byte(`<meta property="csp-nonce" nonce="__NONCE__"><script type="module" src="/assets/a-1.js"></script>`),
	},
	"assets/a-1.js":             {Data: []byte("plain script")},
	"assets/a-1.js.br":          {Data: []byte("brotli script")},
	"assets/a-1.js.gz":          {Data: []byte("gzip script")},
	"assets/icon-2.svg":         {Data: []byte("<svg/>")},
	"assets/deeper/style-3.css": {Data: []byte("a{}")},
	".placeholder":              {Data: []byte("not to be served")},
}

// visit sends a request to a portal in front of a tenant.
type visit func(method, path string, headers ...string) *httptest.ResponseRecorder

func portalOf(t *testing.T, files fstest.MapFS) visit {
	t.Helper()
	a := apptest.OnSQLite(t)
	a.Clock.Stop(a.Clock.Now()) // a minute of requests lasts as long as the machine needs
	a.Tenant(t, host)
	handler := portal.New(middleware.Config{
		Service: a.Service, Log: slog.New(slog.DiscardHandler), Limiter: ratelimit.New(nil, a.Clock.Now),
	}, files)
	return func(method, path string, headers ...string) *httptest.ResponseRecorder {
		t.Helper()
		r := httptest.NewRequest(method, "http://"+host+path, nil)
		for i := 0; i < len(headers); i += 2 {
			if headers[i] == "Host" {
				r.Host = headers[i+1]
				continue
			}
			r.Header.Set(headers[i], headers[i+1])
		}
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		return w
	}
}

var nonceOf = regexp.MustCompile(`nonce="([A-Z2-7]{20,})"`)

func TestPageDiffersOnlyInNonce(t *testing.T) {
	get := portalOf(t, built)
	seen := map[string]bool{}
	for _, path := range []string{"/", "/deals", "/deals/7?tab=payments", "/no/such/place"} {
		answer := get(http.MethodGet, path, "Accept", navigation)
		if answer.Code != http.StatusOK || answer.Header().Get("Content-Type") != "text/html; charset=utf-8" {
			t.Fatalf("%s: %d %v", path, answer.Code, answer.Header())
		}
		nonce := nonceOf.FindStringSubmatch(answer.Body.String())
		if len(nonce) == 0 || seen[nonce[1]] || strings.Contains(answer.Body.String(), "__NONCE__") {
			t.Fatalf("%s: the nonce is missing or not new: %s", path, answer.Body)
		}
		seen[nonce[1]] = true
		policy := answer.Header().Get("Content-Security-Policy")
		if !strings.Contains(policy, "style-src 'self' 'nonce-"+nonce[1]+"'") || strings.Contains(policy, "unsafe") ||
			!strings.Contains(policy, "script-src 'self';") || !strings.HasPrefix(policy, "default-src 'none'") {
			t.Errorf("%s: the policy is %s", path, policy)
		}
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer",
			"X-Frame-Options": "DENY", "Cross-Origin-Opener-Policy": "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			if got := answer.Header().Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		if !strings.Contains(policy, "frame-ancestors 'none'") || answer.Header().Get("Permissions-Policy") == "" {
			t.Errorf("%s: %v", path, answer.Header())
		}
	}
}

func TestAssetsAreCompressedAndCached(t *testing.T) {
	get := portalOf(t, built)
	for _, c := range []struct{ accepts, coding, body string }{
		{"gzip, deflate, br, zstd", "br", "brotli script"},
		{"gzip, deflate", "gzip", "gzip script"},
		{"br;q=0, gzip;q=0.5", "gzip", "gzip script"},
		{"", "", "plain script"},
		{"identity, gzip;q=0", "", "plain script"},
	} {
		answer := get(http.MethodGet, "/assets/a-1.js", "Accept-Encoding", c.accepts)
		h := answer.Header()
		if answer.Code != http.StatusOK || h.Get("Content-Encoding") != c.coding || answer.Body.String() != c.body {
			t.Errorf("%q: %d %q %s", c.accepts, answer.Code, h.Get("Content-Encoding"), answer.Body)
		}
		if h.Get("Cache-Control") != "public, max-age=31536000, immutable" || h.Get("Vary") != "Accept-Encoding" ||
			h.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("%q: %v", c.accepts, h)
		}
	}
	unpacked := get(http.MethodGet, "/assets/icon-2.svg", "Accept-Encoding", "br, gzip")
	if unpacked.Body.String() != "<svg/>" || unpacked.Header().Get("Content-Encoding") != "" ||
		unpacked.Header().Get("Content-Type") != "image/svg+xml" {
		t.Errorf("%v %s", unpacked.Header(), unpacked.Body)
	}
	if deeper := get(http.MethodGet, "/assets/deeper/style-3.css"); deeper.Body.String() != "a{}" {
		t.Errorf("%d %s", deeper.Code, deeper.Body)
	}
}

func TestNothingElseIsServed(t *testing.T) {
	get := portalOf(t, built)
	for _, path := range []string{
		"/assets/", "/assets/b.js", "/assets/a-1.js.br", "/assets/a-1.js.gz", "/assets/../index.html",
		"/assets/../.placeholder",
		"/assets/..%2f.placeholder", "/assets//a-1.js", "/assets/a-1.js/",
	} {
		answer := get(http.MethodGet, path, "Accept", navigation)
		if answer.Code != http.StatusNotFound || answer.Header().Get("Content-Type") != "application/json" ||
			answer.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v %s", path, answer.Code, answer.Header(), answer.Body)
		}
	}
	stranger := get(http.MethodGet, "/", "Accept", navigation, "Host", "elsewhere.test")
	if stranger.Code != http.StatusNotFound || strings.Contains(stranger.Body.String(), "<") {
		t.Errorf("a host of nobody's is answered %d %s", stranger.Code, stranger.Body)
	}
}

// A caller that floods the portal is refused, while others who have its page still load its files, and vice
// versa.
func TestPagesAndAssetsHaveSeparateLimits(t *testing.T) {
	page := func(get visit) int { return get(http.MethodGet, "/", "Accept", navigation).Code }
	file := func(get visit) int { return get(http.MethodGet, "/assets/a-1.js").Code }
	absent := func(get visit) int { return get(http.MethodGet, "/assets/absent.js").Code }
	for name, c := range map[string]struct {
		flood, other func(visit) int
		limit        int
	}{
		"pages":                    {page, file, middleware.PageLimit},
		"files":                    {file, page, middleware.FileLimit},
		"files that there are not": {absent, page, middleware.FileLimit},
	} {
		t.Run(name, func(t *testing.T) {
			get := portalOf(t, built)
			for i := range c.limit {
				if code := c.flood(get); code == http.StatusTooManyRequests {
					t.Fatalf("refused after %d of %d", i, c.limit)
				}
			}
			if code := c.flood(get); code != http.StatusTooManyRequests {
				t.Errorf("%d past the limit", code)
			}
			if code := c.other(get); code != http.StatusOK {
				t.Errorf("what is counted apart is answered %d", code)
			}
		})
	}
}

func TestBinaryWithoutPortal(t *testing.T) {
	get := portalOf(t, fstest.MapFS{".placeholder": {}})
	answer := get(http.MethodGet, "/deals", "Accept", navigation)
	if answer.Code != http.StatusServiceUnavailable || !strings.Contains(answer.Body.String(), "make build") ||
		!strings.Contains(answer.Header().Get("Content-Security-Policy"), "default-src 'none'") {
		t.Errorf("%d %v %s", answer.Code, answer.Header(), answer.Body)
	}
	if answer := get(http.MethodGet, "/assets/a-1.js"); answer.Code != http.StatusNotFound {
		t.Errorf("a file of it is answered %d", answer.Code)
	}
}

func TestPortalServesOnlyNavigation(t *testing.T) {
	for _, c := range []struct {
		method, path, accept string
		want                 bool
	}{
		{http.MethodGet, "/", navigation, true},
		{http.MethodHead, "/leads/4", navigation, true},
		{http.MethodGet, "/apiary", navigation, true},
		{http.MethodGet, "/assets/a.js", "*/*", true},
		{http.MethodGet, "/", "*/*", false},
		{http.MethodGet, "/", "", false},
		{http.MethodGet, "/", "application/json", false},
		{http.MethodGet, "/", "text/html+xml, application/json", false},
		{http.MethodPost, "/", navigation, false},
		{http.MethodDelete, "/assets/a.js", navigation, false},
		{http.MethodGet, "/api", navigation, false},
		{http.MethodGet, "/api/v1/nothing", navigation, false},
		{http.MethodGet, "/auth/session", navigation, false},
		{http.MethodGet, "/graphql", navigation, false},
		{http.MethodGet, "/graphql/", navigation, false},
		{http.MethodGet, "/rpc/admin", navigation, false},
		{http.MethodGet, "/healthz", navigation, false},
	} {
		r := httptest.NewRequest(c.method, c.path, nil)
		if c.accept != "" {
			r.Header.Set("Accept", c.accept)
		}
		if got := portal.Takes(r); got != c.want {
			t.Errorf("%s %s for %q: %t", c.method, c.path, c.accept, got)
		}
	}
}

// TestServerMountsPortal tests the portal that this program was built with.
func TestServerMountsPortal(t *testing.T) {
	a := apptest.OnSQLite(t)
	a.Tenant(t, host)
	key := a.Key(t, host).Token
	send := func(method, path, accept string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://"+host+path, nil)
		r.Header.Set("Accept", accept)
		r.Header.Set("Authorization", "Bearer "+key)
		w := httptest.NewRecorder()
		a.HTTP.Config.Handler.ServeHTTP(w, r)
		return w
	}
	if page := send(http.MethodGet, "/deals", navigation); page.Header().
		Get("Content-Type") !=
		"text/html; charset=utf-8" ||
		page.Body.Len() == 0 {
		t.Errorf("%d %v", page.Code, page.Header())
	}
	for _, c := range []struct {
		method, path, accept string
		status               int
	}{
		{http.MethodGet, "/api/v1/nothing", navigation, http.StatusNotFound},
		{http.MethodGet, "/api", navigation, http.StatusNotFound},
		{http.MethodGet, "/auth/nothing", navigation, http.StatusNotFound},
		{http.MethodGet, "/auth/session", navigation, http.StatusUnauthorized},
		{http.MethodGet, "/assets/nothing.js", "*/*", http.StatusNotFound},
		{http.MethodGet, "/deals", "*/*", http.StatusNotFound},
		{http.MethodPost, "/deals", navigation, http.StatusNotFound},
	} {
		if answer := send(c.method, c.path, c.accept); answer.Code != c.status ||
			answer.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%s %s: %d %s", c.method, c.path, answer.Code, answer.Header().Get("Content-Type"))
		}
	}
}

func TestHeadRequest(t *testing.T) {
	a := apptest.OnSQLite(t)
	a.Tenant(t, host)
	r, err := http.NewRequestWithContext(t.Context(), http.MethodHead, a.HTTP.URL+"/deals", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = host
	r.Header.Set("Accept", navigation)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	if body, err := io.ReadAll(answer.Body); err != nil || len(body) != 0 || answer.ContentLength <= 0 {
		t.Errorf("%v %d %d", err, len(body), answer.ContentLength)
	}
}

func TestTheFilesAreNotCopied(t *testing.T) {
	const size = 8 << 20
	large := fstest.MapFS{"index.html": built["index.html"], "assets/large-1.js": {Data: make([]byte, size)}}
	a := apptest.OnSQLite(t)
	cfg := middleware.Config{
		Service: a.Service, Log: slog.New(slog.DiscardHandler), Limiter: ratelimit.New(nil, a.Clock.Now),
	}
	if bytes, _ := apptest.Cost(func() { portal.New(cfg, large) }); bytes > size/2 {
		t.Errorf("a portal with a file of %d bytes allocates %d", size, bytes)
	}
}
