package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/creditfacility"
	"paydown/ent/locdraw"
	"paydown/internal/auth"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/unit"
)

// UnpaidOfDraws returns what is left to collect of each paid-out draw. Other draws are not in the map.
func (s CreditFacilities) UnpaidOfDraws(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int]*money.Amount, error) {
	actor, err := unit.RequireScope(ctx, through)
	if err != nil {
		return nil, err
	}
	read := s.core.Store.Reader()
	// Repayments are allocated among all draws of a facility, so all of them are needed.
	facilities, err := read.CreditFacility.Query().Where(creditfacility.TenantID(actor.TenantID),
		creditfacility.HasDrawsWith(locdraw.TenantID(actor.TenantID), locdraw.IDIn(ids...))).
		WithDraws(func(q *ent.LocDrawQuery) {
			q.Where(locdraw.StatusIn(locdraw.StatusFUNDED, locdraw.StatusREPAID)).Order(locdraw.ByID())
		}).All(ctx)
	if err != nil || len(facilities) == 0 {
		return nil, err
	}
	deals := make([]int, len(facilities))
	for i, facility := range facilities {
		deals[i] = facility.DealID
	}
	sums, err := s.core.Store.DealsSums(ctx, actor.TenantID, deals)
	if err != nil {
		return nil, err
	}
	rows, err := drawPayments(read.Payment.Query(), deals...).All(ctx)
	if err != nil {
		return nil, err
	}
	paid := map[int][]*ent.Payment{}
	for _, p := range rows {
		paid[p.DealID] = append(paid[p.DealID], p)
	}
	found := map[int]*money.Amount{}
	for _, facility := range facilities {
		outstanding := ledger.Outstanding(books.BalancesOf(sums[facility.DealID]))
		unpaid, _ := allocate(facility.Edges.Draws, paid[facility.DealID], outstanding)
		for i, draw := range facility.Edges.Draws {
			found[draw.ID] = &unpaid[i]
		}
	}
	return found, nil
}
