package graph_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
)

// errorOf ends the test unless the response has the status, an error and no data; it returns the error's code.
func errorOf(t *testing.T, answer *apptest.Answer, status int) string {
	t.Helper()
	body := answer.Want(t, status)
	problems := body.List("errors")
	if _, data := body["data"]; len(problems) != 1 || data {
		t.Fatalf("%s", answer.Body)
	}
	extensions := problems[0].In("extensions")
	if id := extensions.Text("requestId"); id == "" || id != answer.Header.Get("X-Request-Id") {
		t.Errorf("requestId is %q: %s", id, answer.Body)
	}
	return extensions.Text("code")
}

func TestRequestIsOneOperationAsJSONPost(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "http.test")
	for _, r := range []struct {
		name, method, path, media, body string
		status                          int
		code                            string
	}{
		{
			"a form", "POST", "/graphql", "application/x-www-form-urlencoded",
			"query=%7B__typename%7D", 415, "unsupported_media_type",
		},
		{"an upload", "POST", "/graphql", "multipart/form-data; boundary=x", "--x--", 415, "unsupported_media_type"},
		{"a bare document", "POST", "/graphql", "application/graphql", "{ __typename }", 415, "unsupported_media_type"},
		{"a batch", "POST", "/graphql", "application/json", `[{"query":"{ __typename }"}]`, 400, "validation_error"},
		{"no JSON", "POST", "/graphql", "application/json", `{"query":`, 400, "invalid_json"},
		{
			"a name twice", "POST", "/graphql", "application/json",
			`{"query":"{ __typename }","query":"{ __typename }"}`, 400, "validation_error",
		},
		{"two values", "POST", "/graphql", "application/json", `{"query":"{ __typename }"} {}`, 400, "invalid_json"},
		{"no UTF-8", "POST", "/graphql", "application/json", "{\"query\":\"{ __typename } #\xff\"}", 400, "validation_error"},
		{"no document", "POST", "/graphql", "application/json", `{}`, 400, "validation_error"},
		{
			"variables that are none", "POST", "/graphql", "application/json",
			`{"query":"{ __typename }","variables":[1]}`, 400, "validation_error",
		},
		{"another method", "PUT", "/graphql", "application/json", `{"query":"{ __typename }"}`, 405, "method_not_allowed"},
		{
			"a mutation by GET", "GET", "/graphql?query=" + url.QueryEscape("mutation { deleteLead(id: 1) }"),
			"", "", 405, "method_not_allowed",
		},
		{
			"a parameter twice", "GET", "/graphql?query=%7B__typename%7D&query=%7B__typename%7D",
			"", "", 400, "validation_error",
		},
		{"another path", "POST", "/graphql/", "application/json", `{"query":"{ __typename }"}`, 404, "not_found"},
	} {
		client := c
		if r.media != "" {
			client = c.With("Content-Type", r.media)
		}
		var body any
		if r.body != "" {
			body = r.body
		}
		answer := client.Do(t, r.method, r.path, body)
		if r.name == "another path" { // which is REST's
			answer.Problem(t, 404, "not_found")
			continue
		}
		if code := errorOf(t, answer, r.status); code != r.code {
			t.Errorf("%s: %s", r.name, answer.Body)
		}
	}
	if answer := c.Do(t, "GET", "/graphql?query="+url.QueryEscape("{ leads { totalCount } }"), nil); answer.Status != 200 {
		t.Errorf("a query by GET: %d %s", answer.Status, answer.Body)
	}
}

func TestAuthErrorsAreGraphQLErrors(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "gate.test")
	query := map[string]any{"query": "{ __typename }"}
	answer := a.As(c.Host, "").Do(t, "POST", "/graphql", query)
	if code := errorOf(t, answer, http.StatusUnauthorized); code != "unauthorized" ||
		answer.Header.Get("WWW-Authenticate") == "" {
		t.Errorf("%s %v", answer.Body, answer.Header)
	}
	code := errorOf(t, a.As("nobody.test", c.Token).Do(t, "POST", "/graphql", query), http.StatusNotFound)
	if code != "not_found" {
		t.Errorf("a host that is nobody's: %s", code)
	}
}

func TestResponseFormatFollowsAccept(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "accept.test")
	for _, r := range []struct {
		accept, query, media string
		status               int
	}{
		{"", "{ __typename }", "application/json", 200},
		{"*/*", "{", "application/json", 200},
		{"application/json", "{ nothing }", "application/json", 200},
		{"application/graphql-response+json", "{ __typename }", "application/graphql-response+json", 200},
		{"application/graphql-response+json, application/json", "{ nothing }", "application/graphql-response+json", 400},
		{"application/graphql-response+json", "{", "application/graphql-response+json", 400},
		{"application/graphql-response+json", "{ deal(id: 1) { id } }", "application/graphql-response+json", 200},
	} {
		client := c
		if r.accept != "" {
			client = c.With("Accept", r.accept)
		}
		answer := client.Do(t, "POST", "/graphql", map[string]any{"query": r.query})
		if media := answer.Header.Get("Content-Type"); answer.Status != r.status || !strings.HasPrefix(media, r.media+";") {
			t.Errorf("%q %s: %d %s %s", r.accept, r.query, answer.Status, media, answer.Body)
		}
	}
}

func TestOperationTimesOut(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "time.test")
	answer := ask(t, surfaceOf(a).Within(time.Nanosecond), c, "{ leads { totalCount } }").Want(t, http.StatusOK)
	if code := answer.List("errors")[0].In("extensions")["code"]; code != "unavailable" {
		t.Errorf("%v", answer)
	}
}

func TestIntrospectionRequiresPermission(t *testing.T) {
	for _, open := range []bool{false, true} {
		var options []apptest.Option
		if open {
			options = append(options, apptest.Introspecting())
		}
		a := apptest.OnSQLite(t, options...)
		c := a.Client(t, "schema.test")
		for _, query := range []string{
			"{ __schema { types { name } } }", `{ __type(name: "Deal") { name } }`,
			"{ ...s } fragment s on Query { ... on Query { __schema { queryType { name } } } }",
		} {
			answer := c.Ask(t, query, nil)
			if open != (len(answer.Errors) == 0) {
				t.Errorf("open %t: %s %v", open, query, answer.Errors)
			}
			if !open {
				answer.Refused(t, "forbidden")
			}
		}
		if answer := c.Ask(t, introspection, nil); open && len(answer.Data.In("__schema").List("types")) < 100 {
			t.Errorf("%v", answer.Errors)
		}
		if answer := c.Ask(t, "{ deals { nodes { __typename dealNumbr } } }", nil); strings.Contains(
			answer.Errors[0].Text("message"), "dealNumber",
		) {
			t.Errorf("a name is suggested: %v", answer.Errors)
		}
	}
}

// introspection is the query by which tools read a schema.
const introspection = `query IntrospectionQuery {
	__schema { queryType { name } mutationType { name } subscriptionType { name } types { ...FullType }
		directives { name description locations args { ...InputValue } } } }
fragment FullType on __Type { kind name description
	fields(includeDeprecated: true) {
		name description args { ...InputValue } type { ...TypeRef } isDeprecated deprecationReason }
	inputFields { ...InputValue } interfaces { ...TypeRef }
	enumValues(includeDeprecated: true) { name description isDeprecated deprecationReason } possibleTypes { ...TypeRef } }
fragment InputValue on __InputValue { name description type { ...TypeRef } defaultValue }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name
	ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } } } }`
