package e2e

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"paydown/ent/payoutitem"
	"paydown/internal/apptest"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/schedule"
)

// payouts is a desk with a syndicator who has 40 % of each of its deals, without charges, and two people for
// the batches.
type payouts struct {
	*desk
	syndicator object
}

func openPayouts(t *testing.T, a *apptest.App) *payouts {
	t.Helper()
	return openPayoutsAt(t, a, "payouts.test")
}

func openPayoutsAt(t *testing.T, a *apptest.App, host string) *payouts {
	t.Helper()
	p := &payouts{desk: openDesk(t, a, host)}
	p.syndicator = p.create(t, "/syndicators", object{"name": "Bayview Income Partners LP"})
	p.maker(t).
		Graph(t, fmt.Sprintf(`mutation {
			depositToWallet(id: %d, input: {amount: "100000"}) { id } }`, p.syndicator.ID()), nil)
	return p
}

func (p *payouts) maker(t *testing.T) *apptest.Client {
	t.Helper()
	return p.staff(t, "maker@"+p.Host, "admin")
}

func (p *payouts) approver(t *testing.T) *apptest.Client {
	t.Helper()
	return p.staff(t, "approver@"+p.Host, "accounting")
}

// deal funds a deal of 10,000 for 13,000 in which the syndicator has 40 %.
func (p *payouts) deal(t *testing.T) object {
	t.Helper()
	merchant := p.create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
	d := p.create(t, "/deals", object{
		"merchantId": merchant.ID(), "fundedAmount": "10000.00", "factorRate": "1.30", "numberOfPayments": 26,
		"collectionFrequency": "DAILY",
	})
	p.maker(t).
		Graph(t, fmt.Sprintf(`mutation { createParticipation(input: {dealId: %d, syndicatorId: %d, percent: "40"}) { id } }`,
			d.ID(), p.syndicator.ID()), nil)
	for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
		d = p.change(t, at("deals", d), object{"state": state})
	}
	return d
}

// days moves the clock forward by banking days.
func (p *payouts) days(n int) {
	today := civil.On(p.a.Clock.Now(), time.UTC)
	p.a.AdvanceAll(time.Duration(schedule.AddBankingDays(today, n).Sub(today)) * 24 * time.Hour)
}

// draft creates the batch of everything due, and returns its items' amounts; none if nothing is due.
func (p *payouts) draft(t *testing.T) (id string, amounts []string) {
	t.Helper()
	asked := p.maker(t).Ask(t, makeShares, nil)
	if len(asked.Errors) > 0 {
		return "", nil
	}
	batch := asked.Data.In("makePayoutBatch")
	for _, item := range batch.List("items") {
		amounts = append(amounts, item.Text("amount"))
	}
	slices.Sort(amounts)
	return batch.Text("id"), amounts
}

// settle approves and pays a batch, and returns its status and those of its items.
func (p *payouts) settle(t *testing.T, id string) []string {
	t.Helper()
	p.approver(t).Graph(t, "mutation { approvePayoutBatch(id: "+id+") { status } }", nil)
	return p.payBatch(t, id)
}

func (p *payouts) payBatch(t *testing.T, id string) []string {
	t.Helper()
	paid := p.maker(t).
		Graph(t, "mutation { payPayoutBatch(id: "+id+") { status items { status carriedAt } } }", nil).
		In("payPayoutBatch")
	words := []string{paid.Text("status")}
	for _, item := range paid.List("items") {
		status := item.Text("status")
		if item["carriedAt"] != nil {
			status = "carried"
		}
		words = append(words, status)
	}
	return words
}

// balance returns an account's balance.
func (p *payouts) balance(t *testing.T, account ledger.Account) money.Amount {
	t.Helper()
	ctx, read := p.inside(t)
	var sum money.Amount
	for _, row := range read.Posting.Query().AllX(ctx) {
		if row.Account == string(account) {
			sum = sum.Add(row.Amount)
		}
	}
	return sum
}

func wantWords(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// A share whose payment bounces before it is paid is cancelled in its batch, and reduces no other.
func TestAShareThatCameBackBeforeItWasPaidIsCancelled(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		d := p.deal(t)
		first := p.collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		p.collect(t, d, "ADVANCE_PAYBACK", "500.00", nil)
		p.days(6)
		id, amounts := p.draft(t)
		wantWords(t, "drafted", amounts, "200.00", "400.00")
		p.change(t, at("payments", first), object{"status": "BOUNCED"})
		wantWords(t, "paid", p.settle(t, id), "PAID", "CANCELLED", "PAID")
		if left := p.balance(t, ledger.SyndicatorPayable); !left.IsZero() {
			t.Errorf("2110 holds %s", left)
		}
		if id, amounts := p.draft(t); id != "" {
			t.Errorf("another batch holds %v", amounts)
		}
		verify(t, a)
	})
}

