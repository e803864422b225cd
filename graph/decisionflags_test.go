package graph_test

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/store"
	"paydown/internal/underwriting"
)

// statements is an analysis of three healthy months, with changes.
func statements(changes apptest.Object) apptest.Object {
	body := apptest.Object{
		"source": "reader", "periodStart": "2025-10-01", "periodEnd": "2025-12-31", "monthsCovered": 3,
		"avgMonthlyTrueRevenue": "120000.00", "avgDailyBalance": "20000.00", "positionCount": 0, "nsfCount": 0,
		"negativeDays": 0,
	}
	maps.Copy(body, changes)
	return body
}

func months(names ...string) apptest.Object {
	list := []apptest.Object{}
	for _, name := range names {
		list = append(list, apptest.Object{"month": name, "trueRevenue": "120000.00"})
	}
	return apptest.Object{"months": list}
}

func depositors(entries ...apptest.Object) apptest.Object {
	return apptest.Object{"depositors": entries}
}

func TestDecisionsFlagConcentrationAndMissingMonths(t *testing.T) {
	big := apptest.Object{"name": "Harbor Hotel", "amount": "180100.00"} // of 360,000
	cases := []struct {
		name     string
		analyses []apptest.Object // the last is the newest
		flags    []string
		metrics  apptest.Object
	}{
		{
			"nobody named, no month missing",
			[]apptest.Object{statements(nil)},
			nil,
			apptest.Object{"monthsMissing": 0.0, "largestDepositorPct": nil},
		},
		{"types of deposits are no depositors", []apptest.Object{statements(apptest.Object{
			"depositTypes": []apptest.Object{{"type": "card settlement", "amount": "300000.00", "count": 60}},
		})}, nil, apptest.Object{"largestDepositorPct": nil}},
		{"half of the revenue", []apptest.Object{statements(apptest.Object{
			"summary": depositors(apptest.Object{"name": "Harbor Hotel", "amount": "180000.00"}),
		})}, nil, apptest.Object{"largestDepositorPct": "50.00"}},
		{"more than half", []apptest.Object{statements(apptest.Object{
			"summary": depositors(
				apptest.Object{"name": "Walk-ins", "amount": "100.00"}, big,
				apptest.Object{"name": "harbor hotel ", "amount": "20000.00"},
			),
		})}, []string{"CONCENTRATION"}, apptest.Object{"largestDepositorPct": "55.58"}},
		{"in the types of deposits", []apptest.Object{statements(apptest.Object{
			"depositTypes": apptest.Object{
				"ach":  apptest.Object{"amount": "200000.00", "depositor": "Harbor Hotel"},
				"cash": apptest.Object{"amount": "1.00"},
			},
		})}, []string{"CONCENTRATION"}, apptest.Object{"largestDepositorPct": "55.56"}},
		{"of deposits, where the months are not said", []apptest.Object{statements(apptest.Object{
			"monthsCovered": nil, "grossDeposits": "400000.00", "mcaDeposits": "30000.00", "internalTransfers": "10000.00",
			"summary": depositors(big),
		})}, []string{"CONCENTRATION"}, apptest.Object{"largestDepositorPct": "50.03"}},
		{"what cannot be read", []apptest.Object{statements(apptest.Object{
			"summary": apptest.Object{"depositors": "many", "months": 3},
		})}, nil, apptest.Object{"largestDepositorPct": nil, "monthsMissing": 0.0}},

		{"a month that the summary leaves out", []apptest.Object{statements(apptest.Object{
			"summary": months("2025-10", "2025-12"),
		})}, []string{"GAP_IN_MONTHS"}, apptest.Object{"monthsMissing": 1.0}},
		{"a month of the period after those of the summary", []apptest.Object{statements(apptest.Object{
			"periodEnd": "2026-01-31", "monthsCovered": 3, "summary": months("2025-10", "2025-11", "2025-12"),
		})}, []string{"GAP_IN_MONTHS"}, apptest.Object{"monthsMissing": 1.0}},
		{"fewer statements than months", []apptest.Object{statements(apptest.Object{
			"periodStart": "2025-08-01", "monthsCovered": 4,
		})}, []string{"GAP_IN_MONTHS"}, apptest.Object{"monthsMissing": 1.0}},
		{"a period from the middle of a month", []apptest.Object{statements(apptest.Object{
			"periodStart": "2025-09-15", "periodEnd": "2025-12-14",
		})}, nil, apptest.Object{"monthsMissing": 0.0}},
		{"between two analyses", []apptest.Object{
			statements(apptest.Object{"periodStart": "2025-06-01", "periodEnd": "2025-08-31"}), statements(nil),
		}, []string{"GAP_IN_MONTHS"}, apptest.Object{"monthsMissing": 1.0}},
		{"filled by an earlier analysis", []apptest.Object{
			statements(apptest.Object{"periodStart": "2025-11-01", "periodEnd": "2025-11-30", "monthsCovered": 1}),
			statements(apptest.Object{"summary": months("2025-10", "2025-12")}),
		}, nil, apptest.Object{"monthsMissing": 0.0}},
		{"filled by statements that were altered", []apptest.Object{
			statements(
				apptest.Object{"periodStart": "2025-11-01", "periodEnd": "2025-11-30", "monthsCovered": 1, "altered": true},
			),
			statements(apptest.Object{"summary": months("2025-10", "2025-12")}),
		}, []string{"GAP_IN_MONTHS"}, apptest.Object{"monthsMissing": 1.0}},
		{"statements of a year before", []apptest.Object{
			statements(apptest.Object{"periodStart": "2024-06-01", "periodEnd": "2024-08-31"}), statements(nil),
		}, nil, apptest.Object{"monthsMissing": 0.0}},
		{
			"no period",
			[]apptest.Object{statements(apptest.Object{"periodStart": nil, "periodEnd": nil})},
			nil,
			apptest.Object{"monthsMissing": nil},
		},
	}
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		for i, k := range cases {
			t.Run(k.name, func(t *testing.T) {
				c := a.Client(t, "flags"+string(rune('a'+i))+".test")
				dealID := newPricedDeal(t, a, c)
				for _, body := range k.analyses {
					c.Post(t, "/deals/"+dealID+"/statement-analysis", body)
				}
				d, err := a.Decisions.Run(a.Operator(t, c.Host), number(t, dealID))
				if err != nil {
					t.Fatal(err)
				}
				decision := c.Get(t, "/decisions?dealId="+dealID).List("decisions")[0]
				var flags []string
				for code := range decision.In("flags") {
					flags = append(flags, code)
				}
				if slices.Sort(flags); !slices.Equal(flags, k.flags) {
					t.Errorf("flags %v, want %v", decision.In("flags"), k.flags)
				}
				for _, code := range k.flags {
					f := decision.In("flags").In(code)
					if f.Text("severity") != "SOFT" || f["value"] == nil || f["threshold"] == nil || f.Text("message") == "" ||
						d.Recommendation != underwriting.Refer {
						t.Errorf("%s: %v, %s", code, f, d.Recommendation)
					}
				}
				for metric, want := range k.metrics {
					if got := decision.In("metrics")[metric]; got != want {
						t.Errorf("%s is %v, want %v", metric, got, want)
					}
				}
			})
		}
	})
}

// A company keeps its policy until it changes it.
func TestEarlierUnderwritingPolicyRaisesNoNewFlags(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "guidelines.test")
		dealID := newPricedDeal(t, a, c)
		earlier := underwriting.DefaultPolicy()
		earlier.Flags = earlier.Flags[:5]
		rules, err := json.Marshal(earlier)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(rules), "CONCENTRATION") || strings.Contains(string(rules), "GAP_IN_MONTHS") {
			t.Fatalf("the earlier policy is %s", rules)
		}
		ctx := a.Operator(t, c.Host)
		if err := a.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.UnderwritingPolicy.Create().SetName("Guidelines").SetVersion(2).SetRules(rules).Exec(ctx)
		}); err != nil {
			t.Fatal(err)
		}
		c.Post(t, "/deals/"+dealID+"/statement-analysis", statements(apptest.Object{"summary": months("2025-10", "2025-12")}))
		d, err := a.Decisions.Run(ctx, number(t, dealID))
		if err != nil || string(d.Flags) != "{}" || d.Recommendation != underwriting.Approve {
			t.Errorf("%v, %v", d, err)
		}
	})
}
