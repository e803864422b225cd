package list_test

import (
	"bytes"
	"context"
	"maps"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/internal/auth"
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

func leadQuery(tb testing.TB, c *unit.Core, tenant int, params map[string]string) *list.Query[ent.Lead] {
	tb.Helper()
	q, err := origination.LeadListing.Parse(asTenant(tb, tenant), c, params)
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

func TestACursorLeadsBackToItsPosition(t *testing.T) {
	c := listCore(t)
	for sort, positions := range map[string][]list.Position{
		"id:asc":               {{ID: 1}, {ID: 1 << 62}},
		"businessName:desc":    {{Value: `Ünïcode "quoted" \ back & <tag>`, ID: 7}, {Value: strings.Repeat("é", 200), ID: 7}},
		"requestedAmount:asc":  {{Value: "999999999999.99", ID: 3}, {Null: true, ID: 3}},
		"nextActionAt:desc":    {{Value: "2026-01-05T05:00:00.123Z", ID: 3}, {Null: true, ID: 4}},
		"updatedAt:asc":        {{Value: "2026-01-05T05:00:00Z", ID: 3}},
		"status:asc":           {{Value: "NEW", ID: 3}},
		"businessName:asc":     {{Value: "", ID: 3}},
		"requestedAmount:desc": {{Value: "-0.01", ID: 3}},
	} {
		q := leadQuery(t, c, 1, map[string]string{"sort": sort})
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

func TestACursorIsGoodForItsOwnRequestOnly(t *testing.T) {
	c := listCore(t)
	base := map[string]string{"sort": "id:desc", "status": "NEW", "q": "a b", "limit": "2"}
	made := list.FormatCursor(c, leadQuery(t, c, 1, base), list.Position{ID: 9})
	with := func(change map[string]string) map[string]string {
		params := map[string]string{"cursor": made}
		maps.Copy(params, base)
		for name, value := range change {
			if params[name] = value; value == "" {
				delete(params, name)
			}
		}
		return params
	}
	for name, params := range map[string]map[string]string{
		"the same": with(nil), "another limit": with(map[string]string{"limit": "200"}), "no limit": with(map[string]string{"limit": ""}),
	} {
		if q, err := origination.LeadListing.Parse(asTenant(t, 1), c, params); err != nil || q.After() == nil || q.After().ID != 9 {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, params := range map[string]map[string]string{
		"another direction": with(map[string]string{"sort": "id:asc"}),
		"another field":     with(map[string]string{"sort": "status:desc"}),
		"no sort":           with(map[string]string{"sort": ""}),
		"another filter":    with(map[string]string{"status": "DEAD"}),
		"a filter less":     with(map[string]string{"status": ""}),
		"a filter more":     with(map[string]string{"source": "web"}),
		"another search":    with(map[string]string{"q": "a  b"}),
		"a window":          with(map[string]string{"createdSince": "2026-01-01"}),
		"ids":               with(map[string]string{"ids": "1,2"}),
	} {
		if _, err := origination.LeadListing.Parse(asTenant(t, 1), c, params); !fault.Is(err, fault.InvalidCursor) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := origination.LeadListing.Parse(asTenant(t, 2), c, with(nil)); !fault.Is(err, fault.InvalidCursor) {
		t.Errorf("another tenant: %v", err)
	}
	if _, err := origination.LeadListing.Parse(asTenant(t, 1), listCore(t), with(nil)); !fault.Is(err, fault.InvalidCursor) {
		t.Errorf("another installation: %v", err)
	}
	plain := list.FormatCursor(c, leadQuery(t, c, 1, nil), list.Position{ID: 9})
	if _, err := parties.MerchantListing.Parse(asTenant(t, 1), c, map[string]string{"cursor": plain}); !fault.Is(err, fault.InvalidCursor) {
		t.Errorf("another list: %v", err)
	}
	if _, err := origination.LeadListing.Parse(asTenant(t, 1), c, map[string]string{"cursor": plain}); err != nil {
		t.Errorf("its own list: %v", err)
	}
}

func TestWhatACursorIsBoundToCannotBeWrittenInTwoWays(t *testing.T) {
	seen := map[string]map[string]string{}
	for _, params := range []map[string]string{
		{},
		{"q": ""},
		{"q": `" "source"="`},
		{"q": "", "source": ""},
		{"q": "a", "source": "b"},
		{"q": "b", "source": "a"},
		{"q": `a" "source"="b`},
		{"source": "a b"},
		{"source": "a", "status": "b"},
		{"source": "a\nstatus=b"},
	} {
		bound := string(list.BindingOf(1, "leads", params))
		if other, taken := seen[bound]; taken {
			t.Errorf("%v and %v are bound alike", params, other)
		}
		seen[bound] = params
	}
	if bytes.Equal(list.BindingOf(1, "2 leads", nil), list.BindingOf(12, "leads", nil)) {
		t.Error("tenant and resource run into each other")
	}
}

// FuzzCursor holds that a cursor of ours leads back to where it came from, and that nothing else is taken for one: not
// noise, and not ours with any bit changed or anything added.
func FuzzCursor(f *testing.F) {
	c := listCore(f)
	queries := []*list.Query[ent.Lead]{
		leadQuery(f, c, 1, nil), leadQuery(f, c, 1, map[string]string{"sort": "businessName:desc"}),
		leadQuery(f, c, 1, map[string]string{"sort": "requestedAmount"}), leadQuery(f, c, 2, nil),
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
		for _, other := range []string{string(changed), text + noise, noise + text, text[:at] + noise + text[at:], noise, text[:at]} {
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