// A payment that bounces after its share was paid out is set off against other deals' shares, in one sum for
// the payee.
func TestWhatComesBackIsSetOffAcrossDeals(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		one, other := p.deal(t), p.deal(t)
		first := p.collect(t, one, "ADVANCE_PAYBACK", "1000.00", nil)
		p.days(6)
		id, _ := p.draft(t)
		wantWords(t, "paid", p.settle(t, id), "PAID", "PAID")
		cash := p.balance(t, ledger.Cash)

		p.change(t, at("payments", first), object{"status": "BOUNCED"})
		id, amounts := p.draft(t)
		wantWords(t, "drafted", amounts, "-400.00")
		wantWords(t, "a debt alone is carried", p.settle(t, id), "PAID", "carried")
		if again, amounts := p.draft(t); again != "" {
			t.Errorf("a batch of nothing but what was carried: %v", amounts)
		}

		p.collect(t, other, "ADVANCE_PAYBACK", "5000.00", nil)
		p.days(6)
		id, amounts = p.draft(t)
		wantWords(t, "drafted", amounts, "-400.00", "2000.00")
		wantWords(t, "paid", p.settle(t, id), "PAID", "PAID", "PAID")
		if left := p.balance(t, ledger.SyndicatorPayable); !left.IsZero() {
			t.Errorf("2110 holds %s", left)
		}
		// 1,000 went back to the merchant, 5,000 came in, and 1,600 went out.
		if moved := p.balance(t, ledger.Cash).Sub(cash); moved.String() != "2400.00" {
			t.Errorf("cash moved by %s", moved)
		}
		verify(t, a)

		// The transfer of the sum fails as a whole.
		item := p.maker(t).Graph(t, "{ payout(id: "+id+") { items { id amount } } }", nil).In("payout").List("items")[0]
		p.maker(t).Graph(t, `mutation { failPayoutItem(id: `+item.Text("id")+`, reason: "Account closed") { status } }`, nil)
		p.failed(t, 2)
		if owed := p.balance(t, ledger.SyndicatorPayable); owed.String() != "-1600.00" {
			t.Errorf("2110 holds %s after the transfer failed", owed)
		}
		for _, i := range p.maker(t).Graph(t, "{ payout(id: "+id+") { items { id } } }", nil).In("payout").List("items") {
			p.maker(t).Graph(t, "mutation { releasePayoutItem(id: "+i.Text("id")+") { status } }", nil)
		}
		wantWords(t, "paid again", p.payBatch(t, id), "PAID", "PAID", "PAID")
		if left := p.balance(t, ledger.SyndicatorPayable); !left.IsZero() {
			t.Errorf("2110 holds %s", left)
		}
		verify(t, a)
	})
}

func (p *payouts) failed(t *testing.T, n int) {
	t.Helper()
	ctx, read := p.inside(t)
	if got := read.PayoutItem.Query().Where(payoutitem.StatusEQ(payoutitem.StatusFAILED)).CountX(ctx); got != n {
		t.Errorf("%d items failed, want %d", got, n)
	}
}

// Over months of collections, returns of all ages and weekly batches, everything owed to syndicators is paid
// out in the end: once every holding period has expired, 2110 holds only what is carried.
func TestPayoutsOverMonthsOfReturns(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		random := rand.New(rand.NewPCG(7, 115))
		deals := []object{p.deal(t), p.deal(t), p.deal(t)}
		var standing []object
		for day := range 60 {
			for _, d := range deals {
				if random.IntN(2) == 0 {
					standing = append(
						standing, p.collect(t, d, "ADVANCE_PAYBACK", fmt.Sprintf("%d.%02d", 20+random.IntN(80), random.IntN(100)), nil),
					)
				}
			}
			if len(standing) > 0 && random.IntN(4) == 0 {
				i := random.IntN(len(standing))
				p.change(t, at("payments", standing[i]), object{"status": "BOUNCED"})
				standing = slices.Delete(standing, i, i+1)
			}
			if day%5 == 4 {
				if id, _ := p.draft(t); id != "" {
					p.settle(t, id)
				}
			}
			p.days(1)
		}
		p.days(7)
		if id, _ := p.draft(t); id != "" {
			p.settle(t, id)
		}
		left := p.balance(t, ledger.SyndicatorPayable)
		ctx, read := p.inside(t)
		var carried money.Amount
		open := read.PayoutItem.Query().
			Where(payoutitem.CarriedAtNotNil(), payoutitem.Not(payoutitem.HasCarriedTo()))
		for _, item := range open.AllX(ctx) {
			carried = carried.Sub(item.Amount)
		}
		if !left.Equal(carried) {
			t.Errorf("2110 holds %s, and %s is carried", left, carried)
		}
		verify(t, a)
	})
}

// balanceOf returns an account's balance for a syndicator.
func (p *payouts) balanceOf(t *testing.T, account ledger.Account, syndicatorID int) money.Amount {
	t.Helper()
	ctx, read := p.inside(t)
	var sum money.Amount
	for _, row := range read.Posting.Query().AllX(ctx) {
		if row.Account == string(account) && row.SyndicatorID != nil && *row.SyndicatorID == syndicatorID {
			sum = sum.Add(row.Amount)
		}
	}
	return sum
}
