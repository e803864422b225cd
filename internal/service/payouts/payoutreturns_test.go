package payouts_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/ledger"
)

// A manual payout is deducted once, whatever the periods of the batches and whichever is created first.
func TestPayoutsByHandAndBatchesOfOlderPeriods(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		d := p.Deal(t)
		p.Collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		began := a.Clock.Now().Format("2006-01-02")
		byHand := func(amount string) {
			p.Collect(t, d, "PARTICIPATION_PAYOUT", amount, object{"syndicatorId": p.Syndicator.ID()})
		}
		byHand("100.00")
		p.Days(3)
		byHand("50.00")
		p.Days(3)
		id, amounts := p.Draft(t)
		booktest.WantWords(t, "drafted", amounts, "-150.00", "400.00")
		booktest.WantWords(t, "paid", p.Settle(t, id), "PAID", "PAID", "PAID")
		p.Collect(t, d, "ADVANCE_PAYBACK", "500.00", nil) // there is money to be paid too much of
		older := strings.Replace(booktest.MakeShares, "2026-12-31", began, 1)
		p.Maker(t).Ask(t, older, nil).Refused(t, "conflict")
		booktest.Verify(t, a)
	})
}

// A transfer that bounced and was paid again leaves nothing for batches of the time in between.
func TestATransferThatWasPaidAgainIsNotTakenOff(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		d := p.Deal(t)
		p.Collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		p.Days(6)
		paidOn := a.Clock.Now().Format("2006-01-02")
		id, _ := p.Draft(t)
		booktest.WantWords(t, "paid", p.Settle(t, id), "PAID", "PAID")
		p.Days(3)
		returnTransfer(t, p, id)
		booktest.WantWords(t, "paid again", p.PayBatch(t, id), "PAID", "PAID")
		p.Maker(t).Ask(t, strings.Replace(booktest.MakeShares, "2026-12-31", paidOn, 1), nil).Refused(t, "conflict")
		p.Maker(t).Ask(t, booktest.MakeShares, nil).Refused(t, "conflict")
		p.Holds(t, ledger.SyndicatorPayable, "0.00")
		booktest.Verify(t, a)
	})
}

// bouncedAfterPayout pays the syndicator 400.00 of a payment, which then bounces, and collects another payment
// with a larger share. It returns the deal, the bounced payment and the batch.
func bouncedAfterPayout(t *testing.T, p *booktest.Payouts) (deal, bounced object, batch string) {
	t.Helper()
	deal = p.Deal(t)
	bounced = p.Collect(t, deal, "ADVANCE_PAYBACK", "1000.00", nil)
	p.Days(6)
	batch, _ = p.Draft(t)
	booktest.WantWords(t, "paid", p.Settle(t, batch), "PAID", "PAID")
	p.Change(t, booktest.At("payments", bounced), object{"status": "BOUNCED"})
	p.Collect(t, deal, "ADVANCE_PAYBACK", "5000.00", nil)
	p.Days(6)
	return deal, bounced, batch
}

// returnTransfer has the transfer of a batch's first item bounce, and releases the item.
func returnTransfer(t *testing.T, p *booktest.Payouts, batch string) {
	t.Helper()
	item := itemsOf(t, p, batch)[0].Text("id")
	p.Maker(t).Graph(t, `mutation { failPayoutItem(id: `+item+`, reason: "Returned") { status } }`, nil)
	p.Maker(t).Graph(t, "mutation { releasePayoutItem(id: "+item+") { status } }", nil)
}

// An item that takes back a share is cancelled if the transfer of the share bounces too: it never arrived.
func TestATakenBackShareThatNeverArrived(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		_, _, id := bouncedAfterPayout(t, p)
		next, amounts := p.Draft(t)
		booktest.WantWords(t, "drafted", amounts, "-400.00", "2000.00")
		returnTransfer(t, p, id)
		booktest.WantWords(t, "the share whose payment came back", p.PayBatch(t, id), "PAID", "CANCELLED")
		booktest.WantWords(t, "paid", p.Settle(t, next), "PAID", "CANCELLED", "PAID")
		p.Holds(t, ledger.SyndicatorPayable, "0.00")
		booktest.Verify(t, a)
	})
}

