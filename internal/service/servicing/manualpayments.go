package servicing

import (
	"context"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/payment"
	"paydown/internal/service/unit"
)

// Some payments pay out what a party is owed or forgive what a merchant owes. The system creates them as part
// of an early payoff, a renewal or a payout batch. Recorded by hand, they may not exceed what the party is owed
// or what the agreement forgives, whoever records them (paymentlimits.go). To forgive more, write the deal off.

// mayCreate checks a new payment. The deal is locked if the payment is PAID or debits the merchant.
func mayCreate(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment) error {
	if err := mayRecord(t, p); err != nil {
		return err
	}
	if err := refuseOffset(p); err != nil {
		return err
	}
	if p.Status != payment.Paid {
		return mayDebit(ctx, t, nil, p, p.Status)
	}
	return checkLimits(ctx, t, d, p, t.Today())
}

// mayChange checks an update of a payment; next is the payment with the requested changes.
func mayChange(ctx context.Context, t *unit.Tx, d *ent.Deal, before, next *ent.Payment, in PaymentUpdate) error {
	if err := mayRecord(t, next); err != nil {
		return err
	}
	to := in.Status.Or(before.Status)
	becomesPaid := to == payment.Paid && to != before.Status
	if becomesPaid || before.Type != next.Type || byOffset(next) && !byOffset(before) {
		if err := refuseOffset(next); err != nil {
			return err
		}
	}
	cleared, given := in.ClearedDate.Get()
	switch {
	case becomesPaid && before.Status.CanBecome(to):
		return checkLimits(ctx, t, d, next, in.ClearedDate.Or(t.Today()))
	case given:
		if err := checkClearedDate(ctx, t, before, cleared); err != nil {
			return err
		}
		if err := checkDiscountDate(t, d, before, cleared); err != nil {
			return err
		}
	}
	return mayDebit(ctx, t, before, next, to)
}

// mayRecord rejects a payment to a syndicator by staff without the scope payouts:write. An API key represents a
// system that pays syndicators itself and only needs the scope of payments.
func mayRecord(t *unit.Tx, p *ent.Payment) error {
	if p.Type.ToSyndicator() && t.Actor.IsUser() && !t.Actor.May(auth.Write("payouts")) {
		return fault.New(fault.Forbidden, "A payment to a syndicator requires the scope %s.", auth.Write("payouts"))
	}
	return nil
}

// refuseOffset rejects a payment by OFFSET, except a discount. It brings no money: its other side is the
// renewal that pays this deal off, so only the funding of the renewal creates one; or, for a fee, the payoff
// that paid it.
func refuseOffset(p *ent.Payment) error {
	switch {
	case !byOffset(p) || p.Type == payment.EPODiscount:
		return nil
	case p.Type.IsFee():
		return fault.Conflictf("Only a renewal or an early payoff can pay a fee by OFFSET.").
			With("method", "must be the method by which the money came in, not OFFSET")
	}
	return fault.Conflictf("Only the funding of a renewal can pay a deal off by OFFSET.").
		With("method", "must not be OFFSET: fund the renewal, which pays this deal off")
}
