package books

import (
	"paydown/internal/money"
	"paydown/internal/store"
)

// Tally is a number of records and what they add up to.
type Tally struct {
	Count  int
	Amount money.Amount
}

func (t *Tally) Add(f store.Figure) {
	t.Count += f.Count
	t.Amount = t.Amount.Add(money.Cents(f.Cents))
}
