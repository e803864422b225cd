package list_test

import (
	"strings"
	"testing"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/list"
	"paydown/internal/service/origination"
	"paydown/internal/service/parties"
	"paydown/internal/service/servicing"
)

func TestWhichParametersAListRefuses(t *testing.T) {
	c, ctx := listCore(t), asTenant(t, 1)
	parse := func(of string, params map[string]string) error {
		var err error
		switch of {
		case "leads":
			_, err = origination.LeadListing.Parse(ctx, c, params)
		case "merchants":
			_, err = parties.MerchantListing.Parse(ctx, c, params)
		case "deals":
			_, err = servicing.DealListing.Parse(ctx, c, params)
		default:
			_, err = servicing.PaymentListing.Parse(ctx, c, params)
		}
		return err
	}
	manyIDs := strings.TrimSuffix(strings.Repeat("7,", list.MaxIDs+1), ",")
	for _, c := range []struct {
		of, name string
		values   []string
		code     fault.Code
	}{
		{"leads", "limit", []string{"", "0", "201", "-1", "abc", "1.0", "1e2", "+5", " 5", "5 ", "0x10", "١", "99999999999999999999"}, fault.Validation},
		{"leads", "sort", []string{
			"", ":", ":asc", "notes", "notes:asc", "BusinessName", "business_name", "id:", "id:ASC", "id:up", "id:asc:desc", "id asc", "-id",
			"id:desc,createdAt:asc", "id;DROP TABLE leads", "tenant_id", "id:asc\x00", "createdAt :asc",
		}, fault.InvalidSort},
		{"merchants", "sort", []string{"requestedAmount", "status", "dealNumber:asc"}, fault.InvalidSort},
		{"leads", "ids", []string{"", ",", "1,", ",1", "1,,2", "0", "-1", "1.0", "+1", "a", "1 2", "1, 2", "9223372036854775808", "1;2", "1\x00"}, fault.InvalidID},
		{"leads", "ids", []string{manyIDs}, fault.Validation},
		{"leads", "q", []string{strings.Repeat("é", 501), "a\x00b", "a\nb", "\xff", "a\xc3("}, fault.Validation},
		{"payments", "q", []string{"a", ""}, fault.Validation},
		{"leads", "createdSince", []string{
			"", "yesterday", "2026-02-30", "2026-1-5", "05/01/2026", "2026-01-05T10:00:00", "2026-01-05 10:00:00Z", "1767571200",
			"2026-01-05T25:00:00Z", "0001-01-01", "2026-01-05T10:00:00Z ",
		}, fault.Validation},
		{"leads", "createdBefore", []string{"", "tomorrow"}, fault.Validation},
		{"leads", "updatedSince", []string{"", "now"}, fault.Validation},
		{"leads", "status", []string{"", "new", "WON", "NEW,DEAD", "NEW ", "NEW\x00"}, fault.Validation},
		{"leads", "source", []string{strings.Repeat("x", 501), "a\x00", "\xff\xfe"}, fault.Validation},
		{"deals", "state", []string{"", "funded", "NEW"}, fault.Validation},
		{"payments", "dealId", []string{"", "0", "-1", "x", "1,2", "1.0", "9223372036854775808"}, fault.InvalidID},
		{"payments", "status", []string{"NEW", "paid"}, fault.Validation},
		{"payments", "type", []string{"FEE", ""}, fault.Validation},
		{"payments", "scheduledSince", []string{"", "soon", "2026-13-01"}, fault.Validation},
		{"leads", "expand", []string{"", "merchant", "*", "payments"}, fault.InvalidExpand},
		{"deals", "expand", []string{"", "lead", "Merchant", "merchant,", ",merchant", "merchant, payments", "merchant.contacts", "contacts"}, fault.InvalidExpand},
		{"payments", "expand", []string{"merchant", "deal.merchant"}, fault.InvalidExpand},
		{"leads", "cursor", []string{"", "x", "null", strings.Repeat("A", 60), "AAAA=", "é", "\x00"}, fault.InvalidCursor},
		{"leads", "statuss", []string{"NEW"}, fault.Validation},
		{"leads", "Status", []string{"NEW"}, fault.Validation},
		{"leads", "", []string{"", "x"}, fault.Validation},
		{"leads", "state", []string{"NY"}, fault.Validation},
		{"leads", "dealId", []string{"1"}, fault.Validation},
		{"merchants", "status", []string{"NEW"}, fault.Validation},
		{"leads", "page", []string{"2"}, fault.Validation},
		{"leads", "offset", []string{"2"}, fault.Validation},
		{"leads", "status[]", []string{"NEW"}, fault.Validation},
	} {
		for _, value := range c.values {
			err := parse(c.of, map[string]string{c.name: value})
			f := fault.As(err)
			if f == nil || f.Code != c.code {
				t.Errorf("%s?%s=%.40q: %v, want %s", c.of, c.name, value, err, c.code)
				continue
			}
			if len(f.Details) != 1 || f.Details[0].Path != c.name {
				t.Errorf("%s?%s=%.40q names %v", c.of, c.name, value, f.Details)
			}
			if len(value) > 3 && c.name != "expand" && strings.Contains(err.Error(), value) {
				t.Errorf("%s?%s=%.40q repeats the value: %v", c.of, c.name, value, err)
			}
		}
	}
}

