package e2e

import (
	"context"
	"net/http"
	"slices"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/journal"
	"paydown/ent/participation"
	entposting "paydown/ent/posting"
	"paydown/internal/apptest"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/store"
)

// The worked example of the ledger, driven through the product: 50,000 for 65,000, a bank fee of 1,500, a wire
// fee of 50, a commission of 10 %, one syndicator at 40 % with a management fee of 3 % of collections.
func TestLedgerPostsTheWorkedExample(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := openBooks(t, a)

		t.Run("fund, participate, commission", func(t *testing.T) {
			b.advance = b.change(t, at("deals", b.advance), object{"state": "FUNDED"})
			b.posted(t,
				"FUNDING 1000 -48450.00; 1100 65000.00; 2000 -15000.00; 4100 -1550.00",
				"PARTICIPATION 1000 20000.00; 1010 -20000.00; 2000 6000.00; 2100 -26000.00; 2120 20000.00",
				"COMMISSION 2200 -5000.00; 5000 5000.00",
			)
			b.holds(t, ledger.SyndicatorWallet, "0.00")
		})
		var first object
		t.Run("payment, management fee", func(t *testing.T) {
			first = b.paymentsOf(t, b.advance, "")[0]
			first = b.change(t, at("payments", first), object{"status": "PAID"})
			b.posted(t,
				"PAYMENT 1000 515.88; 1100 -515.88; 2000 71.43; 2100 206.35; 2110 -206.35; 4000 -71.43",
				"MANAGEMENT_FEE 2110 6.19; 4200 -6.19",
			)
			b.holds(t, ledger.SyndicatorPayable, "-200.16")
		})
		t.Run("bounce", func(t *testing.T) {
			b.bounce(t, first, "R01")
			b.posted(t,
				"PAYMENT 1000 -515.88; 1100 515.88; 2000 -71.43; 2100 -206.35; 2110 206.35; 4000 71.43",
				"MANAGEMENT_FEE 2110 -6.19; 4200 6.19",
			)
			b.reversed(t, 2)
			b.holds(t, ledger.SyndicatorPayable, "0.00")
		})
		t.Run("fee", func(t *testing.T) {
			b.collect(t, b.advance, "BOUNCE_FEE", "35.00", nil)
			b.posted(t, "PAYMENT 1000 35.00; 4100 -35.00")
		})
		t.Run("early payoff at 25,000 collected", func(t *testing.T) {
			b.collect(t, b.advance, "ADVANCE_PAYBACK", "25000.00", nil)
			b.posted(t,
				"PAYMENT 1000 25000.00; 1100 -25000.00; 2000 3461.54; 2100 10000.00; 2110 -10000.00; 4000 -3461.54",
				"MANAGEMENT_FEE 2110 300.00; 4200 -300.00",
			)
			b.collect(t, b.advance, "EPO_DISCOUNT", "5000.00", object{"method": "OTHER"})
			b.collect(t, b.advance, "ADVANCE_PAYBACK", "35000.00", object{"method": "WIRE"})
			b.postedInAll(
				t, "1000 35000.00; 1100 -40000.00; 2000 5538.46; 2100 16000.00; 2110 -14000.00; 4000 -5538.46; 5100 3000.00",
				ledger.Payment, ledger.Discount,
			)
			shows(t, b.Get(t, at("deals", b.advance)).In("deal"), object{"state": "CLOSED"})
			for _, empty := range []ledger.Account{ledger.Receivable, ledger.DeferredIncome, ledger.Participations} {
				b.holds(t, empty, "0.00")
			}
		})
		t.Run("payout", func(t *testing.T) {
			b.holds(t, ledger.SyndicatorPayable, "-23280.00") // 24,000 less 3 %
			b.collect(t, b.advance, "PARTICIPATION_PAYOUT", "23280.00", object{"syndicatorId": b.syndicator.ID()})
			b.posted(t, "PAYOUT 1000 -23280.00; 2110 23280.00")
			b.holds(t, ledger.SyndicatorPayable, "0.00")
		})
		b.checkBooks(t)
	})
}

// A wallet pays for one deal only, however many are funded at the same moment.
func TestWalletIsNotSpentTwice(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := openBooks(t, a)
		other := b.create(t, "/merchants", object{"legalName": "Alder Street Flowers Inc"})
		second := b.deal(t, other)
		f := &fleet{desk: b.desk, processes: []*apptest.Client{b.Client}}
		answers := f.atOnce(t,
			call{method: http.MethodPatch, path: at("deals", b.advance), body: object{"state": "FUNDED"}},
			call{method: http.MethodPatch, path: at("deals", second), body: object{"state": "FUNDED"}})
		if counts := tally(answers); counts[200] != 1 || counts[409] != 1 {
			t.Errorf("answers are %v", counts)
		}
		for _, answer := range answers {
			if answer.Status == 409 && answer.Problem(t, 409, "conflict")["blocks.PARTICIPATION_INVALID"] == "" {
				t.Errorf("refused for another reason: %s", answer.Body)
			}
		}
		b.holds(t, ledger.SyndicatorWallet, "0.00")
	})
}

