package rest_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// walk follows the cursors from the first page to the last, with a limit that changes from page to page, and
// returns the ids in order. between runs after every page but the last.
func walk(tb testing.TB, c *apptest.Client, list string, firstLimit int, between func(), pairs ...string) []int {
	tb.Helper()
	var ids []int
	cursor := ""
	for pages := 0; ; pages++ {
		limit := (firstLimit+pages-1)%7 + 1
		params := append(slices.Clone(pairs), "limit", strconv.Itoa(limit))
		if cursor != "" {
			params = append(params, "cursor", cursor)
		}
		page := c.Get(tb, list+query(params...))
		records := pageOf(tb, page, pluralOf(list))
		ids = append(ids, idsOf(records)...)
		cursor = page.Text("nextCursor")
		if cursor == "" {
			return ids
		}
		if len(records) != limit || pages > 500 {
			tb.Fatalf("%s%s: page %d has %d records, limit %d, and goes on", list, query(pairs...), pages, len(records), limit)
		}
		between()
	}
}

// The last page is full: nothing comes after it, and it says so.
func TestHasMore(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "edge.test")
		if page := c.Get(t, "/leads"); page["hasMore"] != false || page.Int("count") != 0 || page["nextCursor"] != nil {
			t.Errorf("an empty list: %v", page)
		}
		for range 4 {
			seedLead(t, c, nil)
		}
		for limit, want := range map[int]bool{1: true, 3: true, 4: false, 5: false, 200: false} {
			page := c.Get(t, "/leads"+query("limit", strconv.Itoa(limit)))
			if page["hasMore"] != want || len(pageOf(t, page, "leads")) != min(limit, 4) {
				t.Errorf("limit %d: hasMore %v, count %v", limit, page["hasMore"], page["count"])
			}
		}
		last := c.Get(t, "/leads?limit=2&cursor="+c.Get(t, "/leads?limit=2").Text("nextCursor"))
		if last["hasMore"] != false || last.Int("count") != 2 {
			t.Errorf("the second half: %v", last)
		}
	})
}

func TestDefaultPageSize(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "fifty.test")
		for range 51 {
			seedLead(t, c, nil)
		}
		if page := c.Get(t, "/leads"); page.Int("count") != 50 || page["hasMore"] != true {
			t.Errorf("count %v, hasMore %v", page["count"], page["hasMore"])
		}
	})
}

// The record at the end of a page may be deleted: the next page starts after its former position.
func TestCursorOutlivesRecord(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "gone.test")
		for _, amount := range []any{"1", "2", "2", "3", nil, nil, nil} {
			seedLead(t, c, apptest.Object{"requestedAmount": amount})
		}
		for _, limit := range []int{1, 2, 3} { // the last of them ends on a null
			all := listed(t, c, "/leads", "sort", "requestedAmount")
			first := c.Get(t, "/leads"+query("sort", "requestedAmount", "limit", strconv.Itoa(limit)))
			c.Delete(t, path("/leads", all[limit-1]))
			rest := c.Get(t, "/leads"+query("sort", "requestedAmount", "cursor", first.Text("nextCursor")))
			sameIDs(t, fmt.Sprintf("after %d", limit), idsOf(rest.List("leads")), all[limit:])
		}
	})
}

func TestForeignCursorIsRejected(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c, other := a.Client(t, "cursor.test"), a.Client(t, "other.test")
		for range 3 {
			seedLead(t, c, nil)
			seedLead(t, other, nil)
			seedMerchant(t, c, nil)
		}
		made := c.Get(t, "/leads?limit=1&sort=businessName&status=NEW").Text("nextCursor")
		with := func(change map[string]string) string {
			params := map[string]string{"limit": "2", "sort": "businessName", "status": "NEW", "cursor": made}
			maps.Copy(params, change)
			maps.DeleteFunc(params, func(_, value string) bool { return value == "-" })
			var pairs []string
			for name, value := range params {
				pairs = append(pairs, name, value)
			}
			return "/leads" + query(pairs...)
		}
		for _, good := range []map[string]string{nil, {"limit": "200"}, {"limit": "-"}, {"fields": "businessName"}} {
			if got := idsOf(c.Get(t, with(good)).List("leads")); len(got) != 2 {
				t.Errorf("%v: %v", good, got)
			}
		}
		bits := strings.Map(func(r rune) rune {
			if r == 'A' {
				return 'B'
			}
			return r
		}, made)
		for name, change := range map[string]map[string]string{
			"another sort":        {"sort": "status"},
			"another direction":   {"sort": "businessName:desc"},
			"no sort":             {"sort": "-"},
			"another filter":      {"status": "DEAD"},
			"no filter":           {"status": "-"},
			"a filter more":       {"q": "harbor"},
			"a window more":       {"createdSince": "2020-01-01"},
			"altered":             {"cursor": bits + "A"},
			"cut":                 {"cursor": made[:len(made)-1]},
			"with a newline":      {"cursor": made + "\n"},
			"with padding":        {"cursor": made + "="},
			"in another alphabet": {"cursor": strings.ToUpper(made)},
			"empty":               {"cursor": ""},
			"an id":               {"cursor": "3"},
			"of JSON":             {"cursor": `{"i":3}`},
			"SQL":                 {"cursor": "' OR 1=1 --"},
		} {
			t.Run(name, func(t *testing.T) {
				c.Do(t, "GET", with(change), nil).Problem(t, 400, "invalid_cursor")
			})
		}
		other.Do(t, "GET", with(nil), nil).Problem(t, 400, "invalid_cursor")
		plain := c.Get(t, "/leads?limit=1").Text("nextCursor")
		c.Do(t, "GET", "/merchants?limit=1&cursor="+plain, nil).Problem(t, 400, "invalid_cursor")
	})
}
