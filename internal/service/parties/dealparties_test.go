package parties_test

import (
	"fmt"
	"net/http"
	"testing"

	"paydown/internal/apptest"
)

// Funders, brokers and syndicators are created, changed, listed and deleted unless something refers to them.
func TestPartiesToADeal(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "parties.test")

		t.Run("an ISO with a deal cannot be deleted, and the conflict says so", func(t *testing.T) {
			broker := c.Post(t, "/isos", apptest.Object{
				"name": "Gulf Coast Brokers LLC", "domains": []string{"gulfcoast.example"},
				"commissionRule": apptest.Object{"basis": "PERCENT_OF_FUNDED", "value": "10.00"},
			}).In("iso")
			merchant := c.Post(t, "/merchants", apptest.Object{"legalName": "Harbor Street Bakery LLC"}).In("merchant")
			deal := c.Post(t, "/deals", apptest.Object{"merchantId": merchant.ID(), "isoId": broker.ID()}).In("deal")
			path := fmt.Sprintf("/isos/%d", broker.ID())
			details := c.Do(t, http.MethodDelete, path, nil).Problem(t, http.StatusConflict, "conflict")
			if details["deals"] == "" {
				t.Errorf("the conflict does not name the deal: %v", details)
			}
			c.Delete(t, fmt.Sprintf("/deals/%d", deal.ID()))
			c.Delete(t, path)
			c.Do(t, http.MethodGet, path, nil).Problem(t, http.StatusNotFound, "not_found")
		})

		t.Run("the house funder stays, and stays alone", func(t *testing.T) {
			house := c.Get(t, "/funders").List("funders")[0]
			if house["isHouse"] != true {
				t.Fatalf("a new tenant's first funder is not the house: %v", house)
			}
			path := fmt.Sprintf("/funders/%d", house.ID())
			c.Do(t, http.MethodDelete, path, nil).Problem(t, http.StatusConflict, "conflict")
			c.Do(t, http.MethodPatch, path, apptest.Object{"isHouse": false}).Problem(t, http.StatusConflict, "conflict")
			second := apptest.Object{"name": "Northline Capital", "isHouse": true}
			c.Do(t, http.MethodPost, "/funders", second).Problem(t, http.StatusConflict, "conflict")
		})

		t.Run("each entry of a list is checked", func(t *testing.T) {
			details := c.Do(t, http.MethodPost, "/isos", apptest.Object{
				"name": "Broker", "emailAddresses": []string{"deals@broker.example", "not an address"}, "commissionRule": "10 %",
			}).Problem(t, http.StatusBadRequest, "validation_error")
			if details["emailAddresses.1"] == "" || details["commissionRule"] == "" || len(details) != 2 {
				t.Errorf("details %v, want emailAddresses.1 and commissionRule", details)
			}
		})

		t.Run("a syndicator's terms are kept exactly", func(t *testing.T) {
			made := c.Post(t, "/syndicators", apptest.Object{
				"name": "Bayview Income Partners LP", "managementFeePercent": "3.125", "maxPerDeal": "25000",
				"managementFeeBasis": "PERCENT_OF_COLLECTIONS", "profitSplitPercent": 80,
			}).In("syndicator")
			for field, want := range map[string]string{
				"managementFeePercent": "3.125", "maxPerDeal": "25000.00", "profitSplitPercent": "80.00",
				"cafRecognition": "UPFRONT", "profitAccrual": "PRO_RATA",
			} {
				if got := made.Text(field); got != want {
					t.Errorf("%s is %q, want %q", field, got, want)
				}
			}
			c.Do(t, http.MethodPost, "/syndicators", apptest.Object{"name": "X", "portfolioId": 99}).
				Problem(t, http.StatusUnprocessableEntity, "invalid_reference")
			c.Delete(t, fmt.Sprintf("/syndicators/%d", made.ID()))
		})
	})
}
