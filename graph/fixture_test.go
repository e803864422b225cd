package graph_test

import (
	"fmt"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/service"
)

// made creates a record through REST and returns it.
func made(t *testing.T, c *apptest.Client, path, singular string, values apptest.Object) apptest.Object {
	t.Helper()
	return c.Post(t, path, values).In(singular)
}

// book creates merchants, two deals of each, and for each deal as many payments as its id.
func book(t *testing.T, c *apptest.Client, merchants int) {
	t.Helper()
	for i := range merchants {
		merchant := made(
			t, c, "/merchants", "merchant", apptest.Object{"legalName": fmt.Sprintf("Harbor Street Bakery %d LLC", i)},
		)
		for range 2 {
			deal := made(t, c, "/deals", "deal", apptest.Object{"merchantId": merchant.ID(), "fundedAmount": "50000.00"})
			for range deal.ID() {
				made(t, c, "/payments", "payment", apptest.Object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "5.00"})
			}
		}
	}
}

// texts are the values of a field of each record.
func texts(records []apptest.Object, field string) []string {
	all := make([]string, len(records))
	for i, r := range records {
		all[i] = r.Text(field)
	}
	return all
}

// number converts a GraphQL id to that of the services.
func number(t *testing.T, id string) int {
	t.Helper()
	n, ok := service.ParseID(id)
	if !ok {
		t.Fatalf("%q is no id", id)
	}
	return n
}
