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

// A batch keeps the lines that it was approved with. What it does not pay is carried: the line stays where it is, with
// the time at which it was carried, and the payee's next batch gets a line of its own that stands in for it.

// lockHeld are the lines that approved batches of a kind hold back by themselves, of those that the predicates name,
// locked. What staff hold back stays where it is.
func lockHeld(ctx context.Context, t *unit.Tx, kind payoutbatch.Kind, which ...predicate.PayoutItem) ([]*ent.PayoutItem, error) {
	return lockItems(ctx, t, append(which, payoutitem.StatusEQ(payoutitem.StatusHELD), payoutitem.HeldReasonIsNil(),
		payoutitem.CarriedAtIsNil(), payoutitem.HasBatchWith(payoutbatch.TenantID(t.Actor.TenantID), payoutbatch.KindEQ(kind)))...)
}

// lockItems are the lines that the predicates name, locked after the batches that they are in.
func lockItems(ctx context.Context, t *unit.Tx, which ...predicate.PayoutItem) ([]*ent.PayoutItem, error) {
	batches, err := t.PayoutItem.Query().Where(which...).Unique(true).Select(payoutitem.FieldBatchID).Ints(ctx)
	if err != nil || len(batches) == 0 {
		return nil, err
	}
	if _, err := t.PayoutBatch.Query().Where(payoutbatch.IDIn(batches...), unit.Locked).Order(payoutbatch.ByID()).IDs(ctx); err != nil {
		return nil, err
	}
	return t.PayoutItem.Query().Where(which...).Where(payoutitem.BatchIDIn(batches...), unit.Locked).Order(payoutitem.ByID()).All(ctx)
}

// waitsCarried is a line that was carried and that no other stands in for yet.
func waitsCarried(t *unit.Tx) predicate.PayoutItem {
	return payoutitem.And(payoutitem.CarriedAtNotNil(), payoutitem.StatusEQ(payoutitem.StatusHELD),
		payoutitem.Not(payoutitem.HasCarriedToWith(payoutitem.TenantID(t.Actor.TenantID))))
}

// carry leaves lines to the payees' next batches. Batches of which nothing is left to pay are PAID.
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

// carried are the lines that batches of a kind have carried and that no other has taken, of those that the predicates name,
// locked.
func carried(ctx context.Context, t *unit.Tx, kind payoutbatch.Kind, which ...predicate.PayoutItem) ([]*ent.PayoutItem, error) {
	return t.PayoutItem.Query().Where(which...).Where(waitsCarried(t), unit.Locked,
		payoutitem.HasBatchWith(payoutbatch.TenantID(t.Actor.TenantID), payoutbatch.KindEQ(kind))).Order(payoutitem.ByID()).All(ctx)
}

// paysCarried reports whether what was carried comes to something that can be paid to one of its payees.
func paysCarried(ctx context.Context, t *unit.Tx, kind payoutbatch.Kind, which ...predicate.PayoutItem) (bool, error) {
	items, err := carried(ctx, t, kind, which...)
	if err != nil {
		return false, err
	}
	payees, of := grouped(items, PayeeOf, byPayee)
	return slices.ContainsFunc(payees, func(p payee) bool { return sumOf(of[p]).Sign() > 0 }), nil
}

// TakeCarried adds to a draft what earlier batches of its kind have carried.
func TakeCarried(ctx context.Context, t *unit.Tx, batch *ent.PayoutBatch, which ...predicate.PayoutItem) error {
	carried, err := carried(ctx, t, batch.Kind, which...)
	if err != nil || len(carried) == 0 {
		return err
	}
	_, err = standIn(ctx, t, batch, carried)
	return err
}

// standIn gives a batch a line for each of those that others have carried, and returns them.
func standIn(ctx context.Context, t *unit.Tx, batch *ent.PayoutBatch, carried []*ent.PayoutItem) ([]*ent.PayoutItem, error) {
	rows := make([]*ent.PayoutItemCreate, len(carried))
	for i, item := range carried {
		rows[i] = t.PayoutItem.Create().SetBatchID(batch.ID).SetAmount(item.Amount).SetCarriedFromID(item.ID).
			SetNillableDealID(item.DealID).SetNillableSyndicatorID(item.SyndicatorID).SetNillableIsoID(item.IsoID).
			SetNillableReferrerID(item.ReferrerID).SetNillableCollectedPaymentID(item.CollectedPaymentID).
			SetNillableEpisode(item.Episode).SetNillableReversesID(item.ReversesID).SetNillableClawbackRiskAt(item.ClawbackRiskAt)
	}
	return AddItems(ctx, t, rows)
}

// takeSetOffs gives a batch that is being paid what other batches take off its broker: a commission that was clawed back is
// set off against the next one that is paid, whichever batch that is in.
func takeSetOffs(ctx context.Context, t *unit.Tx, batch *ent.PayoutBatch, isoID int) ([]*ent.PayoutItem, error) {
	others, err := lockItems(ctx, t, payoutitem.IsoID(isoID), payoutitem.AmountLT(money.Zero), payoutitem.HeldReasonIsNil(),
		payoutitem.Or(waitsCarried(t), payoutitem.And(payoutitem.BatchIDNEQ(batch.ID), payoutitem.CarriedAtIsNil(),
			payoutitem.StatusIn(payoutitem.StatusPENDING, payoutitem.StatusHELD))))
	if err != nil || len(others) == 0 {
		return nil, err
	}
	waiting := slices.DeleteFunc(slices.Clone(others), func(item *ent.PayoutItem) bool { return item.CarriedAt != nil })
	if err := carry(ctx, t, waiting); err != nil {
		return nil, err
	}
	return standIn(ctx, t, batch, others)
}

// closeEmptied ends the batches of lines of which nothing is left to pay.
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

// openItem is a line that is still to be paid by its batch.
func openItem() predicate.PayoutItem {
	return payoutitem.And(payoutitem.CarriedAtIsNil(),
		payoutitem.StatusIn(payoutitem.StatusPENDING, payoutitem.StatusHELD, payoutitem.StatusFAILED))
}

// CancelSharesOf cancels the lines that share out a payment which came back and that are not paid yet.
func CancelSharesOf(ctx context.Context, t *unit.Tx, p *ent.Payment) error {
	items, err := lockItems(ctx, t, payoutitem.CollectedPaymentID(p.ID), payoutitem.Episode(p.Episode),
		payoutitem.ReversesIDIsNil(), payoutitem.Or(openItem(), waitsCarried(t)))
	if err != nil || len(items) == 0 {
		return err
	}
	if err := setItems(ctx, t, items, input.Set(payoutitem.FieldStatus, payoutitem.StatusCANCELLED)); err != nil {
		return err
	}
	return closeEmptied(ctx, t, items)
}
