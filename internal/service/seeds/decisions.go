package seeds

import (
	"context"

	"paydown/internal/service/underwriting"
	"paydown/internal/service/unit"
)

// Decide weighs a deal, as Decisions.Run does. Its id is the decision's.
func (s Seeds) Decide(ctx context.Context, dealID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		made, err := underwriting.Decide(ctx, t, dealID)
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}
