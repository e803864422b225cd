package payouts

import (
	"context"

	"paydown/ent"
	"paydown/internal/service/unit"
)

// Transfers books what payouts pay to syndicators and what comes back of it.
type Transfers interface {
	// Paid books a new payment of a payout, which is PAID, on its deal, which is locked.
	Paid(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment) error
	// Return has the payment of a payout bounce, as a consequence of the write. One that is not PAID stays as it is.
	Return(ctx context.Context, t *unit.Tx, paymentID int) error
}
