package rest_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// reference finds what an HTML page loads or links to.
var reference = regexp.MustCompile(`(?:src|href|data-[a-z]+|action|srcset|poster)="([^"]*)"`)

// pageOfDocs gets the page like a browser and returns it with its policy.
func pageOfDocs(t *testing.T, c *apptest.Client) (page string, policy map[string][]string) {
	t.Helper()
	answer := c.Do(t, "GET", "/api/docs", nil)
	if answer.Status != 200 || answer.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("status %d: %s", answer.Status, answer.Body)
	}
	policy = map[string][]string{}
	for directive := range strings.SplitSeq(answer.Header.Get("Content-Security-Policy"), "; ") {
		words := strings.Fields(directive)
		policy[words[0]] = words[1:]
	}
	return string(answer.Body), policy
}

func TestDocsPageLoadsOnlyOwnFiles(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.As(a.Tenant(t, "docs.test"), "") // no key
	page, policy := pageOfDocs(t, c)
	loaded := 0
	for _, match := range reference.FindAllStringSubmatch(page, -1) {
		if match[1] == "data:," { // the icon that browsers ask for otherwise
			continue
		}
		at, err := url.Parse(match[1])
		if err != nil || at.Scheme != "" || at.Host != "" || !strings.HasPrefix(at.Path, "/api/") {
			t.Errorf("the page names %s, which is not here", match[1])
			continue
		}
		if answer := c.Do(t, "GET", match[1], nil); answer.Status != 200 || len(answer.Body) == 0 {
			t.Errorf("%s: %d", match[1], answer.Status)
		}
		loaded++
	}
	if loaded < 4 || strings.Contains(page, "://") {
		t.Errorf("%d files of the page are here:\n%s", loaded, page)
	}
	// No directive is inherited, and no source is a host: only this origin, elements with the nonce, two styles by
	// their digests, images within the page, and the search worker.
	source := regexp.MustCompile(`^('none'|'self'|'nonce-[A-Z2-7]{20,}'|'sha256-[A-Za-z0-9+/]{43}='|data:|blob:)$`)
	for directive, sources := range policy {
		for _, s := range sources {
			if !source.MatchString(s) || (s == "data:" && directive != "img-src") ||
				(s == "blob:" && directive != "worker-src") {
				t.Errorf("the policy allows %s %s", directive, s)
			}
		}
	}
	for directive, want := range map[string]string{
		"default-src": "'none'", "script-src": "'self'", "connect-src": "'self'", "base-uri": "'none'",
		"form-action": "'none'", "frame-ancestors": "'none'",
	} {
		if !slices.Equal(policy[directive], []string{want}) {
			t.Errorf("the policy says %s %v, want %s", directive, policy[directive], want)
		}
	}
	if strings.Contains(page, "<style") || regexp.MustCompile(`<script[^>]*>[^<]`).MatchString(page) {
		t.Errorf("something is written into the page:\n%s", page)
	}
}

func TestDocsPageNonce(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.As(a.Tenant(t, "docs.test"), "")
	seen := map[string]bool{}
	for range 3 {
		page, policy := pageOfDocs(t, c)
		nonce := regexp.MustCompile(`nonce="([A-Z2-7]{26})"`).FindStringSubmatch(page)
		if len(nonce) != 2 || seen[nonce[1]] || !slices.Contains(policy["style-src"], "'nonce-"+nonce[1]+"'") {
			t.Fatalf("nonce %v, policy %v", nonce, policy["style-src"])
		}
		seen[nonce[1]] = true
	}
}

func TestDocsPageHeaders(t *testing.T) {
	a := apptest.OnSQLite(t)
	host, other := a.Tenant(t, "docs.test"), a.Tenant(t, "docs.other.test")
	c := a.As(host, "")
	answer := c.Do(t, "GET", "/api/docs", nil)
	for _, header := range []string{"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		if answer.Header.Get(header) == "" {
			t.Errorf("the page comes without %s", header)
		}
	}
	for header, want := range map[string]string{
		"Cache-Control": "no-store", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
		"X-Content-Type-Options":     "nosniff",
		"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
	} {
		if got := answer.Header.Get(header); got != want {
			t.Errorf("%s: %q, want %q", header, got, want)
		}
	}
	redoc := regexp.MustCompile(`/api/docs/redoc-[0-9a-f]{16}\.js`).FindString(string(answer.Body))
	packed := c.With("Accept-Encoding", "br, gzip;q=0.8").Do(t, "GET", redoc, nil)
	plain := c.With("Accept-Encoding", "gzip;q=0, identity").Do(t, "GET", redoc, nil)
	for name, file := range map[string]*apptest.Answer{"packed": packed, "plain": plain} {
		if file.Status != 200 || file.Header.Get("Cache-Control") != "public, max-age=31536000, immutable" ||
			file.Header.Get("Content-Type") != "text/javascript; charset=utf-8" || file.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: %d %v", name, file.Status, file.Header)
		}
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed.Body))
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(reader)
	if err != nil || packed.Header.Get("Content-Encoding") != "gzip" || plain.Header.Get("Content-Encoding") != "" ||
		!bytes.Equal(unpacked, plain.Body) {
		t.Errorf("packed %v, plain %v, %v", packed.Header, plain.Header, err)
	}
	if strings.Contains(string(plain.Body), "cdn.redoc.ly") || !strings.Contains(string(plain.Body), "Redoc") {
		t.Error("the bundle would fetch from its makers")
	}
	if elsewhere := a.As(other, "").Do(t, "GET", "/api/docs", nil); elsewhere.Status != 200 {
		t.Errorf("on another company's host: %d", elsewhere.Status)
	}
	refusal(t, "no company's host", a.As("nobody.test", "").Do(t, "GET", "/api/docs", nil), 404, "not_found")
	refusal(t, "no file of the page", c.Do(t, "GET", "/api/docs/redoc.js", nil), 404, "not_found")
	if posted := c.Do(t, "POST", "/api/docs", "{}"); posted.Status != 405 || posted.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d, Allow %q", posted.Status, posted.Header.Get("Allow"))
	}
}

func TestPagesDoNotUseRateLimit(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.As(a.Tenant(t, "docs.test"), "")
	for i := range 600 {
		if answer := c.Do(t, "GET", "/api/docs", nil); answer.Status != 200 {
			t.Fatalf("page %d: %d", i+1, answer.Status)
		}
	}
	refusedForRate(t, "page 601", c.Do(t, "GET", "/api/docs", nil), 600)
	if answer := c.Do(t, "GET", "/api/openapi.json", nil); answer.Status != http.StatusOK ||
		headerInt(t, answer.Header, "X-RateLimit-Remaining") != 119 {
		t.Errorf("the description: %d %v", answer.Status, answer.Header)
	}
}
