package list_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/service/list"
	"paydown/internal/service/origination"
	"paydown/internal/service/servicing"
)

func TestInvalidListRequests(t *testing.T) {
	c, ctx := listCore(t), asTenant(t, 1)
	many := make([]int, list.MaxIDs+1)
	for i := range many {
		many[i] = i + 1
	}
	filter := func(name string, v list.Value) list.Request {
		return list.Request{Filters: map[string]list.Value{name: v}}
	}
	for name, r := range map[string]struct {
		req  list.Request
		path string
		code fault.Code
	}{
		"no records":        {list.Request{Limit: new(0)}, "limit", fault.Validation},
		"too many records":  {list.Request{Limit: new(list.MaxLimit + 1)}, "limit", fault.Validation},
		"no field":          {list.Request{Sort: &list.SortBy{}}, "sort", fault.InvalidSort},
		"a column":          {list.Request{Sort: &list.SortBy{Field: "tenant_id"}}, "sort", fault.InvalidSort},
		"no ids":            {list.Request{IDs: []int{}}, "ids", fault.InvalidID},
		"an id of zero":     {list.Request{IDs: []int{1, 0}}, "ids", fault.InvalidID},
		"too many ids":      {list.Request{IDs: many}, "ids", fault.Validation},
		"a long search":     {list.Request{Search: new(strings.Repeat("é", 501))}, "q", fault.Validation},
		"a relation":        {list.Request{Expand: []string{"merchant"}}, "expand", fault.InvalidExpand},
		"an unknown filter": {filter("state", list.Text("NY")), "state", fault.Validation},
		"no such value":     {filter("status", list.Text("WON")), "status", fault.Validation},
		"a value of a kind": {filter("status", list.ID(1)), "status", fault.Validation},
		"a text too long":   {filter("source", list.Text(strings.Repeat("x", 501))), "source", fault.Validation},
		"a foreign cursor":  {list.Request{Cursor: new(strings.Repeat("A", 60))}, "cursor", fault.InvalidCursor},
		"an empty cursor":   {list.Request{Cursor: new("")}, "cursor", fault.InvalidCursor},
		"padding in base64": {list.Request{Cursor: new("AAAA=")}, "cursor", fault.InvalidCursor},
		"not even base64":   {list.Request{Cursor: new("é\x00")}, "cursor", fault.InvalidCursor},
	} {
		_, err := origination.LeadListing.Authorize(ctx, c, r.req)
		if f := fault.As(err); f == nil || f.Code != r.code || len(f.Details) != 1 || f.Details[0].Path != r.path {
			t.Errorf("%s: %v, want %s of %s", name, err, r.code, r.path)
		}
	}
}

func TestExpandingARelationNeedsItsOwnScope(t *testing.T) {
	c := listCore(t)
	deals := auth.Read("deals")
	for relation, scope := range map[string]auth.Scope{
		"merchant": auth.Read("merchants"), "payments": auth.Read("payments"), "iso": auth.Read("isos"),
		"submissions": auth.Read("submissions"),
	} {
		for _, req := range []list.Request{{Expand: []string{relation}}, {Expand: []string{relation, relation}}} {
			if _, err := servicing.DealListing.Authorize(asTenant(t, 1, deals), c, req); !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s without its scope: %v", relation, err)
			}
			q, err := servicing.DealListing.Authorize(asTenant(t, 1, deals, scope), c, req)
			if err != nil || !q.Wants(relation) || len(q.Expand) != 1 {
				t.Errorf("%s with its scope: %v", relation, err)
			}
		}
	}
	_, err := servicing.DealListing.Authorize(asTenant(t, 1, auth.Read("leads")), c, list.Request{})
	if !fault.Is(err, fault.Forbidden) {
		t.Errorf("a list without its scope: %v", err)
	}
}

// A date in a window begins in the tenant's zone; a timestamp stands for itself.
func TestDateFilterUsesTenantZone(t *testing.T) {
	c := listCore(t)
	for text, want := range map[string]string{
		"2026-01-05":                        "2026-01-05T05:00:00Z",
		"2026-07-05":                        "2026-07-05T04:00:00Z",
		"2026-01-05T00:00:00Z":              "2026-01-05T00:00:00Z",
		"2026-01-05T00:00:00.1239999+02:00": "2026-01-04T22:00:00.123Z",
	} {
		moment, err := civil.ParseMoment(text)
		if err != nil {
			t.Fatal(err)
		}
		q, err := origination.LeadListing.Authorize(asTenant(t, 1), c, list.Request{CreatedBefore: &moment})
		if err != nil {
			t.Fatal(err)
		}
		s := sql.Dialect(dialect.Postgres).Select("*").From(sql.Table("leads"))
		for _, where := range q.Conditions() {
			where(s)
		}
		_, args := s.Query()
		if len(args) != 1 || list.WireValue(args[0]) != want {
			t.Errorf("%s is %v, want %s", text, args, want)
		}
	}
}

func TestParseID(t *testing.T) {
	for text, want := range map[string]int{"1": 1, "9223372036854775807": 1<<63 - 1} {
		if got, ok := list.ParseID(text); !ok || got != want {
			t.Errorf("%s is read as %d, %t", text, got, ok)
		}
	}
	for _, text := range []string{
		"", "0", "00", "01", "007", "-0", "-1", "+1", "1.0", "1e3", "0x1", "1_000",
		" 1", "1 ", "abc", "null", "9223372036854775808", "١", "1\x00", "１",
	} {
		if got, ok := list.ParseID(text); ok {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}
