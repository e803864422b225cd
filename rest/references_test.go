package rest_test

import (
	"slices"
	"testing"

	"paydown/internal/apptest"
)

// A body that refers to another tenant's record is refused like one that refers to a nonexistent record, and
// nothing of it is stored.
func TestReferencesMustBeTheTenantsOwn(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c, other := a.Client(t, "mine.test"), a.Client(t, "theirs.test")
		foreign := map[string]int{}
		for _, client := range []*apptest.Client{other, c} {
			merchant := seedMerchant(t, client, nil)
			deal := seedDeal(t, client, merchant, nil)
			ids := map[string]int{
				"merchant": merchant, "deal": deal, "payment": seedPayment(t, client, deal, nil),
				"iso": seed(t, client, "/isos", "iso", apptest.Object{"name": "x"}), "funder": listed(t, client, "/funders")[0],
				"syndicator": seed(t, client, "/syndicators", "syndicator", apptest.Object{"name": "x"}),
			}
			if client == other {
				foreign = ids
				continue
			}
			before := countRecords(t, a, c)
			const unknown = 987654321
			for name, id := range map[string]func(string) int{
				"foreign": func(of string) int { return foreign[of] }, "unknown": func(string) int { return unknown },
			} {
				dealFields := apptest.Object{
					"isoId": id("iso"), "fundedLenderId": id("funder"), "inceptionLenderId": id("funder"), "underwriterId": unknown,
				}
				refusedReferences(t, c, name, "POST", "/deals", merged(apptest.Object{"merchantId": id("merchant")}, dealFields),
					"fundedLenderId", "inceptionLenderId", "isoId", "merchantId", "underwriterId")
				refusedReferences(t, c, name, "PATCH", path("/deals", deal), dealFields,
					"fundedLenderId", "inceptionLenderId", "isoId", "underwriterId")
				paymentFields := apptest.Object{"accountId": unknown, "syndicatorId": id("syndicator"), "bounceCodeId": unknown}
				refusedReferences(t, c, name, "POST", "/payments",
					merged(apptest.Object{"dealId": id("deal"), "type": "OTHER_FEE", "amount": "5"}, paymentFields),
					"accountId", "bounceCodeId", "dealId", "syndicatorId")
				refusedReferences(t, c, name, "POST", "/payments",
					apptest.Object{"dealId": id("deal"), "type": "OTHER_FEE", "amount": "5", "status": "PAID"}, "dealId")
				refusedReferences(
					t,
					c,
					name,
					"PATCH",
					path("/payments", ids["payment"]),
					merged(
						apptest.Object{"madeUpById": id("payment")}, paymentFields,
					),
					"accountId",
					"bounceCodeId",
					"madeUpById",
					"syndicatorId",
				)
			}
			if after := countRecords(t, a, c); !slices.Equal(after, before) {
				t.Errorf("something of the refused bodies was stored: %v, before %v", after, before)
			}
			// The largest possible id is treated the same; an invalid id is not a reference.
			refusedReferences(t, c, "largest", "POST", "/deals", apptest.Object{"merchantId": 1<<63 - 1}, "merchantId")
			for _, no := range []string{"0", "-1", "1.5", `"1"`, "9223372036854775808", "1e3", "true", "[1]"} {
				messages := c.Do(t, "POST", "/deals", `{"merchantId":`+no+`}`).Problem(t, 400, "validation_error")
				if messages["merchantId"] == "" {
					t.Errorf("merchantId %s: %v", no, messages)
				}
			}
		}
	})
}

func refusedReferences(
	tb testing.TB, c *apptest.Client, name, method, path string, body apptest.Object, want ...string,
) {
	tb.Helper()
	messages := c.Do(tb, method, path, body).Problem(tb, 422, "invalid_reference")
	var got []string
	for field, message := range messages {
		if message != "no such record" {
			tb.Errorf("%s: %s %s", name, field, message)
		}
		got = append(got, field)
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		tb.Errorf("%s %s %s names %v, want %v", name, method, path, got, want)
	}
}

// countRecords counts a tenant's records, and the traces of its writes.
func countRecords(tb testing.TB, a *apptest.App, c *apptest.Client) []int {
	tb.Helper()
	var counts []int
	for _, list := range []string{
		"/leads", "/merchants", "/deals", "/payments", "/submissions", "/funders", "/isos", "/syndicators",
	} {
		counts = append(counts, c.Get(tb, list+"?limit=200").Int("count"))
	}
	left := trail(tb, a, c.Host)
	return append(counts, left[:]...)
}

func TestRejectedBodyStoresNothing(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "refused.test")
		merchant := seedMerchant(t, c, nil)
		deal := seedDeal(t, c, merchant, nil)
		lead, payment := path("/leads", seedLead(t, c, nil)), path("/payments", seedPayment(t, c, deal, nil))
		before := countRecords(t, a, c)
		was := []apptest.Object{c.Get(t, lead), c.Get(t, path("/deals", deal)), c.Get(t, payment)}
		for _, r := range []struct {
			method, path string
			body         any
			status       int
		}{
			{"POST", "/leads", apptest.Object{"businessName": "x", "email": "bad"}, 400},
			{"POST", "/leads", `{"businessName":"x"} {}`, 400},
			{"POST", "/leads?x=1", apptest.Object{"businessName": "x"}, 400},
			{"PATCH", lead, apptest.Object{"businessName": "changed", "status": "WON"}, 400},
			{"PATCH", lead, apptest.Object{"businessName": "changed", "nope": 1}, 400},
			{"POST", "/deals", apptest.Object{"merchantId": merchant, "isoId": 4711}, 422},
			{"POST", "/deals", apptest.Object{"merchantId": merchant, "factorRate": "9"}, 400},
			{"PATCH", path("/deals", deal), apptest.Object{"referenceId": "changed", "state": "FUNDED"}, 409},
			{"PATCH", path("/deals", deal), apptest.Object{"referenceId": "changed", "isoId": 4711}, 422},
			{"PATCH", path("/deals", deal), apptest.Object{"referenceId": "changed", "merchantId": merchant}, 400},
			{
				"POST", "/payments",
				apptest.Object{"dealId": deal, "type": "OTHER_FEE", "amount": "5", "status": "CANCELLED"},
				400,
			},
			{"POST", "/payments", apptest.Object{"dealId": deal, "type": "OTHER_FEE", "amount": "5", "syndicatorId": 4711}, 422},
			{"PATCH", payment, apptest.Object{"note": "changed", "madeUpById": 4711}, 422},
			{"PATCH", payment, apptest.Object{"note": "changed", "status": "PENDING", "dealId": deal}, 400},
			{"DELETE", path("/merchants", merchant), nil, 409},
			{"DELETE", path("/deals", deal), nil, 409},
		} {
			if answer := c.Do(t, r.method, r.path, r.body); answer.Status != r.status {
				t.Errorf("%s %s %v: %d %s", r.method, r.path, r.body, answer.Status, answer.Body)
			}
		}
		if after := countRecords(t, a, c); !slices.Equal(after, before) {
			t.Errorf("there is more or less than before: %v, before %v", after, before)
		}
		for i, address := range []string{lead, path("/deals", deal), payment} {
			now := c.Get(t, address)
			for key, value := range was[i] {
				for field, old := range value.(map[string]any) {
					if now.In(key)[field] != old {
						t.Errorf("%s of %s was %v and is %v", field, address, old, now.In(key)[field])
					}
				}
			}
		}
	})
}
