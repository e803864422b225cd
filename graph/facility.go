package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/money"
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

// CreateCreditFacility implements exec.MutationResolver.
func (r mutationResolver) CreateCreditFacility(ctx context.Context, input model.Input) (*ent.CreditFacility, error) {
	return create(ctx, r.resolver, input, r.s.CreditFacilities.Create)
}

// UpdateCreditFacility implements exec.MutationResolver.
func (r mutationResolver) UpdateCreditFacility(
	ctx context.Context, id int, input model.Input,
) (*ent.CreditFacility, error) {
	return update(ctx, r.resolver, id, input, r.s.CreditFacilities.Update)
}

// SuspendCreditFacility implements exec.MutationResolver.
func (r mutationResolver) SuspendCreditFacility(ctx context.Context, id int) (*ent.CreditFacility, error) {
	return r.s.CreditFacilities.Suspend(ctx, id)
}

// ResumeCreditFacility implements exec.MutationResolver.
func (r mutationResolver) ResumeCreditFacility(ctx context.Context, id int) (*ent.CreditFacility, error) {
	return r.s.CreditFacilities.Resume(ctx, id)
}

// CloseCreditFacility implements exec.MutationResolver.
func (r mutationResolver) CloseCreditFacility(ctx context.Context, id int) (*ent.CreditFacility, error) {
	return r.s.CreditFacilities.CloseLine(ctx, id)
}

// RequestDraw implements exec.MutationResolver.
func (r mutationResolver) RequestDraw(ctx context.Context, facilityID int, input model.Input) (*ent.LocDraw, error) {
	return update(ctx, r.resolver, facilityID, input, r.s.CreditFacilities.RequestDraw)
}

// ApproveDraw implements exec.MutationResolver.
func (r mutationResolver) ApproveDraw(ctx context.Context, id int) (*ent.LocDraw, error) {
	return r.s.CreditFacilities.ApproveDraw(ctx, id)
}

// DeclineDraw implements exec.MutationResolver.
func (r mutationResolver) DeclineDraw(ctx context.Context, id int, reason string) (*ent.LocDraw, error) {
	return r.s.CreditFacilities.DeclineDraw(ctx, id, reason)
}

// FundDraw implements exec.MutationResolver.
func (r mutationResolver) FundDraw(ctx context.Context, id int) (*ent.LocDraw, error) {
	return r.s.CreditFacilities.FundDraw(ctx, id)
}

// RepayDraw implements exec.MutationResolver.
func (r mutationResolver) RepayDraw(ctx context.Context, id int, input model.Input) (*ent.LocDraw, error) {
	return update(ctx, r.resolver, id, input, r.s.CreditFacilities.RepayDraw)
}

type locDrawResolver struct{ *resolver }

// RequestedByUser implements exec.LocDrawResolver.
func (r locDrawResolver) RequestedByUser(ctx context.Context, x *ent.LocDraw) (*ent.User, error) {
	return one(ctx, x, func(x *ent.LocDraw) *int { return x.RequestedByUserID }, r.s.CreditFacilities.People)
}

// ApprovedByUser implements exec.LocDrawResolver.
func (r locDrawResolver) ApprovedByUser(ctx context.Context, x *ent.LocDraw) (*ent.User, error) {
	return one(ctx, x, func(x *ent.LocDraw) *int { return x.ApprovedByUserID }, r.s.CreditFacilities.People)
}

// Unpaid implements exec.LocDrawResolver.
func (r locDrawResolver) Unpaid(ctx context.Context, x *ent.LocDraw) (*money.Amount, error) {
	return figure(ctx, x, func(x *ent.LocDraw) int { return x.ID }, r.s.CreditFacilities.UnpaidOfDraws)
}
