package service

import "context"

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
