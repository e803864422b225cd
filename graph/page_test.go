package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
)

func TestListPagesToEnd(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "pages.test")
		book(t, c, 4) // eight deals
		for _, sort := range []string{
			"", ", sort: {field: ID, direction: DESC}", ", sort: {field: FUNDED_AT}",
			", sort: {field: CREATED_AT, direction: DESC}",
		} {
			var walked []string
			after, pages := "", 0
			for more := true; more; pages++ {
				page := c.Graph(t, "{ deals(first: 3"+sort+after+`) {
					totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
					edges { cursor node { id } } nodes { id } } }`, nil).In("deals")
				edges, info := page.List("edges"), page.In("pageInfo")
				nodes := texts(page.List("nodes"), "id")
				for i, e := range edges {
					if e.In("node").Text("id") != nodes[i] {
						t.Errorf("edges and nodes differ: %v", page)
					}
				}
				if page.Int("totalCount") != 8 || info["hasPreviousPage"] != (pages > 0) ||
					info["startCursor"] != edges[0]["cursor"] || info["endCursor"] != edges[len(edges)-1]["cursor"] {
					t.Errorf("%s: %v", sort, page)
				}
				walked = append(walked, nodes...)
				more = info["hasNextPage"] == true
				after = fmt.Sprintf(", after: %q", info.Text("endCursor"))
			}
			slices.Sort(walked)
			if got := strings.Join(slices.Compact(walked), " "); pages != 3 || got != "1 2 3 4 5 6 7 8" {
				t.Errorf("%s: %d pages of %s", sort, pages, got)
			}
		}
	})
}

// The list in a record is the filtered list, and shares its cursors.
func TestNestedListEqualsFilteredList(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "own.test")
		book(t, c, 3) // deals 1 to 6, with as many payments
		const page = "totalCount pageInfo { hasNextPage endCursor } nodes { id }"
		for _, sort := range []string{
			"", "sort: {field: ID, direction: DESC}", "sort: {field: CLEARED_DATE, direction: DESC}",
			"sort: {field: AMOUNT}",
		} {
			deals := c.Graph(t, "{ deals { nodes { id payments(first: 3 "+sort+") { "+page+" } } } }", nil).
				In("deals").
				List("nodes")
			if len(deals) != 6 {
				t.Fatalf("%d deals", len(deals))
			}
			for _, d := range deals {
				own, n := d.In("payments"), 0
				if _, err := fmt.Sscan(d.Text("id"), &n); err != nil || own.Int("totalCount") != n ||
					len(own.List("nodes")) != min(n, 3) {
					t.Errorf("deal %v has %v", d["id"], own)
				}
				list := c.Graph(t, "{ payments(first: 3 filter: {dealId: "+d.Text("id")+"} "+sort+") { "+page+" } }", nil).
					In("payments")
				if fmt.Sprint(list) != fmt.Sprint(own) {
					t.Errorf("%s: deal %s has %v, the list %v", sort, d.Text("id"), own, list)
				}
				if own.In("pageInfo")["hasNextPage"] != true {
					continue
				}
				after := fmt.Sprintf(" after: %q", own.In("pageInfo").Text("endCursor"))
				next := c.Graph(t, "{ payments(first: 3 filter: {dealId: "+d.Text("id")+"} "+sort+after+") { "+page+" } }", nil).
					In("payments")
				nested := c.Graph(t, "{ deal(id: "+d.Text("id")+") { payments(first: 3 "+sort+after+") { "+page+" } } }", nil).
					In("deal").
					In("payments")
				if fmt.Sprint(next) != fmt.Sprint(nested) || len(next.List("nodes")) == 0 {
					t.Errorf("%s: the list goes on with %v, that of the deal with %v", sort, next, nested)
				}
			}
		}
	})
}

