package rest_test

import (
	"database/sql"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"runtime"
	"strings"
	"testing"

	_ "github.com/lib/pq"
	_ "modernc.org/sqlite"

	"paydown/internal/apptest"
	"paydown/internal/middleware"
	"paydown/internal/ratelimit"
	"paydown/internal/secret"
	"paydown/internal/store"
	"paydown/rest"
)

// sabotage runs a statement behind the application's back.
func sabotage(tb testing.TB, dbURL, statement string) {
	tb.Helper()
	driver, source := "postgres", dbURL
	if file, ok := strings.CutPrefix(dbURL, "sqlite:"); ok {
		driver, source = "sqlite", "file:"+(&url.URL{Path: file}).EscapedPath()+"?_pragma=busy_timeout(10000)"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		tb.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(tb.Context(), statement); err != nil {
		tb.Fatal(err)
	}
}

// leaks are internals that no caller may see, in any case.
var leaks = []string{
	"select", "insert", "sql", "pq:", "sqlite", "postgres", "ent:", "no such table", "relation", "panic", "goroutine",
	".go:", "/rest", "runtime",
	"/tmp", "moved_away", "paydown_test", "tenant_id", "constraint",
}

func TestInternalErrorIsHiddenAndLogged(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "fault.test")
		lead := path("/leads", seedLead(t, c, nil))
		sabotage(t, a.DB, `ALTER TABLE leads RENAME TO moved_away`)
		for _, r := range []struct {
			method, path string
			body         any
		}{
			{"GET", "/leads", nil},
			{"GET", "/leads?q=select", nil},
			{"GET", lead, nil},
			{"POST", "/leads", apptest.Object{"businessName": "x"}},
			{"PATCH", lead, apptest.Object{"businessName": "x"}},
			{"DELETE", lead, nil},
		} {
			answer := c.Do(t, r.method, r.path, r.body)
			refusal(t, r.method+" "+r.path, answer, 500, "internal_error")
			for _, leak := range leaks {
				if strings.Contains(lowerBody(answer), leak) {
					t.Errorf("%s %s lets %q out: %s", r.method, r.path, leak, answer.Body)
				}
			}
			logged := false
			for line := range strings.Lines(a.Log.String()) {
				logged = logged ||
					strings.Contains(line, `"internal error"`) && strings.Contains(line, answer.Header.Get("X-Request-Id")) &&
						strings.Contains(line, "leads")
			}
			if !logged {
				t.Errorf(
					"%s %s: the log does not tell what went wrong with %s", r.method, r.path, answer.Header.Get("X-Request-Id"),
				)
			}
		}
		c.Get(t, "/merchants") // the rest goes on
		sabotage(t, a.DB, `ALTER TABLE moved_away RENAME TO leads`)
		if got := listed(t, c, "/leads"); len(got) != 1 {
			t.Errorf("leads are %v", got)
		}
	})
}

// lowerBody is a response's body in lower case, without the request id, whose letters are random.
func lowerBody(answer *apptest.Answer) string {
	return strings.ToLower(strings.ReplaceAll(string(answer.Body), answer.Header.Get("X-Request-Id"), ""))
}

// bare serves a test's own API over an application's services.
func bare(tb testing.TB, a *apptest.App, route func(*rest.API)) *apptest.Client {
	tb.Helper()
	api := rest.New(middleware.Config{
		Service: a.Service, Log: slog.New(slog.NewJSONHandler(a.Log, nil)), Limiter: ratelimit.New(nil, a.Clock.Now),
	})
	route(api)
	server := httptest.NewServer(api)
	tb.Cleanup(server.Close)
	c := a.Client(tb, "bare.test")
	c.Base = server.URL
	return c
}

