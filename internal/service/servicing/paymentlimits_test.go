package servicing_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	entposting "paydown/ent/posting"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service"
	"paydown/internal/store"
)

// No manually recorded payment takes more than is available, whoever records it and on whichever surface.
func TestPaymentsTakeNoMoreThanThereIs(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		f := &booktest.Fleet{Desk: booktest.OpenDesk(t, a, "controls.test")}
		f.Processes = []*apptest.Client{f.Client}
		f.Run(t, []booktest.Behavior{
			{Name: "a discount is at most what the payoff grants", Test: discountsAreBounded},
			{Name: "no discount is granted late, in default or without early-payoff terms", Test: discountsNeedTheirTerms},
			{Name: "a discount is dated within the window", Test: discountsAreDated},
			{Name: "a payoff by OFFSET is made by a renewal alone", Test: offsetsAreOfRenewals},
			{Name: "an adjustment hands back at most what was collected", Test: refundsAreBounded},
		})
	})
}

// toPay tries to have a payment PAID in every way, and checks that each is refused with the maximum amount. The
// payment itself can be recorded while it is PENDING.
func toPay(t *testing.T, f *booktest.Fleet, deal object, want object, most, path string) {
	t.Helper()
	body := object{"dealId": deal.ID()}
	maps.Copy(body, want)
	paid := object{"status": "PAID"}
	maps.Copy(paid, body)
	tells := func(surface string, details map[string]string) {
		t.Helper()
		if !strings.Contains(details[path], most) {
			t.Errorf("%s refuses %v with %v, want %s at %s", surface, want, details, most, path)
		}
	}
	tells("a POST", f.Do(t, http.MethodPost, "/payments", paid).Problem(t, http.StatusConflict, "conflict"))
	tells("createPayment", f.Ask(t, `mutation($input: NewPayment!) { createPayment(input: $input) { id } }`,
		map[string]any{"input": paid}).Refused(t, "conflict"))
	staff := f.Staff(t, "admin@controls.test", "admin")
	tells("createPayment of staff", staff.Ask(t, `mutation($input: NewPayment!) { createPayment(input: $input) { id } }`,
		map[string]any{"input": paid}).Refused(t, "conflict"))
	if path != "amount" {
		return // it cannot be recorded at all
	}
	row := f.Post(t, "/payments", body).In("payment")
	tells("a PATCH", f.Do(t, http.MethodPatch, booktest.At("payments", row), object{"status": "PAID"}).
		Problem(t, http.StatusConflict, "conflict"))
	tells("updatePayment", f.Ask(t, `mutation($id: ID!) { updatePayment(id: $id, input: {status: PAID}) { id } }`,
		map[string]any{"id": row.ID()}).Refused(t, "conflict"))
	p := &booktest.Processor{Sender: f.App.Sender(t, f.Host), Told: 1000 * row.ID()}
	booktest.KeptWith(t, p.Tell(t, f.Desk, object{"type": "payment.settled", "paymentId": row.ID()}), most)
	booktest.Shows(t, f.Get(t, booktest.At("payments", row)).In("payment"), object{"status": "PENDING"})
	f.Patch(t, booktest.At("payments", row), object{"status": "CANCELLED"})
	tells(
		"a PATCH of what was called off",
		f.Do(t, http.MethodPatch, booktest.At("payments", row), object{"status": "PAID"}).
			Problem(t, http.StatusConflict, "conflict"),
	)
}

func discountsAreBounded(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30}) // 880.00 of 1,000.00
	toPay(t, f, deal, object{"type": "EPO_DISCOUNT", "amount": "120.01"}, "120.00", "amount")
	toPay(t, f, deal, object{"type": "EPO_DISCOUNT", "amount": "1000.00", "method": "OFFSET"}, "120.00", "amount")
	take(t, f, deal, "EPO_DISCOUNT 50.00")
	toPay(t, f, deal, object{"type": "EPO_DISCOUNT", "amount": "70.01"}, "70.00", "amount")
	take(t, f, deal, "ADVANCE_PAYBACK 900.00") // 20.00 above the early price
	toPay(t, f, deal, object{"type": "EPO_DISCOUNT", "amount": "50.01"}, "50.00", "amount")
	take(t, f, deal, "EPO_DISCOUNT 50.00")
	is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
}

