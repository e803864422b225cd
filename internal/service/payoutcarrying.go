package service

import (
	"context"
	"slices"

	"paydown/ent"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/ent/predicate"
	"paydown/internal/money"
)

// A batch keeps the lines that it was approved with. What it does not pay is carried: the line stays where it is, with
// the time at which it was carried, and the payee's next batch gets a line of its own that stands in for it.

// lockHeld are the lines that approved batches of a kind hold back by themselves, of those that the predicates name,
// locked. What staff hold back stays where it is.
func (t *tx) lockHeld(ctx context.Context, kind payoutbatch.Kind, which ...predicate.PayoutItem) ([]*ent.PayoutItem, error) {
	return t.lockItems(ctx, append(which, payoutitem.StatusEQ(payoutitem.StatusHELD), payoutitem.HeldReasonIsNil(),
		payoutitem.CarriedAtIsNil(), payoutitem.HasBatchWith(payoutbatch.TenantID(t.actor.TenantID), payoutbatch.KindEQ(kind)))...)
}

// lockItems are the lines that the predicates name, locked after the batches that they are in.
func (t *tx) lockItems(ctx context.Context, which ...predicate.PayoutItem) ([]*ent.PayoutItem, error) {
	batches, err := t.PayoutItem.Query().Where(which...).Unique(true).Select(payoutitem.FieldBatchID).Ints(ctx)
	if err != nil || len(batches) == 0 {
		return nil, err
	}
	if _, err := t.PayoutBatch.Query().Where(payoutbatch.IDIn(batches...), locked).Order(payoutbatch.ByID()).IDs(ctx); err != nil {
		return nil, err
	}
	return t.PayoutItem.Query().Where(which...).Where(payoutitem.BatchIDIn(batches...), locked).Order(payoutitem.ByID()).All(ctx)
}

// waitsCarried is a line that was carried and that no other stands in for yet.
func (t *tx) waitsCarried() predicate.PayoutItem {
	return payoutitem.And(payoutitem.CarriedAtNotNil(), payoutitem.StatusEQ(payoutitem.StatusHELD),
		payoutitem.Not(payoutitem.HasCarriedToWith(payoutitem.TenantID(t.actor.TenantID))))
}

// carry leaves lines to the payees' next batches. Batches of which nothing is left to pay are PAID.
func (t *tx) carry(ctx context.Context, items []*ent.PayoutItem) error {
	if len(items) == 0 {
		return nil
	}
	if err := t.setItems(ctx, items, columnChange{payoutitem.FieldStatus, payoutitem.StatusHELD},
		columnChange{payoutitem.FieldCarriedAt, t.At()}); err != nil {
		return err
	}
	return t.closeEmptied(ctx, items)
}

// carried are the lines that batches of a kind have carried and that no other has taken, of those that the predicates name,
// locked.
func (t *tx) carried(ctx context.Context, kind payoutbatch.Kind, which ...predicate.PayoutItem) ([]*ent.PayoutItem, error) {
	return t.PayoutItem.Query().Where(which...).Where(t.waitsCarried(), locked,
		payoutitem.HasBatchWith(payoutbatch.TenantID(t.actor.TenantID), payoutbatch.KindEQ(kind))).Order(payoutitem.ByID()).All(ctx)
}

// paysCarried reports whether what was carried comes to something that can be paid to one of its payees.
func (t *tx) paysCarried(ctx context.Context, kind payoutbatch.Kind, which ...predicate.PayoutItem) (bool, error) {
	items, err := t.carried(ctx, kind, which...)
	if err != nil {
		return false, err
	}
	payees, of := grouped(items, payeeOf, byPayee)
	return slices.ContainsFunc(payees, func(p payee) bool { return sumOf(of[p]).Sign() > 0 }), nil
}

// takeCarried adds to a draft what earlier batches of its kind have carried.
func (t *tx) takeCarried(ctx context.Context, batch *ent.PayoutBatch, which ...predicate.PayoutItem) error {
	carried, err := t.carried(ctx, batch.Kind, which...)
	if err != nil || len(carried) == 0 {
		return err
	}
	_, err = t.standIn(ctx, batch, carried)
	return err
}

