package e2e

import (
	"database/sql"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/ledger"
)

// A payment that bounces while the batch is being created, in concurrent transactions, is not paid out.
func TestAShareThatComesBackWhileItsBatchIsMade(t *testing.T) {
	t.Parallel()
	a := apptest.OnPostgres(t) // on SQLite one write ends before the next begins
	p := openPayouts(t, a)
	d := p.deal(t)
	first := p.collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
	p.collect(t, d, "ADVANCE_PAYBACK", "5000.00", nil)
	p.days(6)
	p.collect(t, d, "ADVANCE_PAYBACK", "2000.00", nil) // 800 more are owed, and held
	maker := p.maker(t)
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
	writes.Go(func() { made = maker.Ask(t, makeShares, nil) })
	awaitWaiters(t, a, 1)
	writes.Go(func() { bounced, err = p.Try(http.MethodPatch, at("payments", first), object{"status": "BOUNCED"}) })
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
	wantWords(t, "paid", p.settle(t, batch.Text("id")), "PAID", "CANCELLED", "PAID")
	if left := p.balance(t, ledger.SyndicatorPayable); left.String() != "-800.00" {
		t.Errorf("2110 holds %s", left)
	}
	verify(t, a)
}

// A manual payout is deducted once, whatever the periods of the batches and whichever is created first.
func TestPayoutsByHandAndBatchesOfOlderPeriods(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		d := p.deal(t)
		p.collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		began := a.Clock.Now().Format("2006-01-02")
		byHand := func(amount string) {
			p.collect(t, d, "PARTICIPATION_PAYOUT", amount, object{"syndicatorId": p.syndicator.ID()})
		}
		byHand("100.00")
		p.days(3)
		byHand("50.00")
		p.days(3)
		id, amounts := p.draft(t)
		wantWords(t, "drafted", amounts, "-150.00", "400.00")
		wantWords(t, "paid", p.settle(t, id), "PAID", "PAID", "PAID")
		p.collect(t, d, "ADVANCE_PAYBACK", "500.00", nil) // there is money to be paid too much of
		older := strings.Replace(makeShares, "2026-12-31", began, 1)
		p.maker(t).Ask(t, older, nil).Refused(t, "conflict")
		verify(t, a)
	})
}

// A transfer that bounced and was paid again leaves nothing for batches of the time in between.
func TestATransferThatWasPaidAgainIsNotTakenOff(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		d := p.deal(t)
		p.collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		p.days(6)
		paidOn := a.Clock.Now().Format("2006-01-02")
		id, _ := p.draft(t)
		wantWords(t, "paid", p.settle(t, id), "PAID", "PAID")
		p.days(3)
		p.returnTransfer(t, id)
		wantWords(t, "paid again", p.payBatch(t, id), "PAID", "PAID")
		p.maker(t).Ask(t, strings.Replace(makeShares, "2026-12-31", paidOn, 1), nil).Refused(t, "conflict")
		p.maker(t).Ask(t, makeShares, nil).Refused(t, "conflict")
		if left := p.balance(t, ledger.SyndicatorPayable); !left.IsZero() {
			t.Errorf("2110 holds %s", left)
		}
		verify(t, a)
	})
}

// bouncedAfterPayout pays the syndicator 400.00 of a payment, which then bounces, and collects another payment
// with a larger share. It returns the deal, the bounced payment and the batch.
func (p *payouts) bouncedAfterPayout(t *testing.T) (deal, bounced object, batch string) {
	t.Helper()
	deal = p.deal(t)
	bounced = p.collect(t, deal, "ADVANCE_PAYBACK", "1000.00", nil)
	p.days(6)
	batch, _ = p.draft(t)
	wantWords(t, "paid", p.settle(t, batch), "PAID", "PAID")
	p.change(t, at("payments", bounced), object{"status": "BOUNCED"})
	p.collect(t, deal, "ADVANCE_PAYBACK", "5000.00", nil)
	p.days(6)
	return deal, bounced, batch
}

// returnTransfer has the transfer of a batch's first item bounce, and releases the item.
func (p *payouts) returnTransfer(t *testing.T, batch string) {
	t.Helper()
	item := p.items(t, batch)[0].Text("id")
	p.maker(t).Graph(t, `mutation { failPayoutItem(id: `+item+`, reason: "Returned") { status } }`, nil)
	p.maker(t).Graph(t, "mutation { releasePayoutItem(id: "+item+") { status } }", nil)
}

// An item that takes back a share is cancelled if the transfer of the share bounces too: it never arrived.
func TestATakenBackShareThatNeverArrived(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		_, _, id := p.bouncedAfterPayout(t)
		next, amounts := p.draft(t)
		wantWords(t, "drafted", amounts, "-400.00", "2000.00")
		p.returnTransfer(t, id)
		wantWords(t, "the share whose payment came back", p.payBatch(t, id), "PAID", "CANCELLED")
		wantWords(t, "paid", p.settle(t, next), "PAID", "CANCELLED", "PAID")
		if left := p.balance(t, ledger.SyndicatorPayable); !left.IsZero() {
			t.Errorf("2110 holds %s", left)
		}
		verify(t, a)
	})
}