// A share that was taken back and whose transfer then bounced is owed because it was taken back, whatever
// happened to its payment since.
func TestATakenBackShareIsPaidAgain(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		_, first, id := bouncedAfterPayout(t, p)
		next, _ := p.Draft(t)
		booktest.WantWords(t, "taken back", p.Settle(t, next), "PAID", "PAID", "PAID")
		p.Change(t, booktest.At("payments", first), object{"status": "PAID"}) // a new episode, with a new holding period
		returnTransfer(t, p, id)
		booktest.WantWords(t, "paid again", p.PayBatch(t, id), "PAID", "PAID")
		if left := p.Balance(t, ledger.SyndicatorPayable); left.String() != "-400.00" {
			t.Errorf("2110 holds %s, want what is held", left)
		}
		p.Days(6)
		id, amounts := p.Draft(t)
		booktest.WantWords(t, "drafted", amounts, "400.00")
		booktest.WantWords(t, "paid", p.Settle(t, id), "PAID", "PAID")
		p.Holds(t, ledger.SyndicatorPayable, "0.00")
		booktest.Verify(t, a)
	})
}

// It is not taken back a second time either if it was carried to another batch before it was paid again.
func TestATakenBackShareIsCarried(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		d, _, id := bouncedAfterPayout(t, p)
		next, _ := p.Draft(t)
		booktest.WantWords(t, "taken back", p.Settle(t, next), "PAID", "PAID", "PAID")
		p.Collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		returnTransfer(t, p, id)
		p.Collect(t, d, "PARTICIPATION_PAYOUT", "500.00", object{"syndicatorId": p.Syndicator.ID()})
		booktest.WantWords(t, "more than is owed by then", p.PayBatch(t, id), "PAID", "carried")
		p.Days(6)
		next, amounts := p.Draft(t)
		booktest.WantWords(t, "drafted", amounts, "-500.00", "400.00", "400.00")
		booktest.WantWords(t, "paid", p.Settle(t, next), "PAID", "PAID", "PAID", "PAID")
		if again, amounts := p.Draft(t); again != "" {
			t.Errorf("taken back again: %v", amounts)
		}
		p.Holds(t, ledger.SyndicatorPayable, "0.00")
		booktest.Verify(t, a)
	})
}