func TestArgumentErrors(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "wrong.test")
	book(t, c, 2)
	for query, want := range map[string]string{
		`{ deals(first: 0) { totalCount } }`:                                  "validation_error first",
		`{ deals(first: 201) { totalCount } }`:                                "validation_error first",
		`{ deals(after: "x") { totalCount } }`:                                "invalid_cursor after",
		`{ deals(filter: {createdSince: "yesterday"}) { totalCount } }`:       "validation_error createdSince",
		`{ deals(filter: {ids: ["x"]}) { totalCount } }`:                      "invalid_id ids",
		`{ deals(first: 1) { nodes { payments(first: 0) { totalCount } } } }`: "validation_error first",
		`{ deal(id: 1) { payments(filter: {dealId: 2}) { totalCount } } }`:    "validation_error dealId",
		`{ deals(filter: {ids: ["01"]}) { totalCount } }`:                     "invalid_id ids",
		`{ deal(id: "01") { id } }`:                                           "invalid_id id",
		`{ deal(id: "+1") { id } }`:                                           "invalid_id id",
		`{ deal(id: "one") { id } }`:                                          "invalid_id id",
		`{ deal(id: 0) { id } }`:                                              "invalid_id id",
		`{ deal(id: 1.5) { id } }`:                                            "bad_request ",
		`{ deal(id: 4711) { id } }`:                                           "not_found ",
		`{ paymentCalendar(from: "2026-02-30", to: "2026-03-01") { date } }`:  "validation_error from",
		`{ paymentCalendar(from: "2026-02-01", to: 5) { date } }`:             "validation_error to",
		`{ submission(id: 4711) { id } }`:                                     "not_found ",

		`mutation { updateDeal(id: 1, input: {state: FUNDED}) { id } }`:                        "conflict *",
		`mutation { createPayment(input: {dealId: 77, type: OTHER_FEE, amount: "5"}) { id } }`: "invalid_reference dealId",
		`mutation { createPayment(input: {dealId: "x", type: OTHER_FEE, amount: 5}) {
			id } }`: "validation_error amount dealId",
		`mutation { createPayment(input: {type: OTHER_FEE, amount: "5"}) { id } }`: "bad_request ",
		`mutation { createLead(input: {businessName: "", email: "x", notes: null}) {
			id } }`: "validation_error businessName email",
		`mutation { updateLead(id: 4711, input: {businessName: null}) { id } }`:            "validation_error businessName",
		`mutation { createIso(input: {name: "x", domains: ["x.example", "x y"]}) { id } }`: "validation_error domains.1",
		`mutation { createIso(input: {name: "x", commissionRule: [1]}) { id } }`:           "validation_error commissionRule",
		`mutation { createIso(input: {name: "x", commissionRule: {a: "\u0000"}}) { id } }`: "validation_error commissionRule",
		`mutation { createMerchant(input: {legalName: "x", annualRevenue: "1.234"}) {
			id } }`: "validation_error annualRevenue",
		`mutation { createMerchant(input: {legalName: "x", startedOn: "2026-02-30"}) { id } }`: "validation_error startedOn",
		`mutation { createMerchant(input: {legalName: "x", dbaNam: "y"}) { id } }`:             "bad_request ",
		`mutation { deleteMerchant(id: 1) }`:                                                   "conflict *",

		`query { deals(sort: {field: NOTHING}) { totalCount } }`:                                  "bad_request ",
		`{ deals(filter: {state: NOTHING}) { totalCount } }`:                                      "bad_request ",
		`{ deals(filter: {state: null}, first: null, after: null, sort: null) { nodes { id } } }`: "",
	} {
		answer := c.Ask(t, query, nil)
		if want == "" {
			if len(answer.Errors) > 0 {
				t.Errorf("%s: %v", query, answer.Errors)
			}
			continue
		}
		if len(answer.Errors) != 1 {
			t.Errorf("%s: %v", query, answer.Errors)
			continue
		}
		extensions := answer.Errors[0].In("extensions")
		var paths []string
		for _, d := range extensions.List("details") {
			paths = append(paths, d.Text("path"))
		}
		slices.Sort(paths)
		code, path, _ := strings.Cut(want, " ")
		if extensions["code"] != code || path != "*" && strings.Join(paths, " ") != path ||
			extensions.Text("requestId") == "" {
			t.Errorf("%s: %v, want %s", query, answer.Errors, want)
		}
	}
}

// Errors of variables have REST's messages, which never repeat the value.
func TestVariableErrors(t *testing.T) {
	c := apptest.OnSQLite(t).Client(t, "variables.test")
	for query, field := range map[string]string{
		`query($it: DealFilter) { deals(filter: $it) { totalCount } }`:        "state",
		`mutation($it: UpdateDeal!) { updateDeal(id: 1, input: $it) { id } }`: "state",
		`mutation($it: UpdateLead!) { updateLead(id: 1, input: $it) { id } }`: "status",
	} {
		reported := c.Ask(t, query, map[string]any{"it": map[string]any{field: "NOTHING"}}).
			Refused(t, "validation_error")[field]
		if !strings.HasPrefix(reported, "must be one of ") || strings.Contains(reported, "NOTHING") {
			t.Errorf("%s: %s", query, reported)
		}
	}
	const calendar = `query($it: Date!) { paymentCalendar(from: $it, to: "2026-01-11") { date } }`
	reported := c.Ask(t, calendar, map[string]any{"it": "soon"}).Refused(t, "validation_error")["from"]
	if reported != "must be a date written as YYYY-MM-DD" {
		t.Errorf("from: %s", reported)
	}
}

