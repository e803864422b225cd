package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"paydown/graph"
	"paydown/internal/apptest"
	"paydown/internal/middleware"
	"paydown/internal/ratelimit"
	"paydown/internal/store"
)

var writeScreens = flag.Bool("write", false, "write the golden answers to the portal's queries again")

// statementsOfAScreen is the maximum for any query of the portal, however much there is to show.
const statementsOfAScreen = 12

// shown are the values of required variables of the portal's queries, by name; prefixed with a query's name if
// that query needs another value.
var shown = object{
	"id": 1, "first": 20, "state": "FUNDED", "from": "2026-01-01", "to": "2026-01-31", "FundingBlocks.to": "FUNDED",
	"terms": object{"fundedAmount": "55000.00", "paybackAmount": nil, "paymentAmount": nil}, "on": "2026-01-12",
}

// What differs between runs: instants, signed cursors, secrets.
var unsteady = []struct {
	is *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`"\d{4}-\d\d-\d\dT[0-9:.]+Z"`), `"TIME"`},
	{regexp.MustCompile(`"msg_[A-Z2-7]+"`), `"MESSAGE"`},
	// Of ledger entries: PostgreSQL reserves their ids, and a refused write leaves a gap.
	{regexp.MustCompile(`"id": "\d+"(,\s+"kind": "[A-Z_]+",\s+"memo":)`), `"id": "…"$1`},
	{regexp.MustCompile(`"(last4|cursor|startCursor|endCursor|shareToken|requestId)": "[^"]*"`), `"$1": "…"`},
}

// Each query of the portal returns the stored answer for the same company on both databases, in few statements.
func checkScreens(t *testing.T, o *office) {
	t.Helper()
	for _, s := range apptest.Screens(t, "../..") {
		t.Run(s.Name, func(t *testing.T) {
			variables := object{}
			for _, name := range s.Variables {
				value, known := shown[s.Name+"."+name]
				if !known {
					value, known = shown[name]
				}
				if !known {
					t.Fatalf("%s needs a value for $%s", s.Name, name)
				}
				variables[name] = value
			}
			answer, statements := o.counted(t, s.Text, variables)
			if len(statements) > statementsOfAScreen {
				t.Errorf(
					"%d statements, want at most %d:\n%s", len(statements), statementsOfAScreen, strings.Join(statements, "\n"),
				)
			}
			golden(t, filepath.Join("testdata", "screens", s.Name+".json"), answer)
		})
	}
}

// counted runs a query as the administrator, in this process, and returns the answer and its statements, except
// those that authenticate the caller.
func (o *office) counted(t *testing.T, query string, variables object) (answer []byte, statements []string) {
	t.Helper()
	body, err := json.Marshal(object{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	seen := make(chan string, 1000)
	counter := store.Statements{Trace: func(statement string) { seen <- statement }}
	r := httptest.NewRequest(http.MethodPost, "/graphql", bytes.NewReader(body))
	r = r.WithContext(store.Counting(r.Context(), &counter))
	r.Host = o.host
	r.Header.Set("Content-Type", "application/json")
	for name, value := range o.admin.Cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value}) //nolint:gosec // as a browser sends it back
	}
	w := httptest.NewRecorder()
	graph.New(graph.Config{Config: middleware.Config{
		Service: o.a.Service, Log: slog.New(slog.NewJSONHandler(o.a.Log, nil)), Limiter: ratelimit.New(nil, o.a.Clock.Now),
	}}).ServeHTTP(w, r)
	close(seen)
	for s := range seen {
		if !strings.Contains(s, "sessions") && !strings.Contains(s, "FROM \"tenants\"") &&
			!strings.Contains(s, "FROM `tenants`") {
			statements = append(statements, s)
		}
	}
	if w.Code != http.StatusOK || strings.Contains(w.Body.String(), `"errors"`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return w.Body.Bytes(), statements
}

// golden compares an answer with the stored one.
func golden(t *testing.T, file string, answer []byte) {
	t.Helper()
	var indented bytes.Buffer
	if err := json.Indent(&indented, answer, "", "  "); err != nil {
		t.Fatal(err)
	}
	got := indented.String()
	for _, u := range unsteady {
		got = u.is.ReplaceAllString(got, u.as)
	}
	got = strings.TrimSuffix(got, "\n") + "\n"
	if *writeScreens {
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(filepath.Clean(file))
	if err != nil {
		t.Fatalf("%v: go test ./internal/e2e -run WholeDeal -write", err)
	}
	if got != string(want) {
		t.Errorf("the answer is no longer that of %s:\n%s", file, got)
	}
}