func TestEveryWrongParameterIsNamedAtOnce(t *testing.T) {
	_, err := origination.LeadListing.Parse(asTenant(t, 1), listCore(t), map[string]string{
		"limit": "0", "status": "WON", "createdSince": "x", "who": "1", "where": "1", "q": "\x00",
	})
	f := fault.As(err)
	if f == nil || f.Code != fault.Validation || len(f.Details) != 6 {
		t.Errorf("%v", err)
	}
}

func TestWhichParametersAListTakes(t *testing.T) {
	c, ctx := listCore(t), asTenant(t, 1)
	for _, params := range []map[string]string{
		nil,
		{"limit": "1"},
		{"limit": "200"},
		{"sort": "id"},
		{"sort": "createdAt"},
		{"sort": "updatedAt:desc"},
		{"sort": "requestedAmount:asc"},
		{"ids": "1"},
		{"ids": "3,1,2,1"},
		{"ids": strings.TrimSuffix(strings.Repeat("9223372036854775807,", list.MaxIDs), ",")},
		{"q": "50% _off_ \\ 'quoted' \"too\"; --"},
		{"q": strings.Repeat("é", 500)},
		{"source": strings.Repeat("é", 500)},
		{"createdSince": "2026-01-05", "createdBefore": "2026-01-05T10:00:00.123456-05:00", "updatedSince": "2024-02-29"},
		{"status": "CONVERTED", "source": "web"},
	} {
		if _, err := origination.LeadListing.Parse(ctx, c, params); err != nil {
			t.Errorf("%v: %v", params, err)
		}
	}
}

func TestExpandingARelationNeedsItsOwnScope(t *testing.T) {
	c := listCore(t)
	deals := auth.Read("deals")
	for relation, scope := range map[string]auth.Scope{
		"merchant": auth.Read("merchants"), "payments": auth.Read("payments"), "iso": auth.Read("isos"), "submissions": auth.Read("submissions"),
	} {
		for _, params := range []map[string]string{{"expand": relation}, {"expand": relation + "," + relation}} {
			if _, err := servicing.DealListing.Parse(asTenant(t, 1, deals), c, params); !fault.Is(err, fault.Forbidden) {
				t.Errorf("%s without its scope: %v", relation, err)
			}
			q, err := servicing.DealListing.Parse(asTenant(t, 1, deals, scope), c, params)
			if err != nil || !q.Wants(relation) || len(q.Expand) != 1 {
				t.Errorf("%s with its scope: %v", relation, err)
			}
		}
	}
	if _, err := servicing.DealListing.Parse(asTenant(t, 1, auth.Read("leads")), c, nil); !fault.Is(err, fault.Forbidden) {
		t.Errorf("a list without its scope: %v", err)
	}
}

// A date in a window begins in the tenant's zone; a timestamp stands for itself.
func TestADateInAWindowIsTheTenantsDay(t *testing.T) {
	c := listCore(t)
	for text, want := range map[string]string{
		"2026-01-05":                        "2026-01-05T05:00:00Z",
		"2026-07-05":                        "2026-07-05T04:00:00Z",
		"2026-01-05T00:00:00Z":              "2026-01-05T00:00:00Z",
		"2026-01-05T00:00:00.1239999+02:00": "2026-01-04T22:00:00.123Z",
	} {
		q, err := origination.LeadListing.Parse(asTenant(t, 1), c, map[string]string{"createdBefore": text})
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

func TestWhatIsAnID(t *testing.T) {
	for text, want := range map[string]int{"1": 1, "9223372036854775807": 1<<63 - 1} {
		if got, ok := list.ParseID(text); !ok || got != want {
			t.Errorf("%s is read as %d, %t", text, got, ok)
		}
	}
	for _, text := range []string{
		"", "0", "00", "01", "007", "-0", "-1", "+1", "1.0", "1e3", "0x1", "1_000", " 1", "1 ", "abc", "null", "9223372036854775808", "١", "1\x00", "１",
	} {
		if got, ok := list.ParseID(text); ok {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}
