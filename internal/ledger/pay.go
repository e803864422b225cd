package ledger

import (
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// Pay is what a payment posts when it becomes PAID: its own entry first, then the management fee, what is withheld and
// the profit split, where there are any. No two of them are of the same kind. What a merchant pays by OFFSET moves no
// cash: it goes through renewal clearing, where the entry of what it is offset against meets it.
//
// An advance payment lowers the receivable. Once that is zero it recovers what was written off, and beyond that it is
// unapplied. A negative adjustment goes the other way in the opposite order, and what it hands back beyond all that was
// collected is a debit of unapplied, which the next payments settle last.
//
// A payout needs the syndicator; the payable may go below zero, as it does when a payment returns after it was paid out.
func Pay(
	f Facts, b Balances, t payment.Type, amount money.Amount, method payment.Method, syndicatorID int,
) ([]Entry, error) {
	if amount.IsZero() || (amount.Sign() < 0 && !t.Signed()) {
		return nil, fault.Field("amount", "must be more than zero")
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

// Settle is what to add to the books after a reversal, or after the deal funds: surplus goes to a receivable that has
// opened, an overdrawn receivable becomes surplus, and cents by which deferred income, participations and charges are off
// are trued up. It returns nothing where all is well, as always when the last payment is the one returned. The entries
// belong to no payment. What opens again of a balance that was written off is for WriteOffBalance instead.
func Settle(f Facts, b Balances) ([]Entry, error) {
	k := open(f, b)
	k.take(Unapplied, settled, UnappliedCash, money.Zero)
	k.charge()
	return k.done()
}

// PayFeeFromSurplus is a fee that the merchant pays out of what was paid beyond the balance, as an early payoff does.
func PayFeeFromSurplus(b Balances, amount money.Amount) ([]Entry, error) {
	if amount.Sign() <= 0 || Surplus(b).Less(amount) {
		return nil, fault.Conflictf("The fee is more than the merchant has paid beyond what was owed.")
	}
	return one(Unapplied, "Fee paid with the payoff", debit(UnappliedCash, amount), credit(FeeIncome, amount))
}

const settled = "Settled with what the merchant has paid"

// take books money from the merchant, or back where amount is negative. What the merchant has paid in all decides how
// much of it belongs to the receivable, to what was written off, and to unapplied; the difference to the books is
// posted.
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

// clamp brings amount to between zero and most.
func clamp(amount, most money.Amount) money.Amount {
	return money.Max(money.Zero, money.Min(amount, most))
}

// discount forgives a part of the receivable. Syndicators bear their share of it; the house's share is an expense, and
// its income is recognised as if the amount had been collected.
func discount(f Facts, b Balances, amount money.Amount) ([]Entry, error) {
	k := open(f, b)
	receivable := k.b.Of(Receivable)
	if receivable.Less(amount) {
		return nil, fault.Conflictf("The discount is more than what is outstanding.")
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