// standIn gives a batch a line for each of those that others have carried, and returns them.
func (t *tx) standIn(ctx context.Context, batch *ent.PayoutBatch, carried []*ent.PayoutItem) ([]*ent.PayoutItem, error) {
	rows := make([]*ent.PayoutItemCreate, len(carried))
	for i, item := range carried {
		rows[i] = t.PayoutItem.Create().SetBatchID(batch.ID).SetAmount(item.Amount).SetCarriedFromID(item.ID).
			SetNillableDealID(item.DealID).SetNillableSyndicatorID(item.SyndicatorID).SetNillableIsoID(item.IsoID).
			SetNillableReferrerID(item.ReferrerID).SetNillableCollectedPaymentID(item.CollectedPaymentID).
			SetNillableEpisode(item.Episode).SetNillableReversesID(item.ReversesID).SetNillableClawbackRiskAt(item.ClawbackRiskAt)
	}
	return t.addItems(ctx, rows)
}

// takeSetOffs gives a batch that is being paid what other batches take off its broker: a commission that was clawed back is
// set off against the next one that is paid, whichever batch that is in.
func (t *tx) takeSetOffs(ctx context.Context, batch *ent.PayoutBatch, isoID int) ([]*ent.PayoutItem, error) {
	others, err := t.lockItems(ctx, payoutitem.IsoID(isoID), payoutitem.AmountLT(money.Zero), payoutitem.HeldReasonIsNil(),
		payoutitem.Or(t.waitsCarried(), payoutitem.And(payoutitem.BatchIDNEQ(batch.ID), payoutitem.CarriedAtIsNil(),
			payoutitem.StatusIn(payoutitem.StatusPENDING, payoutitem.StatusHELD))))
	if err != nil || len(others) == 0 {
		return nil, err
	}
	waiting := slices.DeleteFunc(slices.Clone(others), func(item *ent.PayoutItem) bool { return item.CarriedAt != nil })
	if err := t.carry(ctx, waiting); err != nil {
		return nil, err
	}
	return t.standIn(ctx, batch, others)
}

// closeEmptied ends the batches of lines of which nothing is left to pay.
func (t *tx) closeEmptied(ctx context.Context, items []*ent.PayoutItem) error {
	ids := make([]int, len(items))
	for i, item := range items {
		ids[i] = item.BatchID
	}
	slices.Sort(ids)
	emptied, err := t.PayoutBatch.Query().Where(payoutbatch.IDIn(slices.Compact(ids)...),
		payoutbatch.StatusNEQ(payoutbatch.StatusPAID),
		payoutbatch.Not(payoutbatch.HasItemsWith(payoutitem.TenantID(t.actor.TenantID), openItem())), locked).
		Order(payoutbatch.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return t.setBatches(ctx, emptied, payoutbatch.StatusPAID)
}

// openItem is a line that is still to be paid by its batch.
func openItem() predicate.PayoutItem {
	return payoutitem.And(payoutitem.CarriedAtIsNil(),
		payoutitem.StatusIn(payoutitem.StatusPENDING, payoutitem.StatusHELD, payoutitem.StatusFAILED))
}

// cancelSharesOf cancels the lines that share out a payment which came back and that are not paid yet.
func (t *tx) cancelSharesOf(ctx context.Context, p *ent.Payment) error {
	items, err := t.lockItems(ctx, payoutitem.CollectedPaymentID(p.ID), payoutitem.Episode(p.Episode),
		payoutitem.ReversesIDIsNil(), payoutitem.Or(openItem(), t.waitsCarried()))
	if err != nil || len(items) == 0 {
		return err
	}
	if err := t.setItems(ctx, items, columnChange{payoutitem.FieldStatus, payoutitem.StatusCANCELLED}); err != nil {
		return err
	}
	return t.closeEmptied(ctx, items)
}
