package seeds

import (
	"context"

	"paydown/ent"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/internal/civil"
	"paydown/internal/service/input"
	"paydown/internal/service/payouts"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
)

// DraftDistribution makes the batch of what syndicators are to get of a period. Where there is nothing it returns 0.
func (s Seeds) DraftDistribution(ctx context.Context, from, to civil.Date) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		batch, err := payouts.MakeBatch(ctx, t, payoutbatch.KindPARTICIPATION, from, to)
		if batch == nil || err != nil {
			return 0, err
		}
		return batch.ID, nil
	})
}

// ApprovePayout approves the drafted batch of a period; where there is none it returns 0.
func (s Seeds) ApprovePayout(ctx context.Context, kind payoutbatch.Kind, from, to civil.Date) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		id, err := batchOf(ctx, t, kind, from, to)
		if id == 0 || err != nil {
			return 0, err
		}
		_, err = payouts.ApproveBatch(ctx, t, id)
		return id, err
	})
}

// batchOf is the batch of a period; 0 where there is none.
func batchOf(ctx context.Context, t *unit.Tx, kind payoutbatch.Kind, from, to civil.Date) (int, error) {
	id, err := t.PayoutBatch.Query().Where(payoutbatch.KindEQ(kind), payoutbatch.PeriodFrom(from), payoutbatch.PeriodTo(to)).
		Order(payoutbatch.ByID()).FirstID(ctx)
	if ent.IsNotFound(err) {
		return 0, nil
	}
	return id, err
}

// PayPayout pays what can be paid of the approved batch of a period, and holds the rest back. failing has the bank send the
// last of several transfers to syndicators back. Where there is no batch it returns 0.
func (s Seeds) PayPayout(ctx context.Context, kind payoutbatch.Kind, from, to civil.Date, failing bool) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		id, err := batchOf(ctx, t, kind, from, to)
		if id == 0 || err != nil {
			return 0, err
		}
		if failing {
			if err := failLast(ctx, t, id); err != nil {
				return 0, err
			}
		}
		_, err = payouts.PayBatch(ctx, t, servicing.PayoutTransfers{}, id, nil)
		return id, err
	})
}

// failLast has the transfer to the last of several syndicators of a batch fail before it is booked.
func failLast(ctx context.Context, t *unit.Tx, batchID int) error {
	open, err := t.PayoutItem.Query().Where(payoutitem.BatchID(batchID), payoutitem.StatusEQ(payoutitem.StatusPENDING),
		unit.Locked).Order(payoutitem.ByID()).All(ctx)
	if err != nil {
		return err
	}
	order, shares := payouts.Grouped(open, payouts.PayeeOf, payouts.ByPayee)
	if len(order) < 2 {
		return nil
	}
	return payouts.SetItems(ctx, t, shares[order[len(order)-1]], input.Set(payoutitem.FieldStatus, payoutitem.StatusFAILED),
		input.Set(payoutitem.FieldHeldReason, "The bank sent the transfer back: no such account."))
}
