package payment_test

import (
	"slices"
	"strings"
	"testing"

	"paydown/internal/payment"
)

func TestPaymentMoves(t *testing.T) {
	want := map[string]string{
		"PENDING":   "SUBMITTED PAID BOUNCED CANCELLED",
		"SUBMITTED": "PAID BOUNCED CANCELLED",
		"PAID":      "BOUNCED",
		"CANCELLED": "PAID",
		"BOUNCED":   "PAID",
	}
	for _, from := range payment.Pending.Values() {
		s := payment.Status(from)
		for _, to := range payment.Pending.Values() {
			allowed := slices.Contains(strings.Fields(want[from]), to)
			if s.CanBecome(payment.Status(to)) != allowed {
				t.Errorf("%s to %s: want allowed %t", from, to, allowed)
			}
		}
		if len(s.Next()) != len(strings.Fields(want[from])) {
			t.Errorf("%s: next are %v", from, s.Next())
		}
		if s.Frozen() != (from == "PAID" || from == "BOUNCED") {
			t.Errorf("%s: frozen is %t", from, s.Frozen())
		}
		if s.Initial() != (from == "PENDING" || from == "SUBMITTED" || from == "PAID") {
			t.Errorf("%s: initial is %t", from, s.Initial())
		}
	}
}

func TestPaymentTypes(t *testing.T) {
	type traits struct{ signed, fee, reduces, out bool }
	special := map[string]traits{
		"ORIGINAL_ADVANCE_PAYBACK":        {reduces: true},
		"ADVANCE_PAYBACK":                 {reduces: true},
		"ADVANCE_PAYBACK_ADJUSTMENT":      {signed: true, reduces: true},
		"PARTICIPATION_PAYOUT":            {out: true},
		"PARTICIPATION_PAYOUT_ADJUSTMENT": {signed: true, out: true},
		"EPO_DISCOUNT":                    {reduces: true},
		"RENEWAL_PAYOFF":                  {reduces: true},
	}
	types := payment.AdvancePayback.Values()
	if len(types) != 12 {
		t.Errorf("there are %d types", len(types))
	}
	for _, name := range types {
		want, ok := special[name]
		if !ok {
			want = traits{fee: true} // the five fees
		}
		p := payment.Type(name)
		got := traits{p.Signed(), p.IsFee(), p.ReducesReceivable(), p.ToSyndicator()}
		if got != want || (payment.DirectionOf(p) == payment.Out) != want.out {
			t.Errorf("%s is %+v, want %+v", name, got, want)
		}
	}
}
