package payouts

import (
	"context"

	"paydown/ent"
	"paydown/internal/service/unit"
)

// Transfers posts payments of payouts to syndicators, and their returns.
type Transfers interface {
	// Paid posts a new PAID payment of a payout on its locked deal.
	Paid(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment) error
	// Return marks the payment of a payout BOUNCED as part of the write. It does nothing if the payment is not
	// PAID.
	Return(ctx context.Context, t *unit.Tx, paymentID int) error
}
