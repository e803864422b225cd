package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// CreditFacility implements exec.QueryResolver.
func (r queryResolver) CreditFacility(ctx context.Context, id int) (*ent.CreditFacility, error) {
	return found(ctx, id, "credit facility", r.s.CreditFacilities.List)
}

// CreditFacilities implements exec.QueryResolver.
func (r queryResolver) CreditFacilities(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.CreditFacility], error) {
	return list(ctx, service.CreditFacilityListing, pageArgs{first, after, filter, sort}, r.s.CreditFacilities.List)
}

type creditFacilityResolver struct{ *resolver }

// Deal implements exec.CreditFacilityResolver.
func (r creditFacilityResolver) Deal(ctx context.Context, x *ent.CreditFacility) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.CreditFacility) *int { return &x.DealID }, r.s.Deals.ByIDs)
}

// Draws implements exec.CreditFacilityResolver.
func (r creditFacilityResolver) Draws(ctx context.Context, x *ent.CreditFacility) ([]*ent.LocDraw, error) {
	if draws, err := x.Edges.DrawsOrErr(); err == nil {
		return draws, nil
	}
	return several(ctx, x, func(x *ent.CreditFacility) int { return x.ID }, r.s.CreditFacilities.Draws)
}