// A share that was taken back and whose transfer then bounced is owed because it was taken back, whatever
// happened to its payment since.
func TestATakenBackShareIsPaidAgain(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		_, first, id := p.bouncedAfterPayout(t)
		next, _ := p.draft(t)
		wantWords(t, "taken back", p.settle(t, next), "PAID", "PAID", "PAID")
		p.change(t, at("payments", first), object{"status": "PAID"}) // anew, and held anew
		p.returnTransfer(t, id)
		wantWords(t, "paid again", p.payBatch(t, id), "PAID", "PAID")
		if left := p.balance(t, ledger.SyndicatorPayable); left.String() != "-400.00" {
			t.Errorf("2110 holds %s, want what is held", left)
		}
		p.days(6)
		id, amounts := p.draft(t)
		wantWords(t, "drafted", amounts, "400.00")
		wantWords(t, "paid", p.settle(t, id), "PAID", "PAID")
		if left := p.balance(t, ledger.SyndicatorPayable); !left.IsZero() {
			t.Errorf("2110 holds %s", left)
		}
		verify(t, a)
	})
}

// It is not taken back a second time either if it was carried to another batch before it was paid again.
func TestATakenBackShareIsCarried(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		d, _, id := p.bouncedAfterPayout(t)
		next, _ := p.draft(t)
		wantWords(t, "taken back", p.settle(t, next), "PAID", "PAID", "PAID")
		p.collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		p.returnTransfer(t, id)
		p.collect(t, d, "PARTICIPATION_PAYOUT", "500.00", object{"syndicatorId": p.syndicator.ID()})
		wantWords(t, "more than is owed by then", p.payBatch(t, id), "PAID", "carried")
		p.days(6)
		next, amounts := p.draft(t)
		wantWords(t, "drafted", amounts, "-500.00", "400.00", "400.00")
		wantWords(t, "paid", p.settle(t, next), "PAID", "PAID", "PAID", "PAID")
		if again, amounts := p.draft(t); again != "" {
			t.Errorf("taken back again: %v", amounts)
		}
		if left := p.balance(t, ledger.SyndicatorPayable); !left.IsZero() {
			t.Errorf("2110 holds %s", left)
		}
		verify(t, a)
	})
}

// A transfer to a broker bounces after one of the commissions in it was clawed back: what never arrived need
// not be returned, and what was returned is owed again.
func TestATransferOfAClawedBackCommissionComesBack(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		for _, setOff := range []bool{false, true} {
			p := openPayoutsAt(t, a, fmt.Sprintf("clawed%t.test", setOff))
			broker := p.create(t, "/isos", object{"name": "Bridge Capital Brokers"})
			one := p.brokered(t, broker)
			p.brokered(t, broker)
			batch := p.maker(t).Graph(t, "{ payouts { nodes { id items { id } } } }", nil).In("payouts").List("nodes")[0]
			id, items := batch.Text("id"), batch.List("items")
			p.approver(t).Graph(t, "mutation { approvePayoutBatch(id: "+id+") { status } }", nil)
			both := items[0].Text("id") + "," + items[1].Text("id")
			p.maker(t).
				Graph(t, "mutation { payPayoutBatch(id: "+id+", itemIds: ["+both+"]) { status } }", nil)
			before := p.balance(t, ledger.Cash)
			p.change(t, at("deals", one), object{"state": "DEFAULTED"})
			if setOff {
				p.brokered(t, broker)
				a.AdvanceAll(31 * 24 * time.Hour)
				drafts := p.maker(t).Graph(t, "{ payouts(filter: {status: DRAFT}) { nodes { id } } }", nil)
				draft := drafts.In("payouts").List("nodes")[0].Text("id")
				p.approver(t).Graph(t, "mutation { approvePayoutBatch(id: "+draft+") { status } }", nil)
				wantWords(t, "paid", p.payBatch(t, draft), "PAID", "PAID", "PAID")
				before = p.balance(t, ledger.Cash)
			}
			p.maker(t).
				Graph(t, `mutation { failPayoutItem(id: `+items[1].Text("id")+`, reason: "Account closed") { status } }`, nil)
			if back := p.balance(t, ledger.Cash).Sub(before); back.String() != "2000.00" {
				t.Errorf("set off %t: %s came back", setOff, back)
			}
			if due := p.balance(t, ledger.DueFromISO); !due.IsZero() {
				t.Errorf("set off %t: the broker owes %s", setOff, due)
			}
			// The broker got nothing except what the set-off took from another commission.
			owed := map[bool]string{false: "-1000.00", true: "-2000.00"}[setOff]
			if left := p.balance(t, ledger.CommissionPayable); left.String() != owed {
				t.Errorf("set off %t: 2200 holds %s, want %s", setOff, left, owed)
			}
			for _, item := range p.items(t, id) {
				if item.Text("status") == "FAILED" {
					p.maker(t).Graph(t, "mutation { releasePayoutItem(id: "+item.Text("id")+") { status } }", nil)
				}
			}
			a.AdvanceAll(31 * 24 * time.Hour)
			p.payBatch(t, id)
			for _, account := range []ledger.Account{ledger.DueFromISO, ledger.CommissionPayable} {
				if left := p.balance(t, account); !left.IsZero() {
					t.Errorf("set off %t: %s holds %s in the end", setOff, account, left)
				}
			}
			verify(t, a)
		}
	})
}

// items are those of a batch.
func (p *payouts) items(t *testing.T, id string) []object {
	t.Helper()
	return p.maker(t).Graph(t, "{ payout(id: "+id+") { items { id amount status } } }", nil).In("payout").List("items")
}
