package ledger

import (
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// Pay returns what a payment posts when it becomes PAID: its own entry first, then management fee,
// withholding and profit split, if any. No two of them have the same kind. A merchant's payment by OFFSET
// moves no cash: it goes through renewal clearing, against the entry that it is offset with.
//
// An advance payment reduces the receivable. Once that is zero it recovers write-offs, and any further amount
// is unapplied. A negative adjustment does the same in the opposite order; an amount beyond everything
// collected becomes a debit of unapplied, which later payments settle last.
//
// A payout requires the syndicator; the payable may become negative, for example if a payment is returned
// after it was paid out.
func Pay(
	f Facts, b Balances, t payment.Type, amount money.Amount, method payment.Method, syndicatorID int,
) ([]Entry, error) {
	if amount.IsZero() || (amount.Sign() < 0 && !t.Signed()) {
		return nil, fault.Field("amount", "must be greater than 0")
	}
	from := Cash
	if method == payment.Offset {
		from = RenewalClearing
	}
	switch {
	case t.ToSyndicator():
		if syndicatorID == 0 {
			return nil, fault.Field("syndicatorId", "is required for a payout to a syndicator")
		}
		return PaySyndicator(syndicatorID, amount)
	case t.IsFee():
		return one(Payment, "Fee paid", debit(from, amount), credit(FeeIncome, amount))
	case t == payment.EPODiscount:
		return discount(f, b, amount)
	case t.ReducesReceivable():
		k := open(f, b)
		k.take(Payment, memoOf(t, amount), from, amount)
		k.charge()
		return k.done()
	default:
		return nil, fault.Field("type", "has no posting")
	}
}

func memoOf(t payment.Type, amount money.Amount) string {
	switch {
	case t == payment.RenewalPayoff:
		return "Paid off by a renewal"
	case amount.Sign() < 0:
		return "Collection taken back"
	case t == payment.AdvancePaybackAdjustment:
		return "Collection adjusted"
	default:
		return "Collection"
	}
}

// Settle returns the entries to add after a reversal, or after the deal funds: surplus is applied to a
// receivable that is open again, an overdrawn receivable becomes surplus, and cents by which deferred income,
// participations and charges are off are trued up. It returns nothing if the books are right, as they always
// are when the last payment is the one that was returned. The entries belong to no payment. A written-off
// balance that opens again is for WriteOffBalance instead.
func Settle(f Facts, b Balances) ([]Entry, error) {
	k := open(f, b)
	k.take(Unapplied, settled, UnappliedCash, money.Zero)
	k.charge()
	return k.done()
}

// PayFeeFromSurplus posts a fee that the merchant pays from the surplus, as in an early payoff.
func PayFeeFromSurplus(b Balances, amount money.Amount) ([]Entry, error) {
	if amount.Sign() <= 0 || Surplus(b).Less(amount) {
		return nil, fault.Conflictf("The fee must be at most the merchant's surplus.")
	}
	return one(Unapplied, "Fee paid with the payoff", debit(UnappliedCash, amount), credit(FeeIncome, amount))
}

const settled = "Settled with what the merchant has paid"

// take posts money from the merchant, or handed back if amount is negative. The merchant's total payments
// decide how much belongs to the receivable, to write-offs and to unapplied; take posts the difference to the
// books.
func (k *book) take(kind Kind, memo string, from Account, amount money.Amount) {
	receivable, collected := k.b.Of(Receivable), Collected(k.b)
	recovered, surplus := Recovered(k.b), Surplus(k.b)
	paid := money.Sum(collected, recovered, surplus, amount)

	toReceivable := clamp(paid, receivable.Add(collected))
	rest := paid.Sub(toReceivable)
	toRecovery := clamp(rest, WrittenOff(k.b))
	rest = rest.Sub(toRecovery)

	applied, kept := toReceivable.Sub(collected), rest.Sub(surplus)
	lines := []Line{debit(from, applied.Add(kept))}
	if from == UnappliedCash {
		lines = []Line{debit(from, applied)}
		kept = money.Zero
	}
	lines = append(lines, credit(Receivable, applied), credit(UnappliedCash, kept))
	k.post(kind, memo, append(lines, k.accrue(receivable.Sub(applied))...)...)
	k.recoup(from, toRecovery.Sub(recovered))
}

// clamp limits amount to between zero and most.
func clamp(amount, most money.Amount) money.Amount {
	return money.Max(money.Zero, money.Min(amount, most))
}

// discount forgives part of the receivable. Syndicators bear their share of it; the house's share is an
// expense, and its income is recognized as if the amount had been collected.
func discount(f Facts, b Balances, amount money.Amount) ([]Entry, error) {
	k := open(f, b)
	receivable := k.b.Of(Receivable)
	if receivable.Less(amount) {
		return nil, fault.Conflictf("The discount must be at most the outstanding balance.")
	}
	left := receivable.Sub(amount)
	due := k.release(left)
	lines := []Line{debit(EPODiscount, amount.Sub(money.Sum(due...)))}
	for i, s := range k.stakes {
		lines = append(lines, debitFor(s.SyndicatorID, Participations, due[i]))
	}
	lines = append(lines, credit(Receivable, amount))
	k.post(Discount, "Early-payoff discount", append(lines, k.recognise(left)...)...)
	k.charge()
	return k.done()
}
