package servicing_test

import (
	"fmt"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// commission is the basis and the value of a deal's commission, "" where it has none.
func commission(d object) string {
	if d["commissionBasis"] == nil && d["commissionValue"] == nil {
		return ""
	}
	return d.Text("commissionBasis") + " " + d.Text("commissionValue")
}

// rules are those of a broker: 12 % for short terms, a flat 900 for large deals, otherwise 10 %; 5 % for
// renewals.
var rules = object{
	"version": 1,
	"rules": []object{
		{"basis": "PERCENT_OF_FUNDED", "value": "12", "maxTermDays": 60},
		{"basis": "FLAT", "value": "900.00", "minFundedAmount": "100000"},
		{"basis": "PERCENT_OF_FUNDED", "value": "10"},
	},
	"renewals": []object{{"basis": "PERCENT_OF_FUNDED", "value": "5"}},
}

func TestABrokersRulePricesDeals(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenDesk(t, a, "rules.test")
		broker := b.Create(t, "/isos", object{"name": "Gulf Coast Brokers LLC", "commissionRule": rules})
		plain := b.Create(
			t, "/isos", object{"name": "Bayou Referrals", "commissionRule": object{"basis": "POINTS", "value": "10"}},
		)
		merchant := b.Create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
		terms := object{
			"merchantId": merchant.ID(), "isoId": broker.ID(), "fundedAmount": "20000.00", "factorRate": "1.20",
			"numberOfPayments": 126, "collectionFrequency": "DAILY",
		}
		deal := b.Create(t, "/deals", terms)
		is := func(what, want string) {
			t.Helper()
			if got := commission(b.Get(t, booktest.At("deals", deal)).In("deal")); got != want {
				t.Errorf("%s: %q, want %q", what, got, want)
			}
		}
		is("a new deal", "PERCENT_OF_FUNDED 10.00")
		for _, c := range []struct {
			what, want string
			change     object
		}{
			{"a large one", "FLAT 900.00", object{"fundedAmount": "100000.00"}},
			{"a short one", "PERCENT_OF_FUNDED 12.00", object{"numberOfPayments": 20}},
			{"without a broker", "", object{"isoId": nil}},
			{"of a broker whose rule is of another form", "", object{"isoId": plain.ID()}},
			{"of the broker again", "PERCENT_OF_FUNDED 12.00", object{"isoId": broker.ID()}},
			{"with a value of its own", "PERCENT_OF_FUNDED 3.00", object{"commissionValue": "3"}},
			{"which stays", "PERCENT_OF_FUNDED 3.00", object{"numberOfPayments": 126}},
			{"until it is cleared", "FLAT 900.00", object{"commissionBasis": nil, "commissionValue": nil}},
			{
				"with a basis of its own", "PERCENT_OF_PAYBACK 1.00",
				object{"commissionBasis": "PERCENT_OF_PAYBACK", "commissionValue": "1"},
			},
			{
				"and back", "PERCENT_OF_FUNDED 10.00",
				object{"commissionBasis": nil, "commissionValue": nil, "fundedAmount": "20000.00"},
			},
			{
				"what was derived, sent back", "PERCENT_OF_FUNDED 10.00",
				object{"commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": "10.00"},
			},
			{"is given", "PERCENT_OF_FUNDED 10.00", object{"fundedAmount": "100000.00"}},
			{
				"and cleared", "PERCENT_OF_FUNDED 10.00",
				object{"commissionBasis": nil, "commissionValue": nil, "fundedAmount": "20000.00"},
			},
		} {
			b.Change(t, booktest.At("deals", deal), c.change)
			is(c.what, c.want)
		}

		t.Run("a deal that the graph makes", func(t *testing.T) {
			made := b.Graph(t, fmt.Sprintf(`mutation {
				createDeal(input: {merchantId: %d, isoId: %d, fundedAmount: "150000", factorRate: "1.3", termDays: 90}) {
					commissionBasis commissionValue } }`, merchant.ID(), broker.ID()), nil).
				In("createDeal")
			if got := commission(made); got != "FLAT 900.00" {
				t.Error(got)
			}
		})
		t.Run("a lead that becomes a deal", func(t *testing.T) {
			lead := b.Create(t, "/leads", object{"businessName": "Tallow & Wick", "requestedAmount": "30000.00"})
			id := b.Graph(t, fmt.Sprintf(`mutation {
				convertLead(id: %d, input: {deal: true}) { deal { id } } }`, lead.ID()), nil).
				In("convertLead").
				In("deal").
				Text("id")
			b.Patch(t, "/deals/"+id, object{"isoId": broker.ID(), "termDays": 200})
			if got := commission(b.Get(t, "/deals/"+id).In("deal")); got != "PERCENT_OF_FUNDED 10.00" {
				t.Error(got)
			}
		})
		t.Run("a renewal has a rule of its own", func(t *testing.T) {
			for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
				b.Change(t, booktest.At("deals", deal), object{"state": state})
			}
			b.Collect(t, deal, "ADVANCE_PAYBACK", "12000.00", nil)
			b.Graph(t, "mutation { scanRenewals { opened } }", nil)
			id := b.Graph(t, "{ renewals { nodes { id } } }", nil).In("renewals").List("nodes")[0].Text("id")
			next := b.Graph(t, fmt.Sprintf(`mutation {
				startRenewal(renewalId: %s, input: {isoId: %d, fundedAmount: "40000", factorRate: "1.25"}) {
					id commissionBasis commissionValue } }`, id, broker.ID()), nil).
				In("startRenewal")
			if got := commission(next); got != "PERCENT_OF_FUNDED 5.00" {
				t.Error(got)
			}
			b.Patch(t, "/deals/"+next.Text("id"), object{"fundedAmount": "150000", "termDays": 30})
			if got := commission(b.Get(t, "/deals/"+next.Text("id")).In("deal")); got != "PERCENT_OF_FUNDED 5.00" {
				t.Errorf("changed: %s", got)
			}
		})
		t.Run("a malformed rule says where", func(t *testing.T) {
			bad := object{"commissionRule": object{"version": 1, "rules": []object{{"basis": "POINTS", "value": "1000"}}}}
			for _, send := range []func() map[string]string{
				func() map[string]string {
					return b.Do(t, "PATCH", booktest.At("isos", broker), bad).Problem(t, 400, "validation_error")
				},
				func() map[string]string {
					return b.Ask(t, fmt.Sprintf(`mutation($input: UpdateIso!) {
						updateIso(id: %d, input: $input) { id } }`, broker.ID()),
						map[string]any{"input": bad}).Refused(t, "validation_error")
				},
			} {
				if told := send(); told["commissionRule.rules.0.value"] == "" {
					t.Errorf("%v", told)
				}
			}
		})
	})
}