func discountsNeedTheirTerms(t *testing.T, f *booktest.Fleet) {
	toPay(t, f, f.Funded(t, 10, nil), object{"type": "EPO_DISCOUNT", "amount": "0.01"}, "0.00", "amount")
	epo := object{"epoFactorRate": "1.1", "epoWindowDays": 30}
	defaulted := f.Funded(t, 10, epo)
	f.Patch(t, booktest.At("deals", defaulted), object{"state": "DEFAULTED"})
	toPay(t, f, defaulted, object{"type": "EPO_DISCOUNT", "amount": "120.00"}, "0.00", "amount")
	late := f.Funded(t, 10, epo)
	f.App.AdvanceAll(31 * 24 * time.Hour)
	toPay(t, f, late, object{"type": "EPO_DISCOUNT", "amount": "120.00"}, "0.00", "amount")
}

func discountsAreDated(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	today := func() civil.Date { return civil.On(f.App.Clock.Now(), time.UTC) }
	pending := func() string {
		return booktest.At(
			"payments",
			f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "EPO_DISCOUNT", "amount": "10.00"}).In("payment"),
		)
	}
	f.App.AdvanceAll(31 * 24 * time.Hour)
	f.Refused(t, http.MethodPatch, pending(), object{"status": "PAID"}, "amount")
	first := pending()
	f.Patch(
		t, first, object{"status": "PAID", "clearedDate": today().AddDays(-2).String()},
	) // within the window, and lately
	f.Refused(t, http.MethodPatch, first, object{"clearedDate": today().String()}, "clearedDate")
	f.App.AdvanceAll(14 * 24 * time.Hour)
	back := object{"status": "PAID", "clearedDate": today().AddDays(-16).String()}
	f.Refused(t, http.MethodPatch, pending(), back, "amount") // dated into the window after the fact
	f.Owes(t, deal, "990.00")
}

func offsetsAreOfRenewals(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	toPay(
		t, f, deal, object{"type": "RENEWAL_PAYOFF", "amount": "1000.00", "method": "OFFSET"}, "must not be OFFSET", "method",
	)
	f.Refused(t, http.MethodPost, "/payments", object{
		"dealId": deal.ID(), "type": "RENEWAL_PAYOFF", "amount": "10.00", "method": "OFFSET",
	}, "method")
	wire := booktest.At("payments", f.Post(t, "/payments", object{
		"dealId": deal.ID(), "type": "RENEWAL_PAYOFF", "amount": "10.00", "method": "WIRE",
	}).In("payment"))
	f.Refused(t, http.MethodPatch, wire, object{"method": "OFFSET"}, "method")
	f.Refused(t, http.MethodPatch, wire, object{"method": "OFFSET", "status": "PAID"}, "method")
	f.Owes(t, deal, "1000.00")
}

func refundsAreBounded(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	toPay(t, f, deal, object{"type": "ADVANCE_PAYBACK_ADJUSTMENT", "amount": "-0.01"}, "0.00", "amount")
	take(t, f, deal, "ADVANCE_PAYBACK 300.00")
	toPay(t, f, deal, object{"type": "ADVANCE_PAYBACK_ADJUSTMENT", "amount": "-300.01"}, "300.00", "amount")
	take(t, f, deal, "ADVANCE_PAYBACK_ADJUSTMENT -300.00")
	toPay(t, f, deal, object{"type": "ADVANCE_PAYBACK_ADJUSTMENT", "amount": "-0.01"}, "0.00", "amount")
	f.Owes(t, deal, "1000.00")
}

