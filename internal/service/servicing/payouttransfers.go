package servicing

import (
	"context"

	"paydown/ent"
	"paydown/internal/payment"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// PayoutTransfers posts the payments of payouts like any other payment.
type PayoutTransfers struct{}

// Paid implements payouts.Transfers.
func (PayoutTransfers) Paid(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment) error {
	return postPaid(ctx, t, d, p)
}

// Return implements payouts.Transfers.
func (PayoutTransfers) Return(ctx context.Context, t *unit.Tx, paymentID int) error {
	d, p, err := LockPayment(ctx, t, paymentID)
	if err != nil || p.Status != payment.Paid {
		return err
	}
	after, err := changePayment(ctx, t, d, p, PaymentUpdate{
		PaymentFields: PaymentFields{Status: input.Some(payment.Bounced)},
	})
	if err == nil && after != p {
		unit.AlsoUpdated(t, "payment", p, after)
	}
	return err
}
