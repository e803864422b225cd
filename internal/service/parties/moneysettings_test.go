package parties_test

import (
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// Only permitted members can edit the company's money settings.
func TestSettingsAboutMoney(t *testing.T) {
	t.Parallel()
	a := apptest.OnSQLite(t)
	b := booktest.OpenDesk(t, a, "settings.test")
	portfolio := `mutation { createPortfolio(input: {name: "North"}) { id } }`
	b.Graph(t, portfolio, nil)
	b.Ask(t, portfolio, nil).Refused(t, "conflict")
	b.Ask(t, `mutation { createCommissionOffer(input: {
		name: "Spring", commissionBasis: PERCENT_OF_FUNDED, commissionValue: "101"}) { id } }`, nil).
		Refused(t, "validation_error")
	b.Graph(
		t,
		`mutation { createCommissionOffer(input: {
			name: "Spring", commissionBasis: PERCENT_OF_FUNDED, commissionValue: "12"}) { id } }`,
		nil,
	)
	b.Graph(t, `mutation { createReferrer(input: {name: "Dana Whitfield", ein: "12-3456789"}) { id } }`, nil)
	lists := b.Graph(
		t, "{ bounceCodes { id code action } portfolios { name } commissionOffers { commissionValue } referrers { ein } }",
		nil,
	)
	code := lists.List("bounceCodes")[0]
	if code.Text("code") != "R01" || len(lists.List("portfolios")) != 1 ||
		lists.List("commissionOffers")[0].Text("commissionValue") != "12.00" {
		t.Errorf("%v", lists)
	}
	change := "mutation { updateBounceCode(id: " + code.Text(
		"id",
	) + `, input: {action: REVIEW, fee: "35"}) { action fee } }`
	b.Ask(t, change, nil).Refused(t, "forbidden")
	b.Staff(t, "books@settings.test", "accounting").Ask(t, change, nil).Refused(t, "forbidden")
	got := b.Staff(t, "admin@settings.test", "admin").Graph(t, change, nil).In("updateBounceCode")
	if got.Text("action") != "REVIEW" || got.Text("fee") != "35.00" {
		t.Errorf("%v", got)
	}
}
