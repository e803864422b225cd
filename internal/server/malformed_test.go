package server_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/server"
	"paydown/internal/service"
)

const end = "Connection: close\r\n\r\n"

// problem checks an error response of this server.
func problem(t *testing.T, what string, a *apptest.Answer, status int, code string) {
	t.Helper()
	if a.Status != status || !strings.Contains(string(a.Body), `"code":"`+code+`"`) {
		t.Errorf("%s: %d %s, want %d %s", what, a.Status, a.Body, status, code)
		return
	}
	guarded(t, what, a)
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"} {
		if a.Header.Get(name) == "" {
			t.Errorf("%s: no %s", what, name)
		}
	}
}

// guarded checks the headers that keep browsers and caches from using the response.
func guarded(t *testing.T, what string, a *apptest.Answer) {
	t.Helper()
	for name, want := range map[string]string{
		"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Server": "", "Location": "", "X-Injected": "",
	} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s: %s is %q", what, name, got)
		}
	}
}

func TestMalformedRequests(t *testing.T) {
	t.Parallel()
	r := run(t, server.Config{}, nil)
	long := strings.Repeat("x", 80<<10)
	many := strings.Repeat("X-Filler: "+strings.Repeat("y", 90)+"\r\n", 1000)
	for what, c := range map[string]struct {
		request string
		status  int
	}{
		"a huge header": {"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nKEY\r\nX-Long: " + long + "\r\n" + end, 431},
		"many headers":  {"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nKEY\r\n" + many + end, 431},
		"a huge path":   {"GET /api/v1/" + long + " HTTP/1.1\r\nHost: server.test\r\n" + end, 431},
		"two hosts":     {"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nHost: other.test\r\nKEY\r\n" + end, 400},
		"the same host twice": {
			"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nHost: server.test\r\nKEY\r\n" + end, 400,
		},
		"no host":                  {"GET /api/v1/whoami HTTP/1.1\r\nKEY\r\n" + end, 400},
		"a host with a space":      {"GET /api/v1/whoami HTTP/1.1\r\nHost: server test\r\nKEY\r\n" + end, 400},
		"a space before the colon": {"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nX-A : b\r\n" + end, 400},
		"a name with a NUL":        {"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nX-\x00A: b\r\n" + end, 400},
		"a value with a NUL":       {"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nX-A: \x00\r\n" + end, 400},
		"another protocol":         {"GET /api/v1/whoami HTTP/3.7\r\nHost: server.test\r\n" + end, 505},
		"no protocol":              {"GET /api/v1/whoami\r\n\r\n", 400},
		"two lengths": {
			"POST /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nKEY\r\n" +
				"Content-Length: 2\r\nContent-Length: 3\r\n" + end + "{}x", 400,
		},
		"a signed length": {
			"POST /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nKEY\r\nContent-Length: +2\r\n" + end + "{}", 400,
		},
		"a negative length": {"POST /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nKEY\r\nContent-Length: -1\r\n" + end, 400},
		"an unknown encoding": {
			"POST /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nKEY\r\nTransfer-Encoding: gzip\r\n" + end, 501,
		},
		"an encoding over chunks": {
			"POST /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nKEY\r\nTransfer-Encoding: gzip, chunked\r\n" + end, 501,
		},
		"a TLS greeting":           {"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400},
		"half an escape in a path": {"GET /api/v1/leads/1%2 HTTP/1.1\r\nHost: server.test\r\nKEY\r\n" + end, 400},
		"an escape of no hex":      {"GET /api/v1/leads/%zz HTTP/1.1\r\nHost: server.test\r\nKEY\r\n" + end, 400},
		"no method":                {" /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nKEY\r\n" + end, 400},
		"nothing of HTTP":          {"EHLO server.test\r\n\r\n", 400},
		"an expectation of its own": {
			"POST /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nKEY\r\nExpect: a miracle\r\nContent-Length: 2\r\n" + end + "{}",
			417,
		},
	} {
		code := "bad_request"
		if c.status == 431 {
			code = "payload_too_large"
		}
		answer := r.raw(t, c.request)
		problem(t, what, answer, c.status, code)
		if answer.Header.Get("Content-Type") != "application/json" ||
			answer.JSON(t).
				Text("requestId") !=
				answer.Header.Get(
					"X-Request-Id",
				) || strings.Contains(string(answer.Body), "xxx") {
			t.Errorf("%s: %v %.300s", what, answer.Header, answer.Body)
		}
	}
	if answer := r.get(t, r.public, "/api/v1/whoami"); answer.Status != 200 {
		t.Errorf("afterwards: %d %s", answer.Status, answer.Body)
	}
}

// A malformed request counts for its address, and is logged with its request id.
func TestMalformedRequestsAreCounted(t *testing.T) {
	t.Parallel()
	r := run(t, server.Config{}, nil)
	for left := service.DefaultRateLimit - 1; left >= service.DefaultRateLimit-3; left-- {
		answer := r.raw(t, "GET /%2 HTTP/1.1\r\nHost: server.test\r\n\r\n")
		if got := answer.Header.Get("X-RateLimit-Remaining"); got != strconv.Itoa(left) {
			t.Errorf("%s are left, want %d", got, left)
		}
		r.log.Await(t, `"requestId":"`+answer.Header.Get("X-Request-Id")+`","route":"malformed","status":400`)
	}
	behind := run(t, server.Config{Trusted: loopback}, nil) // a proxy, which speaks for many
	for range 3 {
		answer := behind.raw(t, "GET /%2 HTTP/1.1\r\nHost: server.test\r\n\r\n")
		if got := answer.Header.Get("X-RateLimit-Remaining"); got != strconv.Itoa(service.DefaultRateLimit) {
			t.Errorf("%s are left to a proxy", got)
		}
	}
}

// A connection reports what is wrong with the current request, whatever it answered before, and does not change
// handlers' responses.
func TestMalformedRequestOnKeepAlive(t *testing.T) {
	t.Parallel()
	r := run(t, server.Config{}, nil)
	good := "GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nAuthorization: Bearer " + r.token + "\r\n\r\n"
	missing := "GET /api/v1/leads/99 HTTP/1.1\r\nHost: server.test\r\nAuthorization: Bearer " + r.token + "\r\n\r\n"
	plain := "GET /healthz HTTP/1.1\r\nHost: server.test\r\n\r\n"
	for name, parts := range map[string][]string{
		"one after the other": {good, missing, plain, "GET /%2 HTTP/1.1\r\nHost: server.test\r\n\r\n"},
		"all at once":         {good + missing + plain + "GET /%2 HTTP/1.1\r\nHost: server.test\r\n\r\n"},
	} {
		c := dial(t, r.public)
		for i, part := range parts {
			c.send(t, "%s", part)
			if len(parts) == 1 {
				break
			}
			r.expect(t, name, i, c.answer(t))
		}
		for i := range 4 {
			if len(parts) == 1 {
				r.expect(t, name, i, c.answer(t))
			}
		}
		if rest := c.closed(t); rest != "" {
			t.Errorf("%s: then %q", name, rest)
		}
	}
	body := dial(t, r.public) // which is asked for, in the middle of a request
	body.send(
		t,
		"POST /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
			"Expect: 100-continue\r\nContent-Length: 20\r\n\r\n",
		r.token,
	)
	if answer := body.answer(t); answer.Status != 100 {
		t.Errorf("%d %s", answer.Status, answer.Body)
	}
	body.send(t, `{"businessName":"x"}`)
	if answer := body.answer(t); answer.Status != 201 {
		t.Errorf("%d %s", answer.Status, answer.Body)
	}
}

// expect checks one of the responses on a connection: two in JSON, one in text, and that to the malformed
// request.
func (r *running) expect(t *testing.T, name string, i int, answer *apptest.Answer) {
	t.Helper()
	switch i {
	case 0:
		if answer.Status != 200 || answer.Header.Get("X-RateLimit-Limit") == "" {
			t.Errorf("%s: %d %v", name, answer.Status, answer.Header)
		}
	case 1:
		problem(t, name, answer, 404, "not_found")
	case 2:
		if answer.Status != 200 || string(answer.Body) != "ok\n" {
			t.Errorf("%s: %d %s", name, answer.Status, answer.Body)
		}
	default:
		problem(t, name, answer, 400, "bad_request")
	}
}

func TestMalformedAdminRequests(t *testing.T) {
	t.Parallel()
	r := run(t, server.Config{}, nil)
	c := dial(t, r.admin)
	c.send(t, "GET /%%2 HTTP/1.1\r\nHost: server.test\r\n\r\n")
	problem(t, "an operator", c.answer(t), 400, "bad_request")
}

// A request that hides another in its body is one request.
func TestRequestSmuggling(t *testing.T) {
	t.Parallel()
	r := run(t, server.Config{}, nil)
	hidden := "GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nAuthorization: Bearer " + r.token + "\r\n\r\n"
	c := dial(t, r.public)
	c.send(
		t,
		"POST /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
			"Content-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n%s",
		r.token,
		len(hidden)+5,
		hidden,
	)
	if first := c.answer(t); first.Status != 400 {
		t.Errorf("a length beside chunks: %d %s", first.Status, first.Body)
	}
	if rest := c.closed(t); rest != "" {
		t.Errorf("what was hidden is answered: %q", rest)
	}
}

func TestUnknownMethodsAndTargets(t *testing.T) {
	t.Parallel()
	r := run(t, server.Config{}, nil)
	for what, c := range map[string]struct {
		request, code string
		status        int
	}{
		"TRACE": {
			"TRACE /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nKEY\r\nX-Injected: yes\r\n" + end,
			"method_not_allowed", 405,
		},
		"CONNECT to a path": {
			"CONNECT /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nKEY\r\n" + end, "method_not_allowed", 405,
		},
		"CONNECT to a host":    {"CONNECT example.com:443 HTTP/1.1\r\nHost: server.test\r\nKEY\r\n" + end, "not_found", 404},
		"CONNECT to ourselves": {"CONNECT server.test:443 HTTP/1.1\r\nHost: server.test\r\nKEY\r\n" + end, "not_found", 404},
		"OPTIONS of all":       {"OPTIONS * HTTP/1.1\r\nHost: server.test\r\nKEY\r\n" + end, "not_found", 404},
		"GET of all":           {"GET * HTTP/1.1\r\nHost: server.test\r\nKEY\r\n" + end, "not_found", 404},
		"a preflight": {"OPTIONS /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nOrigin: https://evil.example\r\n" +
			"Access-Control-Request-Method: POST\r\n" + end, "unauthorized", 401},
		"an upgrade": {
			"GET /api/v1/nothing HTTP/1.1\r\nHost: server.test\r\nKEY\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
			"not_found", 404,
		},
	} {
		answer := r.raw(t, c.request)
		problem(t, what, answer, c.status, c.code)
		if strings.Contains(string(answer.Body), r.token) || answer.Header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: %v %s", what, answer.Header, answer.Body)
		}
	}
}