// A payoff by OFFSET recorded by a caller, when that was possible, has no counterpart in clearing. The ledger
// check finds it, and marking it BOUNCED reverses it.
func TestAnOffsetThatNoRenewalMadeIsFound(t *testing.T) {
	t.Parallel()
	booktest.Fleets(t, func(t *testing.T, f *booktest.Fleet) {
		deal := f.Funded(t, 10, nil)
		clearing := func() service.IntegrityCheck {
			t.Helper()
			report, err := f.App.Integrity.Verify(f.App.Operator(t, f.Host))
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(report.Checks, func(c service.IntegrityCheck) bool { return c.Name == "renewal_clearing" })
			return report.Checks[i]
		}
		var old int
		f.Write(t, func(ctx context.Context, tx *store.Tx) error {
			row := tx.Payment.Create().SetDealID(deal.ID()).SetType(payment.RenewalPayoff).SetMethod(payment.Offset).
				SetAmount(money.Must("400.00")).SetStatus(payment.Paid).SetEpisode(1).SetDirection(payment.In).
				SetSource(payment.FromAPI).SetClearedDate(civil.On(tx.At(), time.UTC)).SaveX(ctx)
			old = row.ID
			j := tx.Journal.Create().SetKind(ledger.Payment).SetLineCount(2).SetOccurredAt(tx.At()).SetEpisode(1).
				SetEffectiveDate(civil.On(tx.At(), time.UTC)).SetDealID(deal.ID()).SetPaymentID(old).SaveX(ctx)
			line := func(account ledger.Account, amount string) *ent.PostingCreate {
				return tx.Posting.Create().SetJournal(j).SetKind(ledger.Payment).SetAccount(string(account)).
					SetDealID(deal.ID()).SetPaymentID(old).SetAmount(money.Must(amount))
			}
			return tx.Posting.CreateBulk(line(ledger.RenewalClearing, "400.00"), line(ledger.Receivable, "-400.00")).Exec(ctx)
		})
		f.Owes(t, deal, "600.00")
		if found := clearing(); found.OK ||
			!strings.Contains(found.Detail, fmt.Sprintf("deal %d leave 40000 cents", deal.ID())) {
			t.Errorf("the check says %+v", found)
		}
		f.Patch(t, fmt.Sprintf("/payments/%d", old), object{"status": "BOUNCED"})
		f.Owes(t, deal, "1000.00")
		if found := clearing(); !found.OK {
			t.Errorf("once it is taken back the check says %+v", found)
		}
		f.Refused(t, http.MethodPatch, fmt.Sprintf("/payments/%d", old), object{"status": "PAID"}, "method")
	})
}

// A syndicator is paid no more than is owed: on the deal of the payment, and over all deals.
func TestSyndicatorsArePaidNoMoreThanIsOwed(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenBooks(t, a)
		f := &booktest.Fleet{Desk: b.Desk}
		b.Change(t, booktest.At("deals", b.Advance), object{"state": "FUNDED"})
		to := func(kind, amount string) object {
			return object{"type": kind, "amount": amount, "syndicatorId": b.Syndicator.ID()}
		}
		payout, adjustment := "PARTICIPATION_PAYOUT", "PARTICIPATION_PAYOUT_ADJUSTMENT"
		toPay(t, f, b.Advance, to(payout, "0.01"), "0.00", "amount")
		toPay(t, f, b.Advance, to(adjustment, "0.01"), "0.00", "amount")
		toPay(t, f, b.Advance, to(adjustment, "-0.01"), "0.00", "amount")
		first := b.PaymentsOf(t, b.Advance, "")[0]
		b.Change(t, booktest.At("payments", first), object{"status": "PAID"}) // 206.35 less 3 %
		toPay(t, f, b.Advance, to(payout, "200.17"), "200.16", "amount")
		b.Collect(t, b.Advance, payout, "150.00", object{"syndicatorId": b.Syndicator.ID()})
		toPay(t, f, b.Advance, to(adjustment, "50.17"), "50.16", "amount")
		b.Collect(t, b.Advance, adjustment, "50.16", object{"syndicatorId": b.Syndicator.ID()})
		toPay(t, f, b.Advance, to(adjustment, "-200.17"), "200.16", "amount")
		b.Collect(t, b.Advance, adjustment, "-0.16", object{"syndicatorId": b.Syndicator.ID()})
		b.Collect(t, b.Advance, payout, "0.16", object{"syndicatorId": b.Syndicator.ID()})
		b.Holds(t, ledger.SyndicatorPayable, "0.00")

		// An overpayment on one deal is not paid on another.
		merchant := b.Create(t, "/merchants", object{"legalName": "Alder Street Flowers Inc"})
		b.Deposit(t, "20000.00")
		second := b.Deal(t, merchant)
		b.Change(t, booktest.At("deals", second), object{"state": "FUNDED"})
		b.Change(t, booktest.At("payments", first), object{"status": "BOUNCED"})
		b.Collect(t, second, "ADVANCE_PAYBACK", "1031.76", nil) // twice 200.16, and a cent
		owed := owedTo(t, b)
		toPay(t, f, second, to(payout, owed.Add(money.Cents(1)).String()), owed.String(), "amount")
		b.Collect(t, second, payout, owed.String(), object{"syndicatorId": b.Syndicator.ID()})
		b.Holds(t, ledger.SyndicatorPayable, "0.00")
		b.CheckBooks(t)
	})
}

// owedTo is what the payable account owes the syndicators over all deals.
func owedTo(t *testing.T, b *booktest.Books) money.Amount {
	t.Helper()
	ctx, read := b.Inside(t)
	var sum money.Amount
	for _, p := range read.Posting.Query().Where(entposting.Account(string(ledger.SyndicatorPayable))).AllX(ctx) {
		sum = sum.Sub(p.Amount)
	}
	return sum
}
