package rulebook

import "slices"

// The accounts that the rules use.
const (
	Cash            = "1000"
	RestrictedCash  = "1010"
	Receivable      = "1100"
	InTransit       = "1020"
	DueFromISO      = "1210"
	RenewalClearing = "1900"
	DeferredIncome  = "2000"
	Participations  = "2100"
	Payable         = "2110"
	Wallet          = "2120"
	CommissionOwed  = "2200"
	Unapplied       = "2400"
	FactorIncome    = "4000"
	Fees            = "4100"
	ManagementFees  = "4200"
	Recoveries      = "4300"
	CommissionCost  = "5000"
	DiscountCost    = "5100"
	CreditLoss      = "5200"
)

// Line is one posting.
type Line struct {
	Account    string
	Amount     Cents
	Effective  Day
	Deal       *Deal
	Syndicator *Syndicator
	ISO        *ISO
	Payment    *Payment
	Episode    int // counts how often the payment became paid

	held    bool // of a payable: a batch held it back for the payee's next one
	carried bool // of a payable: a batch did not pay it and left it to the next one
	batched bool // of a payable: in an item of a batch, or the payout itself
	direct  bool // posted directly by its event, not as a change of the deal's position
}

// Books are all postings in posting order.
type Books struct{ Lines []*Line }

// Where filters the lines to sum; zero fields do not filter.
type Where struct {
	Account    string
	Deal       *Deal
	Syndicator *Syndicator
	ISO        *ISO
	AsOf       Day // up to and including this effective date; 0: all
}

func (w Where) has(l *Line) bool {
	return (w.Account == "" || w.Account == l.Account) && (w.Deal == nil || w.Deal == l.Deal) &&
		(w.Syndicator == nil || w.Syndicator == l.Syndicator) && (w.ISO == nil || w.ISO == l.ISO) &&
		(w.AsOf == 0 || l.Effective <= w.AsOf)
}

// Sum returns the balance of the matching lines.
func (b *Books) Sum(w Where) Cents {
	var sum Cents
	for _, l := range b.Lines {
		if w.has(l) {
			sum += l.Amount
		}
	}
	return sum
}

// Trial returns the balance of every account; some may be zero.
func (b *Books) Trial(w Where) map[string]Cents {
	sums := map[string]Cents{}
	for _, l := range b.Lines {
		if w.has(l) {
			sums[l.Account] += l.Amount
		}
	}
	return sums
}

func (b *Books) add(l Line) {
	if l.Amount != 0 {
		b.Lines = append(b.Lines, &l)
	}
}

// Unbalanced lists the days at whose end debits and credits differ. There must be none.
func (b *Books) Unbalanced() []Day {
	sums := map[Day]Cents{}
	for _, l := range b.Lines {
		sums[l.Effective] += l.Amount
	}
	var days []Day
	for day, sum := range sums {
		if sum != 0 {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return days
}
