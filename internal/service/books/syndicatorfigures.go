package books

import (
	"context"

	"paydown/ent/participation"
	"paydown/internal/auth"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/service/unit"
)

// SyndicatorFigures are the totals of a syndicator's participations in funded deals, including closed ones.
type SyndicatorFigures struct {
	// Participations is their number, Invested their cost without charges.
	Participations int
	Invested       money.Amount
	ledger.Share
}

// FiguresOfSyndicators returns the figures of each syndicator.
func (s Ledger) FiguresOfSyndicators(ctx context.Context, _ auth.Scope, ids []int) (map[int]*SyndicatorFigures, error) {
	actor, err := unit.RequirePermission(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	sums, err := s.core.Store.PartySums(ctx, actor.TenantID, ids)
	if err != nil {
		return nil, err
	}
	holdings, err := s.core.Store.Holdings(ctx, actor.TenantID, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[int]*SyndicatorFigures, len(ids))
	for _, id := range ids {
		h := holdings[id]
		found[id] = &SyndicatorFigures{h.Count, money.Cents(h.Cents), BalancesOf(sums[id]).ShareOf(id)}
	}
	return found, nil
}

// FiguresOfParticipations returns the share of each participation; none if its deal was not funded.
func (s Ledger) FiguresOfParticipations(ctx context.Context, _ auth.Scope, ids []int) (map[int]*ledger.Share, error) {
	actor, err := unit.RequirePermission(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	parts, err := s.core.Store.Reader().Participation.Query().Where(participation.IDIn(ids...)).All(ctx)
	if err != nil {
		return nil, err
	}
	deals := make([]int, len(parts))
	for i, p := range parts {
		deals[i] = p.DealID
	}
	found := make(map[int]*ledger.Share, len(parts))
	if len(parts) == 0 {
		return found, nil
	}
	sums, err := s.core.Store.DealsSums(ctx, actor.TenantID, deals)
	for _, p := range parts {
		share := BalancesOf(sums[p.DealID]).ShareOf(p.SyndicatorID)
		found[p.ID] = &share
	}
	return found, err
}
