package list_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/secret"
	"paydown/internal/service/list"
	"paydown/internal/service/origination"
	"paydown/internal/service/parties"
	"paydown/internal/service/unit"
)

// listCore is as much of a service as reading the parameters of a list takes.
func listCore(tb testing.TB) *unit.Core {
	tb.Helper()
	box, err := secret.Open(secret.NewKey())
	if err != nil {
		tb.Fatal(err)
	}
	return &unit.Core{Secrets: box}
}

// asTenant is somebody of a tenant, in New York, who may read everything.
func asTenant(tb testing.TB, id int, scopes ...auth.Scope) context.Context {
	tb.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		tb.Fatal(err)
	}
	if len(scopes) == 0 {
		scopes = auth.Scopes{auth.ReadEverything}
	}
	return auth.With(context.Background(), &auth.Actor{Kind: auth.ByKey, TenantID: id, Zone: zone, Scopes: scopes})
}

func leadQuery(tb testing.TB, c *unit.Core, tenant int, sort *list.SortBy) *list.Query[ent.Lead] {
	tb.Helper()
	q, err := origination.LeadListing.Authorize(asTenant(tb, tenant), c, list.Request{Sort: sort})
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

func TestCursorRoundTrip(t *testing.T) {
	c := listCore(t)
	for sort, positions := range map[string][]list.Position{
		"id:asc": {{ID: 1}, {ID: 1 << 62}},
		"businessName:desc": {
			{Value: `Ünïcode "quoted" \ back & <tag>`, ID: 7}, {Value: strings.Repeat("é", 200), ID: 7},
		},
		"requestedAmount:asc":  {{Value: "999999999999.99", ID: 3}, {Null: true, ID: 3}},
		"nextActionAt:desc":    {{Value: "2026-01-05T05:00:00.123Z", ID: 3}, {Null: true, ID: 4}},
		"updatedAt:asc":        {{Value: "2026-01-05T05:00:00Z", ID: 3}},
		"status:asc":           {{Value: "NEW", ID: 3}},
		"businessName:asc":     {{Value: "", ID: 3}},
		"requestedAmount:desc": {{Value: "-0.01", ID: 3}},
	} {
		field, direction, _ := strings.Cut(sort, ":")
		q := leadQuery(t, c, 1, &list.SortBy{Field: field, Desc: direction == "desc"})
		for _, want := range positions {
			text := list.FormatCursor(c, q, want)
			got, err := list.ParsePosition(c, q, text)
			if err != nil || *got != want {
				t.Errorf("%s: %+v leads to %+v, %v", sort, want, got, err)
			}
			if strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
				t.Errorf("%s must be escaped in a URL", text)
			}
		}
	}
}

