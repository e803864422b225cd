package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// OverrideFundingBlock implements exec.MutationResolver.
func (r mutationResolver) OverrideFundingBlock(
	ctx context.Context, dealID int, input model.Input,
) (*ent.FundingOverride, error) {
	return create(
		ctx,
		r.resolver,
		input,
		func(ctx context.Context, in service.NewFundingOverride) (*ent.FundingOverride, error) {
			return r.s.Deals.Override(ctx, dealID, in)
		},
	)
}

// Moves implements exec.DealResolver.
func (dealResolver) Moves(_ context.Context, x *ent.Deal) ([]deal.State, error) {
	return append([]deal.State{}, x.State.Moves()...), nil
}

// maxComputedDeals limits for how many deals a request may compute funding blocks or quotes: each needs several
// statements.
const maxComputedDeals = 10

// checkDealCount refuses a field that is computed per deal if it is requested for too many deals.
func checkDealCount(ctx context.Context, x *ent.Deal, what string) error {
	if len(groupOf(ctx, x).records) > maxComputedDeals {
		return fault.New(fault.BadRequest, "%s may be requested for at most %d deals at once.", what, maxComputedDeals)
	}
	return nil
}

// FundingBlocks implements exec.DealResolver.
func (r dealResolver) FundingBlocks(ctx context.Context, x *ent.Deal, to *deal.State) ([]*deal.Block, error) {
	if err := checkDealCount(ctx, x, "Funding blocks"); err != nil {
		return nil, err
	}
	next := deal.Prefunded
	switch {
	case to != nil:
		next = *to
	case x.State == deal.Prefunded:
		next = deal.Funded
	}
	return r.s.Deals.Blocks(ctx, x, next)
}

// FundingOverrides implements exec.DealResolver.
func (r dealResolver) FundingOverrides(ctx context.Context, x *ent.Deal) ([]*ent.FundingOverride, error) {
	return several(ctx, x, dealID, r.s.Deals.Overrides)
}
