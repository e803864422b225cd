package graph_test

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"paydown/internal/apptest"
)

// The next payment of one deal is read without ranking those of several.
func TestTheNextPaymentIsTheSameOfOneDealAndOfSeveral(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "acme.test")
		r := rand.New(rand.NewPCG(1, 2))
		for i := range 5 {
			merchant := made(t, c, "/merchants", "merchant", apptest.Object{"legalName": "Harbor Street Bakery LLC"})
			deal := made(t, c, "/deals", "deal", apptest.Object{
				"merchantId": merchant.ID(), "fundedAmount": "50000.00", "factorRate": "1.30", "numberOfPayments": 4,
				"collectionFrequency": "DAILY",
			})
			path := "/deals/" + strconv.Itoa(deal.ID())
			for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"}[:min(i, 1)*3] {
				c.Patch(t, path, apptest.Object{"state": state})
			}
			for _, p := range c.Get(t, "/payments?dealId="+strconv.Itoa(deal.ID())).List("payments") {
				if r.IntN(2) == 0 {
					c.Patch(t, "/payments/"+strconv.Itoa(p.ID()), apptest.Object{"status": "CANCELLED"})
				}
			}
		}
		const asked = `collection { nextPayment { id scheduledDate } }`
		found := 0
		for _, deal := range c.Graph(t, `{ deals { nodes { id `+asked+` } } }`, nil).In("deals").List("nodes") {
			alone := c.Graph(
				t, `query($id: ID!) { deal(id: $id) { id `+asked+` } }`, apptest.Object{"id": deal["id"]},
			).In("deal")
			if fmt.Sprint(alone) != fmt.Sprint(deal) {
				t.Errorf("alone %v, among others %v", alone, deal)
			}
			if deal.In("collection")["nextPayment"] != nil {
				found++
			}
		}
		if found < 3 {
			t.Errorf("only %d deals have a next payment", found)
		}
	})
}
