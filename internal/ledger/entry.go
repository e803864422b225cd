package ledger

import (
	"errors"
	"fmt"

	"paydown/internal/money"
)

// Line is one posting of an entry.
type Line struct {
	Account Account
	// Amount is a debit if positive and a credit if negative.
	Amount money.Amount
	// SyndicatorID is the syndicator that the line belongs to; 0 is the house.
	SyndicatorID int
	// ISOID is the ISO whose commission it is; set only on DueFromISO and CommissionPayable.
	ISOID int
	// DealID is the deal that the line belongs to; 0 is the deal of the entry.
	DealID int
}

// Entry is one balanced journal entry.
type Entry struct {
	Kind  Kind
	Memo  string
	Lines []Line
}

// ErrUnbalanced means that an entry's lines do not add up to zero. Entries of this package always balance.
var ErrUnbalanced = errors.New("ledger: entry does not balance")

// New returns an entry. It merges lines that differ only in the amount and drops zero lines, so an entry that
// moves nothing has no lines and need not be stored.
func New(kind Kind, memo string, lines ...Line) (Entry, error) {
	e := Entry{Kind: kind, Memo: memo}
	at := map[Line]int{}
	for _, l := range lines {
		where := Line{Account: l.Account, SyndicatorID: l.SyndicatorID, ISOID: l.ISOID, DealID: l.DealID}
		if i, seen := at[where]; seen {
			e.Lines[i].Amount = e.Lines[i].Amount.Add(l.Amount)
			continue
		}
		at[where] = len(e.Lines)
		e.Lines = append(e.Lines, l)
	}
	kept := e.Lines[:0]
	for _, l := range e.Lines {
		if !l.Amount.IsZero() {
			kept = append(kept, l)
		}
	}
	e.Lines = kept
	return e, e.Check()
}

// Check returns an error if the entry has an unknown account or is unbalanced (ErrUnbalanced).
func (e Entry) Check() error {
	var sum money.Amount
	for _, l := range e.Lines {
		if l.Account.Type() == "" {
			return fmt.Errorf("ledger: %s entry posts to unknown account %q", e.Kind, l.Account)
		}
		sum = sum.Add(l.Amount)
	}
	if !sum.IsZero() {
		return fmt.Errorf("%w: %s entry is off by %s", ErrUnbalanced, e.Kind, sum)
	}
	return nil
}

// Reverse returns the reversal of an entry: the same lines with opposite signs and the same kind.
func Reverse(e Entry) Entry {
	undone := Entry{Kind: e.Kind, Memo: "Reversal: " + e.Memo, Lines: make([]Line, len(e.Lines))}
	for i, l := range e.Lines {
		l.Amount = l.Amount.Neg()
		undone.Lines[i] = l
	}
	return undone
}

// debitISO and creditISO return a line of an ISO's account.
func debitISO(isoID int, a Account, amount money.Amount) Line {
	return Line{Account: a, Amount: amount, ISOID: isoID}
}

func creditISO(isoID int, a Account, amount money.Amount) Line {
	return debitISO(isoID, a, amount.Neg())
}

// debit and credit return a line of the house, debitFor and creditFor one of a syndicator. A negative amount
// swaps the sides.
func debit(a Account, amount money.Amount) Line  { return Line{Account: a, Amount: amount} }
func credit(a Account, amount money.Amount) Line { return Line{Account: a, Amount: amount.Neg()} }

func debitFor(syndicatorID int, a Account, amount money.Amount) Line {
	return Line{Account: a, Amount: amount, SyndicatorID: syndicatorID}
}

func creditFor(syndicatorID int, a Account, amount money.Amount) Line {
	return debitFor(syndicatorID, a, amount.Neg())
}
