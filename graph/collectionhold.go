package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// ReturnRates implements exec.QueryResolver.
func (r queryResolver) ReturnRates(ctx context.Context) (*service.ReturnRates, error) {
	return r.s.Figures.ReturnRates(ctx)
}

// PlaceCollectionHold implements exec.MutationResolver.
func (r mutationResolver) PlaceCollectionHold(ctx context.Context, input model.Input) (*ent.CollectionHold, error) {
	return create(ctx, r.resolver, input, r.s.CollectionHolds.Place)
}

// ReleaseCollectionHold implements exec.MutationResolver.
func (r mutationResolver) ReleaseCollectionHold(ctx context.Context, id int, note string) (*ent.CollectionHold, error) {
	return r.s.CollectionHolds.Release(ctx, id, note)
}

// CollectionHolds implements exec.DealResolver.
func (r dealResolver) CollectionHolds(ctx context.Context, x *ent.Deal) ([]*ent.CollectionHold, error) {
	return several(ctx, x, dealID, r.s.CollectionHolds.OfDeals)
}

type collectionHoldResolver struct{ *resolver }

// Standing implements exec.CollectionHoldResolver.
func (r collectionHoldResolver) Standing(_ context.Context, x *ent.CollectionHold) (bool, error) {
	return r.s.CollectionHolds.IsActive(x), nil
}

// Cure implements exec.CollectionHoldResolver.
func (collectionHoldResolver) Cure(_ context.Context, x *ent.CollectionHold) (string, error) {
	return x.Reason.Cure(), nil
}

// Payment implements exec.CollectionHoldResolver.
func (r collectionHoldResolver) Payment(ctx context.Context, x *ent.CollectionHold) (*ent.Payment, error) {
	return one(ctx, x, func(x *ent.CollectionHold) *int { return x.PaymentID }, r.s.Payments.ByIDs)
}

// RetryPayment implements exec.MutationResolver.
func (r mutationResolver) RetryPayment(ctx context.Context, id int, input model.Input) (*ent.Payment, error) {
	return update(ctx, r.resolver, id, input, r.s.Payments.Retry)
}
