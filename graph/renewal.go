package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Renewal implements exec.QueryResolver.
func (r queryResolver) Renewal(ctx context.Context, id int) (*ent.RenewalOpportunity, error) {
	return found(ctx, id, "renewal", r.s.Renewals.List)
}

// Renewals implements exec.QueryResolver.
func (r queryResolver) Renewals(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.RenewalOpportunity], error) {
	return list(ctx, service.RenewalListing, pageArgs{first, after, filter, sort}, r.s.Renewals.List)
}

type renewalOpportunityResolver struct{ *resolver }

// PriorDeal implements exec.RenewalOpportunityResolver.
func (r renewalOpportunityResolver) PriorDeal(ctx context.Context, x *ent.RenewalOpportunity) (*ent.Deal, error) {
	if x.Edges.PriorDeal != nil {
		return x.Edges.PriorDeal, nil
	}
	return one(ctx, x, func(x *ent.RenewalOpportunity) *int { return &x.PriorDealID }, r.s.Deals.ByIDs)
}

// Merchant implements exec.RenewalOpportunityResolver.
func (r renewalOpportunityResolver) Merchant(ctx context.Context, x *ent.RenewalOpportunity) (*ent.Merchant, error) {
	return one(ctx, x, func(x *ent.RenewalOpportunity) *int { return &x.MerchantID }, r.s.Merchants.ByIDs)
}

// RenewalDeal implements exec.RenewalOpportunityResolver.
func (r renewalOpportunityResolver) RenewalDeal(ctx context.Context, x *ent.RenewalOpportunity) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.RenewalOpportunity) *int { return x.RenewalDealID }, r.s.Deals.ByIDs)
}

// ContactRenewal implements exec.MutationResolver.
func (r mutationResolver) ContactRenewal(ctx context.Context, id int) (*ent.RenewalOpportunity, error) {
	return r.s.Renewals.Contact(ctx, id)
}

// DismissRenewal implements exec.MutationResolver.
func (r mutationResolver) DismissRenewal(ctx context.Context, id int, reason string) (*ent.RenewalOpportunity, error) {
	return r.s.Renewals.Dismiss(ctx, id, reason)
}

// StartRenewal implements exec.MutationResolver.
func (r mutationResolver) StartRenewal(ctx context.Context, renewalID int, input model.Input) (*ent.Deal, error) {
	return update(ctx, r.resolver, renewalID, input, r.s.Renewals.Start)
}

// ScanRenewals implements exec.MutationResolver.
func (r mutationResolver) ScanRenewals(ctx context.Context) (*service.RenewalScan, error) {
	return r.s.Renewals.Scan(ctx)
}
