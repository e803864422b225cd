package portal_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"paydown/internal/apptest"
)

// TestMoneyGoesOutInABrowser has two people pay a broker and a syndicator, and a deal renewed.
func TestMoneyGoesOutInABrowser(t *testing.T) { browsed(t, "money.mjs", moneyOut) }

// TestABadLineInABrowser has answers lost and late where money is recorded and where files are uploaded.
func TestABadLineInABrowser(t *testing.T) {
	file := filepath.Join(t.TempDir(), "statement.pdf")
	if err := os.WriteFile(file, []byte("%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	browsed(t, "badline.mjs", func(t *testing.T, a *apptest.App) apptest.Object {
		told := moneyOut(t, a)
		told["file"] = file
		return told
	}, apptest.KeepingFiles(t, t.TempDir(), 1<<20))
}

// month is longer than any.
const month = 32 * 24 * time.Hour

// moneyOut prepares a company with a second member who does its accounting, a deal whose broker has earned a commission and
// whose syndicator is due three shares, and another that is as good to renew.
func moneyOut(t *testing.T, a *apptest.App) apptest.Object {
	t.Helper()
	const accountant = "max@portal.test"
	// What was collected is held for days, and a commission is safe after a month; the browser's clock is nobody's to move.
	a.AdvanceAll(-month)
	a.Member(t, "localhost", accountant, "accounting")
	c := a.As("localhost", a.Key(t, "localhost").Token)
	today := a.Clock.Now().UTC()
	broker := c.Post(t, "/isos", apptest.Object{"name": "Bridge Capital Brokers"}).In("iso").ID()
	syndicator := c.Post(t, "/syndicators", apptest.Object{"name": "Bayview Income Partners LP"}).In("syndicator").ID()
	c.Graph(t, `mutation($id: ID!) { depositToWallet(id: $id, input: {amount: "30000"}) { id } }`, map[string]any{"id": syndicator})
	shared := pricedDeal(t, c, "Harbor Street Bakery LLC", apptest.Object{
		"isoId": broker, "commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": "10",
	})
	c.Graph(t, `mutation($input: NewParticipation!) { createParticipation(input: $input) { id } }`, map[string]any{
		"input": apptest.Object{"dealId": shared.ID(), "syndicatorId": syndicator, "percent": "40"},
	})
	other := pricedDeal(t, c, "Juniper Auto Glass LLC", nil)
	for _, deal := range []apptest.Object{shared, other} {
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			c.Patch(t, fmt.Sprintf("/deals/%d", deal.ID()), apptest.Object{"state": state})
		}
		for range 3 {
			c.Post(t, "/payments", apptest.Object{
				"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "12000.00", "status": "PAID",
			})
		}
	}
	a.AdvanceAll(month)
	return apptest.Object{
		"paths":      []string{fmt.Sprintf("/deals/%d", shared.ID()), fmt.Sprintf("/deals/%d", other.ID())},
		"accountant": accountant, "shared": shared.Text("dealNumber"), "other": other.Text("dealNumber"),
		"from": today.AddDate(0, 0, -3).Format(time.DateOnly), "to": today.AddDate(0, 0, 3).Format(time.DateOnly),
	}
}

// pricedDeal makes a deal of 50,000 for 65,000 of a merchant of that name.
func pricedDeal(t *testing.T, c *apptest.Client, merchant string, also apptest.Object) apptest.Object {
	t.Helper()
	made := c.Post(t, "/merchants", apptest.Object{"legalName": merchant, "state": "NY"}).In("merchant")
	terms := apptest.Object{
		"merchantId": made.ID(), "fundedAmount": "50000.00", "factorRate": "1.30", "numberOfPayments": 126, "collectionFrequency": "DAILY",
	}
	maps.Copy(terms, also)
	return c.Post(t, "/deals", terms).In("deal")
}
