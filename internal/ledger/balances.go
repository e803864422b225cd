package ledger

import (
	"maps"
	"slices"

	"paydown/internal/money"
)

// Key says what a balance is the sum of: the lines of an account and a syndicator (0 is the house) in entries of a kind.
type Key struct {
	Account      Account
	SyndicatorID int
	Kind         Kind
}

// Balances are the sums of a deal's postings, reversals included; debits are positive. Only the lines that carry the
// deal count, whatever deal their entry is of.
type Balances map[Key]money.Amount

// Post adds the lines of entries of the deal. Lines that name a deal of their own belong to another and are left out.
func (b Balances) Post(entries ...Entry) {
	for _, e := range entries {
		for _, l := range e.Lines {
			if l.DealID == 0 {
				k := Key{l.Account, l.SyndicatorID, e.Kind}
				b[k] = b[k].Add(l.Amount)
			}
		}
	}
}

// Of is the balance of an account, over all syndicators and the house; of the given kinds alone where any are given.
func (b Balances) Of(a Account, kinds ...Kind) money.Amount {
	return b.sum(func(k Key) bool { return k.Account == a && among(k.Kind, kinds) })
}

// For is the balance of an account that belongs to a syndicator (0: to the house), like Of.
func (b Balances) For(syndicatorID int, a Account, kinds ...Kind) money.Amount {
	return b.sum(func(k Key) bool {
		return k.Account == a && k.SyndicatorID == syndicatorID && among(k.Kind, kinds)
	})
}

func (b Balances) sum(counts func(Key) bool) money.Amount {
	var total money.Amount
	for k, amount := range b {
		if counts(k) {
			total = total.Add(amount)
		}
	}
	return total
}

// among reports whether k is one of kinds; no kinds are all kinds.
func among(k Kind, kinds []Kind) bool {
	return len(kinds) == 0 || slices.Contains(kinds, k)
}

// Outstanding is what the merchant still owes of the purchased receivable, never less than zero. Money held as
// unapplied counts as paid.
func Outstanding(b Balances) money.Amount {
	return money.Max(money.Zero, b.Of(Receivable).Add(b.Of(UnappliedCash)))
}

// Collected is what the merchant has paid against the receivable, less what was returned. It leaves out discounts, what
// was written off or recovered after that, and the surplus.
func Collected(b Balances) money.Amount { return b.Of(Receivable, Payment, Unapplied).Neg() }

// Surplus is what the merchant has paid and does not owe. It is negative where more was handed back, by adjustments or
// returns, than was ever collected: the merchant owes that on top of the receivable.
func Surplus(b Balances) money.Amount { return b.Of(UnappliedCash).Neg() }

// WrittenOff is what has been given up in all; recoveries do not lower it.
func WrittenOff(b Balances) money.Amount {
	return b.Of(Receivable, WriteOff).Add(b.Of(UnappliedCash, WriteOff)).Neg()
}

// Recovered is what has come in of what was written off.
func Recovered(b Balances) money.Amount {
	return b.Of(Recoveries, Recovery).Add(b.Of(SyndicatorPayable, Recovery)).Neg()
}

// distributed is what a syndicator has been credited with out of collections, before charges and payouts.
func (b Balances) distributed(syndicatorID int) money.Amount {
	return b.For(syndicatorID, SyndicatorPayable, Payment, Unapplied).Neg()
}

// recoveredFor is what a syndicator has been credited with of money that came in after a write-off, before charges.
func (b Balances) recoveredFor(syndicatorID int) money.Amount {
	return b.For(syndicatorID, SyndicatorPayable, Recovery).Neg()
}

// madeGood is what the house has made good of a protected syndicator's loss.
func (b Balances) madeGood(syndicatorID int) money.Amount { return b.For(syndicatorID, CreditLoss) }

// Share is what a syndicator's part of one deal or of several has come to.
type Share struct {
	// Collected is the syndicator's part of what came in, after a write-off too, before charges; it is less what was returned.
	Collected money.Amount
	// Protected is what the house has made good of a loss.
	Protected money.Amount
	// Charged is what the house has taken of it or of the wallet: commission shares, management fees, its part of the profit.
	Charged money.Amount
	// PaidOut is what was paid to the syndicator, less what was taken back.
	PaidOut money.Amount
	// Outstanding is the part of the receivable that is still to come.
	Outstanding money.Amount
}

// ShareOf is the share that a syndicator's lines come to.
func (b Balances) ShareOf(syndicatorID int) Share {
	charged := b.For(syndicatorID, CommissionExpense, Participation, CAFWithholding, Clawback).
		Add(b.For(syndicatorID, ManagementFees)).Add(b.For(syndicatorID, FactorIncome, ProfitSplit))
	return Share{
		Collected:   b.For(syndicatorID, SyndicatorPayable, Payment, Unapplied, Recovery).Neg(),
		Protected:   b.madeGood(syndicatorID),
		Charged:     charged.Neg(),
		PaidOut:     b.For(syndicatorID, SyndicatorPayable, Payout),
		Outstanding: b.For(syndicatorID, Participations).Neg(),
	}
}

// TrialRow is an account's balance on the side that it falls on; the other side is zero.
type TrialRow struct {
	Head
	Debit, Credit money.Amount
}

// TrialBalance lists every account of the chart with its balance. Both columns add up to the same.
func TrialBalance(entries ...Entry) []TrialRow {
	totals := Balances{}
	for _, e := range entries {
		for _, l := range e.Lines {
			k := Key{Account: l.Account}
			totals[k] = totals[k].Add(l.Amount)
		}
	}
	return totals.Trial()
}

// Trial is the trial balance of sums, whichever way they are grouped.
func (b Balances) Trial() []TrialRow {
	rows := make([]TrialRow, len(Chart))
	for i, h := range Chart {
		balance := b.Of(h.Account)
		rows[i] = TrialRow{Head: h, Debit: money.Max(balance, money.Zero), Credit: money.Max(balance.Neg(), money.Zero)}
	}
	return rows
}

// clone is a copy to post to.
func (b Balances) clone() Balances {
	if b == nil {
		return Balances{}
	}
	return maps.Clone(b)
}
