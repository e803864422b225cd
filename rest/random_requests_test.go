package rest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"paydown/internal/apptest"
)

// dice generates requests from the description: the same ones for the same seed and the same responses.
type dice struct {
	*rand.Rand
	doc        apptest.Object
	operations []string // METHOD route
	known      map[string][]int
	foreign    map[string]int
	pages      map[string]string // by route: the address of a next page
}

// request is one of them.
type request struct {
	method, route, address string
	hasBody                bool
	body                   string
	schema                 string // of the body
	idempotencyKey         string
	trimDescription        bool // by the parameter fields
	malformed              bool // no reader could take it
}

// chance is true once in n times.
func (d *dice) chance(n int) bool { return d.IntN(n) == 0 }

func pick[T any](d *dice, from []T) T { return from[d.IntN(len(from))] }

// request generates the next one.
func (d *dice) request() request {
	operation := pick(d, d.operations)
	if d.chance(4) { // more of what moves money and deals
		operation = pick(d, []string{
			"PATCH /api/v1/payments/{id}", "POST /api/v1/payments", "PATCH /api/v1/deals/{id}",
		})
	}
	method, route, _ := strings.Cut(operation, " ")
	if method == "DELETE" && !d.chance(3) { // or there would soon be nothing left
		method = "GET"
		if d.doc.In("paths").In(route)["get"] == nil {
			method = "DELETE"
		}
	}
	op := d.doc.In("paths").In(route).In(strings.ToLower(method))
	q := request{method: method, route: route, address: strings.ReplaceAll(route, "{id}", d.pathID(route))}
	if next := d.pages[route]; method == "GET" && next != "" && d.chance(3) {
		q.address, q.trimDescription = next, strings.Contains(next, "fields=")
		return q
	}
	d.query(&q, op)
	if op["requestBody"] != nil {
		d.fill(&q, op)
	}
	if method == "POST" && d.chance(5) {
		q.idempotencyKey = pick(d, []string{
			"a", "b", "c", "d", strings.Repeat("k", 255), strings.Repeat("k", 256), "two words",
		})
	}
	return q
}

// pathID is an id for the path, usually an existing one.
func (d *dice) pathID(route string) string {
	base := baseOf(route)
	if dealPart, _, ok := strings.Cut(base, "/{id}/"); ok {
		base = dealPart
	}
	switch d.IntN(20) {
	case 0:
		return pick(d, append(slices.Clone(noIDs), "%00", "%27", "%F0%9F%8D%B5", "1%0d%0aX-A:%20b", strings.Repeat("9", 400)))
	default:
		return strconv.Itoa(d.id(listKinds[base]))
	}
}

// id is the id of a kind of record: usually an existing one, sometimes another tenant's or a nonexistent one.
func (d *dice) id(kind string) int {
	known := d.known[kind]
	if d.chance(20) || len(known) == 0 {
		return pick(d, []int{unknownID, 1<<63 - 1, 1 << 40})
	}
	if d.chance(20) {
		return d.foreign[kind]
	}
	return pick(d, known)
}

// query adds parameters: described ones, sometimes an unknown one, or one twice.
func (d *dice) query(q *request, op apptest.Object) {
	var pairs []string
	add := func(name, value string) { pairs = append(pairs, url.QueryEscape(name)+"="+url.QueryEscape(value)) }
	for _, p := range op.List("parameters") {
		if name := p.Text("name"); p.Text("in") == "query" && (p["required"] == true || d.chance(7)) {
			add(name, d.parameter(p))
			q.trimDescription = q.trimDescription || name == "fields"
		}
	}
	switch d.IntN(40) {
	case 0:
		add(pick(d, strangeNames), "1")
	case 1:
		if len(pairs) > 0 {
			pairs = append(pairs, pairs[0])
		}
	case 2:
		pairs = append(pairs, "%zz")
	}
	if len(pairs) > 0 {
		q.address += "?" + strings.Join(pairs, "&")
	}
}

// strangeNames are names of no field and no parameter; an error does repeat names.
var strangeNames = []string{
	"nope", "id", "tenantId", "createdAt", "LIMIT", "__proto__", "", " ", "'; DROP TABLE deals; --", "\x00",
	"\r\nX-Injected: yes", "\U0001f375", "a[]", "a.b",
}

