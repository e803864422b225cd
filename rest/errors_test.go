package rest_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// refusal checks what all errors have in common.
func refusal(tb testing.TB, what string, a *apptest.Answer, status int, code string) {
	tb.Helper()
	if a.Status != status {
		tb.Errorf("%s: status %d, want %d: %s", what, a.Status, status, a.Body)
		return
	}
	a.Problem(tb, status, code)
	o := a.JSON(tb)
	for name := range o {
		if !slices.Contains([]string{"error", "code", "details", "requestId"}, name) {
			tb.Errorf("%s: the envelope has %s", what, name)
		}
	}
	if text := o.Text("error"); text == "" || strings.ToUpper(text[:1]) != text[:1] && !strings.Contains(text, ":") {
		tb.Errorf("%s: %q is no sentence", what, text)
	}
	framed(tb, what, a)
}

// framed checks what all responses have in common.
func framed(tb testing.TB, what string, a *apptest.Answer) {
	tb.Helper()
	for name, want := range map[string]string{
		"Content-Type": "application/json", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		"Strict-Transport-Security": "", "Server": "", "X-Powered-By": "",
	} {
		if got := a.Header.Get(name); got != want {
			tb.Errorf("%s: %s is %q", what, name, got)
		}
	}
	if !strings.HasPrefix(a.Header.Get("X-Request-Id"), "req_") {
		tb.Errorf("%s: X-Request-Id is %q", what, a.Header.Get("X-Request-Id"))
	}
	for _, name := range []string{"X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"} {
		if n, err := strconv.Atoi(a.Header.Get(name)); err != nil || n < 0 {
			tb.Errorf("%s: %s is %q", what, name, a.Header.Get(name))
		}
	}
}

func TestErrorsUseEnvelope(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "errors.test")
	merchant := seedMerchant(t, c, nil)
	deal := seedDeal(t, c, merchant, nil)
	reader := a.As(c.Host, a.Key(t, c.Host, "*:read").Token)
	keyed := c.With("Idempotency-Key", "one")
	keyed.Post(t, "/leads", apptest.Object{"businessName": "x"})
	for _, e := range []struct {
		client       *apptest.Client
		method, path string
		body         any
		status       int
		code         string
	}{
		{c, "GET", "/leads?limit=0", nil, 400, "validation_error"},
		{c, "GET", "/leads/abc", nil, 400, "invalid_id"},
		{c, "POST", "/leads", "{", 400, "invalid_json"},
		{c, "GET", "/leads?sort=x", nil, 400, "invalid_sort"},
		{c, "GET", "/leads?expand=x", nil, 400, "invalid_expand"},
		{c, "GET", "/leads?cursor=x", nil, 400, "invalid_cursor"},
		{c, "GET", "/leads?%zz", nil, 400, "bad_request"},
		{a.As(c.Host, ""), "GET", "/leads", nil, 401, "unauthorized"},
		{reader, "POST", "/leads", apptest.Object{"businessName": "x"}, 403, "forbidden"},
		{c, "GET", "/leads/987654321", nil, 404, "not_found"},
		{c, "GET", "/nothing", nil, 404, "not_found"},
		{c, "GET", "/api/v2/leads", nil, 404, "not_found"},
		{c, "PUT", "/leads", nil, 405, "method_not_allowed"},
		{c, "DELETE", path("/merchants", merchant), nil, 409, "conflict"},
		{c, "PATCH", path("/deals", deal), apptest.Object{"state": "FUNDED"}, 409, "conflict"},
		{c, "POST", "/leads", strings.Repeat(" ", 1<<20+1), 413, "payload_too_large"},
		{c.With("Content-Type", "text/plain"), "POST", "/leads", "x", 415, "unsupported_media_type"},
		{c, "POST", "/deals", apptest.Object{"merchantId": 987654321}, 422, "invalid_reference"},
		{keyed, "POST", "/leads", apptest.Object{"businessName": "y"}, 422, "idempotency_key_reused"},
		{a.As("nobody.test", ""), "GET", "/leads", nil, 404, "not_found"},
	} {
		what := e.method + " " + e.path
		if len(what) > 60 {
			what = what[:60]
		}
		refusal(t, what, e.client.Do(t, e.method, e.path, e.body), e.status, e.code)
	}
}

