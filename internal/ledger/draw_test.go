package ledger_test

import (
	"testing"

	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// A further draw increases the deal's outstanding balance; income follows the progress of the total.
func TestDrawIsFurtherPurchase(t *testing.T) {
	for name, c := range map[string]struct{ payback, settled, income string }{
		"at the deal's own factor nothing is to be settled": {"14,400", "", "6,400"},
		"at another the income earned so far is recomputed": {"18,000", "2000 857.14", "10,000"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDealBooks(t, ledger.Facts{Funded: amount("20,000"), Payback: amount("24,000")})
			d.store(ledger.Fund(d.facts, money.Zero, money.Zero))
			d.pay(payment.AdvancePayback, "12,000")

			entries := d.store(ledger.Draw(amount("12,000"), amount(c.payback), amount("120")))
			deferred := amount(c.payback).Sub(amount("12,000"))
			is(t, entries, "1100 "+amount(c.payback).String(), "1000 11,880; 4100 120; 2000 "+deferred.String())
			d.facts.Funded = d.facts.Funded.Add(amount("12,000"))
			d.facts.Payback = d.facts.Payback.Add(amount(c.payback))
			settled := d.store(ledger.Settle(d.facts, d.b))
			if c.settled == "" && len(settled) > 0 {
				t.Errorf("settled %v", settled)
			}
			if c.settled != "" {
				is(t, settled, c.settled, "4000 857.14")
			}

			d.store(ledger.Pay(d.facts, d.b, payment.AdvancePayback, ledger.Outstanding(d.b), payment.ACH, 0))
			equal(t, "what is owed", ledger.Outstanding(d.b), "0")
			equal(t, "deferred income", d.b.Of(ledger.DeferredIncome), "0")
			equal(t, "factor income", d.b.Of(ledger.FactorIncome).Neg(), c.income)
		})
	}
}

func TestInvalidDraws(t *testing.T) {
	for _, c := range [][3]string{
		{"0", "10", "0"}, {"100", "99.99", "0"}, {"100", "120", "100.01"}, {"100", "120", "-1"},
	} {
		if entries, err := ledger.Draw(amount(c[0]), amount(c[1]), amount(c[2])); err == nil {
			t.Errorf("%v is booked as %v", c, entries)
		}
	}
}
