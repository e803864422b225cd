package rest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// apart are the paths and operations that other tests cover, each with the reason.
var apart = map[string]string{
	"POST /api/v1/webhook-endpoints/{id}": "does one thing or another, and makes no record: webhookendpoints_test.go",
}

// Every operation of the description is called with everything a caller can do wrong, and correctly: status,
// code, envelope, headers and the named field follow the contract.
func TestEveryOperationKeepsTheContract(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
		s := newStage(t, a.Replica(t, apptest.Trusting(loopback...))) // so that strangers can come from many addresses
		for route, item := range s.doc.In("paths") {
			if apart[route] != "" {
				continue
			}
			f, known := fixtures[baseOf(route)]
			if !known {
				t.Errorf("%s has no fixture: add one, or an entry in apart with a reason", route)
				continue
			}
			for method := range item.(map[string]any) {
				if apart[strings.ToUpper(method)+" "+route] == "" {
					s.operation(t, route, strings.ToUpper(method), f)
				}
			}
			s.otherMethods(t, route, item.(map[string]any))
		}
	})
}

// stage is where operations are tried: two tenants with a record of each kind, and callers of every sort.
type stage struct {
	*witness
	app          *apptest.App
	mine, theirs *owner
	stranger     *apptest.Client // without a key
	malformed    *apptest.Client
	nowhere      *apptest.Client // at a host that is no tenant's
	test         *apptest.Client // a test key of a tenant without a sandbox
	without      map[string]*apptest.Client
	strangers    int // requests by who has no good key, each from an address of its own
}

func newStage(t *testing.T, a *apptest.App) *stage {
	t.Helper()
	s := &stage{
		app: a, mine: newOwner(t, a, "mine.test"), theirs: newOwner(t, a, "theirs.test"),
		without: map[string]*apptest.Client{},
	}
	s.witness = &witness{describedBy(t, s.mine.Client), map[string]bool{}}
	host := s.mine.Host
	s.stranger, s.malformed = a.As(host, ""), a.As(host, "svc_live_nonsense")
	s.nowhere = a.As("nobody.test", s.mine.Token)
	s.test = a.As(host, a.NewKey(t, host, service.NewKey{
		Name: "test", Kind: auth.Test, Scopes: auth.AllScopes().Strings(),
	}).Token)
	return s
}

// spent is a caller whose rate limit was just used up, for the next minute.
func (s *stage) spent(t *testing.T) *apptest.Client {
	t.Helper()
	c := limitedKey(t, s.app, s.mine.Host, 1)
	c.Get(t, "/whoami")
	return c
}

// lacking is a caller whose key has every scope except the given one.
func (s *stage) lacking(t *testing.T, scope string) *apptest.Client {
	t.Helper()
	if s.without[scope] == nil {
		resource, verb, _ := strings.Cut(scope, ":")
		var held []string
		for _, other := range auth.Resources {
			if other != resource {
				held = append(held, string(auth.Write(other)))
			}
		}
		if verb == "write" {
			held = append(held, resource+":read", string(auth.ReadEverything))
		}
		s.without[scope] = s.app.As(s.mine.Host, s.app.Key(t, s.mine.Host, held...).Token)
	}
	return s.without[scope]
}

// trial is an operation under test, with what it needs to succeed.
type trial struct {
	*stage
	route, method string
	op            apptest.Object
	f             fixture
	good          apptest.Object // its body; nil where it takes none
	address       string         // of my record
}

func (s *stage) operation(t *testing.T, route, method string, f fixture) {
	t.Helper()
	x := &trial{stage: s, route: route, method: method, op: s.doc.In("paths").In(route).In(strings.ToLower(method)), f: f}
	t.Run(method+" "+route, func(t *testing.T) {
		switch {
		case x.op["requestBody"] == nil:
		case method == http.MethodPost && f.body != nil:
			x.good = f.body(t, s.mine)
		case method == http.MethodPatch && f.change != nil:
			x.good = f.change
		default:
			t.Fatal("the fixture has no body for it")
		}
		x.address = x.at(0)
		if strings.Contains(route, "{id}") {
			x.address = x.at(s.mine.record(t, baseOf(route)))
		}
		x.callers(t)
		x.ids(t)
		x.bodies(t)
		x.parameters(t)
		x.success(t)
	})
}

// at is the address of a record, or of the collection if the path has no id.
func (x *trial) at(id int) string { return x.with(strconv.Itoa(id)) }

