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

// MakeDisclosure implements exec.MutationResolver.
func (r mutationResolver) MakeDisclosure(ctx context.Context, dealID int) (*ent.Disclosure, error) {
	return r.s.Disclosures.Draft(ctx, dealID)
}

// DeliverDisclosure implements exec.MutationResolver.
func (r mutationResolver) DeliverDisclosure(ctx context.Context, id int, input model.Input) (*ent.Disclosure, error) {
	return update(ctx, r.resolver, id, input, r.s.Disclosures.Deliver)
}

// SignDisclosure implements exec.MutationResolver.
func (r mutationResolver) SignDisclosure(ctx context.Context, id int, input model.Input) (*ent.Disclosure, error) {
	return update(ctx, r.resolver, id, input, r.s.Disclosures.Sign)
}

// SignatureRequest implements exec.DisclosureResolver.
func (r disclosureResolver) SignatureRequest(ctx context.Context, x *ent.Disclosure) (*ent.SignatureRequest, error) {
	return one(ctx, x, func(x *ent.Disclosure) *int { return x.SignatureRequestID }, r.s.SignatureRequests.ByIDs)
}
