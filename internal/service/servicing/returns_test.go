package servicing_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	entpayment "paydown/ent/payment"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/payment"
	"paydown/internal/store"
)

// A returned debit is retried once, by one payment, after all others: here on the last banking day within 180
// days.
func TestAReturnIsMadeUpOnce(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenBooks(t, a)
		b.Change(t, booktest.At("deals", b.Advance), object{"state": "FUNDED"})
		first := b.PaymentsOf(t, b.Advance, "")[0]
		makeUp := fmt.Sprintf(
			"mutation { makeUpPayment(id: %d, input: {}) { madeUpBy { id amount scheduledDate status } bounceCode { code } } }",
			first.ID(),
		)
		b.Ask(t, makeUp, nil).Refused(t, "conflict")
		b.Pay(t, first)
		b.Bounce(t, first, "R01")
		forgiven := strings.Replace(makeUp, "input: {}", "input: {method: OFFSET}", 1)
		if problems := b.Ask(t, forgiven, nil).Refused(t, "validation_error"); problems["method"] == "" {
			t.Errorf("a make-up that brings no money in: %v", problems)
		}
		made, _ := booktest.AskAtOnce(t, b.Client, makeUp, 3)
		if len(made) != 3 {
			t.Fatalf("%d of 3 were answered", len(made))
		}
		for _, m := range made {
			by := m.Data.In("makeUpPayment").In("madeUpBy")
			if booktest.Text(t, by) != booktest.Text(t, made[0].Data.In("makeUpPayment").In("madeUpBy")) ||
				by.Text("amount") != first.Text("amount") ||
				by.Text("scheduledDate") != "2026-07-03" ||
				m.Data.In("makeUpPayment").In("bounceCode").Text("code") != "R01" {
				t.Errorf("made up by %v", by)
			}
		}
		if queue := b.Graph(t, "{ bounceQueue { payment { id } } }", nil).List("bounceQueue"); len(queue) != 0 {
			t.Errorf("still to be made up: %v", queue)
		}
		calendar := b.Graph(t, `{ paymentCalendar(from: "2026-01-05", to: "2026-01-11") {
			date bankingDay expected { amount count } bounced { count } } }`, nil).
			List("paymentCalendar")
		if len(calendar) != 5 || calendar[1].In("expected").Text("amount") != "515.88" ||
			calendar[0].In("bounced").Int("count") != 1 {
			t.Errorf("%v", calendar)
		}
		b.CheckBooks(t)
	})
}

// What may bounce, what may not, and what makes up for a bounce.
func TestReturns(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		f := &booktest.Fleet{Desk: booktest.OpenDesk(t, a, "returns.test")}
		f.Processes = []*apptest.Client{f.Client}
		f.Run(t, []booktest.Behavior{
			{Name: "what moved no money cannot come back", Test: nothingToReturn},
			{Name: "a method of a paid payment cannot become OFFSET", Test: offsetIsFrozen},
			{Name: "a make-up that bounces is made up in its turn, by two debits at most", Test: madeUpInTurn},
			{Name: "make-ups lead nowhere twice", Test: makeUpsHaveNoCycle},
			{Name: "a cure calls off the surcharge that is pending", Test: cureDropsSurcharge},
			{Name: "a cure keeps what was paid of a surcharge, and lets a debit take its course", Test: cureKeepsSurcharge},
		})
	})
}

func nothingToReturn(t *testing.T, f *booktest.Fleet) {
	prior := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	fee := f.Post(t, "/payments", object{"dealId": prior.ID(), "type": "WIRE_FEE", "amount": "35.00"}).In("payment")
	renewal := f.Fundable(t, 20, nil)
	f.Write(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.Deal.UpdateOneID(renewal.ID()).SetIsRenewal(true).SetRenewedFromDealID(prior.ID()).Exec(ctx)
	})
	booktest.Shows(t, f.Patch(t, booktest.At("deals", renewal), object{"state": "FUNDED"}).In("deal"), object{
		"renewalPayoffAmount": "915.00", // 880.00 at the early price, and the fee
	})
	settled := f.PaymentsOf(t, prior, "&status=PAID")
	if len(settled) != 3 { // the fee, the discount and the payoff
		t.Fatalf("the renewal settles %v", settled)
	}
	for _, p := range settled {
		booktest.Shows(t, p, object{"method": "OFFSET"})
		f.Refused(t, http.MethodPatch, booktest.At("payments", p), object{"method": "WIRE", "status": "BOUNCED"}, "method")
		f.Refused(t, http.MethodPatch, booktest.At("payments", p), object{"status": "BOUNCED"}, "status")
	}
	booktest.Shows(t, f.Get(t, booktest.At("deals", prior)).In("deal"), object{"state": "RENEWED"})
	booktest.Shows(
		t, f.Patch(t, booktest.At("payments", fee), object{"note": "Settled by the renewal."}).In("payment"),
		object{"status": "PAID"},
	)

	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	discount := f.Post(t, "/payments", object{
		"dealId": deal.ID(), "type": "EPO_DISCOUNT", "amount": "50.00", "status": "PAID", "method": "OTHER",
	}).In("payment")
	f.Refused(t, http.MethodPatch, booktest.At("payments", discount), object{"status": "BOUNCED"}, "status")
	wired := f.Post(t, "/payments", object{
		"dealId": deal.ID(), "type": "RENEWAL_PAYOFF", "amount": "50.00", "status": "PAID", "method": "WIRE",
	}).In("payment")
	f.Patch(t, booktest.At("payments", wired), object{"status": "BOUNCED"})
	f.Owes(t, deal, "950.00")
}

