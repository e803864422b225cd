package payouts

import (
	"context"
	"slices"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/service/identity"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// This file changes the status of batches and their items. Locks are taken in the order deals, batch, items.

// setItems stores the same columns on all items that do not have those values yet.
func setItems(ctx context.Context, t *unit.Tx, items []*ent.PayoutItem, changes ...input.Change) error {
	items = slices.DeleteFunc(slices.Clone(items), func(item *ent.PayoutItem) bool {
		return !slices.ContainsFunc(changes, func(c input.Change) bool {
			return !input.EqualValues(input.ColumnValue(item, c.Column), c.Value)
		})
	})
	return unit.StoreAll(ctx, t, "payoutItem", items, changes,
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.PayoutItem.Update().Where(payoutitem.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

// lockBatch finds and locks a batch, its items and the deals of the items.
func lockBatch(ctx context.Context, t *unit.Tx, id int) (*ent.PayoutBatch, []*ent.PayoutItem, error) {
	items, err := t.PayoutItem.Query().Where(payoutitem.BatchID(id)).Order(payoutitem.ByID()).All(ctx)
	if err != nil {
		return nil, nil, err
	}
	if err := lockDealsOf(ctx, t, items); err != nil {
		return nil, nil, err
	}
	batch, err := t.PayoutBatch.Query().Where(payoutbatch.ID(id), unit.Locked).Only(ctx)
	if err != nil {
		return nil, nil, unit.NotFound(err, "payout")
	}
	items, err = t.PayoutItem.Query().Where(payoutitem.BatchID(id), unit.Locked).Order(payoutitem.ByID()).All(ctx)
	return batch, items, err
}

func lockDealsOf(ctx context.Context, t *unit.Tx, items []*ent.PayoutItem) error {
	var ids []int
	for _, item := range items {
		if item.DealID != nil {
			ids = append(ids, *item.DealID)
		}
	}
	slices.Sort(ids)
	for part := range slices.Chunk(slices.Compact(ids), unit.RowsAtOnce) {
		if _, err := t.Deal.Query().Where(entdeal.IDIn(part...), unit.Locked).Order(entdeal.ByID()).All(ctx); err != nil {
			return err
		}
	}
	return nil
}

// saveBatch stores a batch's columns and records the batch as the subject of the write.
func saveBatch(
	ctx context.Context, t *unit.Tx, before *ent.PayoutBatch, changes ...input.Change,
) (*ent.PayoutBatch, error) {
	update := t.PayoutBatch.Update().Where(payoutbatch.ID(before.ID))
	after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
	if err == nil {
		t.Record("payoutBatch.update", "payoutBatch", before.ID, nil, before, after)
	}
	return after, err
}

// approveBatch approves a batch that has something to pay and that someone else made.
func approveBatch(ctx context.Context, t *unit.Tx, id int) (*ent.PayoutBatch, error) {
	batch, items, err := lockBatch(ctx, t, id)
	if err != nil || batch.Status == payoutbatch.StatusAPPROVED {
		return batch, err
	}
	if err := deal.Batches.Check("payout", string(batch.Status), string(payoutbatch.StatusAPPROVED)); err != nil {
		return nil, err
	}
	if err := identity.FourEyes(ctx, t, identity.PayoutApproval, identity.Makers(batch.CreatedByUserID)...); err != nil {
		return nil, err
	}
	if items, err = cancelReturned(ctx, t, items); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(items, isOpen) {
		return nil, fault.Conflictf("The payout has nothing to pay.").
			With("items", "must include an item that is neither paid nor canceled")
	}
	changes := []input.Change{
		input.Set(payoutbatch.FieldStatus, payoutbatch.StatusAPPROVED), input.Set(payoutbatch.FieldApprovedAt, t.At()),
	}
	if t.Actor.IsUser() {
		changes = append(changes, input.Set(payoutbatch.FieldApprovedByUserID, t.Actor.ID))
	}
	return saveBatch(ctx, t, batch, changes...)
}

// itemMove is a status change of an item by staff, with its reason.
type itemMove struct {
	to     payoutitem.Status
	reason *string
}

// moveItem holds or releases an item, or records that its transfer failed. A failed transfer fails for all
// items it paid, and its postings are reversed.
func moveItem(ctx context.Context, t *unit.Tx, by Transfers, id int, m itemMove) (*ent.PayoutItem, error) {
	batchID, err := t.PayoutItem.Query().Where(payoutitem.ID(id)).Select(payoutitem.FieldBatchID).Int(ctx)
	if err != nil {
		return nil, unit.NotFound(err, "payout item")
	}
	batch, items, err := lockBatch(ctx, t, batchID)
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
			With("id", "must name an item that was not carried")
	}
	if before.Status == m.to && input.EqualValues(input.Nullable(before.HeldReason), input.Nullable(m.reason)) {
		return before, nil
	}
	if before.Status != m.to {
		if err := deal.Items.Check("item", string(before.Status), string(m.to)); err != nil {
			return nil, err
		}
	}
	with := []*ent.PayoutItem{before}
	wasPaid := before.Status == payoutitem.StatusPAID || before.Status == payoutitem.StatusCLAWED_BACK
	if m.to == payoutitem.StatusFAILED && wasPaid {
		if with, err = reverseTransfer(ctx, t, by, before, items); err != nil {
			return nil, err
		}
	}
	changes := []input.Change{
		input.Set(payoutitem.FieldStatus, m.to), input.Set(payoutitem.FieldHeldReason, input.Nullable(m.reason)),
	}
	if err := setItems(ctx, t, with, changes...); err != nil {
		return nil, err
	}
	if _, err := closeBatch(ctx, t, batch, false); err != nil {
		return nil, err
	}
	return t.PayoutItem.Get(ctx, before.ID)
}

func setBatches(ctx context.Context, t *unit.Tx, batches []*ent.PayoutBatch, to payoutbatch.Status) error {
	return unit.StoreAll(ctx, t, "payoutBatch", batches, []input.Change{input.Set(payoutbatch.FieldStatus, to)},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.PayoutBatch.Update().Where(payoutbatch.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}
