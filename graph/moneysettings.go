package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
)

// BounceCodes implements exec.QueryResolver.
func (r queryResolver) BounceCodes(ctx context.Context) ([]*ent.BounceCode, error) {
	return all(ctx, r.s.BounceCodes.List)
}

// UpdateBounceCode implements exec.MutationResolver.
func (r mutationResolver) UpdateBounceCode(ctx context.Context, id int, input model.Input) (*ent.BounceCode, error) {
	return update(ctx, r.resolver, id, input, r.s.BounceCodes.Update)
}

// CommissionOffers implements exec.QueryResolver.
func (r queryResolver) CommissionOffers(ctx context.Context) ([]*ent.CommissionOffer, error) {
	return all(ctx, r.s.CommissionOffers.List)
}

// CreateCommissionOffer implements exec.MutationResolver.
func (r mutationResolver) CreateCommissionOffer(ctx context.Context, input model.Input) (*ent.CommissionOffer, error) {
	return create(ctx, r.resolver, input, r.s.CommissionOffers.Create)
}

// UpdateCommissionOffer implements exec.MutationResolver.
func (r mutationResolver) UpdateCommissionOffer(
	ctx context.Context, id int, input model.Input,
) (*ent.CommissionOffer, error) {
	return update(ctx, r.resolver, id, input, r.s.CommissionOffers.Update)
}

// Portfolios implements exec.QueryResolver.
func (r queryResolver) Portfolios(ctx context.Context) ([]*ent.Portfolio, error) {
	return all(ctx, r.s.Portfolios.List)
}

// CreatePortfolio implements exec.MutationResolver.
func (r mutationResolver) CreatePortfolio(ctx context.Context, input model.Input) (*ent.Portfolio, error) {
	return create(ctx, r.resolver, input, r.s.Portfolios.Create)
}

// UpdatePortfolio implements exec.MutationResolver.
func (r mutationResolver) UpdatePortfolio(ctx context.Context, id int, input model.Input) (*ent.Portfolio, error) {
	return update(ctx, r.resolver, id, input, r.s.Portfolios.Update)
}

// Referrers implements exec.QueryResolver.
func (r queryResolver) Referrers(ctx context.Context) ([]*ent.Referrer, error) {
	return all(ctx, r.s.Referrers.List)
}

// CreateReferrer implements exec.MutationResolver.
func (r mutationResolver) CreateReferrer(ctx context.Context, input model.Input) (*ent.Referrer, error) {
	return create(ctx, r.resolver, input, r.s.Referrers.Create)
}

// UpdateReferrer implements exec.MutationResolver.
func (r mutationResolver) UpdateReferrer(ctx context.Context, id int, input model.Input) (*ent.Referrer, error) {
	return update(ctx, r.resolver, id, input, r.s.Referrers.Update)
}

// MoveDisbursement implements exec.MutationResolver.
func (r mutationResolver) MoveDisbursement(ctx context.Context, id int, input model.Input) (*ent.Disbursement, error) {
	return update(ctx, r.resolver, id, input, r.s.Disbursements.Move)
}

type commissionOfferResolver struct{ *resolver }

// Iso implements exec.CommissionOfferResolver.
func (r commissionOfferResolver) Iso(ctx context.Context, x *ent.CommissionOffer) (*ent.ISO, error) {
	return one(ctx, x, func(x *ent.CommissionOffer) *int { return x.IsoID }, r.s.ISOs.ByIDs)
}
