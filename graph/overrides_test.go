package graph_test

import (
	"fmt"
	"testing"

	"paydown/internal/apptest"
)

// An override is valid for the terms it was given for. Any change of them voids it for good, even if the terms
// are changed back.
func TestTermChangeVoidsOverride(t *testing.T) {
	priced := apptest.Object{"version": 1, "rules": []apptest.Object{{"basis": "PERCENT_OF_FUNDED", "value": "10"}}}
	for what, change := range map[string]func(t *testing.T, d, boss *company){
		"an offer that is accepted": func(t *testing.T, d, _ *company) {
			t.Helper()
			offer := d.sent(t, d.submission, `fundedAmount: "50000.00", factorRate: "1.30"`)
			d.mutate(t, "acceptOffer(id: "+offer.Text("id")+")")
			d.Patch(t, "/deals/"+d.deal, apptest.Object{"fundedAmount": "40000.00", "paybackAmount": "52000.00"})
		},
		"a broker whose rule prices it": func(t *testing.T, d, _ *company) {
			t.Helper()
			named := apptest.Object{"name": "Gulf Coast Brokers LLC", "commissionRule": priced}
			broker := made(t, d.Client, "/isos", "iso", named).ID()
			d.Patch(t, "/deals/"+d.deal, apptest.Object{"isoId": broker})
			d.Patch(t, "/deals/"+d.deal, apptest.Object{"isoId": nil})
		},
		"a commission offer": func(t *testing.T, d, boss *company) {
			t.Helper()
			offer := boss.Graph(t, `mutation {
				it: createCommissionOffer(input: {name: "Spring", commissionBasis: FLAT, commissionValue: "500"}) { id } }`, nil).
				In("it").Text("id")
			for _, id := range []string{offer, "null"} {
				const update = "mutation { updateDeal(id: %s, input: {commissionOfferId: %s}) { id } }"
				boss.Graph(t, fmt.Sprintf(update, d.deal, id), nil)
			}
		},
		"an update that moves the deal as well": func(t *testing.T, d, _ *company) {
			t.Helper()
			d.Patch(t, "/deals/"+d.deal, apptest.Object{"wireFee": "25.00", "state": "INCEPTION"})
			d.Patch(t, "/deals/"+d.deal, apptest.Object{"wireFee": nil, "state": "SUBMITTED"})
		},
	} {
		t.Run(what, func(t *testing.T) {
			apptest.Databases(t, func(t *testing.T, a *apptest.App) {
				d := strict(t, a, "void.test")
				boss := &company{Client: a.Staff(t, d.Host, "admin"), app: a, deal: d.deal}
				before := d.Get(t, "/deals/"+d.deal).In("deal")
				boss.Graph(
					t,
					"mutation { overrideFundingBlock(dealId: "+d.deal+`, input: {
						code: STATEMENT_MISSING_OR_STALE, reason: "Known to us."}) { id } }`,
					nil,
				)
				if d.blocks(t, "PREFUNDED")["STATEMENT_MISSING_OR_STALE"]["overridden"] != true {
					t.Fatal("it is not overridden")
				}
				change(t, d, boss)
				after := d.Get(t, "/deals/"+d.deal).In("deal")
				for _, term := range []string{
					"fundedAmount", "paybackAmount", "factorRate", "paymentAmount", "isoId", "commissionValue", "wireFee",
				} {
					if before[term] != after[term] {
						t.Errorf("%s is %v, was %v: the terms are not what they were", term, after[term], before[term])
					}
				}
				if d.blocks(t, "PREFUNDED")["STATEMENT_MISSING_OR_STALE"]["overridden"] != false {
					t.Error("it is overridden again")
				}
			})
		})
	}
}