// The host is that of the request line or of the one Host header, in any spelling.
func TestSpellingsOfAHost(t *testing.T) {
	t.Parallel()
	r := run(t, server.Config{}, nil)
	for line, served := range map[string]bool{
		"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test":                                   true,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: SERVER.Test":                                   true,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test.":                                  true,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test:8443":                              true,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: Server.TEST.:80":                               true,
		"GET /api/v1/whoami HTTP/1.1\r\nHost:server.test":                                    true,
		"GET http://server.test/api/v1/whoami HTTP/1.1\r\nHost: other.test":                  true,
		"GET http://SERVER.test:80/api/v1/whoami HTTP/1.1\r\nHost: other.test":               true,
		"GET http://other.test/api/v1/whoami HTTP/1.1\r\nHost: server.test":                  false,
		"GET http://server.test@other.test/api/v1/whoami HTTP/1.1\r\nHost: server.test":      false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test..":                                 false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: .server.test":                                  false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test:80:80":                             false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test@evil.example":                      false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: evil.example#server.test":                      false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: server.test,other.test":                        false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: \xef\xbd\x93erver.test":                        false, // a full-width s
		"GET /api/v1/whoami HTTP/1.1\r\nHost: %73erver.test":                                 false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: [::1]":                                         false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: [::1]:8080":                                    false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost:":                                               false,
		"GET /api/v1/whoami HTTP/1.0":                                                        false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: ' OR 1=1 --":                                   false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: other.test\r\nX-Forwarded-Host: server.test":   false,
		"GET /api/v1/whoami HTTP/1.1\r\nHost: " + strings.Repeat("a.", 2000) + "server.test": false,
	} {
		answer := r.raw(t, line+"\r\nKEY\r\n"+end)
		switch {
		case served && answer.Status != 200:
			t.Errorf("%.90q: %d %s", line, answer.Status, answer.Body)
		case !served && answer.Status != 400: // no host at all, for net/http
			problem(t, fmt.Sprintf("%.90q", line), answer, 404, "not_found")
		}
	}
}