func TestCursorIsBoundToRequest(t *testing.T) {
	c := listCore(t)
	day, err := civil.ParseMoment("2026-01-01")
	if err != nil {
		t.Fatal(err)
	}
	base := func() list.Request {
		return list.Request{
			Sort: &list.SortBy{Field: "id", Desc: true}, Search: new("a b"), Limit: new(2),
			Filters: map[string]list.Value{"status": list.Text("NEW")},
		}
	}
	query := func(tenant int, c *unit.Core, req list.Request) (*list.Query[ent.Lead], error) {
		return origination.LeadListing.Authorize(asTenant(t, tenant), c, req)
	}
	first, err := query(1, c, base())
	if err != nil {
		t.Fatal(err)
	}
	made := list.FormatCursor(c, first, list.Position{ID: 9})
	with := func(change func(*list.Request)) list.Request {
		req := base()
		req.Cursor = &made
		change(&req)
		return req
	}
	same := with(func(*list.Request) {})
	for name, req := range map[string]list.Request{
		"the same":      same,
		"another limit": with(func(r *list.Request) { r.Limit = new(200) }),
		"no limit":      with(func(r *list.Request) { r.Limit = nil }),
	} {
		if q, err := query(1, c, req); err != nil || q.After() == nil || q.After().ID != 9 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, change := range map[string]func(*list.Request){
		"another direction": func(r *list.Request) { r.Sort.Desc = false },
		"another field":     func(r *list.Request) { r.Sort.Field = "status" },
		"no sort":           func(r *list.Request) { r.Sort = nil },
		"another filter":    func(r *list.Request) { r.Filters["status"] = list.Text("DEAD") },
		"a filter less":     func(r *list.Request) { r.Filters = nil },
		"a filter more":     func(r *list.Request) { r.Filters["source"] = list.Text("web") },
		"another search":    func(r *list.Request) { r.Search = new("a  b") },
		"a window":          func(r *list.Request) { r.CreatedSince = &day },
		"ids":               func(r *list.Request) { r.IDs = []int{1, 2} },
	} {
		if _, err := query(1, c, with(change)); !fault.Is(err, fault.InvalidCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := query(2, c, same); !fault.Is(err, fault.InvalidCursor) {
		t.Errorf("another tenant: %v", err)
	}
	if _, err := query(1, listCore(t), same); !fault.Is(err, fault.InvalidCursor) {
		t.Errorf("another installation: %v", err)
	}
	plain := list.Request{Cursor: new(list.FormatCursor(c, leadQuery(t, c, 1, nil), list.Position{ID: 9}))}
	if _, err := parties.MerchantListing.Authorize(asTenant(t, 1), c, plain); !fault.Is(err, fault.InvalidCursor) {
		t.Errorf("another list: %v", err)
	}
	if _, err := query(1, c, plain); err != nil {
		t.Errorf("its own list: %v", err)
	}
}

func TestWhatACursorIsBoundToCannotBeWrittenInTwoWays(t *testing.T) {
	of := func(texts map[string]string) map[string]list.Value {
		filters := map[string]list.Value{}
		for name, text := range texts {
			filters[name] = list.Text(text)
		}
		return filters
	}
	seen := map[string]list.Request{}
	for _, req := range []list.Request{
		{},
		{Search: new("")},
		{Search: new(`" "source"="`)},
		{Search: new(""), Filters: of(map[string]string{"source": ""})},
		{Search: new("a"), Filters: of(map[string]string{"source": "b"})},
		{Search: new("b"), Filters: of(map[string]string{"source": "a"})},
		{Search: new(`a" "source"="b`)},
		{Filters: of(map[string]string{"source": "a b"})},
		{Filters: of(map[string]string{"source": "a", "status": "b"})},
		{Filters: of(map[string]string{"source": "a\nstatus=b"})},
		{IDs: []int{1, 2}},
		{IDs: []int{12}},
		{Sort: &list.SortBy{Field: "id"}},
		{Sort: &list.SortBy{Field: "id", Desc: true}},
	} {
		bound := string(list.BindingOf(1, "leads", req))
		if other, taken := seen[bound]; taken {
			t.Errorf("%v and %v are bound alike", req, other)
		}
		seen[bound] = req
	}
	if bytes.Equal(list.BindingOf(1, "2 leads", list.Request{}), list.BindingOf(12, "leads", list.Request{})) {
		t.Error("tenant and resource run into each other")
	}
}

// FuzzCursor holds that a cursor of ours leads back to where it came from, and that nothing else is taken for one: not
// noise, and not ours with any bit changed or anything added.
func FuzzCursor(f *testing.F) {
	c := listCore(f)
	queries := []*list.Query[ent.Lead]{
		leadQuery(f, c, 1, nil), leadQuery(f, c, 1, &list.SortBy{Field: "businessName", Desc: true}),
		leadQuery(f, c, 1, &list.SortBy{Field: "requestedAmount"}), leadQuery(f, c, 2, nil),
	}
	f.Add("", 1, 0, byte(1), "")
	f.Add("Harbor Street", 7, 20, byte(0x80), "\n")
	f.Add("é🍵", -1, 5, byte(32), "=")
	f.Add("a", 1<<62, 40, byte(3), "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
	f.Add("b", 2, 1, byte(8), "\r")
	f.Fuzz(func(t *testing.T, value string, id, at int, flip byte, noise string) {
		value = strings.ToValidUTF8(value, "")
		own := queries[1]
		text := list.FormatCursor(c, own, list.Position{Value: value, ID: id})
		got, err := list.ParsePosition(c, own, text)
		if err != nil || got.Value != value || got.ID != id {
			t.Fatalf("%q, %d leads to %+v, %v", value, id, got, err)
		}
		changed := []byte(text)
		if at %= len(changed); at < 0 {
			at = -at
		}
		changed[at] ^= flip
		for _, other := range []string{
			string(changed), text + noise, noise + text, text[:at] + noise + text[at:], noise, text[:at],
		} {
			if other == text {
				continue
			}
			if got, err := list.ParsePosition(c, own, other); !fault.Is(err, fault.InvalidCursor) {
				t.Fatalf("%q, made of %q, leads to %+v, %v", other, text, got, err)
			}
		}
		for _, q := range []*list.Query[ent.Lead]{queries[0], queries[2], queries[3]} {
			if got, err := list.ParsePosition(c, q, text); !fault.Is(err, fault.InvalidCursor) {
				t.Fatalf("another request goes on at %+v, %v", got, err)
			}
		}
	})
}
