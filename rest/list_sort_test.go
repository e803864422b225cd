package rest_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/civil"
	"paydown/internal/store"
)

// sortable are the fields that each list sorts by; those in decimals are compared as numbers.
var sortable = map[string][]string{
	"/leads":     {"id", "createdAt", "updatedAt", "businessName", "status", "nextActionAt", "requestedAmount"},
	"/merchants": {"id", "createdAt", "updatedAt", "legalName", "dbaName"},
	"/deals": {
		"id", "createdAt", "updatedAt", "dealNumber", "state", "fundedAmount", "paybackAmount", "fundedAt", "firstPaymentDate",
	},
	"/payments": {"id", "createdAt", "updatedAt", "amount", "status", "scheduledDate", "clearedDate"},
}

var decimals = []string{"requestedAmount", "fundedAmount", "paybackAmount", "amount"}

// Ten records of each kind, with equal values, nulls, and values whose text sorts otherwise than they do.
func seedLists(tb testing.TB, a *apptest.App, c *apptest.Client) {
	tb.Helper()
	amounts := []any{"9.50", "100.00", nil, "20", "9.50", "0", nil, "1000000.01", "100", "99.99"}
	names := []string{"delta", "alpha", "charlie", "alpha", "echo", "bravo", "charlie", "alpha", "foxtrot", "golf"}
	days := []any{"2026-03-02", "2026-02-02", nil, "2026-02-02", "2025-12-31", nil, "2026-11-02", "2026-03-02", nil, "2026-02-03"}
	for i := range 10 {
		if i%3 != 1 { // some are made within the same millisecond or so
			a.Clock.Advance(time.Hour)
		}
		lead := seedLead(tb, c, apptest.Object{
			"businessName": names[i], "requestedAmount": amounts[i],
			"status": []string{"NEW", "DEAD", "CONTACTED", "QUALIFIED", "CONVERTED"}[i*3%5],
		})
		merchant := seedMerchant(tb, c, apptest.Object{"legalName": names[9-i], "dbaName": nth(names, i, i%4 != 0)})
		terms := apptest.Object{"firstPaymentDate": days[i], "fundedAmount": amounts[i], "factorRate": "1.30"}
		if amounts[i] == nil || amounts[i] == "0" {
			terms = apptest.Object{"firstPaymentDate": days[i]}
		}
		if day, ok := days[i].(string); ok && i%2 == 0 {
			terms["fundedAt"] = civil.Must(day).AddDays(-5).String()
		}
		deal := seedDeal(tb, c, merchant, terms)
		payment := apptest.Object{"amount": amounts[9-i], "status": []string{"PENDING", "SUBMITTED"}[i%2]}
		if amounts[9-i] == nil || amounts[9-i] == "0" {
			payment = apptest.Object{"type": "ADVANCE_PAYBACK_ADJUSTMENT", "amount": fmt.Sprintf("-%d.5", i+1)}
		}
		paymentID := seedPayment(tb, c, deal, payment)
		behind(tb, a, c.Host, func(ctx context.Context, tx *store.Tx) error {
			if day, ok := days[9-i].(string); ok {
				if err := tx.Payment.UpdateOneID(paymentID).SetScheduledDate(civil.Must(day)).Exec(ctx); err != nil {
					return err
				}
			}
			if i%3 == 0 {
				return nil
			}
			// Fractions of different lengths, some of the same instant.
			fraction := time.Duration([]int{0, 100, 120, 123}[i%4]) * time.Millisecond
			next := monday.Add(time.Duration(i/3)*time.Hour + fraction)
			return tx.Lead.UpdateOneID(lead).SetNextActionAt(next).Exec(ctx)
		})
	}
	for i, state := range []string{"SUBMITTED", "WITHDRAWN", "SUBMITTED"} {
		c.Patch(tb, path("/deals", i*2+1), apptest.Object{"state": state})
		c.Patch(tb, path("/payments", i*3+2), apptest.Object{"status": "PAID", "clearedDate": []string{"2026-02-02", "2026-01-30", "2026-02-02"}[i]})
	}
}

func nth(names []string, i int, there bool) any {
	if there {
		return names[i]
	}
	return nil
}

func TestListsSortByEachFieldWithNullsLast(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(monday)
		c := a.Client(t, "sort.test")
		seedLists(t, a, c)
		for list, fields := range sortable {
			all := pageOf(t, c.Get(t, list), pluralOf(list))
			if len(all) != 10 {
				t.Fatalf("%s: %d records", list, len(all))
			}
			ids := idsOf(all)
			sameIDs(t, list+" without a sort", ids, slices.Sorted(slices.Values(ids)))
			for _, field := range fields {
				for _, direction := range []string{"asc", "desc"} {
					want := idsOf(sorted(all, field, direction == "desc"))
					got := listed(t, c, list, "sort", field+":"+direction)
					sameIDs(t, list+" by "+field+":"+direction, got, want)
					if direction == "asc" {
						sameIDs(t, list+" by "+field, listed(t, c, list, "sort", field), want)
					}
				}
			}
		}
	})
}

// sorted orders records as the contract has it: nulls last either way, equal values by id.
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

// Every list, and every sort that the API describes, is a statement that both databases understand.
func TestEveryListTakesEverySortItDescribes(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "sorts.test")
		lists := 0
		for route, item := range describedPaths(t, c) {
			get := apptest.Object(item).In("get")
			for _, parameter := range get.List("parameters") {
				if parameter.Text("name") != "sort" {
					continue
				}
				lists++
				for _, sort := range parameter.In("schema")["enum"].([]any) {
					c.Get(t, route+query("sort", sort.(string)))
				}
				c.Do(t, "GET", route+query("sort", "nonsense"), nil).Problem(t, 400, "invalid_sort")
			}
		}
		if lists < 16 {
			t.Errorf("%d lists are described", lists)
		}
	})
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
