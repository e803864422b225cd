package payouts_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"paydown/ent/payoutitem"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/ledger"
	"paydown/internal/money"
)

// A share whose payment bounces before it is paid is cancelled in its batch, and reduces no other.
func TestAShareThatCameBackBeforeItWasPaidIsCancelled(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		d := p.Deal(t)
		first := p.Collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		p.Collect(t, d, "ADVANCE_PAYBACK", "500.00", nil)
		p.Days(6)
		id, amounts := p.Draft(t)
		booktest.WantWords(t, "drafted", amounts, "200.00", "400.00")
		p.Change(t, booktest.At("payments", first), object{"status": "BOUNCED"})
		booktest.WantWords(t, "paid", p.Settle(t, id), "PAID", "CANCELLED", "PAID")
		p.Holds(t, ledger.SyndicatorPayable, "0.00")
		if id, amounts := p.Draft(t); id != "" {
			t.Errorf("another batch holds %v", amounts)
		}
		booktest.Verify(t, a)
	})
}

// A payment that bounces after its share was paid out is set off against other deals' shares, in one sum for
// the payee.
func TestWhatComesBackIsSetOffAcrossDeals(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		one, other := p.Deal(t), p.Deal(t)
		first := p.Collect(t, one, "ADVANCE_PAYBACK", "1000.00", nil)
		p.Days(6)
		id, _ := p.Draft(t)
		booktest.WantWords(t, "paid", p.Settle(t, id), "PAID", "PAID")
		cash := p.Balance(t, ledger.Cash)

		p.Change(t, booktest.At("payments", first), object{"status": "BOUNCED"})
		id, amounts := p.Draft(t)
		booktest.WantWords(t, "drafted", amounts, "-400.00")
		booktest.WantWords(t, "a debt alone is carried", p.Settle(t, id), "PAID", "carried")
		if again, amounts := p.Draft(t); again != "" {
			t.Errorf("a batch of nothing but what was carried: %v", amounts)
		}

		p.Collect(t, other, "ADVANCE_PAYBACK", "5000.00", nil)
		p.Days(6)
		id, amounts = p.Draft(t)
		booktest.WantWords(t, "drafted", amounts, "-400.00", "2000.00")
		booktest.WantWords(t, "paid", p.Settle(t, id), "PAID", "PAID", "PAID")
		p.Holds(t, ledger.SyndicatorPayable, "0.00")
		// 1,000 went back to the merchant, 5,000 came in, and 1,600 went out.
		if moved := p.Balance(t, ledger.Cash).Sub(cash); moved.String() != "2400.00" {
			t.Errorf("cash moved by %s", moved)
		}
		booktest.Verify(t, a)

		// The transfer of the sum fails as a whole.
		item := p.Maker(t).Graph(t, "{ payout(id: "+id+") { items { id amount } } }", nil).In("payout").List("items")[0]
		p.Maker(t).Graph(t, `mutation { failPayoutItem(id: `+item.Text("id")+`, reason: "Account closed") { status } }`, nil)
		failed(t, p, 2)
		if owed := p.Balance(t, ledger.SyndicatorPayable); owed.String() != "-1600.00" {
			t.Errorf("2110 holds %s after the transfer failed", owed)
		}
		for _, i := range p.Maker(t).Graph(t, "{ payout(id: "+id+") { items { id } } }", nil).In("payout").List("items") {
			p.Maker(t).Graph(t, "mutation { releasePayoutItem(id: "+i.Text("id")+") { status } }", nil)
		}
		booktest.WantWords(t, "paid again", p.PayBatch(t, id), "PAID", "PAID", "PAID")
		p.Holds(t, ledger.SyndicatorPayable, "0.00")
		booktest.Verify(t, a)
	})
}

func failed(t *testing.T, p *booktest.Payouts, n int) {
	t.Helper()
	ctx, read := p.Inside(t)
	if got := read.PayoutItem.Query().Where(payoutitem.StatusEQ(payoutitem.StatusFAILED)).CountX(ctx); got != n {
		t.Errorf("%d items failed, want %d", got, n)
	}
}

// Over months of collections, returns of all ages and weekly batches, everything owed to syndicators is paid
// out in the end: once every holding period has expired, 2110 holds only what is carried.
func TestPayoutsOverMonthsOfReturns(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		random := rand.New(rand.NewPCG(7, 115))
		deals := []object{p.Deal(t), p.Deal(t), p.Deal(t)}
		var standing []object
		for day := range 60 {
			for _, d := range deals {
				if random.IntN(2) == 0 {
					standing = append(
						standing, p.Collect(t, d, "ADVANCE_PAYBACK", fmt.Sprintf("%d.%02d", 20+random.IntN(80), random.IntN(100)), nil),
					)
				}
			}
			if len(standing) > 0 && random.IntN(4) == 0 {
				i := random.IntN(len(standing))
				p.Change(t, booktest.At("payments", standing[i]), object{"status": "BOUNCED"})
				standing = slices.Delete(standing, i, i+1)
			}
			if day%5 == 4 {
				if id, _ := p.Draft(t); id != "" {
					p.Settle(t, id)
				}
			}
			p.Days(1)
		}
		p.Days(7)
		if id, _ := p.Draft(t); id != "" {
			p.Settle(t, id)
		}
		left := p.Balance(t, ledger.SyndicatorPayable)
		ctx, read := p.Inside(t)
		var carried money.Amount
		open := read.PayoutItem.Query().
			Where(payoutitem.CarriedAtNotNil(), payoutitem.Not(payoutitem.HasCarriedTo()))
		for _, item := range open.AllX(ctx) {
			carried = carried.Sub(item.Amount)
		}
		if !left.Equal(carried) {
			t.Errorf("2110 holds %s, and %s is carried", left, carried)
		}
		booktest.Verify(t, a)
	})
}
