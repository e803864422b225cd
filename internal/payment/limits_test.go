package payment_test

import (
	"testing"

	"paydown/internal/money"
	"paydown/internal/payment"
)

func TestPaymentLimits(t *testing.T) {
	room := payment.Room{
		Discount: money.Must("1.00"), Payable: money.Must("2.00"), PaidOut: money.Must("3.00"), Collected: money.Must("4.00"),
	}
	type bound struct{ in, out string } // of a positive and a negative amount; empty: no limit
	limits := map[payment.Type]bound{
		payment.EPODiscount:                   {in: "1.00", out: "1.00"},
		payment.ParticipationPayout:           {in: "2.00", out: "3.00"},
		payment.ParticipationPayoutAdjustment: {in: "2.00", out: "3.00"},
		payment.AdvancePaybackAdjustment:      {out: "4.00"},
	}
	for _, name := range payment.AdvancePayback.Values() {
		kind := payment.Type(name)
		for amount, want := range map[string]string{"5.00": limits[kind].in, "-5.00": limits[kind].out} {
			most, what, limited := room.Limit(kind, money.Must(amount))
			got := ""
			if limited {
				got = most.String()
			}
			if got != want || limited != (what != "") || payment.Limited(kind, money.Must(amount)) != limited {
				t.Errorf("%s of %s may take %q (%s), want %q", kind, amount, got, what, want)
			}
		}
	}
}
