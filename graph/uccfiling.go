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

// CreateUccFiling implements exec.MutationResolver.
func (r mutationResolver) CreateUccFiling(ctx context.Context, input model.Input) (*ent.UCCFiling, error) {
	return create(ctx, r.resolver, input, r.s.UCCFilings.Create)
}

// SubmitUccFiling implements exec.MutationResolver.
func (r mutationResolver) SubmitUccFiling(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return r.s.UCCFilings.Submit(ctx, id)
}

// AcceptUccFiling implements exec.MutationResolver.
func (r mutationResolver) AcceptUccFiling(ctx context.Context, id int, input model.Input) (*ent.UCCFiling, error) {
	return act(ctx, r.resolver, id, input, service.ForCreate, r.s.UCCFilings.Accept)
}

// RejectUccFiling implements exec.MutationResolver.
func (r mutationResolver) RejectUccFiling(ctx context.Context, id int, input model.Input) (*ent.UCCFiling, error) {
	return act(ctx, r.resolver, id, input, service.ForCreate, r.s.UCCFilings.Reject)
}

// TerminateUccFiling implements exec.MutationResolver.
func (r mutationResolver) TerminateUccFiling(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return r.s.UCCFilings.Terminate(ctx, id)
}

// LapseUccFiling implements exec.MutationResolver.
func (r mutationResolver) LapseUccFiling(ctx context.Context, id int) (*ent.UCCFiling, error) {
	return r.s.UCCFilings.Lapse(ctx, id)
}

// Amends implements exec.UccFilingResolver.
func (r uccFilingResolver) Amends(ctx context.Context, x *ent.UCCFiling) (*ent.UCCFiling, error) {
	return one(ctx, x, func(x *ent.UCCFiling) *int { return x.AmendsID }, r.s.UCCFilings.ByIDs)
}

// Amendments implements exec.UccFilingResolver.
func (r uccFilingResolver) Amendments(ctx context.Context, x *ent.UCCFiling) ([]*ent.UCCFiling, error) {
	return several(ctx, x, func(x *ent.UCCFiling) int { return x.ID }, r.s.UCCFilings.AmendmentsOf)
}
