package ledger

import "paydown/internal/money"

// book holds a deal's balances while an event is being posted: each posting counts for the following ones.
type book struct {
	facts   Facts
	stakes  []Stake
	b       Balances
	entries []Entry
	err     error
}

func open(f Facts, b Balances) *book { return &book{facts: f, stakes: f.Stakes(), b: b.clone()} }

// post adds an entry, unless it moves nothing or an earlier one failed.
func (k *book) post(kind Kind, memo string, lines ...Line) {
	if k.err != nil {
		return
	}
	e, err := New(kind, memo, lines...)
	if err != nil {
		k.err = err
		return
	}
	if len(e.Lines) > 0 {
		k.b.Post(e)
		k.entries = append(k.entries, e)
	}
}

// done returns the entries to store.
func (k *book) done() ([]Entry, error) {
	if k.err != nil {
		return nil, k.err
	}
	return k.entries, nil
}

// one returns the entries of an event that has a single entry.
func one(kind Kind, memo string, lines ...Line) ([]Entry, error) {
	k := open(Facts{}, nil)
	k.post(kind, memo, lines...)
	return k.done()
}

// released returns how much of each stake's face is used up at the given receivable, in the order of the
// stakes.
func (k *book) released(receivable money.Amount) []money.Amount {
	progress := k.facts.Payback.Sub(receivable)
	return k.shares(progress, k.facts.Payback)
}

// shares divides part of whole among the stakes in proportion to their faces, with cumulative rounding: if
// part equals whole and whole is the payback, each stake gets its face.
func (k *book) shares(part, whole money.Amount) []money.Amount {
	shares := make([]money.Amount, len(k.stakes))
	var face, given money.Amount
	for i, s := range k.stakes {
		face = face.Add(s.Face)
		upTo := money.Cumulative(face, part, whole)
		shares[i] = upTo.Sub(given)
		given = upTo
	}
	return shares
}

// deferred is the house's part of the factor income before any collection.
func (k *book) deferred() money.Amount {
	left := k.facts.Payback.Sub(k.facts.Funded)
	for _, s := range k.stakes {
		left = left.Sub(s.Face.Sub(s.Cost))
	}
	return left
}

// recognise returns lines for the house's income that is earned at the given receivable but not yet in the
// books.
func (k *book) recognise(receivable money.Amount) []Line {
	held := k.b.Of(DeferredIncome).Neg()
	all := k.deferred()
	due := held.Sub(all.Sub(money.Cumulative(all, k.facts.Payback.Sub(receivable), k.facts.Payback)))
	return []Line{debit(DeferredIncome, due), credit(FactorIncome, due)}
}

// release returns the amount by which each stake must still be reduced at the given receivable.
func (k *book) release(receivable money.Amount) []money.Amount {
	due := k.released(receivable)
	for i, s := range k.stakes {
		held := k.b.For(s.SyndicatorID, Participations).Neg()
		due[i] = held.Sub(s.Face.Sub(due[i]))
	}
	return due
}

// accrue is recognise plus the release of each stake, credited to its syndicator.
func (k *book) accrue(receivable money.Amount) []Line {
	lines := k.recognise(receivable)
	due := k.release(receivable)
	for i, s := range k.stakes {
		lines = append(lines, debitFor(s.SyndicatorID, Participations, due[i]))
	}
	for i, s := range k.stakes {
		lines = append(lines, creditFor(s.SyndicatorID, SyndicatorPayable, due[i]))
	}
	return lines
}