// books is a desk with a syndicator, who has 20,000 in the wallet, and a deal ready to be funded.
type books struct {
	*desk
	broker, syndicator, advance object
	seen                        int // the newest entry that was looked at
}

func openBooks(t *testing.T, a *apptest.App) *books {
	t.Helper()
	b := &books{desk: openDesk(t, a, "books.test")}
	b.broker = b.create(t, "/isos", object{"name": "Bridge Capital Brokers"})
	b.syndicator = b.create(t, "/syndicators", object{"name": "Bayview Income Partners LP"})
	merchant := b.create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
	b.advance = b.deal(t, merchant)
	b.write(t, func(ctx context.Context, tx *store.Tx) error {
		j := tx.Journal.Create().
			SetKind(ledger.Wallet).
			SetLineCount(2).
			SetOccurredAt(tx.At()).
			SetEffectiveDate(civil.On(tx.At(), time.UTC)).
			SaveX(ctx)
		b.seen = j.ID
		line := func(account ledger.Account, amount string) *ent.PostingCreate {
			return tx.Posting.Create().SetJournal(j).SetKind(ledger.Wallet).SetAccount(string(account)).
				SetAmount(money.Must(amount)).SetSyndicatorID(b.syndicator.ID())
		}
		return tx.Posting.CreateBulk(
			line(ledger.RestrictedCash, "20000.00"), line(ledger.SyndicatorWallet, "-20000.00")).Exec(ctx)
	})
	return b
}

// deal creates a deal with the example's terms and the syndicator's participation, up to PREFUNDED.
func (b *books) deal(t *testing.T, merchant object) object {
	t.Helper()
	d := b.create(t, "/deals", object{
		"merchantId": merchant.ID(), "isoId": b.broker.ID(), "fundedAmount": "50000.00", "factorRate": "1.30",
		"numberOfPayments": 126, "collectionFrequency": "DAILY",
		"bankFeeBasis": "FLAT", "bankFeeValue": "1500", "wireFee": "50.00",
		"commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": "10", "epoFactorRate": "1.20", "epoWindowDays": 60,
	})
	b.write(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.Participation.Create().SetDealID(d.ID()).SetSyndicatorID(b.syndicator.ID()).
			SetPercent(money.MustRate("40")).SetAmount(money.Must("20000.00")).
			SetManagementFeeBasis(participation.ManagementFeeBasisPERCENT_OF_COLLECTIONS).
			SetManagementFeePercent(money.MustRate("3")).Exec(ctx)
	})
	for _, state := range []string{"SUBMITTED", "PREFUNDED"} {
		d = b.change(t, at("deals", d), object{"state": state})
	}
	return d
}

// write adds records to the tenant for which there is no operation yet.
func (b *books) write(t *testing.T, work func(context.Context, *store.Tx) error) {
	t.Helper()
	if err := b.a.Store.Write(b.a.Operator(t, b.Host), work); err != nil {
		t.Fatal(err)
	}
}

// fresh returns the entries made since the last call.
func (b *books) fresh(t *testing.T) []*ent.Journal {
	t.Helper()
	ctx, read := b.inside(t)
	made := read.Journal.Query().Where(journal.IDGT(b.seen)).WithPostings().Order(journal.ByID()).AllX(ctx)
	if len(made) > 0 {
		b.seen = made[len(made)-1].ID
	}
	return made
}

// posted checks the entries made since the last call.
func (b *books) posted(t *testing.T, want ...string) {
	t.Helper()
	sameList(t, "entry", linesOf(b.fresh(t)), want)
}

// postedInAll checks the sum of the entries of some kinds made since the last call.
func (b *books) postedInAll(t *testing.T, want string, kinds ...ledger.Kind) {
	t.Helper()
	var lines []*ent.Posting
	for _, j := range b.fresh(t) {
		if slices.Contains(kinds, j.Kind) {
			lines = append(lines, j.Edges.Postings...)
		}
	}
	if got := sumsOf(lines); got != want {
		t.Errorf("posted %s\nwant %s", got, want)
	}
}

// reversed checks that the newest n entries reverse the n before them, one for one.
func (b *books) reversed(t *testing.T, n int) {
	t.Helper()
	ctx, read := b.inside(t)
	newest := read.Journal.Query().Where(journal.IDGT(b.seen - n)).Order(journal.ByID()).AllX(ctx)
	for i, j := range newest {
		if want := b.seen - 2*n + 1 + i; j.ReversesID == nil || *j.ReversesID != want {
			t.Errorf("entry %d reverses %v, want entry %d", j.ID, j.ReversesID, want)
		}
	}
}

// holds checks the balance of an account.
func (b *books) holds(t *testing.T, account ledger.Account, want string) {
	t.Helper()
	ctx, read := b.inside(t)
	var sum money.Amount
	for _, p := range read.Posting.Query().Where(entposting.Account(string(account))).AllX(ctx) {
		sum = sum.Add(p.Amount)
	}
	if sum.String() != want {
		t.Errorf("%s %s holds %s, want %s", account, account.Title(), sum, want)
	}
}
