package payouts

import (
	"context"
	"fmt"
	"slices"

	"paydown/ent"
	"paydown/ent/journal"
	"paydown/ent/payment"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	entposting "paydown/ent/posting"
	"paydown/ent/predicate"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/payment"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// This file takes back what was paid out: a transfer that came back fails for everything that it paid.

// takeTransferBack undoes the transfer that paid an item, and returns all items of the batch that it paid, as they are
// then. Of a syndicator its payments bounce; of a broker the entries are reversed.
func takeTransferBack(ctx context.Context, t *unit.Tx, by Transfers, item *ent.PayoutItem, batch []*ent.PayoutItem) ([]*ent.PayoutItem, error) {
	if item.SyndicatorID == nil {
		return takeCommissionBack(ctx, t, item, batch)
	}
	if item.PaymentID == nil {
		return []*ent.PayoutItem{item}, nil // of its deal nothing was paid: its items came to nothing
	}
	if err := by.Return(ctx, t, *item.PaymentID); err != nil {
		return nil, err
	}
	ids := make([]int, len(batch))
	for i, other := range batch {
		ids[i] = other.ID
	}
	return t.PayoutItem.Query().Where(payoutitem.IDIn(ids...), payoutitem.StatusEQ(payoutitem.StatusFAILED),
		payoutitem.SyndicatorID(*item.SyndicatorID), payoutitem.HeldReason(transferReturned), unit.Locked).
		Order(payoutitem.ByID()).All(ctx)
}

// transferReturned is noted on the items of a transfer that came back.
const transferReturned = "The transfer came back."

// FailItemsOf has the items of batches follow when a payment that paid them comes back, and the other payments of the same
// transfer with it. A batch that was PAID is PARTIAL.
func FailItemsOf(ctx context.Context, t *unit.Tx, by Transfers, p *ent.Payment) error {
	batches, err := t.PayoutBatch.Query().Where(payoutbatch.HasItemsWith(payoutitem.TenantID(t.Actor.TenantID),
		payoutitem.PaymentID(p.ID)), unit.Locked).Order(payoutbatch.ByID()).All(ctx)
	if err != nil || len(batches) == 0 {
		return err
	}
	items, err := t.PayoutItem.Query().Where(payoutitem.PaymentID(p.ID), payoutitem.StatusEQ(payoutitem.StatusPAID), unit.Locked).
		Order(payoutitem.ByID()).All(ctx)
	if err != nil {
		return err
	}
	if err := setItems(ctx, t, items, input.Set(payoutitem.FieldStatus, payoutitem.StatusFAILED),
		input.Set(payoutitem.FieldHeldReason, transferReturned)); err != nil {
		return err
	}
	paid := slices.DeleteFunc(slices.Clone(batches), func(b *ent.PayoutBatch) bool { return b.Status != payoutbatch.StatusPAID })
	if err := setBatches(ctx, t, paid, payoutbatch.StatusPARTIAL); err != nil {
		return err
	}
	return failSiblingsOf(ctx, t, by, p, batches)
}

// failSiblingsOf has the other payments of a transfer bounce with the one that did: those to the same syndicator that the
// batch was paid by at the same time.
func failSiblingsOf(ctx context.Context, t *unit.Tx, by Transfers, p *ent.Payment, batches []*ent.PayoutBatch) error {
	if p.InitiatedAt == nil || p.SyndicatorID == nil {
		return nil
	}
	ids := make([]int, len(batches))
	for i, b := range batches {
		ids[i] = b.ID
	}
	payments, err := t.PayoutItem.Query().Where(payoutitem.BatchIDIn(ids...), payoutitem.SyndicatorID(*p.SyndicatorID),
		payoutitem.StatusEQ(payoutitem.StatusPAID), payoutitem.PaymentIDNotNil()).
		Unique(true).Select(payoutitem.FieldPaymentID).Ints(ctx)
	if err != nil {
		return err
	}
	siblings, err := t.Payment.Query().Where(entpayment.IDIn(payments...), entpayment.StatusEQ(payment.Paid),
		entpayment.InitiatedAt(*p.InitiatedAt)).Order(entpayment.ByDealID(), entpayment.ByID()).IDs(ctx)
	if err != nil {
		return err
	}
	for _, id := range siblings {
		if err := by.Return(ctx, t, id); err != nil { // one may have come back with another before it
			return err
		}
	}
	return nil
}

// takeCommissionBack reverses the entries of the transfer that paid a broker's item, and returns the items of the transfer
// that are owed again.
func takeCommissionBack(ctx context.Context, t *unit.Tx, item *ent.PayoutItem, batch []*ent.PayoutItem) ([]*ent.PayoutItem, error) {
	paid, err := payoutEntry(ctx, t, item)
	if err != nil {
		return nil, err
	}
	if paid == nil {
		return nil, fault.Conflictf("The item was never paid.").With("id", "names an item that was clawed back before it was paid")
	}
	var owed []*ent.PayoutItem
	for _, other := range batch {
		if PayeeOf(other) != PayeeOf(item) || other.Status != payoutitem.StatusPAID && other.Status != payoutitem.StatusCLAWED_BACK {
			continue
		}
		entry := paid
		if other.ID != item.ID {
			if entry, err = payoutEntry(ctx, t, other); err != nil {
				return nil, err
			}
		}
		if entry == nil || !entry.OccurredAt.Equal(paid.OccurredAt) {
			continue
		}
		if err := books.Post(ctx, t, books.Posting{
			Deal: other.DealID, PayoutItem: &other.ID, Reverses: []int{entry.ID}, Entries: []ledger.Entry{ledger.Reverse(books.EntryOf(entry))},
		}); err != nil {
			return nil, err
		}
		again := true
		if other.Status == payoutitem.StatusCLAWED_BACK {
			if again, err = takeClawbackBack(ctx, t, other); err != nil {
				return nil, err
			}
		}
		if again {
			owed = append(owed, other)
		}
	}
	return owed, nil
}

// takeClawbackBack undoes what the clawback of a commission had its broker owe, since the commission never arrived, and
// reports whether the commission is owed again: where the debt was set off already, the broker has given up as much of
// another commission for it.
func takeClawbackBack(ctx context.Context, t *unit.Tx, item *ent.PayoutItem) (owed bool, err error) {
	setOffs, err := lockItems(ctx, t, payoutitem.ReversesID(item.ID))
	if err != nil {
		return false, err
	}
	if slices.ContainsFunc(setOffs, func(s *ent.PayoutItem) bool { return s.Status == payoutitem.StatusPAID }) {
		return true, setItems(ctx, t, []*ent.PayoutItem{item}, input.Set(payoutitem.FieldClawbackRiskAt, nil))
	}
	if err := setItems(ctx, t, setOffs, input.Set(payoutitem.FieldStatus, payoutitem.StatusCANCELLED)); err != nil {
		return false, err
	}
	if err := closeEmptied(ctx, t, setOffs); err != nil {
		return false, err
	}
	entries, err := ledger.CancelClawback(PayeeOf(item).ISO, item.Amount)
	if err != nil {
		return false, err
	}
	return false, books.Post(ctx, t, books.Posting{Deal: item.DealID, PayoutItem: &item.ID, Entries: entries})
}

// payoutEntry is the standing entry by which a broker's item was paid; nil where a clawed-back one never was. Items that were
// paid before entries named them are found by their deal and amount.
func payoutEntry(ctx context.Context, t *unit.Tx, item *ent.PayoutItem) (*ent.Journal, error) {
	standing := []predicate.Journal{
		journal.KindEQ(ledger.Payout), journal.ReversesIDIsNil(),
		journal.Not(journal.HasReversalsWith(journal.TenantID(t.Actor.TenantID))),
	}
	entry, err := t.Journal.Query().Where(journal.PayoutItemID(item.ID)).Where(standing...).
		WithPostings().Order(journal.ByID(unit.Descending())).First(ctx)
	if !ent.IsNotFound(err) {
		return entry, err
	}
	if item.Status == payoutitem.StatusCLAWED_BACK {
		return nil, nil //nolint:nilnil // it never was
	}
	entry, err = t.Journal.Query().Where(dealOfJournal(item.DealID), journal.PaymentIDIsNil(), journal.PayoutItemIDIsNil()).
		Where(standing...).Where(journal.HasPostingsWith(entposting.TenantID(t.Actor.TenantID),
		entposting.Account(string(ledger.CommissionPayable)), entposting.AmountEQ(item.Amount))).
		WithPostings().Order(journal.ByID()).First(ctx)
	if err != nil {
		return nil, fmt.Errorf("entry that paid item %d: %w", item.ID, err)
	}
	return entry, nil
}

// cancelReturned cancels lines that are not paid yet and that what happened since they were made has overtaken, and returns
// the items of their batch as they are then: shares of payments that came back while the batch was being made or, like their own
// transfer, after it was paid, with what takes those back in other batches. The deals of the items are locked.
func cancelReturned(ctx context.Context, t *unit.Tx, items []*ent.PayoutItem) ([]*ent.PayoutItem, error) {
	var overtaken []*ent.PayoutItem
	for part := range slices.Chunk(items, unit.RowsAtOnce) {
		found, err := overtakenBy(ctx, t, part)
		if err != nil {
			return nil, err
		}
		overtaken = append(overtaken, found...)
	}
	if len(overtaken) == 0 {
		return items, nil
	}
	ids := make([]int, len(overtaken))
	for i, item := range overtaken {
		ids[i] = item.ID
	}
	takeBacks, err := lockItems(ctx, t, payoutitem.ReversesIDIn(ids...), payoutitem.Or(openItem(), waitsCarried(t)))
	if err != nil {
		return nil, err
	}
	cancelled := input.Set(payoutitem.FieldStatus, payoutitem.StatusCANCELLED)
	if err := setItems(ctx, t, append(overtaken, takeBacks...), cancelled); err != nil {
		return nil, err
	}
	if err := closeEmptied(ctx, t, takeBacks); err != nil {
		return nil, err
	}
	return t.PayoutItem.Query().Where(payoutitem.BatchID(items[0].BatchID), unit.Locked).Order(payoutitem.ByID()).All(ctx)
}

// overtakenBy are those of the items that cancelReturned cancels.
func overtakenBy(ctx context.Context, t *unit.Tx, items []*ent.PayoutItem) ([]*ent.PayoutItem, error) {
	var shares, takeBacks []*ent.PayoutItem
	var payments, reversed []int
	for _, item := range items {
		switch {
		case item.CollectedPaymentID == nil || !isOpen(item):
		case item.ReversesID != nil:
			takeBacks, reversed = append(takeBacks, item), append(reversed, *item.ReversesID)
		default:
			shares, payments = append(shares, item), append(payments, *item.CollectedPaymentID)
		}
	}
	if len(shares)+len(takeBacks) == 0 {
		return nil, nil
	}
	standing, err := t.Payment.Query().Where(entpayment.IDIn(payments...), entpayment.StatusEQ(payment.Paid)).All(ctx)
	if err != nil {
		return nil, err
	}
	episodes := map[int]int{} // of the payments that stand as PAID
	for _, p := range standing {
		episodes[p.ID] = p.Episode
	}
	takenBack, err := t.PayoutItem.Query().Where(payoutitem.CollectedPaymentIDIn(payments...), payoutitem.ReversesIDNotNil(),
		payoutitem.StatusEQ(payoutitem.StatusPAID)).All(ctx)
	if err != nil {
		return nil, err
	}
	paid, err := t.PayoutItem.Query().Where(payoutitem.IDIn(reversed...), payoutitem.StatusEQ(payoutitem.StatusPAID)).IDs(ctx)
	if err != nil {
		return nil, err
	}
	var found []*ent.PayoutItem
	for _, item := range shares {
		// A share that was taken back and whose transfer came back after that is owed for having been taken back.
		again := slices.ContainsFunc(takenBack, func(r *ent.PayoutItem) bool {
			return *r.CollectedPaymentID == *item.CollectedPaymentID && *r.Episode == *item.Episode && *r.SyndicatorID == *item.SyndicatorID
		})
		if episode, stands := episodes[*item.CollectedPaymentID]; !again && (!stands || episode != *item.Episode) {
			found = append(found, item)
		}
	}
	for _, item := range takeBacks {
		if !slices.Contains(paid, *item.ReversesID) {
			found = append(found, item)
		}
	}
	return found, nil
}

func dealOfJournal(id *int) predicate.Journal {
	if id == nil {
		return journal.DealIDIsNil()
	}
	return journal.DealID(*id)
}
