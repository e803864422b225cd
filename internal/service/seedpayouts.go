package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/internal/civil"
)

// DraftDistribution makes the batch of what syndicators are to get of a period. Where there is nothing it returns 0.
func (s Seeds) DraftDistribution(ctx context.Context, from, to civil.Date) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		batch, err := t.makeBatch(ctx, payoutbatch.KindPARTICIPATION, from, to)
		if batch == nil || err != nil {
			return 0, err
		}
		return batch.ID, nil
	})
}

// ApprovePayout approves the drafted batch of a period; where there is none it returns 0.
func (s Seeds) ApprovePayout(ctx context.Context, kind payoutbatch.Kind, from, to civil.Date) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		id, err := t.batchOf(ctx, kind, from, to)
		if id == 0 || err != nil {
			return 0, err
		}
		_, err = t.approveBatch(ctx, id)
		return id, err
	})
}

// batchOf is the batch of a period; 0 where there is none.
func (t *tx) batchOf(ctx context.Context, kind payoutbatch.Kind, from, to civil.Date) (int, error) {
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
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		id, err := t.batchOf(ctx, kind, from, to)
		if id == 0 || err != nil {
			return 0, err
		}
		if failing {
			if err := t.failLast(ctx, id); err != nil {
				return 0, err
			}
		}
		_, err = t.payBatch(ctx, payoutTransfers{}, id, nil)
		return id, err
	})
}

// failLast has the transfer to the last of several syndicators of a batch fail before it is booked.
func (t *tx) failLast(ctx context.Context, batchID int) error {
	open, err := t.PayoutItem.Query().Where(payoutitem.BatchID(batchID), payoutitem.StatusEQ(payoutitem.StatusPENDING),
		locked).Order(payoutitem.ByID()).All(ctx)
	if err != nil {
		return err
	}
	order, shares := grouped(open, payeeOf, byPayee)
	if len(order) < 2 {
		return nil
	}
	return t.setItems(ctx, shares[order[len(order)-1]], columnChange{payoutitem.FieldStatus, payoutitem.StatusFAILED},
		columnChange{payoutitem.FieldHeldReason, "The bank sent the transfer back: no such account."})
}
