package rest_test

import (
	"slices"
	"strconv"
	"testing"

	"paydown/internal/apptest"
)

func TestExpandBringsRelationsAlong(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "expand.test")
		merchant := seedMerchant(t, c, nil)
		iso := seed(t, c, "/isos", "iso", apptest.Object{"name": "Gulf Coast Brokers"})
		deal := seedDeal(t, c, merchant, apptest.Object{"isoId": iso})
		bare := seedDeal(t, c, merchant, nil)
		first, second := seedPayment(t, c, deal, nil), seedPayment(t, c, deal, nil)
		const all = "merchant,payments,iso,submissions"
		list := c.Get(t, "/deals"+query("expand", all)).List("deals")
		for from, got := range map[string]apptest.Object{
			"a list": list[0], "a record": c.Get(t, path("/deals", deal)+query("expand", all)).In("deal"),
		} {
			sameIDs(t, from+": payments", idsOf(got.List("payments")), []int{first, second})
			if len(got.List("submissions")) != 1 || got.In("merchant").ID() != merchant || got.In("iso").ID() != iso {
				t.Errorf("%s: %v", from, got)
			}
		}
		if payments, there := list[1]["payments"].([]any); !there || len(payments) != 0 || list[1].ID() != bare {
			t.Errorf("a deal without payments: %v", list[1]["payments"])
		}
		plain := c.Get(t, path("/deals", deal)).In("deal")
		for _, relation := range []string{"merchant", "payments", "iso", "submissions"} {
			if _, there := plain[relation]; there {
				t.Errorf("%s comes unasked", relation)
			}
			if _, there := c.Get(t, path("/deals", deal)+query("expand", relation)).In("deal")[relation]; !there {
				t.Errorf("%s does not come alone", relation)
			}
		}
		for _, payment := range []apptest.Object{
			c.Get(t, "/payments?expand=deal").List("payments")[1], c.Get(t, path("/payments", second)+"?expand=deal").In("payment"),
		} {
			if payment.In("deal").ID() != deal {
				t.Errorf("%v", payment)
			}
		}
		// A page with a relation goes on like one without.
		next := c.Get(t, "/deals?limit=1&expand=merchant").Text("nextCursor")
		sameIDs(t, "the next page", listed(t, c, "/deals", "limit", "1", "cursor", next, "expand", "payments"), []int{bare})
	})
}

func TestARelationNeedsItsOwnScope(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "scope.test")
	deal := seedDeal(t, c, seedMerchant(t, c, nil), nil)
	seedPayment(t, c, deal, nil)
	scopes := map[string]string{"merchant": "merchants:read", "payments": "payments:read", "iso": "isos:read", "submissions": "submissions:read"}
	for relation, scope := range scopes {
		poor := a.As(c.Host, a.Key(t, c.Host, "deals:read").Token)
		rich := a.As(c.Host, a.Key(t, c.Host, "deals:read", scope).Token)
		for _, address := range []string{"/deals", path("/deals", deal)} {
			poor.Do(t, "GET", address+query("expand", relation), nil).Problem(t, 403, "forbidden")
			rich.Get(t, address+query("expand", relation))
			for other := range scopes {
				if other != relation {
					rich.Do(t, "GET", address+query("expand", relation+","+other), nil).Problem(t, 403, "forbidden")
				}
			}
		}
	}
	payments := a.As(c.Host, a.Key(t, c.Host, "payments:read").Token)
	payments.Do(t, "GET", "/payments?expand=deal", nil).Problem(t, 403, "forbidden")
	a.As(c.Host, a.Key(t, c.Host, "*:read").Token).Get(t, "/payments?expand=deal")
}

// However many records there are, a page costs the same statements.
func TestOneTenantNeverSeesAnothersRecords(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c, other := a.Client(t, "mine.test"), a.Client(t, "theirs.test")
		for _, client := range []*apptest.Client{c, other} {
			deal := seedDeal(t, client, seedMerchant(t, client, nil), nil)
			seedPayment(t, client, deal, nil)
			seedLead(t, client, nil)
		}
		for list := range sortable {
			mine, theirs := listed(t, c, list), listed(t, other, list)
			if len(mine) != 1 || len(theirs) != 1 || slices.Equal(mine, theirs) {
				t.Fatalf("%s: %v and %v", list, mine, theirs)
			}
			sameIDs(t, list+" by the other's id", listed(t, c, list, "ids", strconv.Itoa(theirs[0])), []int{})
			missing := c.Do(t, "GET", path(list, 987654321), nil)
			foreign := c.Do(t, "GET", path(list, theirs[0]), nil)
			missing.Problem(t, 404, "not_found")
			foreign.Problem(t, 404, "not_found")
			if a, b := missing.JSON(t), foreign.JSON(t); a["error"] != b["error"] || len(a) != len(b) {
				t.Errorf("%s: %v is told from %v", list, a, b)
			}
			c.Do(t, "PATCH", path(list, theirs[0]), "{}").Problem(t, 404, "not_found")
			if list != "/payments" {
				c.Do(t, "DELETE", path(list, theirs[0]), nil).Problem(t, 404, "not_found")
			}
		}
		theirDeal := listed(t, other, "/deals")[0]
		sameIDs(t, "payments of the other's deal", listed(t, c, "/payments", "dealId", strconv.Itoa(theirDeal)), []int{})
	})
}