func (x *trial) with(id string) string {
	return strings.ReplaceAll(strings.TrimPrefix(x.route, "/api/v1"), "{id}", id)
}

// body is the valid body for requests in which something else is wrong.
func (x *trial) body() any {
	if x.good == nil {
		return nil
	}
	return x.good
}

// refuses sends a request and requires the error; field is the path among its details, "" if none is required.
func (x *trial) refuses(
	t *testing.T, what string, c *apptest.Client, address string, body any, status int, code, field string,
) *apptest.Answer {
	t.Helper()
	answer := c.Do(t, x.method, address, body)
	what += ": " + shortened(x.method+" "+address)
	refusal(t, what, answer, status, code)
	if t.Failed() {
		return answer
	}
	x.judge(t, x.method, x.route, answer)
	if messages := answer.Problem(t, status, code); field != "" && (len(messages) != 1 || messages[field] == "") {
		t.Errorf("%s: names %v, want %s alone", what, messages, field)
	}
	return answer
}

func shortened(s string) string {
	if len(s) > 100 {
		return s[:100] + "…"
	}
	return s
}

// callers tries every unauthorized caller: without a key, with a bad one, without the scope, at a wrong host,
// over the limit.
func (x *trial) callers(t *testing.T) {
	t.Helper()
	scope := x.op.Text("x-scope")
	if known, want := scopeOf[x.method+" "+x.route]; scope != known || !want {
		t.Errorf("the scope is %q, want %q", scope, known)
	}
	foreign := x.app.As(x.mine.Host, x.theirs.Token)
	for what, c := range map[string]*apptest.Client{
		"without a key": x.stranger, "with a malformed key": x.malformed, "with another tenant's key": foreign,
	} {
		x.refuses(t, what, x.fromNewAddress(c), x.address, x.body(), 401, "unauthorized", "")
	}
	x.refuses(t, "at an unknown host", x.fromNewAddress(x.nowhere), x.address, x.body(), 404, "not_found", "")
	x.refuses(t, "over the rate limit", x.spent(t), x.address, x.body(), 429, "rate_limited", "")
	if scope != "" {
		x.refuses(t, "without the scope", x.lacking(t, scope), x.address, x.body(), 403, "forbidden", "")
	}
	if x.method != http.MethodGet {
		x.refuses(t, "with a test key", x.test, x.address, x.body(), 403, "forbidden", "")
	} else {
		x.judge(t, x.method, x.route, x.good200(t, x.test, x.address))
	}
}

// fromNewAddress is a caller at an address not used before.
func (s *stage) fromNewAddress(c *apptest.Client) *apptest.Client {
	s.strangers++
	return c.With("X-Forwarded-For", fmt.Sprintf("203.0.%d.%d", s.strangers/250, s.strangers%250))
}

func (x *trial) good200(t *testing.T, c *apptest.Client, address string) *apptest.Answer {
	t.Helper()
	answer := c.Do(t, x.method, address, x.body())
	if answer.Status != 200 {
		t.Errorf("%s %s: %d %s", x.method, address, answer.Status, answer.Body)
	}
	return answer
}

// noIDs are invalid ids.
var noIDs = []string{"0", "-1", "1.5", "abc", "9223372036854775808"}

const unknownID = 987654321

// ids tries ids in the path: an invalid one, a nonexistent one, and another tenant's, which has the same
// answer.
func (x *trial) ids(t *testing.T) {
	t.Helper()
	if !strings.Contains(x.route, "{id}") {
		return
	}
	for _, id := range append(noIDs, "+1", "1e3", "0x1", "%20", "1;", "1'", "%D9%A1") {
		x.refuses(t, "no id", x.mine.Client, x.with(id), x.body(), 400, "invalid_id", "id")
	}
	unknown := x.refuses(t, "an unknown id", x.mine.Client, x.at(unknownID), x.body(), 404, "not_found", "")
	x.refuses(t, "the largest id", x.mine.Client, x.at(1<<63-1), x.body(), 404, "not_found", "")
	theirs := x.theirs.record(t, baseOf(x.route))
	foreign := x.refuses(t, "another tenant's id", x.mine.Client, x.at(theirs), x.body(), 404, "not_found", "")
	if a, b := unknown.JSON(t), foreign.JSON(t); a["error"] != b["error"] || len(a) != len(b) {
		t.Errorf("%s is told from %s", foreign.Body, unknown.Body)
	}
	if x.doc.In("paths").In(x.route)["get"] != nil {
		x.theirs.Get(t, x.at(theirs)) // and it is still there
	}
}

