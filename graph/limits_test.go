package graph_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
	"paydown/internal/store"
)

// The memory a flood may use until it is refused.
const (
	floodBytes   = 8 << 20
	floodObjects = 100_000
)

// floods are expensive documents, each with a part of the error's message.
var floods = map[string]struct{ query, reason string }{
	"a long document":            {"{ " + strings.Repeat("a ", 100_000) + "}", "token limit"},
	"a document of only strings": {`{ a(b: "` + strings.Repeat("x", 200_000) + `") }`, "Cannot query field"},
	"a comment without an end":   {"#" + strings.Repeat("x", 250_000), "no operation"},
	"deep fields": {
		"{ deals { nodes " + strings.Repeat("{ merchant { deals { nodes ", 100) + "{ id }" + strings.Repeat(" }", 302),
		"deeper than 20",
	},
	"deep inline fragments": {
		"{ " + strings.Repeat("... { ", 400) + "__typename" + strings.Repeat(" }", 401),
		"deeper than 20",
	},
	"deep lists in an argument": {
		"{ deals(filter: {ids: " + strings.Repeat("[", 2000) + strings.Repeat("]", 2000) + "}) { totalCount } }",
		"nesting depth",
	},
	"aliases":                  {"{ " + many(400, "a%d: deal(id: 1) { id } ") + "}", "lookups"},
	"aliases of one value":     {"{ deal(id: 1) { " + many(1500, "a%d: dealNumber ") + "} }", ""},
	"fields that may conflict": {"{ deal(id: 1) { " + strings.Repeat("id ", 1900) + "} }", "same fields"},
	"fields that do conflict":  {"{ deal(id: 1) { " + strings.Repeat("x: id x: dealNumber ", 800) + "} }", "same fields"},
	"a fragment nobody spreads": {
		"{ __typename } fragment f on Deal { " + strings.Repeat("id ", 1900) + "}",
		"same fields",
	},
	"operations of the same": {
		many(60, "query a%d { ...f } ") + "fragment f on Query { " + strings.Repeat("leads { totalCount } ", 40) + "}",
		"more than",
	},
	"a few that conflict": {"{ deal(id: 1) { " + strings.Repeat("x: id x: dealNumber ", 25) + "} }", "conflict"},
	"repeated lists": {
		"{ " + strings.Repeat("deals { "+strings.Repeat("nodes { id merchant { id } } ", 10)+"} ", 9) + "}",
		"",
	},
	"a fragment within itself": {"{ ...a } fragment a on Query { ...b } fragment b on Query { ...a }", "within itself"},
	"fragments that multiply":  {bomb(30), "more than 2000 fields"},
	"huge pages": {
		"{ deals(first: 200) { nodes { payments(first: 200) { nodes { id amount status } } } } }",
		"values",
	},
	"huge pages by default": {
		"{ deals { nodes { payments { nodes { deal { payments { nodes { id } } } } } } } }",
		"values",
	},
	"directives":               {"{ __typename " + strings.Repeat("@skip(if: false) ", 500) + "}", "@skip"},
	"directives there are not": {"{ __typename " + strings.Repeat("@x ", 1900) + "}", "@x"},
	"a number without an end":  {"{ deal(id: " + strings.Repeat("9", 200_000) + ") { id } }", "ID cannot represent"},
	"variables":                {"query(" + many(1200, "$a%d: Int ") + ") { __typename }", "never used"},
	"operations":               {many(700, "query a%d { __typename } "), "operation"},
	"the schema, round and round": {
		"{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }", "",
	},
}

