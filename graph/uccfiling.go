package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// UccFiling implements exec.QueryResolver.
func (r queryResolver) UccFiling(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return found(ctx, id, "UCC filing", r.s.UCCFilings.List)
}

// UccFilings implements exec.QueryResolver.
func (r queryResolver) UccFilings(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.UCCFiling], error) {
	return list(ctx, service.UCCFilingListing, pageArgs{first, after, filter, sort}, r.s.UCCFilings.List)
}

type uccFilingResolver struct{ *resolver }

// Deal implements exec.UccFilingResolver.
func (r uccFilingResolver) Deal(ctx context.Context, x *ent.UCCFiling) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.UCCFiling) *int { return &x.DealID }, r.s.Deals.ByIDs)
}
