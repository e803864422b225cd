package booktest

import (
	"fmt"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// OpenLine is a desk with an LOC deal of 20,000 for 24,000 and a line of 50,000.
func OpenLine(t *testing.T, a *apptest.App) (b *Desk, deal apptest.Object, line string) {
	t.Helper()
	b = OpenDesk(t, a, "line.test")
	merchant := b.Create(t, "/merchants", apptest.Object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
	deal = b.Create(t, "/deals", apptest.Object{
		"merchantId": merchant.ID(), "productType": "LOC", "fundedAmount": "20000.00", "factorRate": "1.20",
		"numberOfPayments": 24, "collectionFrequency": "DAILY",
	})
	made := b.Graph(t, fmt.Sprintf(`mutation { createCreditFacility(input: {dealId: %d, creditLimit: "50000"}) {
		id status availableRoom draws { status amount } } }`, deal.ID()), nil).In("createCreditFacility")
	if Text(t, made.List("draws")) != `[{"amount":"20000.00","status":"REQUESTED"}]` ||
		made.Text("status") != "SUSPENDED" {
		t.Fatalf("%v", made)
	}
	for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
		deal = b.Change(t, At("deals", deal), apptest.Object{"state": state})
	}
	return b, deal, made.Text("id")
}

// Facility returns how much can be drawn from a line, and the statuses of its draws.
func Facility(t *testing.T, c *apptest.Client, id string) string {
	t.Helper()
	f := c.Graph(t, "{ creditFacility(id: "+id+") { status availableRoom draws { status } } }", nil).In("creditFacility")
	words := []string{f.Text("status"), f.Text("availableRoom")}
	for _, d := range f.List("draws") {
		words = append(words, d.Text("status"))
	}
	return strings.Join(words, " ")
}
