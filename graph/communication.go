package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Communication implements exec.QueryResolver.
func (r queryResolver) Communication(ctx context.Context, id int) (*ent.Communication, error) {
	return found(ctx, id, "communication", r.s.Communications.List)
}

// Communications implements exec.QueryResolver.
func (r queryResolver) Communications(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Communication], error) {
	return list(ctx, service.CommunicationListing, pageArgs{first, after, filter, sort}, r.s.Communications.List)
}

type communicationResolver struct{ *resolver }

// Deal implements exec.CommunicationResolver.
func (r communicationResolver) Deal(ctx context.Context, x *ent.Communication) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.Communication) *int { return x.DealID }, r.s.Deals.ByIDs)
}

// Merchant implements exec.CommunicationResolver.
func (r communicationResolver) Merchant(ctx context.Context, x *ent.Communication) (*ent.Merchant, error) {
	return one(ctx, x, func(x *ent.Communication) *int { return x.MerchantID }, r.s.Merchants.ByIDs)
}

// DispositionReasons implements exec.QueryResolver.
func (r queryResolver) DispositionReasons(ctx context.Context) ([]*ent.DispositionReason, error) {
	return r.s.Communications.DispositionReasons(ctx)
}

// LogCommunication implements exec.MutationResolver.
func (r mutationResolver) LogCommunication(ctx context.Context, input model.Input) (*ent.Communication, error) {
	return create(ctx, r.resolver, input, r.s.Communications.Log)
}

// UpdateCommunication implements exec.MutationResolver.
func (r mutationResolver) UpdateCommunication(
	ctx context.Context, id int, input model.Input,
) (*ent.Communication, error) {
	return update(ctx, r.resolver, id, input, r.s.Communications.Update)
}

// CreateDispositionReason implements exec.MutationResolver.
func (r mutationResolver) CreateDispositionReason(
	ctx context.Context, input model.Input,
) (*ent.DispositionReason, error) {
	return create(ctx, r.resolver, input, r.s.Communications.AddDispositionReason)
}

// UpdateDispositionReason implements exec.MutationResolver.
func (r mutationResolver) UpdateDispositionReason(
	ctx context.Context, id int, input model.Input,
) (*ent.DispositionReason, error) {
	return update(ctx, r.resolver, id, input, r.s.Communications.UpdateDispositionReason)
}

// DispositionReason implements exec.CommunicationResolver.
func (r communicationResolver) DispositionReason(
	ctx context.Context, x *ent.Communication,
) (*ent.DispositionReason, error) {
	return one(
		ctx, x, func(x *ent.Communication) *int { return x.DispositionReasonID }, r.s.Communications.DispositionsByIDs,
	)
}
