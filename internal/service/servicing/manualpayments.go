package servicing

import (
	"context"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/payment"
	"paydown/internal/service/unit"
)

// Some kinds of payments settle what a party is owed, or forgive what a merchant owes. The product makes them itself where
// an early payoff, a renewal or a payout batch has them follow. One that is recorded by hand takes no more than the party is
// owed and the agreement forgives, whoever records it (paymentlimits.go); what is given up beyond that is written off.

// mayCreate judges a payment that is being recorded. The deal is locked where the payment is PAID or debits the merchant.
func mayCreate(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment) error {
	if err := mayRecord(t, p); err != nil {
		return err
	}
	if err := notOffset(p); err != nil {
		return err
	}
	if p.Status != payment.Paid {
		return mayDebit(ctx, t, nil, p, p.Status)
	}
	return withinRoom(ctx, t, d, p, t.Today())
}

// mayChange judges what a payment is about to become; next has the fields that were asked for.
func mayChange(ctx context.Context, t *unit.Tx, d *ent.Deal, before, next *ent.Payment, in PaymentUpdate) error {
	if err := mayRecord(t, next); err != nil {
		return err
	}
	to := in.Status.Or(before.Status)
	becomesPaid := to == payment.Paid && to != before.Status
	if becomesPaid || before.Type != next.Type || byOffset(next) && !byOffset(before) {
		if err := notOffset(next); err != nil {
			return err
		}
	}
	cleared, given := in.ClearedDate.Get()
	switch {
	case becomesPaid && before.Status.CanBecome(to):
		return withinRoom(ctx, t, d, next, in.ClearedDate.Or(t.Today()))
	case given:
		if err := keepsItsDay(ctx, t, before, cleared); err != nil {
			return err
		}
		if err := keepsItsGrant(t, d, before, cleared); err != nil {
			return err
		}
	}
	return mayDebit(ctx, t, before, next, to)
}

// mayRecord refuses a member of staff a payment to a syndicator without the scope of payouts. A key stands for a system
// that pays syndicators itself, and is bound by the scope of payments alone.
func mayRecord(t *unit.Tx, p *ent.Payment) error {
	if p.Type.ToSyndicator() && t.Actor.IsUser() && !t.Actor.May(auth.Write("payouts")) {
		return fault.New(fault.Forbidden, "This needs the scope %s: it pays a syndicator.", auth.Write("payouts"))
	}
	return nil
}

// notOffset refuses a payment by OFFSET, discounts apart: it brings no money, and its other side is the deal that renews this
// one, so that only the funding of that deal makes one; or, of a fee, the payoff that paid it.
func notOffset(p *ent.Payment) error {
	switch {
	case !byOffset(p) || p.Type == payment.EPODiscount:
		return nil
	case p.Type.IsFee():
		return fault.Conflictf("Only a renewal or an early payoff pays a fee by OFFSET.").
			With("method", "must not be OFFSET: say by which method the money came in")
	}
	return fault.Conflictf("Only a renewal that funds pays a deal off by OFFSET; a payment can take 0.00 that way.").
		With("method", "must not be OFFSET: fund the renewal, which pays this deal off")
}
