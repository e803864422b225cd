package servicing

import (
	"context"

	"entgo.io/ent/dialect/sql"

	"paydown/ent"
	"paydown/ent/payment"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/books"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// Positions returns each deal's position, in two statements. It requires the scope to read payments.
func (s Deals) Positions(ctx context.Context, through auth.Scope, ids []int) (map[int]*books.DealPosition, error) {
	actor, err := unit.RequireScope(ctx, through)
	if err != nil {
		return nil, err
	}
	sums, err := s.core.Store.DealsSums(ctx, actor.TenantID, ids)
	if err != nil {
		return nil, err
	}
	next, err := s.nextPayments(ctx, actor, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[int]*books.DealPosition, len(ids))
	for _, id := range ids {
		b := books.BalancesOf(sums[id])
		// The purchased amount, including draws, is what the fundings debited.
		purchased := b.Of(ledger.Receivable, ledger.Funding, ledger.Renewal)
		found[id] = &books.DealPosition{
			Outstanding: ledger.Outstanding(b), Collected: ledger.Collected(b),
			Surplus: money.Max(money.Zero, ledger.Surplus(b)), WrittenOff: ledger.WrittenOff(b), Recovered: ledger.Recovered(b),
			PaidDownPct: deal.PaidDown(ledger.Collected(b), purchased), NextPayment: next[id],
		}
	}
	return found, nil
}

// nextPayments returns the next due debit of each deal.
func (s Deals) nextPayments(ctx context.Context, actor *auth.Actor, ids []int) (map[int]*ent.Payment, error) {
	waiting := func(q *sql.Selector) {
		q.Where(sql.And(
			sql.EQ(q.C(entpayment.FieldStatus), payment.Pending), sql.EQ(q.C(entpayment.FieldDirection), payment.In),
			sql.NotNull(q.C(entpayment.FieldScheduledDate))))
	}
	order := store.Order{Column: entpayment.FieldScheduledDate}
	query := s.core.Store.Reader().Payment.Query()
	if len(ids) == 1 { // ranking is for several
		query.Where(entpayment.DealID(ids[0]), waiting, order.By).Limit(1)
	} else {
		query.Where(store.LeadersOfEach(actor.TenantID, entpayment.FieldDealID, ids, 1, waiting, order))
	}
	rows, err := query.All(ctx)
	next := make(map[int]*ent.Payment, len(rows))
	for _, p := range rows {
		next[p.DealID] = p
	}
	return next, err
}
