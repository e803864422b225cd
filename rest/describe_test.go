package rest_test

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"paydown/internal/apptest"
)

// description is the API's OpenAPI description, and its schemas.
type description struct {
	doc    apptest.Object // references to closed sets of values are replaced by what they refer to
	strict *jsonschema.Compiler
	sparse *jsonschema.Compiler // for records that ?fields= has cut down
}

const descriptionURL = "https://api.test/openapi.json"

func describedBy(tb testing.TB, c *apptest.Client) *description {
	tb.Helper()
	answer := c.Do(tb, "GET", "/api/openapi.json", nil)
	d := &description{
		doc:    keyed(answer.Want(tb, 200)),
		strict: compilerOf(tb, answer.Body, nil),
		sparse: compilerOf(tb, answer.Body, trimDescription),
	}
	inlineEnums(d.doc, d.doc.In("components").In("schemas"))
	return d
}

// compilerOf compiles the schemas of a description, after changing it.
func compilerOf(tb testing.TB, text []byte, change func(map[string]any)) *jsonschema.Compiler {
	tb.Helper()
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		tb.Fatal(err)
	}
	if change != nil {
		change(raw.(map[string]any))
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource(descriptionURL, raw); err != nil {
		tb.Fatal(err)
	}
	return compiler
}

// trimDescription requires only the id of a record.
func trimDescription(doc map[string]any) {
	for _, schema := range doc["components"].(map[string]any)["schemas"].(map[string]any) {
		if required, ok := schema.(map[string]any)["required"].([]any); ok && slices.Contains(required, any("id")) {
			schema.(map[string]any)["required"] = []any{"id"}
		}
	}
}

// asRead changes the schema for a request that names fields: the others may be missing.
func (w *witness) asRead(address string) *witness {
	if _, query, _ := strings.Cut(address, "?"); !strings.Contains("&"+query, "&fields=") {
		return w
	}
	d := *w.description
	d.strict = d.sparse
	return &witness{&d, w.seen}
}

// inlineEnums replaces each reference to an enum by its values, and alternatives by one list of types, for
// tests that try the values and the types.
func inlineEnums(node any, schemas apptest.Object) {
	switch n := node.(type) {
	case apptest.Object:
		inlineEnums(map[string]any(n), schemas)
	case map[string]any:
		if either, ok := n["anyOf"].([]any); ok {
			delete(n, "anyOf")
			n["type"] = []any{}
			for _, one := range either {
				inlineEnums(one, schemas)
				n["type"] = append(n["type"].([]any), one.(map[string]any)["type"])
				if values, closed := one.(map[string]any)["enum"].([]any); closed {
					n["enum"] = append(slices.Clone(values), nil)
				}
			}
			return
		}
		name := strings.TrimPrefix(apptest.Object(n).Text("$ref"), "#/components/schemas/")
		if values, closed := schemas.In(name)["enum"].([]any); closed {
			delete(n, "$ref")
			n["type"], n["enum"] = "string", values
		}
		for _, child := range n {
			inlineEnums(child, schemas)
		}
	case []any:
		for _, child := range n {
			inlineEnums(child, schemas)
		}
	}
}

// pointer returns the location of a part of the description.
func pointer(parts ...string) string {
	var b strings.Builder
	b.WriteString(descriptionURL + "#")
	for _, part := range parts {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(part))
	}
	return b.String()
}

// check validates a JSON text by the schema at a location.
func check(compiler *jsonschema.Compiler, place string, text []byte) error {
	schema, err := compiler.Compile(place)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

// operation finds the operation of a request, by its template.
func (d *description) operation(method, path string) (route string, op apptest.Object) {
	path, _, _ = strings.Cut(path, "?")
	for route, item := range d.doc.In("paths") {
		pattern := "^" + regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(regexp.QuoteMeta(route), "[^/]+") + "$"
		if regexp.MustCompile(pattern).MatchString(path) {
			if op, ok := item.(map[string]any)[strings.ToLower(method)].(map[string]any); ok {
				return route, op
			}
		}
	}
	return "", nil
}

// response is the description of a status of an operation, and its location.
func (d *description) response(route, method, status string) (apptest.Object, []string) {
	place := []string{"paths", route, strings.ToLower(method), "responses", status}
	response := d.doc.In("paths").In(route).In(strings.ToLower(method)).In("responses").In(status)
	if ref := response.Text("$ref"); ref != "" {
		name := strings.TrimPrefix(ref, "#/components/responses/")
		return d.doc.In("components").In("responses").In(name), []string{"components", "responses", name}
	}
	return response, place
}

func TestTheDescriptionIsOpenAPI(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "openapi.test")
	other := a.Tenant(t, "other.test")
	answer := a.As(other, "").Do(t, "GET", "/api/openapi.json", nil)
	framed(t, "the description", answer)
	if again := c.Do(t, "GET", "/api/openapi.json", nil); answer.Status != 200 || !bytes.Equal(answer.Body, again.Body) {
		t.Errorf("without a key, on another host: %d", answer.Status)
	}
	// The schema of OpenAPI 3.1 documents, from https://spec.openapis.org/oas/3.1/schema/2022-10-07.
	text, err := os.ReadFile("testdata/openapi-3.1.json")
	if err != nil {
		t.Fatal(err)
	}
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	const url = "https://spec.openapis.org/oas/3.1/schema/2022-10-07"
	if err := compiler.AddResource(url, schema); err != nil {
		t.Fatal(err)
	}
	if err := check(compiler, url, answer.Body); err != nil {
		t.Errorf("%#v", err)
	}
	d := describedBy(t, c)
	info := d.doc.In("info")
	if d.doc["openapi"] != "3.1.0" || info["version"] != "1.0.0" || info.Text("title") == "" ||
		info.Text("description") == "" {
		t.Errorf("info is %v", info)
	}
	for name := range d.doc.In("components").In("schemas") {
		if _, err := d.strict.Compile(pointer("components", "schemas", name)); err != nil {
			t.Errorf("schema %s: %v", name, err)
		}
	}
}

