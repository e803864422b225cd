package e2e

import (
	"database/sql"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"paydown/ent/auditentry"
	entpayment "paydown/ent/payment"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/ledger"
	"paydown/internal/payment"
)

// Conflicting calls: whichever the database commits first, the records agree afterwards.
func TestRaces(t *testing.T) {
	t.Parallel()
	booktest.Fleets(t, func(t *testing.T, f *booktest.Fleet) {
		f.Run(t, []booktest.Behavior{
			{Name: "PAID against BOUNCED against DEFAULTED", Test: paidBouncedDefaulted},
			{Name: "payoffs that bounce together leave the deal where its balance is", Test: payoffsBounce},
			{Name: "deleting against making leaves no orphan", Test: deletedWhileReferred},
			{Name: "CANCELLED against PAID ends PAID", Test: cancelledPaid},
		})
	})
}

func paidBouncedDefaulted(t *testing.T, f *booktest.Fleet) {
	const payments = 8
	deal := f.Funded(t, payments, object{"defaultSurcharge": "75.00"})
	path := booktest.At("deals", deal)
	for range 3 {
		var calls []booktest.Call
		for i, p := range f.PaymentsOf(t, deal, "&type=ORIGINAL_ADVANCE_PAYBACK") {
			for _, status := range []string{"PAID", "BOUNCED"} {
				calls = append(
					calls, booktest.Call{Method: http.MethodPatch, Path: booktest.At("payments", p), Body: object{"status": status}},
				)
			}
			if i%3 == 0 {
				calls = append(calls, booktest.Call{Method: http.MethodPatch, Path: path, Body: object{"state": "DEFAULTED"}})
			}
			if i%3 == 1 {
				calls = append(calls, booktest.Call{Method: http.MethodPatch, Path: path, Body: object{"state": "FUNDED"}})
			}
		}
		calls = append(calls, booktest.Call{Method: http.MethodPost, Path: "/payments", Body: object{
			"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "150.00", "status": "PAID",
		}})
		counts := booktest.Tally(f.AtOnce(t, calls...))
		if counts[200]+counts[201]+counts[409] != len(calls) {
			t.Errorf("answers are %v", counts)
		}
	}
	checkMoves(t, f, deal, len(f.EventsAbout(t, "deal.state_changed", "deal", deal.ID())))
}

// A payment that bounces and is paid again closes and reopens its deal each time, while other payments do the
// same.
func payoffsBounce(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 4, nil)
	rows := f.PaymentsOf(t, deal, "")
	for _, p := range rows {
		f.Patch(t, booktest.At("payments", p), object{"status": "PAID"})
	}
	for _, status := range []string{"BOUNCED", "PAID", "BOUNCED"} {
		var calls []booktest.Call
		for _, p := range rows {
			calls = append(calls, booktest.Patches(2, booktest.At("payments", p), object{"status": status})...)
		}
		booktest.AllAre(t, f.AtOnce(t, calls...), http.StatusOK)
	}
	f.Owes(t, deal, "400.00")
	booktest.Shows(t, f.Get(t, booktest.At("deals", deal)).In("deal"), object{"state": "FUNDED"})
	checkMoves(t, f, deal, 7) // three to FUNDED, closed, opened, closed, opened
}

func deletedWhileReferred(t *testing.T, f *booktest.Fleet) {
	for range 6 {
		merchant := f.Post(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC"}).In("merchant")
		other := f.Post(t, "/merchants", object{"legalName": "Alder Street Flowers Inc"}).In("merchant")
		deal := f.Post(t, "/deals", object{"merchantId": other.ID()}).In("deal")
		answers := f.AtOnce(
			t,
			booktest.Call{Method: http.MethodPost, Path: "/deals", Body: object{"merchantId": merchant.ID()}},
			booktest.Call{Method: http.MethodDelete, Path: booktest.At("merchants", merchant)},
			booktest.Call{
				Method: http.MethodPost,
				Path:   "/payments",
				Body:   object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "5.00"},
			},
			booktest.Call{Method: http.MethodDelete, Path: booktest.At("deals", deal)},
			booktest.Call{Method: http.MethodPost, Path: "/payments", Body: object{
				"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "5.00", "status": "PAID",
			}},
			booktest.Call{Method: http.MethodPatch, Path: booktest.At("deals", deal), Body: object{"state": "SUBMITTED"}},
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
func cancelledPaid(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 6, nil)
	var calls []booktest.Call
	for _, p := range f.PaymentsOf(t, deal, "") {
		for _, status := range []string{"CANCELLED", "PAID", "SUBMITTED"} {
			calls = append(
				calls, booktest.Call{Method: http.MethodPatch, Path: booktest.At("payments", p), Body: object{"status": status}},
			)
		}
	}
	f.AtOnce(t, calls...)
	ctx, read := f.Inside(t)
	n := read.Payment.Query().Where(entpayment.DealID(deal.ID()), entpayment.StatusEQ(payment.Paid)).CountX(ctx)
	if n != 6 {
		t.Errorf("%d payments are PAID", n)
	}
}

// A wallet pays for one deal only, however many are funded at the same moment.
func TestWalletIsNotSpentTwice(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenBooks(t, a)
		other := b.Create(t, "/merchants", object{"legalName": "Alder Street Flowers Inc"})
		second := b.Deal(t, other)
		f := &booktest.Fleet{Desk: b.Desk, Processes: []*apptest.Client{b.Client}}
		answers := f.AtOnce(t,
			booktest.Call{Method: http.MethodPatch, Path: booktest.At("deals", b.Advance), Body: object{"state": "FUNDED"}},
			booktest.Call{Method: http.MethodPatch, Path: booktest.At("deals", second), Body: object{"state": "FUNDED"}})
		if counts := booktest.Tally(answers); counts[200] != 1 || counts[409] != 1 {
			t.Errorf("answers are %v", counts)
		}
		for _, answer := range answers {
			if answer.Status == 409 && answer.Problem(t, 409, "conflict")["blocks.PARTICIPATION_INVALID"] == "" {
				t.Errorf("refused for another reason: %s", answer.Body)
			}
		}
		b.Holds(t, ledger.SyndicatorWallet, "0.00")
	})
}

