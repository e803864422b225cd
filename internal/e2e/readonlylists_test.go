package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"paydown/internal/apptest"
)

// What integrators read but do not write, each list under its own key.
func TestReadOnlyLists(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "lists.test")
		merchant := c.Post(t, "/merchants", apptest.Object{"legalName": "Harbor Street Bakery LLC"}).In("merchant")
		deal := c.Post(t, "/deals", apptest.Object{"merchantId": merchant.ID()}).In("deal")

		for path, key := range map[string]string{
			"/submissions": "submissions", "/decisions": "decisions", "/renewals": "renewals",
			"/credit-facilities": "creditFacilities", "/disclosures": "disclosures", "/ucc-filings": "uccFilings",
			"/payouts": "payouts", "/applications": "applications", "/communications": "communications",
		} {
			page := c.Get(t, path+"?sort=createdAt:desc")
			if _, ok := page[key].([]any); !ok || page["hasMore"] != false || page["nextCursor"] != nil {
				t.Errorf("%s: %v", path, page)
			}
			c.Do(t, http.MethodPost, path, apptest.Object{}).Problem(t, http.StatusMethodNotAllowed, "method_not_allowed")
		}

		house := c.Get(t, fmt.Sprintf("/submissions?dealId=%d&expand=funder", deal.ID())).List("submissions")
		if len(house) != 1 || house[0].In("funder")["isHouse"] != true || house[0].In("deal").ID() != deal.ID() ||
			house[0].In("status").Text("code") != "NEW" {
			t.Errorf("the house submission lacks what it always includes: %v", house)
		}
		if got := c.Get(t, "/submissions?dealId=999999").Int("count"); got != 0 {
			t.Errorf("%d submissions of a deal that does not exist", got)
		}
		c.Do(t, http.MethodGet, "/submissions?expand=payments", nil).Problem(t, http.StatusBadRequest, "invalid_expand")
	})
}
