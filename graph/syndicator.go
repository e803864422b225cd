package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Syndicator implements exec.QueryResolver.
func (r queryResolver) Syndicator(ctx context.Context, id int) (*ent.Syndicator, error) {
	return r.s.Syndicators.Get(ctx, id)
}

// Syndicators implements exec.QueryResolver.
func (r queryResolver) Syndicators(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Syndicator], error) {
	return list(ctx, service.SyndicatorListing, pageArgs{first, after, filter, sort}, r.s.Syndicators.List)
}

// CreateSyndicator implements exec.MutationResolver.
func (r mutationResolver) CreateSyndicator(ctx context.Context, input model.Input) (*ent.Syndicator, error) {
	return create(ctx, r.resolver, input, r.s.Syndicators.Create)
}

// UpdateSyndicator implements exec.MutationResolver.
func (r mutationResolver) UpdateSyndicator(ctx context.Context, id int, input model.Input) (*ent.Syndicator, error) {
	return update(ctx, r.resolver, id, input, r.s.Syndicators.Update)
}

// DeleteSyndicator implements exec.MutationResolver.
func (r mutationResolver) DeleteSyndicator(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.Syndicators.Delete)
}

// DepositToWallet implements exec.MutationResolver.
func (r mutationResolver) DepositToWallet(ctx context.Context, id int, input model.Input) (*ent.Syndicator, error) {
	return update(ctx, r.resolver, id, input, r.s.Syndicators.Deposit)
}

// WithdrawFromWallet implements exec.MutationResolver.
func (r mutationResolver) WithdrawFromWallet(ctx context.Context, id int, input model.Input) (*ent.Syndicator, error) {
	return update(ctx, r.resolver, id, input, r.s.Syndicators.Withdraw)
}

type syndicatorResolver struct{ *resolver }

func syndicatorID(x *ent.Syndicator) int { return x.ID }

// Participations implements exec.SyndicatorResolver.
func (r syndicatorResolver) Participations(ctx context.Context, x *ent.Syndicator) ([]*ent.Participation, error) {
	return several(ctx, x, syndicatorID, r.s.Participations.OfSyndicators)
}

// Balances implements exec.SyndicatorResolver.
func (r syndicatorResolver) Balances(ctx context.Context, x *ent.Syndicator) (*service.PartyBalances, error) {
	return figure(ctx, x, syndicatorID, r.s.Ledger.BalancesOfSyndicators)
}

// Figures implements exec.SyndicatorResolver.
func (r syndicatorResolver) Figures(ctx context.Context, x *ent.Syndicator) (*service.SyndicatorFigures, error) {
	return figure(ctx, x, syndicatorID, r.s.Ledger.FiguresOfSyndicators)
}
