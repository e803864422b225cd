package ledger

import (
	"maps"
	"slices"

	"paydown/internal/money"
)

// Key identifies a balance: the sum of the lines of an account and a syndicator (0 is the house) in entries
// of a kind.
type Key struct {
	Account      Account
	SyndicatorID int
	Kind         Kind
}

// Balances are the sums of a deal's postings, including reversals; debits are positive. They include only
// lines that belong to the deal, whichever deal their entry belongs to.
type Balances map[Key]money.Amount

// Post adds the lines of the deal's entries. It skips lines that name another deal.
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

// Of returns the balance of an account over all syndicators and the house, limited to the given kinds if any.
func (b Balances) Of(a Account, kinds ...Kind) money.Amount {
	return b.sum(func(k Key) bool { return k.Account == a && matches(k.Kind, kinds) })
}

// For returns the balance of an account of a syndicator (0: the house), limited to the given kinds if any.
func (b Balances) For(syndicatorID int, a Account, kinds ...Kind) money.Amount {
	return b.sum(func(k Key) bool {
		return k.Account == a && k.SyndicatorID == syndicatorID && matches(k.Kind, kinds)
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

// matches reports whether k is one of kinds; an empty list means all kinds.
func matches(k Kind, kinds []Kind) bool {
	return len(kinds) == 0 || slices.Contains(kinds, k)
}

// Outstanding is the amount that the merchant still owes of the purchased receivable, never negative.
// Unapplied cash counts as paid.
func Outstanding(b Balances) money.Amount {
	return money.Max(money.Zero, b.Of(Receivable).Add(b.Of(UnappliedCash)))
}

// Collected is the amount that the merchant has paid on the receivable, less returned payments. It excludes
// discounts, write-offs, later recoveries and the surplus.
func Collected(b Balances) money.Amount { return b.Of(Receivable, Payment, Unapplied).Neg() }

// Surplus is the amount that the merchant has paid but does not owe. It is negative if more was handed back,
// by adjustments or returns, than was collected; the merchant then owes that in addition to the receivable.
func Surplus(b Balances) money.Amount { return b.Of(UnappliedCash).Neg() }

// WrittenOff is the total amount written off; recoveries do not reduce it.
func WrittenOff(b Balances) money.Amount {
	return b.Of(Receivable, WriteOff).Add(b.Of(UnappliedCash, WriteOff)).Neg()
}

// Recovered is the amount recovered after a write-off.
func Recovered(b Balances) money.Amount {
	return b.Of(Recoveries, Recovery).Add(b.Of(SyndicatorPayable, Recovery)).Neg()
}

// distributed is the amount of collections that a syndicator has been credited with, before charges and
// payouts.
func (b Balances) distributed(syndicatorID int) money.Amount {
	return b.For(syndicatorID, SyndicatorPayable, Payment, Unapplied).Neg()
}

// recoveredFor is the amount of recoveries after a write-off that a syndicator has been credited with, before
// charges.
func (b Balances) recoveredFor(syndicatorID int) money.Amount {
	return b.For(syndicatorID, SyndicatorPayable, Recovery).Neg()
}

// madeGood is the amount of a protected syndicator's loss that the house has covered.
func (b Balances) madeGood(syndicatorID int) money.Amount { return b.For(syndicatorID, CreditLoss) }

// Share has a syndicator's totals for one or several deals.
type Share struct {
	// Collected is the syndicator's share of collections and recoveries, less returned payments, before charges.
	Collected money.Amount
	// Protected is the loss that the house has covered.
	Protected money.Amount
	// Charged is the total that the house has charged: commission shares, management fees, and the house's part
	// of the profit.
	Charged money.Amount
	// PaidOut is the amount paid to the syndicator, less amounts taken back.
	PaidOut money.Amount
	// Outstanding is the syndicator's share of the outstanding receivable.
	Outstanding money.Amount
}

// ShareOf computes a syndicator's Share from its lines.
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

// TrialRow is an account's balance on its debit or credit side; the other side is zero.
type TrialRow struct {
	Head
	Debit, Credit money.Amount
}

// TrialBalance lists every account of the chart with its balance. The two columns have the same sum.
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

// Trial is the trial balance of the sums, regardless of kind and syndicator.
func (b Balances) Trial() []TrialRow {
	rows := make([]TrialRow, len(Chart))
	for i, h := range Chart {
		balance := b.Of(h.Account)
		rows[i] = TrialRow{Head: h, Debit: money.Max(balance, money.Zero), Credit: money.Max(balance.Neg(), money.Zero)}
	}
	return rows
}

// clone returns a copy.
func (b Balances) clone() Balances {
	if b == nil {
		return Balances{}
	}
	return maps.Clone(b)
}