func offsetIsFrozen(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	paid := func(method string) object {
		return f.Post(t, "/payments", object{
			"dealId": deal.ID(), "type": "RENEWAL_PAYOFF", "amount": "50.00", "status": "PAID", "method": method,
		}).In("payment")
	}
	f.Refused(t, http.MethodPatch, booktest.At("payments", paid("WIRE")), object{"method": "OFFSET"}, "method")
	booktest.Shows(
		t, f.Patch(t, booktest.At("payments", paid("WIRE")), object{"method": "CHECK"}).In("payment"),
		object{"method": "CHECK"},
	)
}

func madeUpInTurn(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	bounced := f.PaymentsOf(t, deal, "")[0]
	f.Patch(t, booktest.At("payments", bounced), object{"status": "BOUNCED"})
	for range payment.MaxRetries {
		next := makeUp(t, f, deal, "ACH")
		f.Patch(t, booktest.At("payments", bounced), object{"madeUpById": next.ID()})
		f.Refused(t, http.MethodPatch, booktest.At("payments", bounced), object{"status": "PAID"}, "status")
		f.Patch(t, booktest.At("payments", next), object{"status": "BOUNCED"})
		bounced = next
	}
	f.Refused(
		t, http.MethodPatch, booktest.At("payments", bounced), object{"madeUpById": makeUp(t, f, deal, "ACH").ID()},
		"madeUpById",
	)
	wire := makeUp(t, f, deal, "WIRE")
	f.Patch(t, booktest.At("payments", bounced), object{"madeUpById": wire.ID()})
	f.Patch(t, booktest.At("payments", wire), object{"status": "PAID"})
	f.Owes(t, deal, "900.00")
	ctx, read := f.Inside(t)
	chain := read.Payment.Query().Where(entpayment.DealID(deal.ID()), entpayment.MadeUpByIDNotNil()).CountX(ctx)
	if chain != payment.MaxRetries+1 {
		t.Errorf("%d payments are made up for, want %d", chain, payment.MaxRetries+1)
	}
}

func makeUpsHaveNoCycle(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	first := f.PaymentsOf(t, deal, "")[0]
	f.Patch(t, booktest.At("payments", first), object{"status": "BOUNCED"})
	second := makeUp(t, f, deal, "WIRE")
	f.Patch(t, booktest.At("payments", first), object{"madeUpById": second.ID()})
	f.Patch(t, booktest.At("payments", second), object{"status": "BOUNCED"})
	f.Refused(t, http.MethodPatch, booktest.At("payments", second), object{"madeUpById": first.ID()}, "madeUpById")
	f.Do(t, http.MethodPatch, booktest.At("payments", second), object{"madeUpById": second.ID()}).
		Problem(t, http.StatusBadRequest, "validation_error")
	// The first is paid after all, and makes up for the second; then it bounces again.
	f.Patch(t, booktest.At("payments", first), object{"madeUpById": nil, "status": "PAID"})
	f.Patch(t, booktest.At("payments", second), object{"madeUpById": first.ID()})
	f.Patch(t, booktest.At("payments", first), object{"status": "BOUNCED"})
	f.Refused(t, http.MethodPatch, booktest.At("payments", first), object{"madeUpById": second.ID()}, "madeUpById")
	f.Refused(t, http.MethodPatch, booktest.At("payments", second), object{"status": "PAID"}, "status")
}

