package booktest

import (
	"context"
	"fmt"
	"slices"
	"strings"
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

// Books is a desk with a syndicator, who has 20,000 in the wallet, and a deal ready to be funded.
type Books struct {
	*Desk
	broker, Syndicator, Advance apptest.Object
	seen                        int // the newest entry that was looked at
}

// OpenBooks creates a company with what Books has.
func OpenBooks(t *testing.T, a *apptest.App) *Books {
	t.Helper()
	b := &Books{Desk: OpenDesk(t, a, "books.test")}
	b.broker = b.Create(t, "/isos", apptest.Object{"name": "Bridge Capital Brokers"})
	b.Syndicator = b.Create(t, "/syndicators", apptest.Object{"name": "Bayview Income Partners LP"})
	merchant := b.Create(t, "/merchants", apptest.Object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
	b.Advance = b.Deal(t, merchant)
	b.Deposit(t, "20000.00")
	b.Fresh(t)
	return b
}

// Deposit adds money to the syndicator's wallet.
func (b *Books) Deposit(t *testing.T, amount string) {
	t.Helper()
	b.Write(t, func(ctx context.Context, tx *store.Tx) error {
		j := tx.Journal.Create().
			SetKind(ledger.Wallet).
			SetLineCount(2).
			SetOccurredAt(tx.At()).
			SetEffectiveDate(civil.On(tx.At(), time.UTC)).
			SaveX(ctx)
		line := func(account ledger.Account, amount money.Amount) *ent.PostingCreate {
			return tx.Posting.Create().SetJournal(j).SetKind(ledger.Wallet).SetAccount(string(account)).
				SetAmount(amount).SetSyndicatorID(b.Syndicator.ID())
		}
		added := money.Must(amount)
		return tx.Posting.CreateBulk(
			line(ledger.RestrictedCash, added), line(ledger.SyndicatorWallet, added.Neg())).Exec(ctx)
	})
}

// Deal creates a deal with the example's terms and the syndicator's participation, up to PREFUNDED.
func (b *Books) Deal(t *testing.T, merchant apptest.Object) apptest.Object {
	t.Helper()
	d := b.Create(t, "/deals", apptest.Object{
		"merchantId": merchant.ID(), "isoId": b.broker.ID(), "fundedAmount": "50000.00", "factorRate": "1.30",
		"numberOfPayments": 126, "collectionFrequency": "DAILY",
		"bankFeeBasis": "FLAT", "bankFeeValue": "1500", "wireFee": "50.00",
		"commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": "10", "epoFactorRate": "1.20", "epoWindowDays": 60,
	})
	b.Write(t, func(ctx context.Context, tx *store.Tx) error {
		return tx.Participation.Create().SetDealID(d.ID()).SetSyndicatorID(b.Syndicator.ID()).
			SetPercent(money.MustRate("40")).SetAmount(money.Must("20000.00")).
			SetManagementFeeBasis(participation.ManagementFeeBasisPERCENT_OF_COLLECTIONS).
			SetManagementFeePercent(money.MustRate("3")).Exec(ctx)
	})
	for _, state := range []string{"SUBMITTED", "PREFUNDED"} {
		d = b.Change(t, At("deals", d), apptest.Object{"state": state})
	}
	return d
}

// Fresh returns the entries made since the last call.
func (b *Books) Fresh(t *testing.T) []*ent.Journal {
	t.Helper()
	ctx, read := b.Inside(t)
	made := read.Journal.Query().Where(journal.IDGT(b.seen)).WithPostings().Order(journal.ByID()).AllX(ctx)
	if len(made) > 0 {
		b.seen = made[len(made)-1].ID
	}
	return made
}

// Posted checks the entries made since the last call.
func (b *Books) Posted(t *testing.T, want ...string) {
	t.Helper()
	SameList(t, "entry", LinesOf(b.Fresh(t)), want)
}

// PostedInAll checks the sum of the entries of some kinds made since the last call.
func (b *Books) PostedInAll(t *testing.T, want string, kinds ...ledger.Kind) {
	t.Helper()
	var lines []*ent.Posting
	for _, j := range b.Fresh(t) {
		if slices.Contains(kinds, j.Kind) {
			lines = append(lines, j.Edges.Postings...)
		}
	}
	if got := sumsOf(lines); got != want {
		t.Errorf("posted %s\nwant %s", got, want)
	}
}

// Reversed checks that the newest n entries reverse the n before them, one for one.
func (b *Books) Reversed(t *testing.T, n int) {
	t.Helper()
	ctx, read := b.Inside(t)
	newest := read.Journal.Query().Where(journal.IDGT(b.seen - n)).Order(journal.ByID()).AllX(ctx)
	for i, j := range newest {
		if want := b.seen - 2*n + 1 + i; j.ReversesID == nil || *j.ReversesID != want {
			t.Errorf("entry %d reverses %v, want entry %d", j.ID, j.ReversesID, want)
		}
	}
}

// Holds checks the balance of an account.
func (b *Books) Holds(t *testing.T, account ledger.Account, want string) {
	t.Helper()
	ctx, read := b.Inside(t)
	var sum money.Amount
	for _, p := range read.Posting.Query().Where(entposting.Account(string(account))).AllX(ctx) {
		sum = sum.Add(p.Amount)
	}
	if sum.String() != want {
		t.Errorf("%s %s holds %s, want %s", account, account.Title(), sum, want)
	}
}

// LinesOf formats entries, each with its kind and its lines in order of account; amounts of one account are
// added.
func LinesOf(journals []*ent.Journal) []string {
	entries := make([]string, len(journals))
	for i, j := range journals {
		entries[i] = string(j.Kind) + " " + sumsOf(j.Edges.Postings)
	}
	return entries
}

// sumsOf formats the sums of postings, by account.
func sumsOf(postings []*ent.Posting) string {
	sums := map[string]money.Amount{}
	for _, p := range postings {
		sums[p.Account] = sums[p.Account].Add(p.Amount)
	}
	var lines []string
	for account, sum := range sums {
		if !sum.IsZero() {
			lines = append(lines, fmt.Sprintf("%s %s", account, sum))
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "; ")
}
