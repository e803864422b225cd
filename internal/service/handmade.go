package service

import (
	"context"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/payment"
)

// Some kinds of payments settle what a party is owed, or forgive what a merchant owes. The product makes them itself where
// an early payoff, a renewal or a payout batch has them follow. Who records one by hand must be allowed to do what it does:
// a member of staff needs the permission for that, besides the scope of payments. A key stands for a system that keeps books
// of its own, and is bound by the scope alone.

// mayRecord refuses a member of staff a payment whose effect is not theirs to have, and one that becomes PAID and is more
// than the house owes.
func (t *tx) mayRecord(ctx context.Context, p *ent.Payment, becomesPaid bool) error {
	if !t.actor.IsUser() {
		return nil
	}
	switch {
	case p.Type.ToSyndicator() && !t.actor.May(auth.Write("payouts")):
		return fault.New(fault.Forbidden, "This needs the scope %s: it pays a syndicator.", auth.Write("payouts"))
	case forgives(p) && !t.actor.Has(auth.WriteOff):
		return fault.New(fault.Forbidden, "This needs the permission %s: it takes money off what the deal owes, and brings none.", auth.WriteOff)
	case becomesPaid:
		return t.covered(ctx, p)
	}
	return nil
}

// forgives reports whether a payment lowers what a deal owes without that money comes in.
func forgives(p *ent.Payment) bool {
	return p.Type == payment.EPODiscount || p.Method != nil && *p.Method == payment.Offset
}

// covered refuses a payout beyond what the house owes the syndicator on the deal, which is locked.
func (t *tx) covered(ctx context.Context, p *ent.Payment) error {
	if p.Type != payment.ParticipationPayout {
		return nil
	}
	b, err := t.balances(ctx, p.DealID)
	if err != nil {
		return err
	}
	if owed := b.For(*p.SyndicatorID, ledger.SyndicatorPayable).Neg(); owed.Less(p.Amount) {
		return fault.Conflictf("The syndicator is owed %s on this deal, and cannot be paid %s.", owed, p.Amount).
			With("amount", "is more than the %s that the syndicator is owed on the deal", owed)
	}
	return nil
}
