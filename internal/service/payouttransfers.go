package service

import (
	"context"

	"paydown/ent"
	"paydown/internal/payment"
)

// transfers books what payouts pay to syndicators and what comes back of it.
type transfers interface {
	// paid books a new payment of a payout, which is PAID, on its deal, which is locked.
	paid(ctx context.Context, t *tx, d *ent.Deal, p *ent.Payment) error
	// comeBack has the payment of a payout bounce, as a consequence of the write. One that is not PAID stays as it is.
	comeBack(ctx context.Context, t *tx, paymentID int) error
}

// payoutTransfers books the payments of payouts as any other payment is.
type payoutTransfers struct{}

func (payoutTransfers) paid(ctx context.Context, t *tx, d *ent.Deal, p *ent.Payment) error {
	return t.postPaid(ctx, d, p)
}

func (payoutTransfers) comeBack(ctx context.Context, t *tx, paymentID int) error {
	d, p, err := t.lockPayment(ctx, paymentID)
	if err != nil || p.Status != payment.Paid {
		return err
	}
	after, err := t.changePayment(ctx, d, p, PaymentUpdate{PaymentFields: PaymentFields{Status: Some(payment.Bounced)}})
	if err == nil && after != p {
		alsoChanged(t, "payment", p, after)
	}
	return err
}
