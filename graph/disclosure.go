package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Disclosure implements exec.QueryResolver.
func (r queryResolver) Disclosure(ctx context.Context, id int) (*ent.Disclosure, error) {
	return found(ctx, id, "disclosure", r.s.Disclosures.List)
}

// Disclosures implements exec.QueryResolver.
func (r queryResolver) Disclosures(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Disclosure], error) {
	return list(ctx, service.DisclosureListing, pageArgs{first, after, filter, sort}, r.s.Disclosures.List)
}

type disclosureResolver struct{ *resolver }

// Deal implements exec.DisclosureResolver.
func (r disclosureResolver) Deal(ctx context.Context, x *ent.Disclosure) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.Disclosure) *int { return &x.DealID }, r.s.Deals.ByIDs)
}
