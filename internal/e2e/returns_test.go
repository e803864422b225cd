package e2e

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	entpayment "paydown/ent/payment"
	"paydown/internal/apptest"
	"paydown/internal/payment"
	"paydown/internal/store"
)

// What may bounce, what may not, and what makes up for a bounce.
func TestReturns(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		f := &fleet{desk: openDesk(t, a, "returns.test")}
		f.processes = []*apptest.Client{f.Client}
		f.run(t, []behaviour{
			{"what moved no money cannot come back", nothingToReturn},
			{"a method of a paid payment cannot become OFFSET", offsetIsFrozen},
			{"a make-up that bounces is made up in its turn, by two debits at most", madeUpInTurn},
			{"make-ups lead nowhere twice", makeUpsHaveNoCycle},
			{"a cure calls off the surcharge that is pending", cureDropsSurcharge},
			{"a cure keeps what was paid of a surcharge, and lets a debit take its course", cureKeepsSurcharge},
		})
	})
}

func nothingToReturn(t *testing.T, f *fleet) {
	prior := f.funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	fee := f.Post(t, "/payments", object{"dealId": prior.ID(), "type": "WIRE_FEE", "amount": "35.00"}).In("payment")
	renewal := f.fundable(t, 20, nil)
	behind(t, f.desk, func(ctx context.Context, tx *store.Tx) error {
		return tx.Deal.UpdateOneID(renewal.ID()).SetIsRenewal(true).SetRenewedFromDealID(prior.ID()).Exec(ctx)
	})
	shows(t, f.Patch(t, at("deals", renewal), object{"state": "FUNDED"}).In("deal"), object{
		"renewalPayoffAmount": "915.00", // 880.00 at the early price, and the fee
	})
	settled := f.paymentsOf(t, prior, "&status=PAID")
	if len(settled) != 3 { // the fee, the discount and the payoff
		t.Fatalf("the renewal settles %v", settled)
	}
	for _, p := range settled {
		shows(t, p, object{"method": "OFFSET"})
		f.refused(t, http.MethodPatch, at("payments", p), object{"method": "WIRE", "status": "BOUNCED"}, "method")
		f.refused(t, http.MethodPatch, at("payments", p), object{"status": "BOUNCED"}, "status")
	}
	shows(t, f.Get(t, at("deals", prior)).In("deal"), object{"state": "RENEWED"})
	shows(
		t, f.Patch(t, at("payments", fee), object{"note": "Settled by the renewal."}).In("payment"), object{"status": "PAID"},
	)

	deal := f.funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	discount := f.Post(t, "/payments", object{
		"dealId": deal.ID(), "type": "EPO_DISCOUNT", "amount": "50.00", "status": "PAID", "method": "OTHER",
	}).In("payment")
	f.refused(t, http.MethodPatch, at("payments", discount), object{"status": "BOUNCED"}, "status")
	wired := f.Post(t, "/payments", object{
		"dealId": deal.ID(), "type": "RENEWAL_PAYOFF", "amount": "50.00", "status": "PAID", "method": "WIRE",
	}).In("payment")
	f.Patch(t, at("payments", wired), object{"status": "BOUNCED"})
	f.owes(t, deal, "950.00")
}

func offsetIsFrozen(t *testing.T, f *fleet) {
	deal := f.funded(t, 10, nil)
	paid := func(method string) object {
		return f.Post(t, "/payments", object{
			"dealId": deal.ID(), "type": "RENEWAL_PAYOFF", "amount": "50.00", "status": "PAID", "method": method,
		}).In("payment")
	}
	f.refused(t, http.MethodPatch, at("payments", paid("WIRE")), object{"method": "OFFSET"}, "method")
	shows(t, f.Patch(t, at("payments", paid("WIRE")), object{"method": "CHECK"}).In("payment"), object{"method": "CHECK"})
}

func madeUpInTurn(t *testing.T, f *fleet) {
	deal := f.funded(t, 10, nil)
	bounced := f.paymentsOf(t, deal, "")[0]
	f.Patch(t, at("payments", bounced), object{"status": "BOUNCED"})
	for range payment.MaxRetries {
		next := f.makeUp(t, deal, "ACH")
		f.Patch(t, at("payments", bounced), object{"madeUpById": next.ID()})
		f.refused(t, http.MethodPatch, at("payments", bounced), object{"status": "PAID"}, "status")
		f.Patch(t, at("payments", next), object{"status": "BOUNCED"})
		bounced = next
	}
	f.refused(
		t, http.MethodPatch, at("payments", bounced), object{"madeUpById": f.makeUp(t, deal, "ACH").ID()}, "madeUpById",
	)
	wire := f.makeUp(t, deal, "WIRE")
	f.Patch(t, at("payments", bounced), object{"madeUpById": wire.ID()})
	f.Patch(t, at("payments", wire), object{"status": "PAID"})
	f.owes(t, deal, "900.00")
	ctx, read := f.inside(t)
	chain := read.Payment.Query().Where(entpayment.DealID(deal.ID()), entpayment.MadeUpByIDNotNil()).CountX(ctx)
	if chain != payment.MaxRetries+1 {
		t.Errorf("%d payments are made up for, want %d", chain, payment.MaxRetries+1)
	}
}

