package rest_test

import (
	"slices"
	"testing"

	"paydown/internal/apptest"
)

// Names in the order of their bytes, which matches no language's collation.
var bytewise = []string{
	`"q"`, "'s", "(b)", "-x", "10", "9", "A b", "A-b", "AB", "A_b", "Ab", "Zebra", "_a", "a b", "a-b", "aB", "ab", "b",
	"z", "zebra",
	"É", "Ñ", "á", "é", "ñ", "ё", "日本", "ａ", "🍵",
}

// Text sorts the same on both databases, whatever the server's locale, and pages follow the same order.
func TestTextSortsByItsBytesOnBothDatabases(t *testing.T) {
	if !slices.IsSorted(bytewise) {
		t.Fatal("the names are not in order")
	}
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "bytes.test")
		for i := range bytewise {
			name := bytewise[i*7%len(bytewise)] // in another order than they sort in
			seedLead(t, c, apptest.Object{"businessName": name})
			seedMerchant(t, c, apptest.Object{"legalName": name, "dbaName": name})
			seed(t, c, "/isos", "iso", apptest.Object{"name": name})
			seed(t, c, "/syndicators", "syndicator", apptest.Object{"name": name})
			seed(t, c, "/funders", "funder", apptest.Object{"name": name})
		}
		backwards := slices.Clone(bytewise)
		slices.Reverse(backwards)
		for list, fields := range map[string][]string{
			"/leads": {"businessName"}, "/merchants": {"legalName", "dbaName"}, "/isos": {"name"}, "/syndicators": {"name"},
			"/funders": {"name"},
		} {
			for _, field := range fields {
				for direction, want := range map[string][]string{"asc": bytewise, "desc": backwards} {
					var got []string
					for cursor := ""; ; {
						pairs := []string{"sort", field + ":" + direction, "limit", "3"}
						if cursor != "" {
							pairs = append(pairs, "cursor", cursor)
						}
						page := c.Get(t, list+query(pairs...))
						for _, record := range pageOf(t, page, pluralOf(list)) {
							if record["isHouse"] != true { // the funder that a tenant begins with
								got = append(got, record.Text(field))
							}
						}
						if cursor = page.Text("nextCursor"); cursor == "" {
							break
						}
					}
					if !slices.Equal(got, want) {
						t.Errorf("%s by %s:%s\ngot  %q\nwant %q", list, field, direction, got, want)
					}
				}
			}
		}
	})
}

// Search ignores case in every alphabet, also on a server whose locale knows only English.
func TestSearchFoldsAllAlphabets(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "alphabets.test")
		ids := map[string]int{}
		for _, name := range []string{
			"ÉCOLE", "Ñandú Ñ", "ΟΔΟΣ Σοφία", "ЖУК", "STRASSE", "Straße", "Ağrı İstanbul", "K\u212a", "日本 Tea",
		} {
			ids[name] = seedLead(t, c, apptest.Object{"businessName": name})
		}
		for q, want := range map[string][]string{
			"école": {"ÉCOLE"}, "ÑANDÚ": {"Ñandú Ñ"}, "οδος": {"ΟΔΟΣ Σοφία"}, "ΣΟΦΊΑ": {"ΟΔΟΣ Σοφία"}, "σοφία": {"ΟΔΟΣ Σοφία"},
			"жук":     {"ЖУК"},
			"strasse": {"STRASSE"}, "STRAẞE": {"Straße"}, "ecole": {}, "ağrı": {"Ağrı İstanbul"}, "istanbul": {},
			"İSTANBUL": {"Ağrı İstanbul"},
			"kk":       {"K\u212a"}, "日本 t": {"日本 Tea"},
		} {
			var found []int
			for _, name := range want {
				found = append(found, ids[name])
			}
			if got := listed(t, c, "/leads", "q", q); !slices.Equal(got, found) {
				t.Errorf("%s finds %v, want %v of %v", q, got, found, ids)
			}
		}
	})
}
