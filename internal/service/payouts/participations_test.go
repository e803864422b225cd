package payouts_test

import (
	"fmt"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// A participation is planned on the syndicator's terms, and reports what would block its funding.
func TestPartsOfADealArePlanned(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenDesk(t, a, "parts.test")
		merchant := b.Create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC"})
		deal := b.Create(t, "/deals", object{"merchantId": merchant.ID(), "fundedAmount": "50000.00", "factorRate": "1.30"})
		rich := b.Create(t, "/syndicators", object{"name": "Bayview Income Partners LP", "managementFeePercent": "3"})
		poor := b.Create(t, "/syndicators", object{"name": "Quarry Lane Capital", "maxPerDeal": "10000"})
		add := func(s object, percent string) apptest.Asked {
			return b.Ask(t, fmt.Sprintf(`mutation { createParticipation(input: {dealId: %d, syndicatorId: %d, percent: "%s"}) {
				id amount managementFeePercent } }`, deal.ID(), s.ID(), percent), nil)
		}
		b.Graph(t, fmt.Sprintf(`mutation { depositToWallet(id: %d, input: {amount: "20000"}) { id } }`, rich.ID()), nil)
		b.Ask(t, fmt.Sprintf(`mutation { withdrawFromWallet(id: %d, input: {amount: "20000.01"}) { id } }`, rich.ID()), nil).
			Refused(t, "conflict")
		made := add(rich, "40").Data.In("createParticipation")
		if made.Text("amount") != "20000.00" || made.Text("managementFeePercent") != "3.00" {
			t.Errorf("%v", made)
		}
		add(rich, "10").Refused(t, "conflict")
		add(poor, "60.000001").Refused(t, "conflict")
		add(poor, "30")
		problems := func() int {
			d := b.Graph(t, fmt.Sprintf(`{ deal(id: %d) { participationProblems participations { amount } } }`, deal.ID()), nil).
				In("deal")
			return len(d["participationProblems"].([]any))
		}
		if n := problems(); n != 2 { // above the limit, and nothing in the wallet
			t.Errorf("%d problems", n)
		}
		b.Change(t, booktest.At("deals", deal), object{"fundedAmount": "30000.00"})
		if got := b.Graph(t, fmt.Sprintf(`{ deal(id: %d) { participations { amount } } }`, deal.ID()), nil); booktest.Text(
			t, got.In("deal").List("participations"),
		) != `[{"amount":"12000.00"},{"amount":"9000.00"}]` {
			t.Errorf("%v", got)
		}
		if n := problems(); n != 1 {
			t.Errorf("%d problems", n)
		}
		b.Graph(t, "mutation { deleteParticipation(id: "+made.Text("id")+") }", nil)
		staff := b.Staff(t, "books@parts.test", "accounting")
		wallet := staff.Graph(t, fmt.Sprintf("{ syndicator(id: %d) { balances { wallet payable } } }", rich.ID()), nil)
		if wallet.In("syndicator").In("balances").Text("wallet") != "20000.00" {
			t.Errorf("%v", wallet)
		}
	})
}
