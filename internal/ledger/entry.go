package ledger

import (
	"errors"
	"fmt"

	"paydown/internal/money"
)

// Line is one posting of an entry.
type Line struct {
	Account Account
	// Amount is a debit where it is positive and a credit where it is negative.
	Amount money.Amount
	// SyndicatorID is whose account the line belongs to; 0 is the house.
	SyndicatorID int
	// ISOID is the broker whose commission it is; set on DueFromISO and CommissionPayable alone.
	ISOID int
	// DealID is the deal that the line belongs to; 0 is the deal of the entry.
	DealID int
}

// Entry is one balanced booking.
type Entry struct {
	Kind  Kind
	Memo  string
	Lines []Line
}

// ErrUnbalanced is an entry whose lines do not add up to zero. Entries of this package never are.
var ErrUnbalanced = errors.New("ledger: entry does not balance")

// New makes an entry. Lines that differ in nothing but the amount become one, and lines of zero are dropped, so an entry
// that moves nothing has no lines and need not be stored.
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

// Check reports what keeps the entry out of the books: an unknown account, or an error that is ErrUnbalanced.
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

// Reverse undoes an entry: the same lines, each with the opposite sign, under the same kind.
func Reverse(e Entry) Entry {
	undone := Entry{Kind: e.Kind, Memo: "Reversal: " + e.Memo, Lines: make([]Line, len(e.Lines))}
	for i, l := range e.Lines {
		l.Amount = l.Amount.Neg()
		undone.Lines[i] = l
	}
	return undone
}

// debitISO and creditISO make a line of a broker's account.
func debitISO(isoID int, a Account, amount money.Amount) Line {
	return Line{Account: a, Amount: amount, ISOID: isoID}
}

func creditISO(isoID int, a Account, amount money.Amount) Line { return debitISO(isoID, a, amount.Neg()) }

// debit and credit make a line of the house, debitFor and creditFor one of a syndicator. A negative amount swaps sides.
func debit(a Account, amount money.Amount) Line  { return Line{Account: a, Amount: amount} }
func credit(a Account, amount money.Amount) Line { return Line{Account: a, Amount: amount.Neg()} }

func debitFor(syndicatorID int, a Account, amount money.Amount) Line {
	return Line{Account: a, Amount: amount, SyndicatorID: syndicatorID}
}

func creditFor(syndicatorID int, a Account, amount money.Amount) Line {
	return debitFor(syndicatorID, a, amount.Neg())
}