func TestEveryOperationIsDescribedInFull(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "full.test")
	d := describedBy(t, c)
	operations(t, c) // the scopes
	var tags []string
	for _, tag := range d.doc.List("tags") {
		tags = append(tags, tag.Text("name"))
	}
	ids := map[string]string{}
	for route, item := range d.doc.In("paths") {
		if !strings.HasPrefix(route, "/api/v1/") {
			t.Errorf("%s is no path below /api/v1", route)
		}
		for method, raw := range item.(map[string]any) {
			name, op := strings.ToUpper(method)+" "+route, apptest.Object(raw.(map[string]any))
			id := op.Text("operationId")
			if !regexp.MustCompile(`^[a-z][A-Za-z0-9]+$`).MatchString(id) || ids[id] != "" {
				t.Errorf("%s: operationId %q, also of %s", name, id, ids[id])
			}
			ids[id] = name
			if op.Text("summary") == "" || len(op["tags"].([]any)) != 1 ||
				!slices.Contains(tags, op["tags"].([]any)[0].(string)) {
				t.Errorf("%s: summary %q, tags %v", name, op["summary"], op["tags"])
			}
			scope := op.Text("x-scope")
			if !strings.Contains(op.Text("description"), scope) {
				t.Errorf("%s does not tell people its scope", name)
			}
			if fmt.Sprint(op["security"]) != "[map[apiKey:[]]]" {
				t.Errorf("%s: security %v", name, op["security"])
			}
			if (op["requestBody"] != nil) != (method == "post" && name != actOnEndpoint || method == "patch") {
				t.Errorf("%s: request body %v", name, op["requestBody"] != nil)
			}
			checkParameters(t, name, op)
			checkResponses(t, d, route, method, op)
		}
	}
}

// actOnEndpoint is the one POST that creates no record: its parameter names the action.
const actOnEndpoint = "POST /api/v1/webhook-endpoints/{id}"

func checkParameters(t *testing.T, name string, op apptest.Object) {
	t.Helper()
	found := map[string]bool{}
	for _, p := range op.List("parameters") {
		key := p.Text("in") + " " + p.Text("name")
		if found[key] || p.Text("description") == "" || len(p.In("schema")) == 0 ||
			(p["required"] == true) != (p.Text("in") == "path" || p.Text("name") == "action") {
			t.Errorf("%s: parameter %v", name, p)
		}
		found[key] = true
	}
	if found["path id"] != strings.Contains(name, "{id}") {
		t.Errorf("%s: parameters %v", name, found)
	}
	if found["header Idempotency-Key"] != strings.HasPrefix(name, "POST") {
		t.Errorf("%s: parameters %v", name, found)
	}
}

func checkResponses(t *testing.T, d *description, route, method string, op apptest.Object) {
	t.Helper()
	name := strings.ToUpper(method) + " " + route
	want := []string{"400", "401", "403", "404", "429", "500", "503"}
	if method != "get" {
		want = append(want, "409")
	}
	if op["requestBody"] != nil {
		want = append(want, "413", "415", "422")
	}
	switch {
	case name == actOnEndpoint:
		want = append(want, "200", "202", "422")
	case method == "post":
		want = append(want, "201")
	default:
		want = append(want, "200")
	}
	var got []string
	for status := range op.In("responses") {
		got = append(got, status)
	}
	sameTexts(t, name+" responds", got, want)
	for _, status := range want {
		response, place := d.response(route, method, status)
		media := response.In("content").In("application/json")
		if response.Text("description") == "" || media["example"] == nil {
			t.Errorf("%s %s: %v", name, status, response)
			continue
		}
		headers := []string{"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}
		if method == "post" && status < "300" {
			headers = append(headers, "Idempotency-Replayed")
		}
		headers = append(headers, map[string][]string{
			"401": {"WWW-Authenticate"}, "409": {"Retry-After"}, "429": {"Retry-After"}, "503": {"Retry-After"},
		}[status]...)
		var described []string
		for header := range response.In("headers") {
			described = append(described, header)
		}
		sameTexts(t, name+" "+status+" has the headers", described, headers)
		example := marshal(t, media["example"])
		if err := check(d.strict, pointer(append(place, "content", "application/json", "schema")...), example); err != nil {
			t.Errorf("%s %s: the example %s is none: %v", name, status, example, err)
		}
	}
}

func sameTexts(tb testing.TB, what string, got, want []string) {
	tb.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		tb.Errorf("%s %v, want %v", what, got, want)
	}
}