func TestACommissionOfferComesBeforeTheBrokersRule(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenDesk(t, a, "offer.test")
		boss := a.Staff(t, "offer.test", "admin")
		broker := b.Create(t, "/isos", object{"name": "Gulf Coast Brokers LLC", "commissionRule": rules})
		other := b.Create(t, "/isos", object{"name": "Bayou Referrals"})
		merchant := b.Create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC"})
		offer := func(more string) string {
			return boss.Graph(t, `mutation { it: createCommissionOffer(input: {
				name: "Spring", commissionBasis: POINTS, commissionValue: "12", buyRate: "1.22"`+more+`}) { id } }`, nil).
				In("it").
				Text("id")
		}
		mine := offer(fmt.Sprintf(", isoId: %d", broker.ID()))
		deal := b.Create(t, "/deals", object{
			"merchantId": merchant.ID(), "isoId": broker.ID(), "fundedAmount": "20000.00", "factorRate": "1.30", "termDays": 182,
		})
		set := func(change string) apptest.Asked {
			return boss.Ask(
				t,
				fmt.Sprintf(
					"mutation { it: updateDeal(id: %d, input: {%s}) { commissionBasis commissionValue buyRate } }", deal.ID(), change,
				),
				nil,
			)
		}
		for _, c := range []struct{ change, want, buy string }{
			{"commissionOfferId: " + mine, "POINTS 8.00", "1.22"}, // of the 12 promised as many as lie between the factors
			{`factorRate: "1.36"`, "POINTS 12.00", "1.22"},
			{fmt.Sprintf("isoId: %d", other.ID()), "", ""},
			{fmt.Sprintf("isoId: %d", broker.ID()), "POINTS 12.00", "1.22"},
			{"commissionOfferId: null", "PERCENT_OF_FUNDED 10.00", ""},
		} {
			answer := set(c.change)
			if len(answer.Errors) > 0 {
				t.Fatal(answer.Errors)
			}
			buy, _ := answer.Data.In("it")["buyRate"].(string)
			if got := commission(answer.Data.In("it")); got != c.want || buy != c.buy {
				t.Errorf("%s: %q bought at %q", c.change, got, buy)
			}
		}
		for more, want := range map[string]string{
			fmt.Sprintf(", isoId: %d", other.ID()): "is for another ISO",
			", productType: TERM_LOAN":             "is for another product",
			", isActive: false":                    "is not active",
			`, validTo: "2026-01-04"`:              "is not valid today",
			`, validFrom: "2026-01-06"`:            "is not valid today",
		} {
			if told := set("commissionOfferId: "+offer(more)).Refused(t, "validation_error"); told["commissionOfferId"] != want {
				t.Errorf("%s: %v", more, told)
			}
		}
		// Once approved, it is frozen like the commission.
		b.Patch(t, booktest.At("deals", deal), object{"collectionFrequency": "DAILY", "state": "SUBMITTED"})
		b.Patch(t, booktest.At("deals", deal), object{"state": "PREFUNDED"})
		if told := set("commissionOfferId: "+mine).Refused(t, "conflict"); told["commissionOfferId"] == "" {
			t.Errorf("%v", told)
		}
	})
}