// bodies tries invalid bodies of the operation, and each of its fields missing, null or a reference to a
// nonexistent record.
func (x *trial) bodies(t *testing.T) {
	t.Helper()
	if x.good == nil {
		return
	}
	c := x.mine.Client
	good := string(marshal(t, x.good))
	names := slices.Sorted(maps.Keys(x.good))
	most := x.f.most
	if most == 0 {
		most = 1 << 20
	}
	x.refuses(t, "an empty body", c, x.address, "", 400, "validation_error", "body")
	x.refuses(t, "no JSON", c, x.address, "{", 400, "invalid_json", "")
	x.refuses(t, "more than one value", c, x.address, good+"{}", 400, "invalid_json", "")
	x.refuses(t, "another media type", c.With("Content-Type", "text/plain"), x.address, good, 415,
		"unsupported_media_type", "")
	for _, other := range []string{"[" + good + "]", "[]", "null", "true", "1", `"x"`} {
		x.refuses(t, "no object", c, x.address, other, 400, "validation_error", "body")
	}
	x.refuses(t, "a body 100,000 deep", c, x.address, strings.Repeat(`{"a":`, 100_000), 400, "validation_error", "body")
	x.refuses(t, "a body too large", c, x.address, good+strings.Repeat(" ", most+1-len(good)), 413,
		"payload_too_large", "")
	x.refuses(t, "a body that is no UTF-8", c, x.address, `{"`+names[0]+"\":\"\xff\"}", 400, "validation_error", "body")
	for _, name := range append(slices.Clone(names), "nope") {
		value := string(marshal(t, x.good[name]))
		twice := strings.TrimSuffix(good, "}") + `,"` + name + `":` + value + `,"` + name + `":` + value + "}"
		x.refuses(t, name+" twice", c, x.address, twice, 400, "validation_error", name)
	}
	for _, name := range []string{"nope", "", "__proto__", strings.ToUpper(names[0]), names[0] + " "} {
		answer := x.refuses(t, "an unknown field", c, x.address, merged(apptest.Object{name: "x"}, x.good), 400,
			"validation_error", "")
		if messages := answer.Problem(t, 400, "validation_error"); len(messages) != 1 || messages[name] != "unknown field" {
			t.Errorf("%q names %v", name, messages)
		}
	}
	x.fields(t)
	if x.method == http.MethodPost {
		for _, key := range []string{"", " ", "two words", "\u00e9", strings.Repeat("k", 256)} {
			x.refuses(t, "a bad idempotency key", c.With("Idempotency-Key", key), x.address, x.body(), 400,
				"validation_error", "Idempotency-Key")
		}
	}
}

// fields tries each field of the body's schema.
func (x *trial) fields(t *testing.T) {
	t.Helper()
	schema := x.bodySchema()
	required, _ := schema["required"].([]any)
	for _, name := range required {
		body := maps.Clone(x.good)
		delete(body, name.(string))
		x.refuses(t, "a body that lacks a field", x.mine.Client, x.address, body, 400, "validation_error", name.(string))
	}
	for name, property := range schema.In("properties") {
		p := apptest.Object(property.(map[string]any))
		with := func(value any) apptest.Object {
			body := maps.Clone(x.good)
			delete(body, x.f.instead[name])
			body[name] = value
			return body
		}
		if !slices.Contains(typesOf(p), "null") {
			x.refuses(t, "null", x.mine.Client, x.address, with(nil), 400, "validation_error", name)
		}
		if values, closed := p["enum"].([]any); closed {
			answer := x.refuses(t, "a value outside of the enumeration", x.mine.Client, x.address, with("NOPE"), 400,
				"validation_error", name)
			for _, value := range values {
				if text, ok := value.(string); ok && !strings.Contains(answer.Problem(t, 400, "validation_error")[name], text) {
					t.Errorf("the message about %s does not list %s", name, text)
				}
			}
		}
		if !isReference(name, p) {
			continue
		}
		for _, no := range []any{0, -1, 1.5, "1", json.Number("9223372036854775808"), true, []int{1}} {
			x.refuses(t, "no id in "+name, x.mine.Client, x.address, with(no), 400, "validation_error", name)
		}
		body := with(unknownID)
		x.refuses(t, "an unknown "+name, x.mine.Client, x.address, body, 422, "invalid_reference", name)
		body[name] = x.theirs.referred(t, name)
		x.refuses(t, "another tenant's "+name, x.mine.Client, x.address, body, 422, "invalid_reference", name)
	}
}

