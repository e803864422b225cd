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

// UnpaidOfDraws is what is left to collect of each of the draws that were paid out; the others are not in the map.
func (s CreditFacilities) UnpaidOfDraws(ctx context.Context, through auth.Scope, ids []int) (map[int]*money.Amount, error) {
	actor, err := unit.RequireScope(ctx, through)
	if err != nil {
		return nil, err
	}
	read := s.core.Store.Reader()
	// What a line's draws are paid back with is shared out among all of them.
	lines, err := read.CreditFacility.Query().Where(creditfacility.TenantID(actor.TenantID),
		creditfacility.HasDrawsWith(locdraw.TenantID(actor.TenantID), locdraw.IDIn(ids...))).
		WithDraws(func(q *ent.LocDrawQuery) {
			q.Where(locdraw.StatusIn(locdraw.StatusFUNDED, locdraw.StatusREPAID)).Order(locdraw.ByID())
		}).All(ctx)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	deals := make([]int, len(lines))
	for i, line := range lines {
		deals[i] = line.DealID
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
	for _, line := range lines {
		unpaid, _ := shareOut(line.Edges.Draws, paid[line.DealID], ledger.Outstanding(books.BalancesOf(sums[line.DealID])))
		for i, draw := range line.Edges.Draws {
			found[draw.ID] = &unpaid[i]
		}
	}
	return found, nil
}