// All errors in the values of variables are reported at once, by field; if there are several inputs, by input
// and field.
func TestAllVariableErrorsAreReported(t *testing.T) {
	c := apptest.OnSQLite(t).Client(t, "all.test")
	object := func(pairs ...any) map[string]any {
		o := map[string]any{}
		for pair := range slices.Chunk(pairs, 2) {
			o[pair[0].(string)] = pair[1]
		}
		return o
	}
	const create = "mutation($input: NewPayment!) { createPayment(input: $input) { id } }"
	for name, ask := range map[string]struct {
		query string
		given map[string]any
		want  map[string]string
	}{
		"fields of an input": {
			create, object("input", object("type", "NOTHING", "note", object(), "dealid", 1, "amount", nil)),
			map[string]string{
				"dealid": "unknown field", "dealId": "is required", "amount": "must not be null",
				"note": "must be a string", "type": "must be one of",
			},
		},
		"no input": {create, object("input", "x"), map[string]string{"input": "must be an object"}},
		"several": {
			`query($f: DealFilter, $s: DealSort, $n: Int!, $p: String!) {
				deals(filter: $f, sort: $s, first: $n, after: $p) { totalCount } }`,
			object("f", object("ids", []any{object(), "7", nil}, "x", 1), "s", object("direction", "UP"), "n", "x"),
			map[string]string{
				"f.ids.0": "must be a positive integer", "f.ids.2": "must not be null", "f.x": "unknown field",
				"s.field":     "is required",
				"s.direction": "must be one of", "n": "must be an integer", "p": "is required",
			},
		},
	} {
		reported := c.Ask(t, ask.query, ask.given).Refused(t, "validation_error")
		for path, want := range ask.want {
			if !strings.HasPrefix(reported[path], want) {
				t.Errorf("%s: %s %q, want %q", name, path, reported[path], want)
			}
		}
		if len(reported) != len(ask.want) {
			t.Errorf("%s: %v", name, reported)
		}
	}
	many := map[string]any{}
	for i := range 1000 {
		many[fmt.Sprint("field", i)] = 1
	}
	if reported := c.Ask(t, create, object("input", many)).Refused(t, "validation_error"); len(reported) != 20 {
		t.Errorf("%d problems are told", len(reported))
	}
}

// An empty list in a document is a list, at any depth, and not null.
func TestEmptyListIsNotNull(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "lists.test")
		iso := c.Graph(t, `mutation { createIso(input: {name: "x", domains: [], commissionRule: {tiers: [], by: {a: []}}}) {
			domains commissionRule } }`, nil).
			In("createIso")
		if fmt.Sprint(iso["domains"], iso["commissionRule"]) != "[] map[by:map[a:[]] tiers:[]]" {
			t.Errorf("%v", iso)
		}
		boss := a.Staff(t, c.Host, "admin")
		for mutation, field := range map[string]string{
			`createRole(input: {name: "Nobody", permissions: []}) { id }`:                         "permissions",
			`createApiKey(input: {name: "x", kind: LIVE, scopes: []}) { token }`:                  "scopes",
			`createWebhookEndpoint(input: {url: "https://hooks.example", events: []}) { secret }`: "events",
		} {
			reported := boss.Ask(t, "mutation { it: "+mutation+" }", nil).Refused(t, "validation_error")[field]
			if reported == "" || strings.Contains(reported, "null") {
				t.Errorf("%s: %q", mutation, reported)
			}
		}
	})
}

// Fields that are resolved side by side read one variable.
func TestVariableIsUsedByManyFields(t *testing.T) {
	c := apptest.OnSQLite(t).Client(t, "shared.test")
	made(t, c, "/leads", "lead", apptest.Object{"businessName": "Harbor Street Bakery", "status": "NEW"})
	var fields strings.Builder
	for i := range 40 {
		fmt.Fprintf(&fields, "f%d: leads(filter: $filter) { totalCount } ", i)
	}
	answer := c.Graph(
		t, "query($filter: LeadFilter) { "+fields.String()+"}",
		apptest.Object{"filter": apptest.Object{"status": "NEW", "ids": []any{"1"}}},
	)
	for i := range 40 {
		if got := answer.In(fmt.Sprint("f", i)).Int("totalCount"); got != 1 {
			t.Errorf("field %d counts %d", i, got)
		}
	}
}

