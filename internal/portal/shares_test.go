package portal_test

import (
	"testing"

	"paydown/internal/apptest"
)

// TestSharesAndLinesInABrowser shares a deal with a syndicator, puts its claim on record, and draws on a line of credit.
func TestSharesAndLinesInABrowser(t *testing.T) { browsed(t, "shares.mjs", shares) }

// shares prepares a deal that is priced and one that will have a line of credit, a colleague who judges draws, and a key by
// which another system funds the two.
func shares(t *testing.T, a *apptest.App) apptest.Object {
	t.Helper()
	key := a.Key(t, "localhost").Token
	c := a.As("localhost", key)
	colleague := "grace@portal.test"
	a.Member(t, "localhost", colleague, "funder")
	merchant := c.Post(t, "/merchants", apptest.Object{
		"legalName": "Harbor Street Bakery LLC", "state": "CA", "stateOfIncorporation": "DE",
	}).In("merchant").ID()
	other := c.Post(t, "/merchants", apptest.Object{"legalName": "Tamarack Auto Body LLC", "state": "OR"}).In("merchant").ID()
	priced := func(merchant int, product, amount, factor string) int {
		return c.Post(t, "/deals", apptest.Object{
			"merchantId": merchant, "productType": product, "fundedAmount": amount, "factorRate": factor, "numberOfPayments": 100,
			"collectionFrequency": "DAILY",
		}).In("deal").ID()
	}
	return apptest.Object{
		"colleague": colleague, "key": key, "advance": priced(merchant, "MCA", "50000.00", "1.30"),
		"line": priced(other, "LOC", "30000.00", "1.10"),
	}
}