// A caller without a valid key learns nothing but that.
func TestUnusableKeysGetSameError(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host, other := a.Tenant(t, "keys.test"), a.Tenant(t, "other.test")
		issue := func(in service.NewKey) *service.IssuedKey {
			in.Name, in.Kind = "k", auth.Live
			in.Scopes = auth.AllScopes().Strings()
			return a.NewKey(t, host, in)
		}
		good, expiring, revoked, rotated := issue(
			service.NewKey{},
		), issue(
			service.NewKey{ExpiresDays: new(30)},
		), issue(
			service.NewKey{},
		), issue(
			service.NewKey{},
		)
		barred := issue(service.NewKey{Allow: []string{"203.0.113.7"}})
		ctx := a.Operator(t, host)
		if _, err := a.Keys.Rotate(ctx, rotated.Key.ID); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Keys.Revoke(ctx, barred.Key.ID); err != nil {
			t.Fatal(err)
		}
		for _, key := range []*service.IssuedKey{good, expiring, revoked, rotated} {
			a.As(host, key.Token).Get(t, "/whoami")
		}
		if _, err := a.Keys.Revoke(ctx, revoked.Key.ID); err != nil {
			t.Fatal(err)
		}
		a.Clock.Advance(30 * 24 * time.Hour)
		authorizations := map[string]string{
			"missing": "", "no scheme": good.Token, "another scheme": "Basic " + good.Token, "a scheme alone": "Bearer",
			"blank":     "Bearer ",
			"malformed": "Bearer x", "cut": "Bearer " + good.Token[:len(good.Token)-1], "too long": "Bearer " + good.Token + "x",
			"a wrong checksum": "Bearer " + good.Token[:len(good.Token)-1] + "!",
			"another case":     "Bearer " + strings.ToUpper(good.Token),
			"unknown":          "Bearer " + auth.NewToken(auth.Live), "unknown, for tests": "Bearer " + auth.NewToken(auth.Test),
			"expired": "Bearer " + expiring.Token, "revoked": "Bearer " + revoked.Token,
			"rotated away":       "Bearer " + rotated.Token,
			"revoked and barred": "Bearer " + barred.Token, "another tenant's": "Bearer " + a.Key(t, other).Token,
			"two": "Bearer " + good.Token + ", Bearer " + good.Token, "SQL": "Bearer ' OR 1=1 --",
			"long": "Bearer " + strings.Repeat("x", 60_000),
		}
		var first string
		for name, value := range authorizations {
			header := http.Header{}
			if value != "" {
				header.Set("Authorization", value)
			}
			c := a.As(host, "")
			c.Header = header
			answer := c.Do(t, "GET", "/whoami", nil)
			refusal(t, name, answer, 401, "unauthorized")
			if got := answer.Header.Get("Www-Authenticate"); got != `Bearer realm="paydown"` {
				t.Errorf("%s: WWW-Authenticate is %q", name, got)
			}
			if got := onTheWire(answer); first == "" {
				first = got
			} else if got != first {
				t.Errorf("%s is told\n%s\nand another\n%s", name, got, first)
			}
		}
		for _, scheme := range []string{"Bearer ", "bearer ", "BEARER  "} {
			a.As(host, "").With("Authorization", scheme+good.Token).Get(t, "/whoami")
		}
		a.As(host, "").Do(t, "GET", "/whoami?key="+good.Token, nil).Problem(t, 401, "unauthorized")
	})
}

// onTheWire is a response without the parts that count requests or depend on the time.
func onTheWire(a *apptest.Answer) string {
	h := a.Header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "X-Ratelimit-Remaining", "X-Ratelimit-Reset"} {
		h.Del(name)
	}
	var b strings.Builder
	_ = h.Write(&b) // in the order of their names
	return b.String() + strings.ReplaceAll(string(a.Body), a.Header.Get("X-Request-Id"), "req_")
}

