package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// StatementAnalysis implements exec.QueryResolver.
func (r queryResolver) StatementAnalysis(ctx context.Context, id int) (*ent.StatementAnalysis, error) {
	return found(ctx, id, "statement analysis", r.s.Analyses.List)
}

// StatementAnalyses implements exec.QueryResolver.
func (r queryResolver) StatementAnalyses(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.StatementAnalysis], error) {
	return list(ctx, service.AnalysisListing, pageArgs{first, after, filter, sort}, r.s.Analyses.List)
}

type statementAnalysisResolver struct{ *resolver }

// Deal implements exec.StatementAnalysisResolver.
func (r statementAnalysisResolver) Deal(ctx context.Context, x *ent.StatementAnalysis) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.StatementAnalysis) *int { return &x.DealID }, r.s.Deals.ByIDs)
}

// Merchant implements exec.StatementAnalysisResolver.
func (r statementAnalysisResolver) Merchant(ctx context.Context, x *ent.StatementAnalysis) (*ent.Merchant, error) {
	return one(ctx, x, func(x *ent.StatementAnalysis) *int { return &x.MerchantID }, r.s.Merchants.ByIDs)
}

// DeliverStatementAnalysis implements exec.MutationResolver.
func (r mutationResolver) DeliverStatementAnalysis(
	ctx context.Context, dealID int, input model.Input,
) (*ent.StatementAnalysis, error) {
	return create(
		ctx,
		r.resolver,
		input,
		func(ctx context.Context, in service.AnalysisInput) (*ent.StatementAnalysis, error) {
			return r.s.Analyses.Deliver(ctx, dealID, in)
		},
	)
}

// DeliverTargetedStatementAnalysis implements exec.MutationResolver.
func (r mutationResolver) DeliverTargetedStatementAnalysis(
	ctx context.Context, input model.Input,
) (*ent.StatementAnalysis, error) {
	return create(ctx, r.resolver, input, r.s.Analyses.DeliverTo)
}
