package rest_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

func TestMethodNotAllowed(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "methods.test")
	lead := path("/leads", seedLead(t, c, nil))
	payment := path("/payments", seedPayment(t, c, seedDeal(t, c, seedMerchant(t, c, nil), nil), nil))
	for address, allow := range map[string]string{
		"/leads": "GET, HEAD, POST", lead: "DELETE, GET, HEAD, PATCH", payment: "GET, HEAD, PATCH", "/whoami": "GET, HEAD",
		"/submissions":      "GET, HEAD",
		"/api/openapi.json": "GET, HEAD",
	} {
		for _, method := range []string{
			"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "X",
		} {
			if strings.Contains(", "+allow+",", ", "+method+",") {
				continue
			}
			answer := c.Do(t, method, address, nil)
			refusal(t, method+" "+address, answer, 405, "method_not_allowed")
			if got := answer.Header.Get("Allow"); got != allow {
				t.Errorf("%s %s: Allow is %q, want %q", method, address, got, allow)
			}
		}
		head := c.Do(t, "HEAD", address, nil)
		if head.Status != 200 || len(head.Body) != 0 || head.Header.Get("Content-Length") == "" {
			t.Errorf("HEAD %s: %d with %d bytes", address, head.Status, len(head.Body))
		}
		framed(t, "HEAD "+address, head)
	}
	// Nothing overrides the method.
	for _, name := range []string{"X-Http-Method-Override", "X-Http-Method", "X-Method-Override"} {
		c.With(name, "DELETE").Get(t, lead)
		c.With(name, "DELETE").Do(t, "POST", lead, "{}").Problem(t, 405, "method_not_allowed")
	}
	c.Do(t, "GET", lead+"?_method=DELETE", nil).Problem(t, 400, "validation_error")
	c.Get(t, lead)
	// The method is checked after the key.
	a.As(c.Host, "").Do(t, "PUT", "/leads", nil).Problem(t, 401, "unauthorized")
}

func TestUnknownPaths(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "paths.test")
	seedLead(t, c, nil)
	for _, address := range []string{
		"/", "/api", "/api/", "/api/v1", "/api/v1/", "/api/v1/nothing", "/api/v1/leads/", "/api/v1/leads/1/",
		"/api/v1/leads/1/notes", "/api/v2/leads",
		"//api/v1/leads", "/api//v1/leads", "/api/v1//leads", "/api/v1/leads//1", "/api/v1/./leads", "/api/v1/leads/.",
		"/api/v1/leads/../leads",
		"/api/v1/leads/..", "/../api/v1/leads", "/api/v1/%2e%2e/v1/leads", "/api/v1/leads/%2e%2e/leads", "/api/v1%2fleads",
		"/API/V1/LEADS", "/api/v1/Leads",
		"/api/v1/leads%00", "/api/v1/leads%0d%0aX-Injected:%20yes", "/api/v1/leads;v=1", "/api/v1/leads.json",
		`/api/v1/leads\1`, "/api/v1/leads%20",
		"/metrics", "/debug/pprof/", "/.env", "/.git/config", "/graphql/x", "/api/v1/openapi.json",
		"/api/v1/leads/1/../../whoami", "/%",
	} {
		answer := rawRequest(
			t, c,
			"GET "+address+" HTTP/1.1\r\nHost: "+c.Host+"\r\nAuthorization: Bearer "+c.Token+"\r\nConnection: close\r\n\r\n",
		)
		if address == "/%" { // refused before it is a request
			if answer.Status != 400 {
				t.Errorf("%s: %d", address, answer.Status)
			}
			continue
		}
		refusal(t, address, answer, 404, "not_found")
		if answer.Header.Get("X-Injected") != "" || answer.Header.Get("Location") != "" {
			t.Errorf("%s: %v", address, answer.Header)
		}
	}
	// Without a key an existing path cannot be told from a nonexistent one.
	stranger := a.As(c.Host, "")
	for _, address := range []string{"/leads", "/nothing", "/leads/abc"} {
		stranger.Do(t, "GET", address, nil).Problem(t, 401, "unauthorized")
	}
}

// rawRequest sends bytes that no client library would and reads one response.
func rawRequest(tb testing.TB, c *apptest.Client, request string) *apptest.Answer {
	tb.Helper()
	var dialer net.Dialer
	conn, err := dialer.DialContext(tb.Context(), "tcp", strings.TrimPrefix(c.Base, "http://"))
	if err != nil {
		tb.Fatal(err)
	}
	defer conn.Close()
	if _, err := fmt.Fprint(conn, request); err != nil {
		tb.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		tb.Fatalf("%.60q: %v", request, err)
	}
	defer func() { _ = resp.Body.Close() }()
	var body strings.Builder
	if _, err := bufio.NewReader(resp.Body).WriteTo(&body); err != nil {
		tb.Fatal(err)
	}
	return &apptest.Answer{Status: resp.StatusCode, Header: resp.Header, Body: []byte(body.String())}
}

// Metacharacters of SQL, HTTP and HTML are ordinary text everywhere.
func TestSQLMetacharacters(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "meta.test")
		seedLead(t, c, nil)
		deal := seedDeal(t, c, seedMerchant(t, c, nil), nil)
		seedPayment(t, c, deal, nil)
		nasty := []string{
			"'", `"`, "';--", "' OR '1'='1", `" OR ""="`, "1; DROP TABLE leads", "$1", "?", "%", "\\", "\\'", "/*", "--", "NULL",
			"\r\nX-Injected: yes",
			"\r\n\r\n<html>", "${jndi:ldap://x}", "{{7*7}}", "%s%n", "\x00", "\u202e", "🍵", "a\tb",
		}
		for list, names := range map[string]string{
			"/leads":     "limit cursor sort expand fields ids q createdSince createdBefore updatedSince status source",
			"/merchants": "cursor sort q ids", "/deals": "state q expand sort fields",
			"/payments":       "dealId status type scheduledSince expand",
			"/communications": "channel merchantId", "/disclosures": "state status",
		} {
			for _, text := range nasty {
				for name := range strings.FieldsSeq(names + " unknown") {
					answer := c.Do(t, "GET", list+query(name, text), nil)
					if answer.Status != 200 && answer.Status != 400 || answer.Header.Get("X-Injected") != "" {
						t.Errorf("%s?%s=%q: %d %s", list, name, text, answer.Status, answer.Body)
					}
					if len(text) > 4 && answer.Status == 400 && strings.Contains(string(answer.Body), text) {
						t.Errorf("%s?%s=%q comes back: %s", list, name, text, answer.Body)
					}
				}
				if answer := c.Do(t, "GET", list+query(text, "1"), nil); answer.Status != 400 ||
					answer.Header.Get("X-Injected") != "" {
					t.Errorf("%s?%q=1: %d", list, text, answer.Status)
				}
			}
		}
		if got := listed(t, c, "/leads"); len(got) != 1 {
			t.Errorf("leads are %v", got)
		}
	})
}