// A transfer to a broker bounces after one of the commissions in it was clawed back: what never arrived need
// not be returned, and what was returned is owed again.
func TestATransferOfAClawedBackCommissionComesBack(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		for _, setOff := range []bool{false, true} {
			p := booktest.OpenPayoutsAt(t, a, fmt.Sprintf("clawed%t.test", setOff))
			broker := p.Create(t, "/isos", object{"name": "Bridge Capital Brokers"})
			one := p.Brokered(t, broker)
			p.Brokered(t, broker)
			batch := p.Maker(t).Graph(t, "{ payouts { nodes { id items { id } } } }", nil).In("payouts").List("nodes")[0]
			id, items := batch.Text("id"), batch.List("items")
			p.Approver(t).Graph(t, "mutation { approvePayoutBatch(id: "+id+") { status } }", nil)
			both := items[0].Text("id") + "," + items[1].Text("id")
			p.Maker(t).
				Graph(t, "mutation { payPayoutBatch(id: "+id+", itemIds: ["+both+"]) { status } }", nil)
			before := p.Balance(t, ledger.Cash)
			p.Change(t, booktest.At("deals", one), object{"state": "DEFAULTED"})
			if setOff {
				p.Brokered(t, broker)
				a.AdvanceAll(31 * 24 * time.Hour)
				drafts := p.Maker(t).Graph(t, "{ payouts(filter: {status: DRAFT}) { nodes { id } } }", nil)
				draft := drafts.In("payouts").List("nodes")[0].Text("id")
				p.Approver(t).Graph(t, "mutation { approvePayoutBatch(id: "+draft+") { status } }", nil)
				booktest.WantWords(t, "paid", p.PayBatch(t, draft), "PAID", "PAID", "PAID")
				before = p.Balance(t, ledger.Cash)
			}
			p.Maker(t).
				Graph(t, `mutation { failPayoutItem(id: `+items[1].Text("id")+`, reason: "Account closed") { status } }`, nil)
			if back := p.Balance(t, ledger.Cash).Sub(before); back.String() != "2000.00" {
				t.Errorf("set off %t: %s came back", setOff, back)
			}
			if due := p.Balance(t, ledger.DueFromISO); !due.IsZero() {
				t.Errorf("set off %t: the broker owes %s", setOff, due)
			}
			// The broker got nothing except what the set-off took from another commission.
			owed := map[bool]string{false: "-1000.00", true: "-2000.00"}[setOff]
			if left := p.Balance(t, ledger.CommissionPayable); left.String() != owed {
				t.Errorf("set off %t: 2200 holds %s, want %s", setOff, left, owed)
			}
			for _, item := range itemsOf(t, p, id) {
				if item.Text("status") == "FAILED" {
					p.Maker(t).Graph(t, "mutation { releasePayoutItem(id: "+item.Text("id")+") { status } }", nil)
				}
			}
			a.AdvanceAll(31 * 24 * time.Hour)
			p.PayBatch(t, id)
			for _, account := range []ledger.Account{ledger.DueFromISO, ledger.CommissionPayable} {
				if left := p.Balance(t, account); !left.IsZero() {
					t.Errorf("set off %t: %s holds %s in the end", setOff, account, left)
				}
			}
			booktest.Verify(t, a)
		}
	})
}

// itemsOf returns the items of a batch.
func itemsOf(t *testing.T, p *booktest.Payouts, id string) []object {
	t.Helper()
	return p.Maker(t).Graph(t, "{ payout(id: "+id+") { items { id amount status } } }", nil).In("payout").List("items")
}

// A share whose payment's clearing date moves to later waits for the new holding period, even if a batch has it
// already; a draft with nothing left to pay is closed; and no batch without items is paid.
func TestABatchMindsWhatCameAfterIt(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		deal := p.Deal(t)
		rows := p.PaymentsOf(t, deal, "&sort=scheduledDate")
		p.Change(t, booktest.At("payments", rows[0]), object{"status": "PAID"})
		p.Days(5)
		id, _ := p.Draft(t)
		p.Change(t, booktest.At("payments", rows[0]), object{"clearedDate": "2026-01-09"})
		p.Maker(t).
			Ask(t, "mutation { payPayoutBatch(id: "+id+", itemIds: []) { status } }", nil).
			Refused(t, "validation_error")
		booktest.WantWords(t, "the batch", p.Settle(t, id), "APPROVED", "HELD")
		p.Days(5)
		if again := p.PayBatch(t, id); again[0] != "PAID" {
			t.Errorf("after the hold the batch is %v", again)
		}
		p.Change(t, booktest.At("payments", rows[1]), object{"status": "PAID"})
		p.Days(5)
		emptied, _ := p.Draft(t)
		p.Change(t, booktest.At("payments", rows[1]), object{"status": "BOUNCED"})
		batch := p.Maker(t).Graph(t, "{ payout(id: "+emptied+") { status items { status } } }", nil).In("payout")
		if batch.Text("status") != "PAID" || batch.List("items")[0].Text("status") != "CANCELLED" {
			t.Errorf("the emptied draft is %v", batch)
		}
		booktest.Verify(t, p.App)
	})
}