// A payment that bounces while the batch is being created, in concurrent transactions, is not paid out.
func TestAShareThatComesBackWhileItsBatchIsMade(t *testing.T) {
	t.Parallel()
	a := apptest.OnPostgres(t) // on SQLite one write ends before the next begins
	p := booktest.OpenPayouts(t, a)
	d := p.Deal(t)
	first := p.Collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
	p.Collect(t, d, "ADVANCE_PAYBACK", "5000.00", nil)
	p.Days(6)
	p.Collect(t, d, "ADVANCE_PAYBACK", "2000.00", nil) // 800 more are owed, and held
	maker := p.Maker(t)
	db, err := sql.Open("postgres", a.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	holder, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = holder.Rollback() }()
	const lock = "LOCK TABLE audit_entries IN EXCLUSIVE MODE" // which both write last
	if _, err := holder.ExecContext(t.Context(), lock); err != nil {
		t.Fatal(err)
	}
	var writes sync.WaitGroup
	var made apptest.Asked
	var bounced *apptest.Answer
	writes.Go(func() { made = maker.Ask(t, booktest.MakeShares, nil) })
	awaitWaiters(t, a, 1)
	writes.Go(func() {
		bounced, err = p.Try(http.MethodPatch, booktest.At("payments", first), object{"status": "BOUNCED"})
	})
	awaitWaiters(t, a, 2)
	_ = holder.Rollback()
	writes.Wait()
	if err != nil {
		t.Fatal(err)
	}
	bounced.Want(t, http.StatusOK)
	batch := made.Data.In("makePayoutBatch")
	if n := len(batch.List("items")); n != 2 {
		t.Fatalf("%d items were drafted, want 2", n)
	}
	booktest.WantWords(t, "paid", p.Settle(t, batch.Text("id")), "PAID", "CANCELLED", "PAID")
	if left := p.Balance(t, ledger.SyndicatorPayable); left.String() != "-800.00" {
		t.Errorf("2110 holds %s", left)
	}
	booktest.Verify(t, a)
}

// Debits are created while a return stops them: none exists that was created after the hold.
func TestAHoldIsNotOutrun(t *testing.T) {
	t.Parallel()
	booktest.Fleets(t, func(t *testing.T, f *booktest.Fleet) {
		deal := f.Funded(t, 5, nil)
		row := f.PaymentsOf(t, deal, "")[0]
		calls := []booktest.Call{
			{
				Method: http.MethodPatch,
				Path:   booktest.At("payments", row),
				Body:   object{"status": "BOUNCED", "bounceCodeId": f.Code(t, "R10")},
			},
		}
		for range 12 {
			calls = append(calls, booktest.Call{Method: http.MethodPost, Path: "/payments", Body: object{
				"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "10.00", "method": "ACH",
			}})
		}
		counts := booktest.Tally(f.AtOnce(t, calls...))
		if counts[200] != 1 || counts[201]+counts[409] != 12 {
			t.Errorf("answers are %v", counts)
		}
		ctx, read := f.Inside(t)
		hold := read.AuditEntry.Query().Where(auditentry.Entity("collectionHold"), auditentry.DealID(deal.ID())).OnlyX(ctx)
		after := read.AuditEntry.Query().Where(auditentry.Entity("payment"), auditentry.DealID(deal.ID()),
			auditentry.Action("payment.create"), auditentry.IDGT(hold.ID)).CountX(ctx)
		if after != 0 { // the deal is locked by each of them
			t.Errorf("%d debits were made after the hold", after)
		}
		f.Refused(t, http.MethodPost, "/payments", calls[1].Body.(object), "method")
		f.CheckBooks(t)
	})
}