// Of two staff members who change what both have read, the second gets a conflict.
func TestConcurrentChangeIsConflict(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "twice.test")
		boss := a.Staff(t, c.Host, "admin")
		lead := made(t, c, "/leads", "lead", apptest.Object{"businessName": "Harbor Street Bakery"})
		merchant := made(t, c, "/merchants", "merchant", apptest.Object{"legalName": "Harbor Street Bakery LLC"})
		deal := made(t, c, "/deals", "deal", apptest.Object{"merchantId": merchant.ID()})
		for _, of := range []struct{ read, change, first, second string }{
			{"lead(id: %d)", "updateLead(id: %d, ", `notes: "One"`, `notes: "Two"`},
			{"merchant(id: %d)", "updateMerchant(id: %d, ", `dbaName: "One"`, `dbaName: "Two"`},
			{"deal(id: %d)", "updateDeal(id: %d, ", `referenceId: "One"`, `referenceId: "Two"`},
			{"company", "updateCompany(", `name: "One"`, `name: "Two"`},
		} {
			id := lead.ID()
			switch {
			case strings.HasPrefix(of.read, "merchant"):
				id = merchant.ID()
			case strings.HasPrefix(of.read, "deal"):
				id = deal.ID()
			}
			read, change := of.read, of.change
			if strings.Contains(read, "%d") {
				read, change = fmt.Sprintf(read, id), fmt.Sprintf(change, id)
			}
			now := func() string { return boss.Graph(t, "{ it: "+read+" { updatedAt } }", nil).In("it").Text("updatedAt") }
			since := now()
			update := func(input, since string) string {
				return "mutation { it: " + change + "input: {" + input + `}, unchangedSince: "` + since + `") { updatedAt } }`
			}
			a.Clock.Advance(time.Second)
			mine := boss.Graph(t, update(of.first, since), nil).In("it").Text("updatedAt")
			if mine == since {
				t.Fatalf("%s: not changed", read)
			}
			reported := boss.Ask(t, update(of.second, since), nil).Refused(t, "conflict")["unchangedSince"]
			if !strings.HasPrefix(reported, "admin@"+c.Host+" changed the ") || !strings.Contains(reported, " on ") {
				t.Errorf("%s: %q", read, reported)
			}
			if now() != mine {
				t.Errorf("%s: changed all the same", read)
			}
			boss.Graph(t, update(of.second, mine), nil)
		}
	})
}

// An absent input field stays unchanged; null clears it.
func TestAbsentAndNullDiffer(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "null.test")
		lead := made(
			t, c, "/leads", "lead",
			apptest.Object{"businessName": "Harbor Street Bakery", "notes": "Calls back", "source": "web"},
		)
		const change = `mutation($id: ID!, $in: UpdateLead!) {
			updateLead(id: $id, input: $in) { notes source businessName } }`
		got := c.Graph(t, change, map[string]any{"id": lead.ID(), "in": map[string]any{"notes": nil}}).In("updateLead")
		if got["notes"] != nil || got["source"] != "web" || got["businessName"] != "Harbor Street Bakery" {
			t.Errorf("%v", got)
		}
		// A variable without a value omits its field.
		const inline = `mutation($id: ID!, $n: String, $s: String) {
			updateLead(id: $id, input: {notes: $n, source: $s}) { notes source } }`
		got = c.Graph(t, inline, map[string]any{"id": fmt.Sprint(lead.ID()), "n": "Two ovens"}).In("updateLead")
		if got["notes"] != "Two ovens" || got["source"] != "web" {
			t.Errorf("%v", got)
		}
	})
}

// What the graph finds wrong with a filter is told together with what the service does.
func TestAllListArgumentErrorsAreReported(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "wrong.test")
	got := c.Ask(t, `{ deals(first: 0, filter: {createdSince: "x", updatedSince: "y"}) { totalCount } }`, nil).
		Refused(t, "validation_error")
	for _, path := range []string{"first", "createdSince", "updatedSince"} {
		if got[path] == "" {
			t.Errorf("%s is not named: %v", path, got)
		}
	}
}
