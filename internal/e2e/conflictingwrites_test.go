package e2e

import (
	"fmt"
	"net/http"
	"testing"

	entpayment "paydown/ent/payment"
	"paydown/internal/payment"
)

// Conflicting calls: whichever the database commits first, the records agree afterwards.
func TestRaces(t *testing.T) {
	t.Parallel()
	fleets(t, func(t *testing.T, f *fleet) {
		f.run(t, []behaviour{
			{"PAID against BOUNCED against DEFAULTED", paidBouncedDefaulted},
			{"payoffs that bounce together leave the deal where its balance is", payoffsBounce},
			{"deleting against making leaves no orphan", deletedWhileReferred},
			{"CANCELLED against PAID ends PAID", cancelledPaid},
		})
	})
}

func paidBouncedDefaulted(t *testing.T, f *fleet) {
	const payments = 8
	deal := f.funded(t, payments, object{"defaultSurcharge": "75.00"})
	path := at("deals", deal)
	for range 3 {
		var calls []call
		for i, p := range f.paymentsOf(t, deal, "&type=ORIGINAL_ADVANCE_PAYBACK") {
			for _, status := range []string{"PAID", "BOUNCED"} {
				calls = append(calls, call{method: http.MethodPatch, path: at("payments", p), body: object{"status": status}})
			}
			if i%3 == 0 {
				calls = append(calls, call{method: http.MethodPatch, path: path, body: object{"state": "DEFAULTED"}})
			}
			if i%3 == 1 {
				calls = append(calls, call{method: http.MethodPatch, path: path, body: object{"state": "FUNDED"}})
			}
		}
		calls = append(calls, call{method: http.MethodPost, path: "/payments", body: object{
			"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "150.00", "status": "PAID",
		}})
		counts := tally(f.atOnce(t, calls...))
		if counts[200]+counts[201]+counts[409] != len(calls) {
			t.Errorf("answers are %v", counts)
		}
	}
	f.checkMoves(t, deal, len(f.eventsAbout(t, "deal.state_changed", "deal", deal.ID())))
}

// A payment that bounces and is paid again closes and reopens its deal each time, while other payments do the
// same.
func payoffsBounce(t *testing.T, f *fleet) {
	deal := f.funded(t, 4, nil)
	rows := f.paymentsOf(t, deal, "")
	for _, p := range rows {
		f.Patch(t, at("payments", p), object{"status": "PAID"})
	}
	for _, status := range []string{"BOUNCED", "PAID", "BOUNCED"} {
		var calls []call
		for _, p := range rows {
			calls = append(calls, patches(2, at("payments", p), object{"status": status})...)
		}
		allAre(t, f.atOnce(t, calls...), http.StatusOK)
	}
	f.owes(t, deal, "400.00")
	shows(t, f.Get(t, at("deals", deal)).In("deal"), object{"state": "FUNDED"})
	f.checkMoves(t, deal, 7) // three to FUNDED, closed, opened, closed, opened
}

func deletedWhileReferred(t *testing.T, f *fleet) {
	for range 6 {
		merchant := f.Post(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC"}).In("merchant")
		other := f.Post(t, "/merchants", object{"legalName": "Alder Street Flowers Inc"}).In("merchant")
		deal := f.Post(t, "/deals", object{"merchantId": other.ID()}).In("deal")
		answers := f.atOnce(
			t,
			call{method: http.MethodPost, path: "/deals", body: object{"merchantId": merchant.ID()}},
			call{method: http.MethodDelete, path: at("merchants", merchant)},
			call{
				method: http.MethodPost,
				path:   "/payments",
				body:   object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "5.00"},
			},
			call{method: http.MethodDelete, path: at("deals", deal)},
			call{method: http.MethodPost, path: "/payments", body: object{
				"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "5.00", "status": "PAID",
			}},
			call{method: http.MethodPatch, path: at("deals", deal), body: object{"state": "SUBMITTED"}},
		)
		if made, deleted := answers[0].Status, answers[1].Status; fmt.Sprint(made, deleted) != "201 409" &&
			fmt.Sprint(made, deleted) != "422 200" {
			t.Errorf("the deal answers %d, its merchant's end %d", made, deleted)
		}
		if answers[0].Status == http.StatusUnprocessableEntity &&
			answers[0].Problem(t, 422, "invalid_reference")["merchantId"] == "" {
			t.Errorf("the reference is not named: %s", answers[0].Body)
		}
		if answers[3].Status == http.StatusOK && (answers[2].Status != 422 || answers[4].Status != 422) {
			t.Errorf("a deleted deal has payments: %s %s", answers[2].Body, answers[4].Body)
		}
	}
}

// A payment is cancelled and paid at the same time: it ends PAID, which may follow CANCELLED, or the
// cancellation is refused.
func cancelledPaid(t *testing.T, f *fleet) {
	deal := f.funded(t, 6, nil)
	var calls []call
	for _, p := range f.paymentsOf(t, deal, "") {
		for _, status := range []string{"CANCELLED", "PAID", "SUBMITTED"} {
			calls = append(calls, call{method: http.MethodPatch, path: at("payments", p), body: object{"status": status}})
		}
	}
	f.atOnce(t, calls...)
	ctx, read := f.inside(t)
	n := read.Payment.Query().Where(entpayment.DealID(deal.ID()), entpayment.StatusEQ(payment.Paid)).CountX(ctx)
	if n != 6 {
		t.Errorf("%d payments are PAID", n)
	}
}
