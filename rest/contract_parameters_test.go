package rest_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// parameters tries the query: each parameter repeated, with invalid values, and with valid ones; and unknown
// parameters.
func (x *trial) parameters(t *testing.T) {
	t.Helper()
	x.refusesQuery(t, "an unknown parameter", "nope=1", "validation_error", "nope")
	x.refusesQuery(t, "an unknown parameter twice", "nope=1&nope=2", "validation_error", "nope")
	x.refusesQuery(t, "a malformed query", "%zz", "bad_request", "")
	if x.method != "GET" {
		return
	}
	described := map[string]bool{}
	for _, p := range x.op.List("parameters") {
		if p.Text("in") != "query" {
			continue
		}
		name := p.Text("name")
		described[name] = true
		x.refusesQuery(t, "a parameter twice", name+"=1&"+name+"=1", "validation_error", name)
		x.refusesQuery(t, "a misspelt parameter", strings.ToUpper(name)+"=1", "validation_error", strings.ToUpper(name))
		code, bad, good := x.valuesOf(t, p)
		for _, value := range bad {
			x.refusesQuery(t, "a bad parameter", query(name, value)[1:], code, name)
		}
		for _, value := range good {
			x.asRead(query(name, value)).judge(t, x.method, x.route, x.good200(t, x.mine.Client, x.address+query(name, value)))
		}
		if code == "invalid_id" && name != "ids" {
			x.judgeForeign(t, name, x.theirs.referred(t, name))
		}
	}
	for _, name := range []string{"limit", "cursor", "sort", "ids", "q", "createdSince", "fields"} {
		if !described[name] {
			x.refusesQuery(t, "a parameter of others", name+"=1", "validation_error", name)
		}
	}
	if !described["expand"] {
		code := "validation_error"
		if described["fields"] { // records are read, so that the word is understood, but there is nothing to expand
			code = "invalid_expand"
		}
		x.refusesQuery(t, "a relation where there is none", "expand=merchant", code, "expand")
	}
	if described["ids"] {
		mine, theirs := x.mine.record(t, baseOf(x.route)), x.theirs.record(t, baseOf(x.route))
		x.judgeForeign(t, "ids", theirs)
		all := listed(t, x.mine.Client, x.address, "limit", "200")
		if slices.Contains(all, theirs) || !slices.Contains(all, mine) {
			t.Errorf("the list shows %v, with another tenant's %d or without my %d", all, theirs, mine)
		}
	}
}

func (x *trial) refusesQuery(t *testing.T, what, query, code, field string) {
	t.Helper()
	x.refuses(t, what, x.mine.Client, x.address+"?"+query, x.body(), 400, code, field)
}

// judgeForeign filters a list by another tenant's id: the result must be empty.
func (x *trial) judgeForeign(t *testing.T, name string, id int) {
	t.Helper()
	answer := x.good200(t, x.mine.Client, x.address+query(name, strconv.Itoa(id)))
	x.judge(t, x.method, x.route, answer)
	if records := pageOf(t, answer.JSON(t), pluralOf(x.address)); len(records) != 0 {
		t.Errorf("%s of another tenant finds %v", name, idsOf(records))
	}
}

// valuesOf returns values that a parameter refuses, with the error code, and values that it accepts.
func (x *trial) valuesOf(t *testing.T, p apptest.Object) (code string, bad, good []string) {
	t.Helper()
	name, schema := p.Text("name"), p.In("schema")
	cursor := x.mine.Do(t, "GET", x.address+"?limit=1", nil).JSON(t).Text("nextCursor")
	names, _ := schema["enum"].([]any)
	var enum []string
	for _, value := range names {
		enum = append(enum, value.(string))
	}
	switch {
	case name == "limit":
		return "validation_error", []string{"0", "201", "-1", "1.5", "abc", "", "1e1", "+1", "9223372036854775808"},
			[]string{"1", "200"}
	case name == "cursor":
		bad, good = []string{"", "x", "1", `{"i":1}`}, nil
		if cursor != "" {
			bad = append(bad, cursor+"x", cursor[:len(cursor)-1])
		}
		return "invalid_cursor", bad, good
	case name == "sort":
		return "invalid_sort", []string{
			"", "nonsense", "tenantId", "id:", "id:up", "id:asc:desc", "ID", "-id", "id,id", "id asc",
		}, enum
	case name == "fields":
		return "validation_error", []string{"", "nope", "id,", "tenantId", "*", "ID", "id, createdAt"},
			append(columnsOf(p.Text("description")), "id,id")
	case name == "expand":
		relations := relationsOf(p.Text("description"))
		return "invalid_expand", []string{"", "nope", relations[0] + ",", relations[0] + "." + relations[0]},
			append(relations, strings.Join(relations, ","))
	case name == "ids":
		return "invalid_id", append([]string{"", "1,", "1,abc"}, noIDs...), []string{"1", "1,1", "9223372036854775807"}
	case name == "q":
		return "validation_error", []string{"\x00", "a\nb", strings.Repeat("x", 501)}, []string{"", "%", "_", "'", `"`, "é"}
	case len(enum) > 0:
		return "validation_error", []string{"", "NOPE", strings.ToLower(enum[0]), enum[0] + ",", " " + enum[0]}, enum
	case schema.Text("type") == "integer":
		mine := strconv.Itoa(x.mine.referred(t, name))
		return "invalid_id", append([]string{"", "1,1"}, noIDs...), []string{mine, "9223372036854775807"}
	case schema["examples"] != nil:
		return "validation_error", []string{"", "yesterday", "2026-02-30", "2026-01-31T25:00:00Z", "2026-01-31T09:30:00"},
			[]string{"2026-01-31", "2026-01-31T09:30:00Z", "2026-01-31T09:30:00.123-05:00"}
	default:
		return "validation_error", []string{"\x00", "a\nb", strings.Repeat("x", 501)}, []string{"x", "'", "é"}
	}
}

// relationsOf reads the relations from the description of expand: "…: merchant (merchants:read), payments (…)".
func relationsOf(description string) []string {
	_, list, _ := strings.Cut(description, "scope: ")
	var names []string
	for part := range strings.SplitSeq(list, ", ") {
		name, _, _ := strings.Cut(part, " ")
		names = append(names, name)
	}
	return names
}

// columnsOf reads the columns from the description of fields: "…. Columns: id, businessName, …".
func columnsOf(description string) []string {
	_, list, _ := strings.Cut(description, "Columns: ")
	return strings.Split(list, ", ")
}
