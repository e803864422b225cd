package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Payment implements exec.QueryResolver.
func (r queryResolver) Payment(ctx context.Context, id int) (*ent.Payment, error) {
	return r.s.Payments.Get(ctx, id)
}

// Payments implements exec.QueryResolver.
func (r queryResolver) Payments(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Payment], error) {
	return list(ctx, service.PaymentListing, pageArgs{first, after, filter, sort}, r.s.Payments.List)
}

// CreatePayment implements exec.MutationResolver.
func (r mutationResolver) CreatePayment(ctx context.Context, input model.Input) (*ent.Payment, error) {
	return create(ctx, r.resolver, input, r.s.Payments.Create)
}

// UpdatePayment implements exec.MutationResolver.
func (r mutationResolver) UpdatePayment(ctx context.Context, id int, input model.Input) (*ent.Payment, error) {
	return update(ctx, r.resolver, id, input, r.s.Payments.Update)
}

type paymentResolver struct{ *resolver }

// Deal implements exec.PaymentResolver.
func (r paymentResolver) Deal(ctx context.Context, x *ent.Payment) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.Payment) *int { return &x.DealID }, r.s.Deals.ByIDs)
}

// Syndicator implements exec.PaymentResolver.
func (r paymentResolver) Syndicator(ctx context.Context, x *ent.Payment) (*ent.Syndicator, error) {
	return one(ctx, x, func(x *ent.Payment) *int { return x.SyndicatorID }, r.s.Syndicators.ByIDs)
}

// MadeUpBy implements exec.PaymentResolver.
func (r paymentResolver) MadeUpBy(ctx context.Context, x *ent.Payment) (*ent.Payment, error) {
	return one(ctx, x, func(x *ent.Payment) *int { return x.MadeUpByID }, r.s.Payments.ByIDs)
}

// MakeUpPayment implements exec.MutationResolver.
func (r mutationResolver) MakeUpPayment(ctx context.Context, id int, input model.Input) (*ent.Payment, error) {
	return update(ctx, r.resolver, id, input, r.s.Payments.MakeUp)
}

// BounceCode implements exec.PaymentResolver.
func (r paymentResolver) BounceCode(ctx context.Context, x *ent.Payment) (*ent.BounceCode, error) {
	return one(ctx, x, func(x *ent.Payment) *int { return x.BounceCodeID }, r.s.BounceCodes.ByIDs)
}
