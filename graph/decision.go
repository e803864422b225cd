package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Decision implements exec.QueryResolver.
func (r queryResolver) Decision(ctx context.Context, id int) (*ent.DecisionResult, error) {
	return found(ctx, id, "decision", r.s.Decisions.List)
}

// Decisions implements exec.QueryResolver.
func (r queryResolver) Decisions(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.DecisionResult], error) {
	return list(ctx, service.DecisionListing, pageArgs{first, after, filter, sort}, r.s.Decisions.List)
}

type decisionResultResolver struct{ *resolver }

// Deal implements exec.DecisionResultResolver.
func (r decisionResultResolver) Deal(ctx context.Context, x *ent.DecisionResult) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.DecisionResult) *int { return &x.DealID }, r.s.Deals.ByIDs)
}

// UnderwritingPolicies implements exec.QueryResolver.
func (r queryResolver) UnderwritingPolicies(ctx context.Context) ([]*ent.UnderwritingPolicy, error) {
	return r.s.Underwriting.List(ctx)
}

// UnderwritingPolicy implements exec.QueryResolver.
func (r queryResolver) UnderwritingPolicy(ctx context.Context) (*ent.UnderwritingPolicy, error) {
	return r.s.Underwriting.Active(ctx)
}

// RunDecision implements exec.MutationResolver.
func (r mutationResolver) RunDecision(ctx context.Context, dealID int) (*ent.DecisionResult, error) {
	return r.s.Decisions.Run(ctx, dealID)
}

// SaveUnderwritingPolicy implements exec.MutationResolver.
func (r mutationResolver) SaveUnderwritingPolicy(
	ctx context.Context, input model.Input,
) (*ent.UnderwritingPolicy, error) {
	return create(ctx, r.resolver, input, r.s.Underwriting.Save)
}

// Policy implements exec.DecisionResultResolver.
func (r decisionResultResolver) Policy(ctx context.Context, x *ent.DecisionResult) (*ent.UnderwritingPolicy, error) {
	return one(ctx, x, func(x *ent.DecisionResult) *int { return x.PolicyID }, r.s.Underwriting.ByIDs)
}