func TestPanicIsInternalError(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := bare(t, a, func(api *rest.API) {
		api.Route("GET /api/v1/early", func(http.ResponseWriter, *http.Request) { panic("the secret cause") })
		api.Route("GET /api/v1/error", func(http.ResponseWriter, *http.Request) { panic(errors.New("the secret cause")) })
		api.Route("GET /api/v1/nil", func(http.ResponseWriter, *http.Request) { panic(&runtime.PanicNilError{}) })
		api.Route("GET /api/v1/late", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"half":`)
			_ = http.NewResponseController(w).Flush()
			panic("the secret cause")
		})
		api.Route("GET /api/v1/abort", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	})
	for _, address := range []string{"/early", "/error", "/nil"} {
		answer := c.Do(t, "GET", address, nil)
		refusal(t, address, answer, 500, "internal_error")
		for _, leak := range append(leaks, "secret", "nil") {
			if strings.Contains(lowerBody(answer), leak) {
				t.Errorf("%s lets %q out: %s", address, leak, answer.Body)
			}
		}
		if !strings.Contains(a.Log.String(), answer.Header.Get("X-Request-Id")) ||
			!strings.Contains(a.Log.String(), "internalerrors_test.go") {
			t.Errorf("%s: the log does not tell where it came from", address)
		}
	}
	for _, address := range []string{"/late", "/abort"} {
		if answer, err := c.Try("GET", address, nil); err == nil {
			t.Errorf("%s: half an answer passes for a whole one: %s", address, answer.Body)
		}
		a.Log.Await(t, `"route":"GET /api/v1`+address+`"`) // it is a request like any other
	}
	c.Get(t, "/whoami")
}

func TestUnavailableWithoutDatabase(t *testing.T) {
	t.Parallel()
	own := apptest.StartPostgres(t)
	db := own.NewDatabase(t)
	s, err := store.Open(db, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	a := (&apptest.App{DB: db, Secret: secret.NewKey()}).Replica(t)
	c := a.Client(t, "down.test")
	lead := path("/leads", seedLead(t, c, nil))
	own.Stop(t)
	for range 3 {
		for _, r := range []struct {
			client       *apptest.Client
			method, path string
			body         any
		}{
			{c, "GET", "/leads", nil},
			{c, "GET", lead, nil},
			{c, "PATCH", lead, apptest.Object{"notes": "x"}},
			{c.With("Idempotency-Key", "k"), "POST", "/leads", apptest.Object{"businessName": "x"}},
			{a.As("nobody.test", ""), "GET", "/leads", nil},
			{a.As(c.Host, "svc_live_nonsense"), "GET", "/nothing", nil},
		} {
			answer := r.client.Do(t, r.method, r.path, r.body)
			if r.client.Token != c.Token && answer.Status == 401 { // while the tenant is still remembered
				continue
			}
			refusal(t, r.method+" "+r.path, answer, 503, "unavailable")
			if answer.Header.Get("Retry-After") == "" {
				t.Errorf("%s %s does not say when to come again", r.method, r.path)
			}
			for _, leak := range append(leaks, "connect", "socket") {
				if strings.Contains(strings.ToLower(string(answer.Body)), leak) {
					t.Errorf("%s %s lets %q out: %s", r.method, r.path, leak, answer.Body)
				}
			}
		}
	}
	if ready := c.Do(t, "GET", "/readyz", nil); ready.Status != 503 {
		t.Errorf("/readyz: %d", ready.Status)
	}
	if alive := c.Do(t, "GET", "/healthz", nil); alive.Status != 200 {
		t.Errorf("/healthz: %d", alive.Status)
	}
	own.Start(t)
	for answer := c.Do(t, "GET", lead, nil); answer.Status != 200; answer = c.Do(t, "GET", lead, nil) {
		if t.Context().Err() != nil || answer.Status != 503 {
			t.Fatalf("with the database back: %d", answer.Status)
		}
	}
	c.With("Idempotency-Key", "k").Post(t, "/leads", apptest.Object{"businessName": "x"})
	if got := listed(t, c, "/leads"); len(got) != 2 {
		t.Errorf("leads are %v", got)
	}
}

func TestHSTSOnlyOverTLS(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "tls.test")
	secure := httptest.NewTLSServer(a.HTTP.Config.Handler)
	t.Cleanup(secure.Close)
	c := a.As(host, a.Key(t, host).Token)
	if got := c.Do(t, "GET", "/whoami", nil).Header.Get("Strict-Transport-Security"); got != "" {
		t.Errorf("without TLS: %q", got)
	}
	c.Base, c.HTTP = secure.URL, secure.Client()
	for _, address := range []string{"/whoami", "/nothing", "/api/openapi.json"} {
		if got := c.Do(t, "GET", address, nil).Header.Get("Strict-Transport-Security"); !strings.HasPrefix(
			got, "max-age=31536000",
		) {
			t.Errorf("%s over TLS: %q", address, got)
		}
	}
}
