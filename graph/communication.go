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
