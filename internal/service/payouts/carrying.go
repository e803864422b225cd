package payouts

import (
	"context"
	"slices"

	"paydown/ent"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/ent/predicate"
	"paydown/internal/money"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// A batch keeps the items that it was approved with. An item that it does not pay is carried: it stays in the
// batch with the time it was carried, and the payee's next batch gets a new item in its place.

// lockHeld locks and returns matching items of approved batches of a kind that the system holds back. Items
// that staff hold are not included.
func lockHeld(
	ctx context.Context, t *unit.Tx, kind payoutbatch.Kind, which ...predicate.PayoutItem,
) ([]*ent.PayoutItem, error) {
	return lockItems(ctx, t, append(which, payoutitem.StatusEQ(payoutitem.StatusHELD), payoutitem.HeldReasonIsNil(),
		payoutitem.CarriedAtIsNil(),
		payoutitem.HasBatchWith(payoutbatch.TenantID(t.Actor.TenantID), payoutbatch.KindEQ(kind)))...)
}

// lockItems locks and returns the matching items. It locks their batches first.
func lockItems(ctx context.Context, t *unit.Tx, which ...predicate.PayoutItem) ([]*ent.PayoutItem, error) {
	batches, err := t.PayoutItem.Query().Where(which...).Unique(true).Select(payoutitem.FieldBatchID).Ints(ctx)
	if err != nil || len(batches) == 0 {
		return nil, err
	}
	batchRows := t.PayoutBatch.Query().Where(payoutbatch.IDIn(batches...), unit.Locked)
	if _, err := batchRows.Order(payoutbatch.ByID()).IDs(ctx); err != nil {
		return nil, err
	}
	return t.PayoutItem.Query().Where(which...).Where(payoutitem.BatchIDIn(batches...), unit.Locked).
		Order(payoutitem.ByID()).All(ctx)
}

// isCarried matches items that were carried and not yet replaced by an item in another batch.
func isCarried(t *unit.Tx) predicate.PayoutItem {
	return payoutitem.And(payoutitem.CarriedAtNotNil(), payoutitem.StatusEQ(payoutitem.StatusHELD),
		payoutitem.Not(payoutitem.HasCarriedToWith(payoutitem.TenantID(t.Actor.TenantID))))
}

// carry moves items to the payees' next batches. A batch with nothing left to pay becomes PAID.
func carry(ctx context.Context, t *unit.Tx, items []*ent.PayoutItem) error {
	if len(items) == 0 {
		return nil
	}
	if err := setItems(ctx, t, items, input.Set(payoutitem.FieldStatus, payoutitem.StatusHELD),
		input.Set(payoutitem.FieldCarriedAt, t.At())); err != nil {
		return err
	}
	return closeEmptied(ctx, t, items)
}

// lockCarried locks and returns matching items that batches of a kind have carried and no other batch has
// taken.
func lockCarried(
	ctx context.Context, t *unit.Tx, kind payoutbatch.Kind, which ...predicate.PayoutItem,
) ([]*ent.PayoutItem, error) {
	return t.PayoutItem.Query().Where(which...).Where(isCarried(t), unit.Locked,
		payoutitem.HasBatchWith(payoutbatch.TenantID(t.Actor.TenantID), payoutbatch.KindEQ(kind))).
		Order(payoutitem.ByID()).All(ctx)
}

// paysCarried reports whether carried items add up to a payable amount for at least one payee.
func paysCarried(ctx context.Context, t *unit.Tx, kind payoutbatch.Kind, which ...predicate.PayoutItem) (bool, error) {
	items, err := lockCarried(ctx, t, kind, which...)
	if err != nil {
		return false, err
	}
	payees, of := grouped(items, PayeeOf, byPayee)
	return slices.ContainsFunc(payees, func(p payee) bool { return sumOf(of[p]).Sign() > 0 }), nil
}

// TakeCarried adds the items that earlier batches of its kind carried to a draft.
func TakeCarried(ctx context.Context, t *unit.Tx, batch *ent.PayoutBatch, which ...predicate.PayoutItem) error {
	carried, err := lockCarried(ctx, t, batch.Kind, which...)
	if err != nil || len(carried) == 0 {
		return err
	}
	_, err = addCarried(ctx, t, batch, carried)
	return err
}

// addCarried adds an item to a batch for each carried item, and returns the new items.
func addCarried(
	ctx context.Context, t *unit.Tx, batch *ent.PayoutBatch, carried []*ent.PayoutItem,
) ([]*ent.PayoutItem, error) {
	rows := make([]*ent.PayoutItemCreate, len(carried))
	for i, item := range carried {
		rows[i] = t.PayoutItem.Create().SetBatchID(batch.ID).SetAmount(item.Amount).SetCarriedFromID(item.ID).
			SetNillableDealID(item.DealID).SetNillableSyndicatorID(item.SyndicatorID).SetNillableIsoID(item.IsoID).
			SetNillableReferrerID(item.ReferrerID).SetNillableCollectedPaymentID(item.CollectedPaymentID).
			SetNillableEpisode(item.Episode).SetNillableReversesID(item.ReversesID).
			SetNillableClawbackRiskAt(item.ClawbackRiskAt)
	}
	return AddItems(ctx, t, rows)
}

// takeClawbacks moves the broker's open deductions in other batches into a batch that is being paid: a
// clawed-back commission is deducted from the next commission that is paid, in whichever batch.
func takeClawbacks(ctx context.Context, t *unit.Tx, batch *ent.PayoutBatch, isoID int) ([]*ent.PayoutItem, error) {
	others, err := lockItems(ctx, t,
		payoutitem.IsoID(isoID), payoutitem.AmountLT(money.Zero), payoutitem.HeldReasonIsNil(),
		payoutitem.Or(isCarried(t), payoutitem.And(payoutitem.BatchIDNEQ(batch.ID), payoutitem.CarriedAtIsNil(),
			payoutitem.StatusIn(payoutitem.StatusPENDING, payoutitem.StatusHELD))))
	if err != nil || len(others) == 0 {
		return nil, err
	}
	waiting := slices.DeleteFunc(slices.Clone(others), func(item *ent.PayoutItem) bool { return item.CarriedAt != nil })
	if err := carry(ctx, t, waiting); err != nil {
		return nil, err
	}
	return addCarried(ctx, t, batch, others)
}

// closeEmptied closes the items' batches that have nothing left to pay.
func closeEmptied(ctx context.Context, t *unit.Tx, items []*ent.PayoutItem) error {
	ids := make([]int, len(items))
	for i, item := range items {
		ids[i] = item.BatchID
	}
	slices.Sort(ids)
	emptied, err := t.PayoutBatch.Query().Where(payoutbatch.IDIn(slices.Compact(ids)...),
		payoutbatch.StatusNEQ(payoutbatch.StatusPAID),
		payoutbatch.Not(payoutbatch.HasItemsWith(payoutitem.TenantID(t.Actor.TenantID), openItem())), unit.Locked).
		Order(payoutbatch.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return setBatches(ctx, t, emptied, payoutbatch.StatusPAID)
}

// openItem matches items that their batch still has to pay.
func openItem() predicate.PayoutItem {
	return payoutitem.And(payoutitem.CarriedAtIsNil(),
		payoutitem.StatusIn(payoutitem.StatusPENDING, payoutitem.StatusHELD, payoutitem.StatusFAILED))
}

// CancelSharesOf cancels the unpaid shares of a returned payment.
func CancelSharesOf(ctx context.Context, t *unit.Tx, p *ent.Payment) error {
	items, err := lockItems(ctx, t, payoutitem.CollectedPaymentID(p.ID), payoutitem.Episode(p.Episode),
		payoutitem.ReversesIDIsNil(), payoutitem.Or(openItem(), isCarried(t)))
	if err != nil || len(items) == 0 {
		return err
	}
	if err := setItems(ctx, t, items, input.Set(payoutitem.FieldStatus, payoutitem.StatusCANCELLED)); err != nil {
		return err
	}
	return closeEmptied(ctx, t, items)
}
