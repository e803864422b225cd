package service

import (
	"context"

	"paydown/internal/underwriting"
)

// AdoptUnderwriting puts the next version of the tenant's underwriting policy in force.
func (s Seeds) AdoptUnderwriting(ctx context.Context, name string, policy underwriting.Policy) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		made, err := t.adoptUnderwriting(ctx, name, policy)
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}

// Decide weighs a deal, as Decisions.Run does. Its id is the decision's.
func (s Seeds) Decide(ctx context.Context, dealID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		made, err := t.decide(ctx, dealID)
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}
