package service

import (
	"context"
	"slices"

	entgo "entgo.io/ent"

	"paydown/ent"
	entdeal "paydown/ent/deal"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/internal/deal"
	"paydown/internal/fault"
)

// This file moves batches and their items. The deals of a batch are locked before it, and it before its items.

// setItems stores the same columns of items that do not have those values yet.
func (t *tx) setItems(ctx context.Context, items []*ent.PayoutItem, changes ...columnChange) error {
	items = slices.DeleteFunc(slices.Clone(items), func(item *ent.PayoutItem) bool {
		return !slices.ContainsFunc(changes, func(c columnChange) bool {
			return !equalValues(columnValue(item, c.column), c.value)
		})
	})
	return allStored(ctx, t, "payoutItem", items, changes,
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.PayoutItem.Update().Where(payoutitem.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

// lockBatch finds a batch and its items, and locks them and the deals that the items are of.
func (t *tx) lockBatch(ctx context.Context, id int) (*ent.PayoutBatch, []*ent.PayoutItem, error) {
	items, err := t.PayoutItem.Query().Where(payoutitem.BatchID(id)).Order(payoutitem.ByID()).All(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := t.lockDealsOf(ctx, items); err != nil {
		return nil, nil, err
	}
	batch, err := t.PayoutBatch.Query().Where(payoutbatch.ID(id), locked).Only(ctx)
	if err != nil {
		return nil, nil, missing(err, "payout")
	}
	items, err = t.PayoutItem.Query().Where(payoutitem.BatchID(id), locked).Order(payoutitem.ByID()).All(ctx)
	return batch, items, err
}

func (t *tx) lockDealsOf(ctx context.Context, items []*ent.PayoutItem) error {
	var ids []int
	for _, item := range items {
		if item.DealID != nil {
			ids = append(ids, *item.DealID)
		}
	}
	slices.Sort(ids)
	for part := range slices.Chunk(slices.Compact(ids), rowsAtOnce) {
		if _, err := t.Deal.Query().Where(entdeal.IDIn(part...), locked).Order(entdeal.ByID()).All(ctx); err != nil {
			return err
		}
	}
	return nil
}

// saveBatch stores where a batch stands and notes it as what the write is about.
func (t *tx) saveBatch(ctx context.Context, before *ent.PayoutBatch, changes ...columnChange) (*ent.PayoutBatch, error) {
	update := t.PayoutBatch.Update().Where(payoutbatch.ID(before.ID))
	after, err := stored(ctx, t, before, changes, update.Mutation(), update.Save)
	if err == nil {
		t.record("payoutBatch.update", "payoutBatch", before.ID, nil, before, after)
	}
	return after, err
}

// approveBatch approves a batch that has something in it and that somebody else made.
func (t *tx) approveBatch(ctx context.Context, id int) (*ent.PayoutBatch, error) {
	batch, items, err := t.lockBatch(ctx, id)
	if err != nil || batch.Status == payoutbatch.StatusAPPROVED {
		return batch, err
	}
	if err := deal.Batches.Check("payout", string(batch.Status), string(payoutbatch.StatusAPPROVED)); err != nil {
		return nil, err
	}
	if err := t.fourEyes(ctx, aPayout, madeBy(batch.CreatedByUserID)...); err != nil {
		return nil, err
	}
	if items, err = t.cancelReturned(ctx, items); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(items, isOpen) {
		return nil, fault.Conflictf("The payout has nothing to pay.").With("items", "must have one that is neither paid nor cancelled")
	}
	changes := []columnChange{{payoutbatch.FieldStatus, payoutbatch.StatusAPPROVED}, {payoutbatch.FieldApprovedAt, t.At()}}
	if t.actor.IsUser() {
		changes = append(changes, columnChange{payoutbatch.FieldApprovedByUserID, t.actor.ID})
	}
	return t.saveBatch(ctx, batch, changes...)
}

// itemMove is where staff move an item, and why.
type itemMove struct {
	to     payoutitem.Status
	reason *string
}

// moveItem holds an item back, releases it or says that its transfer failed. What a payee got for several items at once
// fails for all of them; what was paid is taken back in the books.
func (t *tx) moveItem(ctx context.Context, by transfers, id int, m itemMove) (*ent.PayoutItem, error) {
	batchID, err := t.PayoutItem.Query().Where(payoutitem.ID(id)).Select(payoutitem.FieldBatchID).Int(ctx)
	if err != nil {
		return nil, missing(err, "payout item")
	}
	batch, items, err := t.lockBatch(ctx, batchID)
	if err != nil {
		return nil, err
	}
	at := slices.IndexFunc(items, func(item *ent.PayoutItem) bool { return item.ID == id })
	if at < 0 {
		return nil, fault.Missing("payout item")
	}
	before := items[at]
	if before.CarriedAt != nil {
		return nil, fault.Conflictf("The item was carried to the payee's next payout; change it there.").
			With("id", "names an item that was carried")
	}
	if before.Status == m.to && equalValues(nullable(before.HeldReason), nullable(m.reason)) {
		return before, nil
	}
	if before.Status != m.to {
		if err := deal.Items.Check("item", string(before.Status), string(m.to)); err != nil {
			return nil, err
		}
	}
	with := []*ent.PayoutItem{before}
	if m.to == payoutitem.StatusFAILED && (before.Status == payoutitem.StatusPAID || before.Status == payoutitem.StatusCLAWED_BACK) {
		if with, err = t.takeTransferBack(ctx, by, before, items); err != nil {
			return nil, err
		}
	}
	changes := []columnChange{{payoutitem.FieldStatus, m.to}, {payoutitem.FieldHeldReason, nullable(m.reason)}}
	if err := t.setItems(ctx, with, changes...); err != nil {
		return nil, err
	}
	if _, err := t.closeBatch(ctx, batch, false); err != nil {
		return nil, err
	}
	return t.PayoutItem.Get(ctx, before.ID)
}

func (t *tx) setBatches(ctx context.Context, batches []*ent.PayoutBatch, to payoutbatch.Status) error {
	return allStored(ctx, t, "payoutBatch", batches, []columnChange{{payoutbatch.FieldStatus, to}},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.PayoutBatch.Update().Where(payoutbatch.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}
