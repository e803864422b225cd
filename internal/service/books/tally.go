package books

import (
	"paydown/internal/money"
	"paydown/internal/store"
)

// Tally is a count of records and the sum of their amounts.
type Tally struct {
	Count  int
	Amount money.Amount
}

// Add adds a count and an amount in cents.
func (t *Tally) Add(f store.Figure) {
	t.Count += f.Count
	t.Amount = t.Amount.Add(money.Cents(f.Cents))
}
