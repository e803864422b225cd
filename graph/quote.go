package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/civil"
	"paydown/internal/service"
)

// Quote implements exec.DealResolver.
func (r dealResolver) Quote(ctx context.Context, x *ent.Deal, input model.Input) (*service.DealQuote, error) {
	if err := checkDealCount(ctx, x, "Quotes"); err != nil {
		return nil, err
	}
	in, err := decode[service.DealFields](ctx, r.schema, input, service.ForUpdate)
	if err != nil {
		return nil, err
	}
	return r.s.Deals.Quote(ctx, x, in)
}

// Payoff implements exec.DealResolver.
func (r dealResolver) Payoff(ctx context.Context, x *ent.Deal, on *civil.Date) (*service.PayoffQuote, error) {
	if err := checkDealCount(ctx, x, "Payoffs"); err != nil {
		return nil, err
	}
	return r.s.Deals.Payoff(ctx, x, on)
}
