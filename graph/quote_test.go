package graph_test

import (
	"fmt"
	"testing"
	"time"

	"paydown/internal/apptest"
)

const quoted = `quote(input: $terms) {
	fundedAmount paybackAmount factorRate numberOfPayments paymentAmount lastPayment termDays
	firstPayment specifiedPercentage cost bankFee fees commission netDisbursement missing }`

// A quote equals the result of an update with the same terms, and does not change the deal.
func TestQuoteMatchesUpdate(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "quotes.test")
		id := newPricedDeal(t, a, c)
		ask := func(terms apptest.Object) apptest.Asked {
			return c.Ask(
				t, `query($terms: QuoteTerms!) { deal(id: `+id+`) { updatedAt `+quoted+` } }`, apptest.Object{"terms": terms},
			)
		}
		before := ask(apptest.Object{}).Data.In("deal")
		for field, want := range map[string]string{
			"paybackAmount": "65000.00", "paymentAmount": "515.88", "numberOfPayments": "126", "lastPayment": "515.00",
			"cost":         "15000.00",
			"firstPayment": "2026-01-06", "termDays": "182", "bankFee": "1500.00", "fees": "1550.00",
			"netDisbursement": "48450.00",
		} {
			if got := fmt.Sprint(before.In("quote")[field]); got != want {
				t.Errorf("%s is %s, want %s", field, got, want)
			}
		}
		terms := apptest.Object{
			"fundedAmount":     "60000.00",
			"factorRate":       "1.25",
			"paymentAmount":    nil,
			"numberOfPayments": 100,
		}
		quote := ask(terms).Data.In("deal").In("quote")
		if quote.Text("paybackAmount") != "75000.00" || quote.Text("paymentAmount") != "750.00" ||
			quote.Text("netDisbursement") != "58450.00" {
			t.Errorf("the quote is %v", quote)
		}
		if after := ask(apptest.Object{}).Data.In("deal"); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("a quote has changed the deal to %v", after)
		}
		c.Graph(
			t, `mutation($terms: UpdateDeal!) { updateDeal(id: `+id+`, input: $terms) { id } }`, apptest.Object{"terms": terms},
		)
		if made := ask(apptest.Object{}).Data.In("deal").In("quote"); fmt.Sprint(made) != fmt.Sprint(quote) {
			t.Errorf("an update made %v, the quote was %v", made, quote)
		}
		reported := ask(apptest.Object{"factorRate": "3", "numberOfPayments": 0}).Refused(t, "validation_error")
		if reported["factorRate"] == "" || reported["numberOfPayments"] == "" {
			t.Errorf("told %v", reported)
		}
		if reported := ask(apptest.Object{"fundedAmount": 5}).Refused(t, "validation_error"); reported["fundedAmount"] == "" {
			t.Errorf("told %v", reported)
		}
		if net := ask(apptest.Object{"wireFee": "70000.00"}).Data.In("deal").In("quote"); net["netDisbursement"] != nil {
			t.Errorf("less than nothing is %v", net)
		}
	})
}

// A payoff amount follows the early price while it is valid, and is null before the deal owes anything.
func TestPayoffQuoteIsForDay(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "payoffs.test")
		id := newPricedDeal(t, a, c)
		ask := func(on string) apptest.Asked {
			return c.Ask(
				t, `query($on: Date) { deal(id: `+id+`) { payoff(on: $on) { on amount discount until } } }`,
				apptest.Object{"on": on},
			)
		}
		if early := ask("2026-01-05").Data.In("deal"); early["payoff"] != nil {
			t.Errorf("before funding %v", early)
		}
		change := func(values apptest.Object) {
			t.Helper()
			c.Graph(
				t, `mutation($input: UpdateDeal!) { updateDeal(id: `+id+`, input: $input) { id } }`,
				apptest.Object{"input": values},
			)
		}
		change(apptest.Object{"epoFactorRate": "1.20", "epoWindowDays": 30, "state": "SUBMITTED"})
		change(apptest.Object{"state": "PREFUNDED"})
		change(apptest.Object{"state": "FUNDED"})
		a.Clock.Advance(24 * time.Hour)
		for on, want := range map[string]string{
			"2026-02-04": "60000.00 5000.00 2026-02-04", "2026-02-05": "65000.00 0.00 2026-02-04",
		} {
			p := ask(on).Data.In("deal").In("payoff")
			if got := p.Text("amount") + " " + p.Text("discount") + " " + p.Text("until"); got != want || p.Text("on") != on {
				t.Errorf("on %s it is %s, want %s", on, got, want)
			}
		}
		if reported := ask("2026-01-05").Refused(t, "validation_error"); reported["on"] == "" {
			t.Errorf("yesterday: %v", reported)
		}
	})
}
