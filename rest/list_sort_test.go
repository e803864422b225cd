package rest_test

import (
	"cmp"
	"slices"
	"strconv"
	"testing"

	"paydown/internal/apptest"
)

var decimals = []string{
	"requestedAmount", "fundedAmount", "paybackAmount", "amount", "paidDownPct", "outstanding", "creditLimit",
	"availableRoom",
}

func TestListsSortByEachFieldWithNullsLast(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(monday)
		c := a.Client(t, "sort.test")
		for _, s := range fillLists(t, a, c) {
			all := pageOf(t, c.Get(t, s.list+"?limit=200"), pluralOf(s.list))
			ids := idsOf(all)
			if len(all) < shelfSize {
				t.Fatalf("%s: %d records", s.list, len(all))
			}
			sameIDs(t, s.list+" without a sort", ids, slices.Sorted(slices.Values(ids)))
			for _, field := range s.fields {
				if nulls, shown := s.nullsOf(all, field); shown && (nulls > 0) != s.nullable(field) {
					t.Errorf("%s: %d records have no %s", s.list, nulls, field)
				}
				for _, direction := range []string{"asc", "desc"} {
					want := idsOf(sorted(all, field, direction == "desc"))
					got := listed(t, c, s.list, "limit", "200", "sort", field+":"+direction)
					sameIDs(t, s.list+" by "+field+":"+direction, got, want)
				}
				plain := listed(t, c, s.list, "limit", "200", "sort", field)
				sameIDs(t, s.list+" by "+field, plain, idsOf(sorted(all, field, false)))
			}
		}
	})
}

// sorted sorts records by the contract: nulls last in either direction, equal values by id.
func sorted(records []apptest.Object, field string, desc bool) []apptest.Object {
	return slices.SortedFunc(slices.Values(records), func(x, y apptest.Object) int {
		if (x[field] == nil) != (y[field] == nil) {
			if x[field] == nil {
				return 1
			}
			return -1
		}
		order := cmp.Or(compare(field, x[field], y[field]), cmp.Compare(x.ID(), y.ID()))
		if desc {
			return -order
		}
		return order
	})
}

func compare(field string, x, y any) int {
	switch x := x.(type) {
	case float64:
		return cmp.Compare(x, y.(float64))
	case string:
		if slices.Contains(decimals, field) {
			xn, _ := strconv.ParseFloat(x, 64)
			yn, _ := strconv.ParseFloat(y.(string), 64)
			return cmp.Compare(xn, yn)
		}
		return cmp.Compare(x, y.(string))
	default:
		return 0
	}
}

// describedPaths are the paths of the API's description.
func describedPaths(tb testing.TB, c *apptest.Client) map[string]map[string]any {
	tb.Helper()
	paths := map[string]map[string]any{}
	for route, item := range keyed(c.Get(tb, "/api/openapi.json")).In("paths") {
		paths[route], _ = item.(map[string]any)
	}
	return paths
}