// parameter is a value for a parameter.
func (d *dice) parameter(p apptest.Object) string {
	if d.chance(5) {
		return pick(d, nasty)
	}
	switch name := p.Text("name"); name {
	case "cursor":
		return pick(d, []string{"", "x", "AAAA", strings.Repeat("A", 300)})
	case "fields":
		columns := columnsOf(p.Text("description"))
		return pick(d, columns) + "," + pick(d, columns)
	case "expand":
		return pick(d, relationsOf(p.Text("description")))
	case "ids":
		ids := make([]string, 1+d.IntN(4))
		for i := range ids {
			ids[i] = strconv.Itoa(1 + d.IntN(60))
		}
		return strings.Join(ids, ",")
	case "q":
		return pick(d, []string{"a", "harbor", "%", "_", "D-0", "é", "'"})
	default:
		value := d.value(name, p.In("schema"))
		if number, ok := value.(float64); ok {
			return strconv.FormatFloat(number, 'f', -1, 64)
		}
		return fmt.Sprint(value)
	}
}

// fill generates the body by its schema, and then sometimes corrupts it.
func (d *dice) fill(q *request, op apptest.Object) {
	content := op.In("requestBody").In("content").In("application/json")
	q.schema = strings.TrimPrefix(content.In("schema").Text("$ref"), "#/components/schemas/")
	q.hasBody = true
	schema := d.schemaNamed(q.schema)
	properties := schema.In("properties")
	required, _ := schema["required"].([]any)
	body := apptest.Object{}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		moves := (name == "status" || name == "state") && d.chance(2)
		if slices.Contains(required, any(name)) || moves || d.chance(6) {
			body[name] = d.value(name, properties.In(name))
		}
	}
	if d.chance(3) { // the example of the description, with ids that there are
		maps.Copy(body, content.In("example"))
		for _, name := range slices.Sorted(maps.Keys(body)) {
			if isReference(name, properties.In(name)) {
				body[name] = d.value(name, properties.In(name))
			}
		}
	}
	if !d.chance(3) {
		text, err := json.Marshal(body)
		if err != nil {
			panic(err)
		}
		q.body = string(text)
		return
	}
	d.corrupt(q, body, properties)
}

// Values to corrupt a body with: values of any type, unusual spellings of numbers and texts, and invalid
// bodies.
var (
	ofAnyType = []any{
		true, 1.5, -1, 0, "", "1", nil, []any{}, []any{nil}, []any{1}, apptest.Object{}, apptest.Object{"a": nil},
	}
	oddNumbers = []string{
		"1e3", "1E400", "-0", "-0.00", "0.1", "1.0", "0.001", "12345678901234567890",
		strings.Repeat("9", 2000), "1" + strings.Repeat("0", 308),
	}
	oddTexts = []string{
		`"\ud800"`, `"\u0000"`, `"\uD83D\uDE00"`, `"a\u0300\u202e\u2066"`, `"\ufeff"`, `"\uffff"`, `"\n"`,
	}
	noBodies = []string{
		"", "null", "[]", "{", `{"a":}`, "\ufeff{}", "{} {}", strings.Repeat("[", 50_000), "\x00", "{\"a\":\"\xff\"}",
	}
)

// corrupt changes one thing in a body to something wrong or unusual.
func (d *dice) corrupt(q *request, body, properties apptest.Object) {
	name := pick(d, slices.Sorted(maps.Keys(properties)))
	raw := func(value string) string { // with a value as it is spelt
		body[name] = "@@"
		return strings.Replace(string(mustMarshal(body)), `"@@"`, value, 1)
	}
	switch d.IntN(12) {
	case 0:
		delete(body, name)
	case 1:
		body[pick(d, append(slices.Clone(strangeNames), strings.ToUpper(name), name+"\x00"))] = 1
	case 2:
		body[name] = pick(d, nasty)
	case 3:
		body[name] = pick(d, ofAnyType)
	case 4:
		q.body = raw(pick(d, oddNumbers))
	case 5:
		q.body = raw(pick(d, oddTexts))
	case 6:
		letter, times := pick(d, []string{"x", "é", "\U0001f375"}), pick(d, []int{200, 201, 500, 501, 10_000, 10_001})
		body[name] = strings.Repeat(letter, times)
	case 7:
		q.body = raw(strings.Repeat("[", 90) + strings.Repeat("]", 90))
	case 8:
		q.body, q.malformed = pick(d, noBodies), true
	case 9:
		text := raw("1")
		q.body, q.malformed = strings.TrimSuffix(text, "}")+`,"`+name+`":1}`, true
	default:
		text := mustMarshal(body)
		cut := d.IntN(len(text))
		q.body, q.malformed = string(text[:cut]), true
	}
	if q.body == "" && !q.malformed {
		q.body = string(mustMarshal(body))
	}
}

func mustMarshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// schemaNamed is a schema of the description.
func (d *dice) schemaNamed(name string) apptest.Object {
	return d.doc.In("components").In("schemas").In(name)
}
