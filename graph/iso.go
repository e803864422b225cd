package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Iso implements exec.QueryResolver.
func (r queryResolver) Iso(ctx context.Context, id int) (*ent.ISO, error) {
	return r.s.ISOs.Get(ctx, id)
}

// Isos implements exec.QueryResolver.
func (r queryResolver) Isos(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.ISO], error) {
	return list(ctx, service.ISOListing, pageArgs{first, after, filter, sort}, r.s.ISOs.List)
}

// CreateIso implements exec.MutationResolver.
func (r mutationResolver) CreateIso(ctx context.Context, input model.Input) (*ent.ISO, error) {
	return create(ctx, r.resolver, input, r.s.ISOs.Create)
}

// UpdateIso implements exec.MutationResolver.
func (r mutationResolver) UpdateIso(ctx context.Context, id int, input model.Input) (*ent.ISO, error) {
	return update(ctx, r.resolver, id, input, r.s.ISOs.Update)
}

// DeleteIso implements exec.MutationResolver.
func (r mutationResolver) DeleteIso(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.ISOs.Delete)
}

type isoResolver struct{ *resolver }

func isoID(x *ent.ISO) int { return x.ID }

// Deals implements exec.IsoResolver.
func (r isoResolver) Deals(
	ctx context.Context, x *ent.ISO, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Deal], error) {
	return connected(pageOf(ctx, x, isoID, service.DealListing, pageArgs{first, after, filter, sort}, r.s.Deals.OfISOs))
}
