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
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
	"github.com/vektah/gqlparser/v2/parser"

	"paydown/graph"
	"paydown/internal/gate"
	"paydown/internal/ratelimit"
	"paydown/internal/store"
)

var writeScreens = flag.Bool("write", false, "write the golden answers to the portal's queries anew")

// statementsOfAScreen is the most that any query of the portal may take, however much there is to show.
const statementsOfAScreen = 12

// screensAt is where the portal keeps its operations.
const screensAt = "../../web/src/gql/screens"

// screen is a query of the portal.
type screen struct {
	name, text string
	variables  []string // that it cannot do without
}

// screens are all queries of the portal, by name.
func screens(t *testing.T) []screen {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(screensAt, "*.graphql"))
	if err != nil || len(files) == 0 {
		t.Fatalf("the portal has no operations in %s: %v", screensAt, err)
	}
	whole := &ast.QueryDocument{}
	for _, file := range files {
		text, err := os.ReadFile(filepath.Clean(file))
		if err != nil {
			t.Fatal(err)
		}
		document, err := parser.ParseQuery(&ast.Source{Name: file, Input: string(text)})
		if err != nil {
			t.Fatal(err)
		}
		whole.Operations = append(whole.Operations, document.Operations...)
		whole.Fragments = append(whole.Fragments, document.Fragments...)
	}
	var all []screen
	for _, operation := range whole.Operations {
		if operation.Operation != ast.Query {
			continue
		}
		one := screen{name: operation.Name}
		for _, v := range operation.VariableDefinitions {
			if v.Type.NonNull && v.DefaultValue == nil {
				one.variables = append(one.variables, v.Variable)
			}
		}
		alone := &ast.QueryDocument{Operations: ast.OperationList{operation}}
		spread(operation.SelectionSet, whole.Fragments, alone)
		var text strings.Builder
		formatter.NewFormatter(&text).FormatQueryDocument(alone)
		one.text = text.String()
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b screen) int { return strings.Compare(a.name, b.name) })
	return all
}

// spread adds the fragments that a selection needs to a document, once each.
func spread(selected ast.SelectionSet, all ast.FragmentDefinitionList, document *ast.QueryDocument) {
	for _, selection := range selected {
		switch s := selection.(type) {
		case *ast.Field:
			spread(s.SelectionSet, all, document)
		case *ast.InlineFragment:
			spread(s.SelectionSet, all, document)
		case *ast.FragmentSpread:
			if f := all.ForName(s.Name); f != nil && document.Fragments.ForName(s.Name) == nil {
				document.Fragments = append(document.Fragments, f)
				spread(f.SelectionSet, all, document)
			}
		}
	}
}

// shown are the values of the variables that the portal's queries cannot do without, by name; with a query's name in front
// where it means another.
var shown = object{
	"id": 1, "first": 20, "state": "FUNDED", "from": "2026-01-01", "to": "2026-01-31", "FundingBlocks.to": "FUNDED",
}

// What differs from one run to the next: instants, signed cursors, secrets.
var unsteady = []struct {
	is *regexp.Regexp
	as string
}{
	{regexp.MustCompile(`"\d{4}-\d\d-\d\dT[0-9:.]+Z"`), `"TIME"`},
	{regexp.MustCompile(`"msg_[A-Z2-7]+"`), `"MESSAGE"`},
	{regexp.MustCompile(`"(last4|cursor|startCursor|endCursor|shareToken|requestId)": "[^"]*"`), `"$1": "…"`},
}

// Each query of the portal answers as it did, about the same company on both databases, and in few statements.
func checkScreens(t *testing.T, o *office) {
	t.Helper()
	for _, s := range screens(t) {
		t.Run(s.name, func(t *testing.T) {
			variables := object{}
			for _, name := range s.variables {
				value, known := shown[s.name+"."+name]
				if !known {
					value, known = shown[name]
				}
				if !known {
					t.Fatalf("%s needs a value for $%s", s.name, name)
				}
				variables[name] = value
			}
			answer, statements := o.counted(t, s.text, variables)
			if len(statements) > statementsOfAScreen {
				t.Errorf("%d statements, want at most %d:\n%s", len(statements), statementsOfAScreen, strings.Join(statements, "\n"))
			}
			golden(t, filepath.Join("testdata", "screens", s.name+".json"), answer)
		})
	}
}

// counted asks as the administrator, in this process, and returns the answer and its statements, but for those that find
// out who asks.
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
	graph.New(graph.Config{Config: gate.Config{
		Service: o.a.Service, Log: slog.New(slog.NewJSONHandler(o.a.Log, nil)), Limiter: ratelimit.New(nil, o.a.Clock.Now),
	}}).ServeHTTP(w, r)
	close(seen)
	for s := range seen {
		if !strings.Contains(s, "sessions") && !strings.Contains(s, "FROM \"tenants\"") && !strings.Contains(s, "FROM `tenants`") {
			statements = append(statements, s)
		}
	}
	if w.Code != http.StatusOK || strings.Contains(w.Body.String(), `"errors"`) {
		t.Fatalf("%d %s", w.Code, w.Body)
	}
	return w.Body.Bytes(), statements
}

// golden compares an answer with the one that is kept.
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
