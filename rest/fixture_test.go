package rest_test

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-openapi/inflect"

	"paydown/internal/apptest"
	"paydown/internal/store"
)

// The examples all start on a Monday morning in New York.
var monday = time.Date(2026, time.January, 5, 14, 0, 0, 0, time.UTC)

// seed creates a record with the given values and returns its id.
func seed(tb testing.TB, c *apptest.Client, path, singular string, values apptest.Object) int {
	tb.Helper()
	return c.Post(tb, path, values).In(singular).ID()
}

// seedLead, seedMerchant, seedDeal and seedPayment create a default record, which values change.
func seedLead(tb testing.TB, c *apptest.Client, values apptest.Object) int {
	tb.Helper()
	return seed(tb, c, "/leads", "lead", merged(apptest.Object{"businessName": "Harbor Street Bakery"}, values))
}

func seedMerchant(tb testing.TB, c *apptest.Client, values apptest.Object) int {
	tb.Helper()
	return seed(tb, c, "/merchants", "merchant", merged(apptest.Object{"legalName": "Harbor Street Bakery LLC"}, values))
}

func seedDeal(tb testing.TB, c *apptest.Client, merchantID int, values apptest.Object) int {
	tb.Helper()
	return seed(tb, c, "/deals", "deal", merged(apptest.Object{"merchantId": merchantID}, values))
}

func seedPayment(tb testing.TB, c *apptest.Client, dealID int, values apptest.Object) int {
	tb.Helper()
	return seed(
		tb, c, "/payments", "payment",
		merged(apptest.Object{"dealId": dealID, "type": "OTHER_FEE", "amount": "35.00"}, values),
	)
}

func merged(base, values apptest.Object) apptest.Object {
	maps.Copy(base, values)
	return base
}

// behind writes through the store what no caller can set.
func behind(tb testing.TB, a *apptest.App, host string, write func(ctx context.Context, tx *store.Tx) error) {
	tb.Helper()
	if err := a.Store.Write(a.Operator(tb, host), write); err != nil {
		tb.Fatal(err)
	}
}

// query formats parameters: query("limit", "2", "sort", "id:desc").
func query(pairs ...string) string {
	values := url.Values{}
	for pair := range slices.Chunk(pairs, 2) {
		values.Set(pair[0], pair[1])
	}
	return "?" + values.Encode()
}

func idsOf(records []apptest.Object) []int {
	ids := make([]int, len(records))
	for i, r := range records {
		ids[i] = r.ID()
	}
	return ids
}

// listed gets one page and returns its ids.
func listed(tb testing.TB, c *apptest.Client, path string, pairs ...string) []int {
	tb.Helper()
	return idsOf(pageOf(tb, c.Get(tb, path+query(pairs...)), pluralOf(path)))
}

// pageOf checks a page's envelope and returns its records.
func pageOf(tb testing.TB, page apptest.Object, plural string) []apptest.Object {
	tb.Helper()
	records := page.List(plural)
	cursor, hasCursor := page["nextCursor"].(string)
	size := 4
	if plural == pluralOf(endpoints) {
		size = 5 // with the catalogue of events
	}
	if page.Int("count") != len(records) || page["hasMore"] != hasCursor || (hasCursor && cursor == "") ||
		len(page) != size {
		tb.Fatalf(
			"count %v, hasMore %v and nextCursor %v for %d records", page["count"], page["hasMore"], page["nextCursor"],
			len(records),
		)
	}
	if _, there := page["nextCursor"]; !there {
		tb.Fatal("nextCursor is absent")
	}
	return records
}

// pluralOf is the key of a list: /credit-facilities has creditFacilities.
func pluralOf(path string) string {
	return inflect.CamelizeDownFirst(strings.ReplaceAll(path[1:], "-", "_"))
}

func sameIDs(tb testing.TB, what string, got, want []int) {
	tb.Helper()
	if !slices.Equal(got, want) {
		tb.Errorf("%s: got %v, want %v", what, got, want)
	}
}

func path(collection string, id int) string { return fmt.Sprintf("%s/%d", collection, id) }
