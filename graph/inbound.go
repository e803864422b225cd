package graph

import (
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// InboundEvent implements exec.QueryResolver.
func (r queryResolver) InboundEvent(ctx context.Context, id int) (*ent.InboundEvent, error) {
	return found(ctx, id, "inbound event", r.s.Inbound.List)
}

// InboundEvents implements exec.QueryResolver.
func (r queryResolver) InboundEvents(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.InboundEvent], error) {
	return list(ctx, service.InboundListing, pageArgs{first, after, filter, sort}, r.s.Inbound.List)
}

// ReapplyInboundEvent implements exec.MutationResolver.
func (r mutationResolver) ReapplyInboundEvent(ctx context.Context, id int) (*ent.InboundEvent, error) {
	return r.s.Inbound.Reapply(ctx, id)
}

type inboundEventResolver struct{ *resolver }

// Payload implements exec.InboundEventResolver.
func (r inboundEventResolver) Payload(ctx context.Context, x *ent.InboundEvent) (json.RawMessage, error) {
	sent, err := one(ctx, x, func(x *ent.InboundEvent) *int { return &x.ID }, r.s.Inbound.Payloads)
	if sent == nil || err != nil {
		return nil, err
	}
	return *sent, nil
}

// Deal implements exec.InboundEventResolver.
func (r inboundEventResolver) Deal(ctx context.Context, x *ent.InboundEvent) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.InboundEvent) *int { return x.DealID }, r.s.Deals.ByIDs)
}

// Merchant implements exec.InboundEventResolver.
func (r inboundEventResolver) Merchant(ctx context.Context, x *ent.InboundEvent) (*ent.Merchant, error) {
	return one(ctx, x, func(x *ent.InboundEvent) *int { return x.MerchantID }, r.s.Merchants.ByIDs)
}
