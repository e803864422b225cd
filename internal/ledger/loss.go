package ledger

import "paydown/internal/money"

// WriteOffBalance writes off everything that the merchant still owes: deferred income and participations are
// released, and the rest of the house's cost is a loss. The house also owes a protected syndicator its
// unrecovered cost: in proportion to the face under PRO_RATA, all of it under COST_FIRST. Profit that was
// split with a syndicator and is used up by the loss is trued up.
//
// A payment that is returned after a write-off is written off too. What the merchant has paid since stays
// recovered, and payments beyond the write-off recover more of it.
func WriteOffBalance(f Facts, b Balances) ([]Entry, error) {
	k := open(f, b)
	k.unapply()
	receivable := k.b.Of(Receivable)
	overdrawn := money.Max(money.Zero, k.b.Of(UnappliedCash))
	deferred := k.b.Of(DeferredIncome).Neg()
	loss := receivable.Add(overdrawn).Sub(deferred)

	lines := []Line{debit(DeferredIncome, deferred)}
	var protection []Line
	for _, s := range k.stakes {
		held := k.b.For(s.SyndicatorID, Participations).Neg()
		loss = loss.Sub(held)
		lines = append(lines, debitFor(s.SyndicatorID, Participations, held))
		if s.LossProtected {
			owed := k.unreturned(s, held)
			protection = append(protection,
				debitFor(s.SyndicatorID, CreditLoss, owed), creditFor(s.SyndicatorID, SyndicatorPayable, owed))
		}
	}
	lines = append(lines, debit(CreditLoss, loss))
	lines = append(lines, protection...)
	lines = append(lines, credit(Receivable, receivable), credit(UnappliedCash, overdrawn))
	k.post(WriteOff, "Balance written off", lines...)
	k.take(Unapplied, settled, UnappliedCash, money.Zero)
	k.charge()
	return k.done()
}

// unapply reduces the unapplied money in the receivable to what came in, after the return of a payment that
// was unapplied, and trues up the shares. Unlike Settle it does not change recoveries.
func (k *book) unapply() {
	receivable, collected := k.b.Of(Receivable), Collected(k.b)
	held := money.Max(money.Zero, collected.Add(money.Min(money.Zero, Surplus(k.b))))
	applied := held.Sub(collected)
	lines := []Line{debit(UnappliedCash, applied), credit(Receivable, applied)}
	k.post(Unapplied, settled, append(lines, k.accrue(receivable.Sub(applied))...)...)
}

// unreturned is the cost that a syndicator loses with the face that it still holds, less what the house has
// covered before.
func (k *book) unreturned(s Stake, held money.Amount) money.Amount {
	if s.ProfitAccrual != CostFirst {
		lost := k.b.For(s.SyndicatorID, Participations, WriteOff).Add(held)
		return money.Cumulative(s.Cost, lost, s.Face).Sub(k.b.madeGood(s.SyndicatorID))
	}
	back := k.b.distributed(s.SyndicatorID).Add(k.b.madeGood(s.SyndicatorID))
	return money.Max(money.Zero, s.Cost.Sub(back))
}

// recoup posts money recovered after a write-off, or handed back if amount is negative. Syndicators get their
// share of it, less the loss that the house covered: that part goes to the house first. The rest of the share
// bears the management fee, if it is on collections, and no other charge.
//
// Only the written-off face is shared: an overdraft of unapplied money was the house's.
func (k *book) recoup(from Account, amount money.Amount) {
	face := k.b.Of(Receivable, WriteOff).Neg()
	shares := k.shares(money.Min(face, Recovered(k.b).Add(amount)), k.facts.Payback)
	lines := []Line{debit(from, amount)}
	rest := amount
	for i, s := range k.stakes {
		house := money.Min(shares[i], k.b.madeGood(s.SyndicatorID))
		toHouse := house.Sub(k.charged(s, Recoveries, Recovery))
		toSyndicator := shares[i].Sub(house).Sub(k.charged(s, SyndicatorPayable, Recovery))
		lines = append(lines,
			creditFor(s.SyndicatorID, Recoveries, toHouse), creditFor(s.SyndicatorID, SyndicatorPayable, toSyndicator))
		rest = rest.Sub(toHouse).Sub(toSyndicator)
	}
	lines = append(lines, credit(Recoveries, rest))
	k.post(Recovery, "Recovered after the write-off", lines...)
}