func many(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// bomb is a document of n fragments, each of which spreads the next one twice.
func bomb(n int) string {
	var b strings.Builder
	b.WriteString("{ ...f0 }")
	for i := range n {
		fmt.Fprintf(&b, " fragment f%d on Query { ...f%d ...f%d }", i, i+1, i+1)
	}
	fmt.Fprintf(&b, " fragment f%d on Query { __typename }", n)
	return b.String()
}

// A flood costs almost nothing: little memory, which also limits the time, and no statement if it is refused.
func TestExpensiveQueriesAreCheapToReject(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "flood.test")
	surface := surfaceOf(a)
	ask(t, surface, c, "{ __typename }")
	for name, flood := range floods {
		var statements atomic.Int64 // but for what finds out who calls
		counter := store.Statements{Trace: func(query string) {
			if !admits(query) {
				statements.Add(1)
			}
		}}
		r := requestOf(t, c, flood.query)
		r = r.WithContext(store.Counting(r.Context(), &counter))
		w := httptest.NewRecorder()
		bytes, objects := apptest.Cost(func() { surface.ServeHTTP(w, r) })
		t.Logf("%s: %d bytes, %d objects, %d statements", name, bytes, objects, statements.Load())
		if bytes > floodBytes || objects > floodObjects {
			t.Errorf("%s takes %d bytes and %d objects", name, bytes, objects)
		}
		var answer struct{ Errors []apptest.Object }
		if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if len(answer.Errors) == 0 {
			if flood.reason != "" {
				t.Errorf("%s is let through", name)
			}
			continue
		}
		if !strings.Contains(answer.Errors[0].Text("message"), flood.reason) {
			t.Errorf("%s: %s", name, answer.Errors[0].Text("message"))
		}
		if reported := len(fmt.Sprint(answer.Errors)); reported > 20_000 {
			t.Errorf("%s is told %d bytes of what is wrong with it", name, reported)
		}
		if n := statements.Load(); n > 0 && flood.reason != "" {
			t.Errorf("%s is refused after %d statements", name, n)
		}
	}
}

// counted reports how much of a body was read.
type counted struct {
	io.Reader
	read int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += n
	return n, err
}

func TestOversizedBodyIsNotRead(t *testing.T) {
	const bound = 256 << 10
	a := apptest.OnSQLite(t)
	c := a.Client(t, "flood.test")
	c.Ask(t, "{ __typename }", nil)
	r := requestOf(t, c, "{"+strings.Repeat(" a", 50*bound)+" }")
	body := &counted{Reader: r.Body}
	r.Body = io.NopCloser(body)
	w := httptest.NewRecorder()
	bytes, objects := apptest.Cost(func() { a.HTTP.Config.Handler.ServeHTTP(w, r) })
	answer := &apptest.Answer{Status: w.Code, Header: w.Header(), Body: w.Body.Bytes()}
	if problem := errorOf(t, answer, http.StatusRequestEntityTooLarge); problem != "payload_too_large" {
		t.Fatal(problem)
	}
	if body.read > bound+1 {
		t.Errorf("%d bytes of it are read", body.read)
	}
	if bytes > floodBytes || objects > floodObjects {
		t.Errorf("it takes %d bytes and %d objects", bytes, objects)
	}
}

func TestErrorsContainNoSuggestions(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "suggestions.test")
	for _, query := range []string{
		"{ deal(id: 1) { stat } }", "{ deal(idd: 1) { id } }", "{ deals(filter: {stat: FUNDED}) { nodes { id } } }",
		"{ deals(filter: {state: FUNDE}) { nodes { id } } }", `mutation { createLead(input: {businessNam: "x"}) { id } }`,
		"query($x: DealFilte) { deals(filter: $x) { totalCount } }",
	} {
		if answer := string(post(t, c, bodyOf(t, query, nil)).Body); strings.Contains(answer, "Did you mean") ||
			!strings.Contains(answer, "errors") {
			t.Errorf("%s: %s", query, answer)
		}
	}
}

// However many mutations a request has, each counts as one request.
func TestMutationsCountTowardRateLimit(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "counts.test")
	c := a.As(
		host,
		a.NewKey(
			t, host, service.NewKey{Name: "limited", Kind: auth.Live, Scopes: []string{"leads:write"}, RateLimit: 10},
		).Token,
	)
	three := "mutation {" + strings.Repeat(` LEAD: createLead(input: {businessName: "x"}) { id }`, 3) + " }"
	for _, alias := range []string{"a", "b", "c"} {
		three = strings.Replace(three, "LEAD", alias, 1)
	}
	for n := range 3 {
		if got := post(t, c, bodyOf(t, three, nil)); got.Header.Get("X-RateLimit-Remaining") != strconv.Itoa(7-3*n) {
			t.Errorf("after %d requests of three: %s left, %s", n+1, got.Header.Get("X-RateLimit-Remaining"), got.Body)
		}
	}
	if got := post(t, c, bodyOf(t, three, nil)); got.Status != http.StatusTooManyRequests {
		t.Errorf("the fourth: %d %s", got.Status, got.Body)
	}
	if n := a.Store.Reader().Lead.Query().CountX(a.Operator(t, host)); n != 9 {
		t.Errorf("%d leads", n)
	}
}
