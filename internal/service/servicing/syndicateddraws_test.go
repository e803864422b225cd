package servicing_test

import (
	"fmt"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// Syndicators bought participations in the deal of a line. Nothing further can be drawn on it, and a request
// for a draw says so.
func TestASyndicatedLineTakesNoFurtherDraws(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenDesk(t, a, "sharedline.test")
		merchant := b.Create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
		deal := b.Create(t, "/deals", object{
			"merchantId": merchant.ID(), "productType": "LOC", "fundedAmount": "20000.00", "factorRate": "1.20",
			"numberOfPayments": 24, "collectionFrequency": "DAILY",
		})
		line := b.Graph(t, fmt.Sprintf(`mutation {
			createCreditFacility(input: {dealId: %d, creditLimit: "50000"}) { id } }`, deal.ID()), nil).
			In("createCreditFacility").
			Text("id")
		syndicator := b.Create(t, "/syndicators", object{"name": "Bayview Income Partners LP"})
		b.Graph(
			t, fmt.Sprintf(`mutation { depositToWallet(id: %d, input: {amount: "100000"}) { id } }`, syndicator.ID()), nil,
		)
		b.Graph(
			t,
			fmt.Sprintf(`mutation { createParticipation(input: {dealId: %d, syndicatorId: %d, percent: "40"}) { id } }`,
				deal.ID(), syndicator.ID()),
			nil,
		)
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			deal = b.Change(t, booktest.At("deals", deal), object{"state": state})
		}
		was := booktest.Facility(t, b.Client, line)
		b.Ask(t, `mutation { requestDraw(facilityId: `+line+`, input: {amount: "12000"}) { id } }`, nil).
			Refused(t, "conflict")
		if is := booktest.Facility(t, b.Client, line); is != was || is != "ACTIVE 30000.00 FUNDED" {
			t.Errorf("the line is %s, was %s", is, was)
		}
	})
}