// bodySchema is the schema of the operation's body.
func (x *trial) bodySchema() apptest.Object {
	ref := x.op.In("requestBody").In("content").In("application/json").In("schema").Text("$ref")
	return x.doc.In("components").In("schemas").In(strings.TrimPrefix(ref, "#/components/schemas/"))
}

// isReference reports whether a field names another record.
func isReference(name string, property apptest.Object) bool {
	return strings.HasSuffix(name, "Id") && slices.Contains(typesOf(property), "integer")
}

// typesOf are the types that a schema allows.
func typesOf(schema apptest.Object) []string {
	switch t := schema["type"].(type) {
	case string:
		return []string{t}
	case []any:
		var all []string
		for _, one := range t {
			all = append(all, one.(string))
		}
		return all
	default:
		return nil
	}
}

// success calls the operation correctly.
func (x *trial) success(t *testing.T) {
	t.Helper()
	switch x.method {
	case http.MethodGet:
		x.judge(t, x.method, x.route, x.good200(t, x.mine.Client, x.address))
	case http.MethodPatch:
		address := x.at(x.f.make(t, x.mine))
		x.judge(t, x.method, x.route, x.good200(t, x.mine.Client, address))
		x.judge(t, x.method, x.route, x.good200(t, x.mine.Client, address)) // again: it is so already
	case http.MethodDelete:
		id := x.f.make(t, x.mine)
		answer := x.good200(t, x.mine.Client, x.at(id))
		x.judge(t, x.method, x.route, answer)
		if o := answer.JSON(t); len(o) != 2 || o["deleted"] != true || o.ID() != id {
			t.Errorf("deleting %d answers %s", id, answer.Body)
		}
		x.refuses(t, "what is gone", x.mine.Client, x.at(id), nil, 404, "not_found", "")
	case http.MethodPost:
		x.creates(t)
	}
}

// creates creates a record, repeats the request with the same key, and then uses that key for another record.
func (x *trial) creates(t *testing.T) {
	t.Helper()
	first := x.mine.Do(t, x.method, x.address, x.good)
	first.Want(t, 201)
	x.judge(t, x.method, x.route, first)
	if first.Header.Get("Idempotency-Replayed") != "" {
		t.Error("the first answer counts as a repetition")
	}
	keyed := x.mine.With("Idempotency-Key", "key of "+x.route)
	keyed.Do(t, x.method, x.address, x.good).Problem(t, 400, "validation_error") // the key has blanks
	keyed = x.mine.With("Idempotency-Key", "key-of-"+x.route)
	second, again := keyed.Do(t, x.method, x.address, x.good), keyed.Do(t, x.method, x.address, x.good)
	for _, answer := range []*apptest.Answer{second, again} {
		answer.Want(t, 201)
		x.judge(t, x.method, x.route, answer)
	}
	if !bytes.Equal(second.Body, again.Body) || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the repetition is %v %s, the first was %s", again.Header, again.Body, second.Body)
	}
	other := string(marshal(t, x.good)) + " "
	x.refuses(t, "the same key with another body", keyed, x.address, other, 422, "idempotency_key_reused", "")
}

// otherMethods tries the methods that a path does not support.
func (s *stage) otherMethods(t *testing.T, route string, item map[string]any) {
	t.Helper()
	allowed := map[string]bool{}
	for method := range item {
		allowed[strings.ToUpper(method)] = true
		if method == "get" {
			allowed[http.MethodHead] = true
		}
	}
	allow := strings.Join(slices.Sorted(maps.Keys(allowed)), ", ")
	address := strings.ReplaceAll(strings.TrimPrefix(route, "/api/v1"), "{id}", strconv.Itoa(unknownID))
	for _, method := range []string{
		"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND", "get", "X",
	} {
		if allowed[method] {
			continue
		}
		answer := s.mine.Do(t, method, address, nil)
		if method == "HEAD" { // has no body to judge
			if answer.Status != 405 {
				t.Errorf("HEAD %s: %d", route, answer.Status)
			}
			continue
		}
		refusal(t, method+" "+route, answer, 405, "method_not_allowed")
		if got := answer.Header.Get("Allow"); got != allow {
			t.Errorf("%s %s: Allow is %q, want %q", method, route, got, allow)
		}
	}
}
