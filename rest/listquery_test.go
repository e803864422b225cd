package rest_test

import (
	"strings"
	"testing"
	"time"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service"
	"paydown/internal/service/list"
	"paydown/rest"
)

// newYorker may read everything of a tenant in New York.
func newYorker(t *testing.T) *auth.Actor {
	t.Helper()
	zone, err := time.LoadLocation("America/New_York")
	if err != nil {
		t.Fatal(err)
	}
	return &auth.Actor{Kind: auth.ByKey, TenantID: 1, Zone: zone, Scopes: auth.Scopes{auth.ReadEverything}}
}

// listError is what a list says to query parameters, apart from the cursor.
func listError[E any](actor *auth.Actor, l *service.Listing[E], params map[string]string) error {
	req, err := rest.ListRequest(actor, l, params)
	if err != nil {
		return err
	}
	return l.Check(actor, req)
}

func TestInvalidListParameters(t *testing.T) {
	actor := newYorker(t)
	read := func(of string, params map[string]string) error {
		switch of {
		case "leads":
			return listError(actor, service.LeadListing, params)
		case "merchants":
			return listError(actor, service.MerchantListing, params)
		case "deals":
			return listError(actor, service.DealListing, params)
		default:
			return listError(actor, service.PaymentListing, params)
		}
	}
	manyIDs := strings.TrimSuffix(strings.Repeat("7,", service.MaxIDs+1), ",")
	for _, c := range []struct {
		of, name string
		values   []string
		code     fault.Code
	}{
		{
			"leads", "limit",
			[]string{"", "0", "201", "-1", "abc", "1.0", "1e2", "+5", " 5", "5 ", "0x10", "١", "99999999999999999999"},
			fault.Validation,
		},
		{"leads", "sort", []string{
			"", ":", ":asc", "notes", "notes:asc", "BusinessName", "business_name", "id:", "id:ASC", "id:up",
			"id:asc:desc", "id asc", "-id", "id:desc,createdAt:asc", "id;DROP TABLE leads", "tenant_id",
			"id:asc\x00", "createdAt :asc",
		}, fault.InvalidSort},
		{"merchants", "sort", []string{"requestedAmount", "status", "dealNumber:asc"}, fault.InvalidSort},
		{"leads", "ids", []string{
			"", ",", "1,", ",1", "1,,2", "0", "-1", "1.0", "+1", "a", "1 2", "1, 2", "9223372036854775808", "1;2",
			"1\x00",
		}, fault.InvalidID},
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
		{
			"deals", "expand",
			[]string{"", "lead", "Merchant", "merchant,", ",merchant", "merchant, payments", "merchant.contacts", "contacts"},
			fault.InvalidExpand,
		},
		{"payments", "expand", []string{"merchant", "deal.merchant"}, fault.InvalidExpand},
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
			err := read(c.of, map[string]string{c.name: value})
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

func TestAllParameterErrorsAreReported(t *testing.T) {
	err := listError(newYorker(t), service.LeadListing, map[string]string{
		"limit": "0", "status": "WON", "createdSince": "x", "who": "1", "where": "1", "q": "\x00", "fields": "tenant_id",
	})
	f := fault.As(err)
	if f == nil || f.Code != fault.Validation || len(f.Details) != 7 {
		t.Errorf("%v", err)
	}
}

func TestListParameters(t *testing.T) {
	actor := newYorker(t)
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
		if err := listError(actor, service.LeadListing, params); err != nil {
			t.Errorf("%v: %v", params, err)
		}
	}
}