func TestSlowClientsTimeOut(t *testing.T) {
	t.Parallel()
	r := run(t, server.Config{}, func(s *server.Server) *server.Server {
		return server.Within(s, time.Second, 2*time.Second)
	})
	// A slow client sends a header line that never ends.
	headers := dial(t, r.public)
	headers.send(t, "GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nX-Slow: ")
	body := dial(t, r.public)
	body.send(
		t,
		"POST /api/v1/leads HTTP/1.1\r\nHost: server.test\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
			"Content-Length: 100\r\n\r\n{",
		r.token,
	)
	silent := dial(t, r.public)

	if rest := headers.closed(t); strings.Contains(rest, "200 OK") {
		t.Errorf("half a request is answered: %q", rest)
	}
	problem(t, "half a body", body.answer(t), 400, "bad_request")
	body.closed(t)
	if rest := silent.closed(t); strings.Contains(rest, "200 OK") {
		t.Errorf("nothing is answered: %q", rest)
	}
	if answer := r.get(t, r.public, "/api/v1/leads"); answer.Status != 200 ||
		!strings.Contains(string(answer.Body), `"count":0`) {
		t.Errorf("afterwards: %d %s", answer.Status, answer.Body)
	}
}

// Headers of every response, for every caller and outcome.
func TestSecurityHeaders(t *testing.T) {
	t.Parallel()
	r := run(t, server.Config{Trusted: loopback}, nil)
	for _, path := range []string{"/api/v1/whoami", "/api/v1/nothing", "/api/openapi.json", "/healthz", "/readyz", "/"} {
		guarded(t, path, r.get(t, r.public, path))
	}
	guarded(t, "/readyz for operators", r.get(t, r.admin, "/readyz"))
	for protocol, secure := range map[string]bool{
		"https": true, "HTTPS": true, "https, http": true, "http": false, "http, https": false, "": false, "httpsx": false,
	} {
		answer := r.raw(
			t, "GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nKEY\r\nX-Forwarded-Proto: "+protocol+"\r\n"+end,
		)
		got := answer.Header.Get("Strict-Transport-Security")
		if answer.Status != 200 || strings.HasPrefix(got, "max-age=31536000") != secure || (got == "") == secure {
			t.Errorf("X-Forwarded-Proto %q: %q", protocol, got)
		}
	}
	plain := run(t, server.Config{}, nil) // which trusts nobody
	answer := plain.raw(t, "GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nKEY\r\nX-Forwarded-Proto: https\r\n"+end)
	if got := answer.Header.Get("Strict-Transport-Security"); got != "" {
		t.Errorf("a caller says that it came over TLS, and is told %q", got)
	}
}

// Sending two keys does not let anybody act as another caller.
func TestTwoAuthorizationHeadersAreRejected(t *testing.T) {
	t.Parallel()
	r := run(t, server.Config{}, nil)
	for _, second := range []string{"KEY", "Authorization: Bearer x", "authorization: Basic x", "Authorization:"} {
		problem(
			t, second, r.raw(t, "GET /api/v1/whoami HTTP/1.1\r\nHost: server.test\r\nKEY\r\n"+second+"\r\n"+end), 401,
			"unauthorized",
		)
	}
}
