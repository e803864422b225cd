package graph

import (
	"context"

	"paydown/ent"
	"paydown/ent/syndicator"
	"paydown/graph/model"
	"paydown/internal/ledger"
)

// CreateParticipation implements exec.MutationResolver.
func (r mutationResolver) CreateParticipation(ctx context.Context, input model.Input) (*ent.Participation, error) {
	return create(ctx, r.resolver, input, r.s.Participations.Create)
}

// UpdateParticipation implements exec.MutationResolver.
func (r mutationResolver) UpdateParticipation(
	ctx context.Context, id int, input model.Input,
) (*ent.Participation, error) {
	return update(ctx, r.resolver, id, input, r.s.Participations.Update)
}

// DeleteParticipation implements exec.MutationResolver.
func (r mutationResolver) DeleteParticipation(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.Participations.Delete)
}

type participationResolver struct{ *resolver }

// Deal implements exec.ParticipationResolver.
func (r participationResolver) Deal(ctx context.Context, x *ent.Participation) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.Participation) *int { return &x.DealID }, r.s.Deals.ByIDs)
}

// Syndicator implements exec.ParticipationResolver.
func (r participationResolver) Syndicator(ctx context.Context, x *ent.Participation) (*ent.Syndicator, error) {
	return one(ctx, x, func(x *ent.Participation) *int { return &x.SyndicatorID }, r.s.Syndicators.ByIDs)
}

// ManagementFeeBasis implements exec.ParticipationResolver, as do the methods below: a participation's terms
// use the types of the syndicator's.
func (participationResolver) ManagementFeeBasis(
	_ context.Context, x *ent.Participation,
) (*syndicator.ManagementFeeBasis, error) {
	return (*syndicator.ManagementFeeBasis)(x.ManagementFeeBasis), nil
}

// CafRecognition implements exec.ParticipationResolver.
func (participationResolver) CafRecognition(
	_ context.Context, x *ent.Participation,
) (syndicator.CafRecognition, error) {
	return syndicator.CafRecognition(x.CafRecognition), nil
}

// ProfitAccrual implements exec.ParticipationResolver.
func (participationResolver) ProfitAccrual(_ context.Context, x *ent.Participation) (syndicator.ProfitAccrual, error) {
	return syndicator.ProfitAccrual(x.ProfitAccrual), nil
}

// Figures implements exec.ParticipationResolver.
func (r participationResolver) Figures(ctx context.Context, x *ent.Participation) (*ledger.Share, error) {
	return figure(ctx, x, func(x *ent.Participation) int { return x.ID }, r.s.Ledger.FiguresOfParticipations)
}
