package rest_test

import (
	"testing"

	"paydown/internal/apptest"
)

func TestExpandIncludesRelations(t *testing.T) {
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
			c.Get(t, "/payments?expand=deal").List("payments")[1],
			c.Get(t, path("/payments", second)+"?expand=deal").In("payment"),
		} {
			if payment.In("deal").ID() != deal {
				t.Errorf("%v", payment)
			}
		}
		// A page with a relation continues like one without.
		next := c.Get(t, "/deals?limit=1&expand=merchant").Text("nextCursor")
		sameIDs(t, "the next page", listed(t, c, "/deals", "limit", "1", "cursor", next, "expand", "payments"), []int{bare})
	})
}

func TestRelationRequiresScope(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "scope.test")
	deal := seedDeal(t, c, seedMerchant(t, c, nil), nil)
	seedPayment(t, c, deal, nil)
	scopes := map[string]string{
		"merchant":    "merchants:read",
		"payments":    "payments:read",
		"iso":         "isos:read",
		"submissions": "submissions:read",
	}
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