// makeUp records a payment that can make up for a bounced one.
func makeUp(t *testing.T, f *booktest.Fleet, deal object, method string) object {
	t.Helper()
	return f.Post(t, "/payments", object{
		"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "100.00", "method": method,
	}).In("payment")
}

// A make-up by ACH debit falls within 180 days of the first debit, whether its day is given or by default.
func TestMakeUpsDebitWithinTheirDays(t *testing.T) {
	t.Parallel()
	booktest.Fleets(t, func(t *testing.T, f *booktest.Fleet) {
		deal := f.Funded(t, 200, nil) // daily, so that the plan is longer than that
		rows := f.PaymentsOf(t, deal, "&sort=scheduledDate")
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
			f.Patch(
				t, booktest.At("payments", row), object{"status": "PAID"},
			) // on 5 January 2026; the 180th day after it is a Saturday
			f.Patch(t, booktest.At("payments", row), object{"status": "BOUNCED"})
		}
		booktest.Shows(t, made(rows[0], ""), object{"status": "PENDING", "method": "ACH", "scheduledDate": "2026-07-03"})
		tooLate(ask(rows[1], `scheduledDate: "2026-07-06"`).Refused(t, "conflict"), "scheduledDate")
		booktest.Shows(t, made(rows[1], `scheduledDate: "2026-07-02"`), object{"scheduledDate": "2026-07-02"})
		booktest.Shows(t, made(rows[2], `scheduledDate: "2027-07-06", method: WIRE`), object{"scheduledDate": "2027-07-06"})
		last := rows[199]
		if last.Text("scheduledDate") < "2026-07-05" {
			t.Fatalf("the last row is %v", last)
		}
		tooLate(
			f.Do(t, http.MethodPatch, booktest.At("payments", rows[3]), object{"madeUpById": last.ID()}).
				Problem(t, http.StatusConflict, "conflict"),
			"madeUpById",
		)
		f.Patch(t, booktest.At("payments", rows[3]), object{"madeUpById": rows[20].ID()})
		wire := f.PaymentsOf(t, deal, "&scheduledSince=2027-07-01")[0]
		tooLate(f.Do(t, http.MethodPatch, booktest.At("payments", wire), object{"method": "ACH"}).
			Problem(t, http.StatusConflict, "conflict"), "method")

		f.App.AdvanceAll(180 * 24 * time.Hour) // no banking day is left
		tooLate(ask(rows[4], "").Refused(t, "conflict"), "method")
		booktest.Shows(t, made(rows[4], "method: CHECK"), object{"method": "CHECK"})
		booktest.Verify(t, f.App)
	})
}

func cureDropsSurcharge(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 3, object{"defaultSurcharge": "75.00"})
	own := f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "20.00"}).In("payment")
	f.Patch(t, booktest.At("deals", deal), object{"state": "DEFAULTED"})
	later := f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "20.00"}).In("payment")
	f.Patch(t, booktest.At("deals", deal), object{"state": "FUNDED"})
	for _, p := range f.PaymentsOf(t, deal, "&type=OTHER_FEE") {
		want := "CANCELLED"
		if p.ID() == later.ID() {
			want = "PENDING" // a fee of the caller's own
		}
		if p.Text("status") != want {
			t.Errorf("the fee of %s from %s is %s, want %s", p.Text("amount"), p.Text("source"), p.Text("status"), want)
		}
	}
	booktest.Shows(t, f.Get(t, booktest.At("payments", own)).In("payment"), object{"status": "CANCELLED"})
	f.Patch(t, booktest.At("deals", deal), object{"state": "DEFAULTED"})
	if again := f.PaymentsOf(t, deal, "&status=PENDING&type=OTHER_FEE"); len(again) != 1 ||
		again[0].Text("amount") != "75.00" {
		t.Errorf("another default is charged for with %v", again)
	}
}

func cureKeepsSurcharge(t *testing.T, f *booktest.Fleet) {
	for _, status := range []string{"PAID", "SUBMITTED"} {
		deal := f.Funded(t, 3, object{"defaultSurcharge": "75.00"})
		f.Patch(t, booktest.At("deals", deal), object{"state": "DEFAULTED"})
		surcharge := booktest.At("payments", f.PaymentsOf(t, deal, "&type=OTHER_FEE")[0])
		f.Patch(t, surcharge, object{"status": status})
		f.Patch(t, booktest.At("deals", deal), object{"state": "FUNDED"})
		booktest.Shows(t, f.Get(t, surcharge).In("payment"), object{"status": status})
	}
}
