package graph_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"paydown/graph"
	"paydown/internal/apptest"
	"paydown/internal/middleware"
	"paydown/internal/ratelimit"
	"paydown/internal/store"
)

// The number of statements of a query does not depend on the number of records. Authentication is not counted.
func TestStatementsPerLevel(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "statements.test")
		book(t, c, 3)
		for query, want := range map[string]int{
			"{ __typename }":                         0,
			"{ deal(id: 1) { id merchant { id } } }": 2,
			"{ deals { nodes { id } } }":             1,
			"{ deals { totalCount nodes { id } } }":  2,
			"{ deals { nodes { merchantId merchant { legalName contacts { id } } } } }":                             3,
			"{ deals { nodes { merchant { deals { nodes { merchant { id } } } } } } }":                              4,
			"{ deals { nodes { payments { nodes { id } } } } }":                                                     2,
			"{ deals { nodes { payments { totalCount nodes { deal { merchant { id } } } } } } }":                    5,
			"{ deals { nodes { a: payments { nodes { id } } b: payments { nodes { amount } } } } }":                 2,
			"{ deals { nodes { a: payments(first: 1) { nodes { id } } b: payments(first: 2) { nodes { id } } } } }": 3,
			"{ deals { nodes { iso { id } fundedLender { id } renewedFromDeal { id } } } }":                         1,
			`{ deal(id: 6) { merchant { id contacts { id } } iso { id } fundedLender { id } payments { totalCount nodes { id } }
				submissions { nodes { funder { name } status { name } } } decisions { nodes { id } } renewals { nodes { id } }
				disclosures { nodes { id } } uccFilings { nodes { id } } communications { nodes { id } }
				statementAnalyses { nodes { id } } creditFacilities { nodes { id draws { id } } } } }`: 15,
		} {
			statements := countStatements(t, a, c, query)
			if len(statements) != want {
				t.Errorf("%s takes %d statements, want %d:\n%s", query, len(statements), want, strings.Join(statements, "\n"))
			}
		}
	})
}

// surfaceOf is another server over an application's services, in this process.
func surfaceOf(a *apptest.App) *graph.Server {
	return graph.New(graph.Config{Config: middleware.Config{
		Service: a.Service, Log: slog.New(slog.NewJSONHandler(a.Log, nil)), Limiter: ratelimit.New(nil, a.Clock.Now),
	}})
}

func requestOf(t *testing.T, c *apptest.Client, query string) *http.Request {
	t.Helper()
	body, err := json.Marshal(map[string]any{"query": query})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/graphql", strings.NewReader(string(body)))
	r.Host = c.Host
	r.Header.Set("Authorization", "Bearer "+c.Token)
	r.Header.Set("Content-Type", "application/json")
	return r
}

// ask executes a query on a surface.
func ask(t *testing.T, surface http.Handler, c *apptest.Client, query string) *apptest.Answer {
	t.Helper()
	w := httptest.NewRecorder()
	surface.ServeHTTP(w, requestOf(t, c, query))
	return &apptest.Answer{Status: w.Code, Header: w.Header(), Body: w.Body.Bytes()}
}

// admits reports whether a statement authenticates the caller.
func admits(statement string) bool {
	return strings.Contains(statement, "api_keys") || strings.Contains(statement, "`tenants`") ||
		strings.Contains(statement, `FROM "tenants"`)
}

// countStatements executes a query in this process and returns its statements.
func countStatements(t *testing.T, a *apptest.App, c *apptest.Client, query string) []string {
	t.Helper()
	r := requestOf(t, c, query)
	var statements []string
	seen := make(chan string, 1000) // fields are looked up side by side
	counter := store.Statements{Trace: func(query string) { seen <- query }}
	w := httptest.NewRecorder()
	surfaceOf(a).ServeHTTP(w, r.WithContext(store.Counting(r.Context(), &counter)))
	close(seen)
	for s := range seen {
		if !admits(s) {
			statements = append(statements, s)
		}
	}
	if strings.Contains(w.Body.String(), `"errors"`) {
		t.Fatalf("%s: %s", query, w.Body)
	}
	return statements
}