func makeUpsHaveNoCycle(t *testing.T, f *fleet) {
	deal := f.funded(t, 10, nil)
	first := f.paymentsOf(t, deal, "")[0]
	f.Patch(t, at("payments", first), object{"status": "BOUNCED"})
	second := f.makeUp(t, deal, "WIRE")
	f.Patch(t, at("payments", first), object{"madeUpById": second.ID()})
	f.Patch(t, at("payments", second), object{"status": "BOUNCED"})
	f.refused(t, http.MethodPatch, at("payments", second), object{"madeUpById": first.ID()}, "madeUpById")
	f.Do(t, http.MethodPatch, at("payments", second), object{"madeUpById": second.ID()}).
		Problem(t, http.StatusBadRequest, "validation_error")
	// The first is paid after all, and makes up for the second; then it bounces again.
	f.Patch(t, at("payments", first), object{"madeUpById": nil, "status": "PAID"})
	f.Patch(t, at("payments", second), object{"madeUpById": first.ID()})
	f.Patch(t, at("payments", first), object{"status": "BOUNCED"})
	f.refused(t, http.MethodPatch, at("payments", first), object{"madeUpById": second.ID()}, "madeUpById")
	f.refused(t, http.MethodPatch, at("payments", second), object{"status": "PAID"}, "status")
}

// makeUp records a payment that can make up for a bounced one.
func (f *fleet) makeUp(t *testing.T, deal object, method string) object {
	t.Helper()
	return f.Post(t, "/payments", object{
		"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "100.00", "method": method,
	}).In("payment")
}

// A make-up by ACH debit falls within 180 days of the first debit, whether its day is given or by default.
func TestMakeUpsDebitWithinTheirDays(t *testing.T) {
	t.Parallel()
	fleets(t, func(t *testing.T, f *fleet) {
		deal := f.funded(t, 200, nil) // daily, so that the plan is longer than that
		rows := f.paymentsOf(t, deal, "&sort=scheduledDate")
		ask := func(row object, input string) apptest.Asked {
			t.Helper()
			return f.Ask(
				t,
				fmt.Sprintf(`mutation { makeUpPayment(id: %d, input: {%s}) { madeUpBy { status method scheduledDate } } }`,
					row.ID(), input),
				nil,
			)
		}
		made := func(row object, input string) object {
			t.Helper()
			return ask(row, input).Data.In("makeUpPayment").In("madeUpBy")
		}
		tooLate := func(told map[string]string, path string) {
			t.Helper()
			if !strings.Contains(told[path], "use another method") || !strings.Contains(told[path], "2026-07-04") {
				t.Errorf("refused with %v", told)
			}
		}
		for _, row := range rows[:6] {
			f.Patch(t, at("payments", row), object{"status": "PAID"}) // on 5 January 2026; the 180th day after it is a Saturday
			f.Patch(t, at("payments", row), object{"status": "BOUNCED"})
		}
		shows(t, made(rows[0], ""), object{"status": "PENDING", "method": "ACH", "scheduledDate": "2026-07-03"})
		tooLate(ask(rows[1], `scheduledDate: "2026-07-06"`).Refused(t, "conflict"), "scheduledDate")
		shows(t, made(rows[1], `scheduledDate: "2026-07-02"`), object{"scheduledDate": "2026-07-02"})
		shows(t, made(rows[2], `scheduledDate: "2027-07-06", method: WIRE`), object{"scheduledDate": "2027-07-06"})
		last := rows[199]
		if last.Text("scheduledDate") < "2026-07-05" {
			t.Fatalf("the last row is %v", last)
		}
		tooLate(
			f.Do(t, http.MethodPatch, at("payments", rows[3]), object{"madeUpById": last.ID()}).
				Problem(t, http.StatusConflict, "conflict"),
			"madeUpById",
		)
		f.Patch(t, at("payments", rows[3]), object{"madeUpById": rows[20].ID()})
		wire := f.paymentsOf(t, deal, "&scheduledSince=2027-07-01")[0]
		tooLate(
			f.Do(t, http.MethodPatch, at("payments", wire), object{"method": "ACH"}).Problem(t, http.StatusConflict, "conflict"),
			"method",
		)

		f.a.AdvanceAll(180 * 24 * time.Hour) // no banking day is left
		tooLate(ask(rows[4], "").Refused(t, "conflict"), "method")
		shows(t, made(rows[4], "method: CHECK"), object{"method": "CHECK"})
		verify(t, f.a)
	})
}

func cureDropsSurcharge(t *testing.T, f *fleet) {
	deal := f.funded(t, 3, object{"defaultSurcharge": "75.00"})
	own := f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "20.00"}).In("payment")
	f.Patch(t, at("deals", deal), object{"state": "DEFAULTED"})
	later := f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "20.00"}).In("payment")
	f.Patch(t, at("deals", deal), object{"state": "FUNDED"})
	for _, p := range f.paymentsOf(t, deal, "&type=OTHER_FEE") {
		want := "CANCELLED"
		if p.ID() == later.ID() {
			want = "PENDING" // a fee of the caller's own
		}
		if p.Text("status") != want {
			t.Errorf("the fee of %s from %s is %s, want %s", p.Text("amount"), p.Text("source"), p.Text("status"), want)
		}
	}
	shows(t, f.Get(t, at("payments", own)).In("payment"), object{"status": "CANCELLED"})
	f.Patch(t, at("deals", deal), object{"state": "DEFAULTED"})
	if again := f.paymentsOf(t, deal, "&status=PENDING&type=OTHER_FEE"); len(again) != 1 ||
		again[0].Text("amount") != "75.00" {
		t.Errorf("another default is charged for with %v", again)
	}
}

func cureKeepsSurcharge(t *testing.T, f *fleet) {
	for _, status := range []string{"PAID", "SUBMITTED"} {
		deal := f.funded(t, 3, object{"defaultSurcharge": "75.00"})
		f.Patch(t, at("deals", deal), object{"state": "DEFAULTED"})
		surcharge := at("payments", f.paymentsOf(t, deal, "&type=OTHER_FEE")[0])
		f.Patch(t, surcharge, object{"status": status})
		f.Patch(t, at("deals", deal), object{"state": "FUNDED"})
		shows(t, f.Get(t, surcharge).In("payment"), object{"status": status})
	}
}