func TestRequestIDIsFromServer(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "requests.test")
	seen := map[string]bool{}
	for _, mine := range []string{"mine-4711", "req_AAAAAAAAAAAAAAAAAAAAAAAAAA", "<script>", strings.Repeat("x", 5000)} {
		for _, address := range []string{"/leads", "/leads/0", "/nothing", "/whoami", "/api/openapi.json"} {
			answer := c.With("X-Request-Id", mine).With("X-Correlation-Id", mine).Do(t, "GET", address, nil)
			id := answer.Header.Get("X-Request-Id")
			if id == mine || seen[id] || len(answer.Header.Values("X-Request-Id")) != 1 ||
				strings.Contains(string(answer.Body), mine) {
				t.Errorf("%s: the request id is %q", address, id)
			}
			seen[id] = true
			a.Log.Await(t, id) // it is written once the answer is
		}
	}
	trace := "4bf92f3577b34da6a3ce929d0e0e4736"
	c.With("Traceparent", "00-"+trace+"-00f067aa0ba902b7-01").Get(t, "/leads")
	a.Log.Await(t, trace)
	c.With("Traceparent", "00-\"forged\":1-x-01").Get(t, "/leads")
	if strings.Contains(a.Log.String(), "forged") {
		t.Error("what is no trace is in the log")
	}
}

func TestKeyIsNotLogged(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "log.test")
	seedLead(t, c, apptest.Object{"notes": "very-confidential", "email": "private@person.example"})
	c.Do(t, "GET", "/leads?q=very-confidential&token="+c.Token, nil)
	c.Do(t, "POST", "/leads", `{"businessName":5,"notes":"very-confidential"}`)
	log := a.Log.String()
	for _, secret := range []string{c.Token, c.Token[9:], "very-confidential", "private@person.example"} {
		if strings.Contains(log, secret) {
			t.Errorf("%s is in the log", secret)
		}
	}
}

func TestInvalidPathIDs(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "ids.test")
	for _, id := range []string{
		"0", "-1", "-0", "01", "0001", "abc", "1.0", "+1", "1e3", "0x1", "1%20", "%201", "1;", "1'", "null",
		"9223372036854775808", "99999999999999999999999",
		"1,2", "1%00", "%D9%A1", "1%2F2", "%2e%2e%2fwhoami", "*", "1_0", "me", "[1]",
	} {
		for _, list := range []string{"/leads", "/merchants", "/deals", "/payments", "/isos", "/funders", "/syndicators"} {
			if strings.Contains(id, "..") || strings.Contains(id, "%2e") {
				refusal(t, list+"/"+id, c.Do(t, "GET", list+"/"+id, nil), 404, "not_found")
				continue
			}
			refusal(t, list+"/"+id, c.Do(t, "GET", list+"/"+id, nil), 400, "invalid_id")
		}
		if !strings.Contains(id, "%2e") {
			refusal(t, id, c.Do(t, "PATCH", "/leads/"+id, "{}"), 400, "invalid_id")
			refusal(t, id, c.Do(t, "DELETE", "/leads/"+id, nil), 400, "invalid_id")
		}
	}
	for _, id := range []string{"1", "9223372036854775807"} {
		refusal(t, id, c.Do(t, "GET", "/leads/"+id, nil), 404, "not_found")
	}
}

func TestUnknownHost(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "known.test")
	for _, host := range []string{
		"unknown.test", "known.test.evil.example", "evil.example", "sub.known.test", "127.0.0.1", "localhost", "known",
		"[::1]", "known.test:80:80",
	} {
		for _, address := range []string{"/leads", "/whoami", "/nothing", "/api/openapi.json"} {
			refusal(t, host+address, a.As(host, c.Token).Do(t, "GET", address, nil), 404, "not_found")
		}
	}
	for _, host := range []string{"KNOWN.test", "known.test:8443", "known.test."} {
		a.As(host, c.Token).Get(t, "/whoami")
	}
	answer := a.As("unknown.test", "").Do(t, "GET", "/healthz", nil)
	if answer.Status != 200 {
		t.Errorf("/healthz: %d", answer.Status)
	}
	// The host is that of the request, whatever other headers a proxy or a caller sends.
	for _, header := range []string{"X-Forwarded-Host", "X-Original-Host", "Forwarded", "X-Host"} {
		a.As("unknown.test", c.Token).With(header, "known.test").Do(t, "GET", "/whoami", nil).Problem(t, 404, "not_found")
	}
}
