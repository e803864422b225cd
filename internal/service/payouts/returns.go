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

// This file reverses payouts: a returned transfer fails for everything that it paid.

// reverseTransfer reverses the transfer that paid an item and returns all items of the batch that it paid, after
// the change. A syndicator's payments become BOUNCED; a broker's entries are reversed.
func reverseTransfer(
	ctx context.Context, t *unit.Tx, by Transfers, item *ent.PayoutItem, batch []*ent.PayoutItem,
) ([]*ent.PayoutItem, error) {
	if item.SyndicatorID == nil {
		return reverseCommission(ctx, t, item, batch)
	}
	if item.PaymentID == nil {
		return []*ent.PayoutItem{item}, nil // nothing was paid for its deal: its items added up to zero
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

// transferReturned is the reason stored on the items of a returned transfer.
const transferReturned = "The transfer was returned."

// FailItemsOf fails the items that a returned payment had paid, and returns the other payments of the same
// transfer. A PAID batch becomes PARTIAL.
func FailItemsOf(ctx context.Context, t *unit.Tx, by Transfers, p *ent.Payment) error {
	batches, err := t.PayoutBatch.Query().Where(payoutbatch.HasItemsWith(payoutitem.TenantID(t.Actor.TenantID),
		payoutitem.PaymentID(p.ID)), unit.Locked).Order(payoutbatch.ByID()).All(ctx)
	if err != nil || len(batches) == 0 {
		return err
	}
	items, err := t.PayoutItem.Query().
		Where(payoutitem.PaymentID(p.ID), payoutitem.StatusEQ(payoutitem.StatusPAID), unit.Locked).
		Order(payoutitem.ByID()).All(ctx)
	if err != nil {
		return err
	}
	if err := setItems(ctx, t, items, input.Set(payoutitem.FieldStatus, payoutitem.StatusFAILED),
		input.Set(payoutitem.FieldHeldReason, transferReturned)); err != nil {
		return err
	}
	paid := slices.DeleteFunc(slices.Clone(batches), func(b *ent.PayoutBatch) bool {
		return b.Status != payoutbatch.StatusPAID
	})
	if err := setBatches(ctx, t, paid, payoutbatch.StatusPARTIAL); err != nil {
		return err
	}
	return failSiblingsOf(ctx, t, by, p, batches)
}

// failSiblingsOf marks the other payments of a returned transfer BOUNCED: those to the same syndicator that the
// batch paid at the same time.
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
		if err := by.Return(ctx, t, id); err != nil { // another return may already have returned it
			return err
		}
	}
	return nil
}

// reverseCommission reverses the entries of the transfer that paid a broker's item, and returns the items that
// are owed again.
func reverseCommission(
	ctx context.Context, t *unit.Tx, item *ent.PayoutItem, batch []*ent.PayoutItem,
) ([]*ent.PayoutItem, error) {
	paid, err := payoutEntry(ctx, t, item)
	if err != nil {
		return nil, err
	}
	if paid == nil {
		return nil, fault.Conflictf("The item was never paid.").
			With("id", "must name an item that was paid before it was clawed back")
	}
	var owed []*ent.PayoutItem
	for _, other := range batch {
		wasPaid := other.Status == payoutitem.StatusPAID || other.Status == payoutitem.StatusCLAWED_BACK
		if PayeeOf(other) != PayeeOf(item) || !wasPaid {
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
			Deal: other.DealID, PayoutItem: &other.ID, Reverses: []int{entry.ID},
			Entries: []ledger.Entry{ledger.Reverse(books.EntryOf(entry))},
		}); err != nil {
			return nil, err
		}
		again := true
		if other.Status == payoutitem.StatusCLAWED_BACK {
			if again, err = reverseClawback(ctx, t, other); err != nil {
				return nil, err
			}
		}
		if again {
			owed = append(owed, other)
		}
	}
	return owed, nil
}

// reverseClawback reverses a broker's debt from a clawed-back commission whose transfer was returned, because the
// commission never arrived. It reports whether the commission is owed again: it is if the debt was already
// deducted, because the broker then gave up as much of another commission.
func reverseClawback(ctx context.Context, t *unit.Tx, item *ent.PayoutItem) (owed bool, err error) {
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

// payoutEntry returns the unreversed entry that paid a broker's item; nil if a clawed-back item was never paid.
// Older entries do not name their item and are found by deal and amount.
func payoutEntry(ctx context.Context, t *unit.Tx, item *ent.PayoutItem) (*ent.Journal, error) {
	unreversed := []predicate.Journal{
		journal.KindEQ(ledger.Payout), journal.ReversesIDIsNil(),
		journal.Not(journal.HasReversalsWith(journal.TenantID(t.Actor.TenantID))),
	}
	entry, err := t.Journal.Query().Where(journal.PayoutItemID(item.ID)).Where(unreversed...).
		WithPostings().Order(journal.ByID(unit.Descending())).First(ctx)
	if !ent.IsNotFound(err) {
		return entry, err
	}
	if item.Status == payoutitem.StatusCLAWED_BACK {
		return nil, nil //nolint:nilnil // it was never paid
	}
	entry, err = t.Journal.Query().
		Where(dealOfJournal(item.DealID), journal.PaymentIDIsNil(), journal.PayoutItemIDIsNil()).
		Where(unreversed...).Where(journal.HasPostingsWith(entposting.TenantID(t.Actor.TenantID),
		entposting.Account(string(ledger.CommissionPayable)), entposting.AmountEQ(item.Amount))).
		WithPostings().Order(journal.ByID()).First(ctx)
	if err != nil {
		return nil, fmt.Errorf("entry that paid item %d: %w", item.ID, err)
	}
	return entry, nil
}

// cancelReturned cancels unpaid items that are no longer valid, and returns all items of the batch after that.
// It cancels shares of payments that were returned while the batch was being made, or after the share was paid
// if its transfer was returned too, and the items that reverse shares that are no longer paid, in any batch. The
// deals of the items are locked.
func cancelReturned(ctx context.Context, t *unit.Tx, items []*ent.PayoutItem) ([]*ent.PayoutItem, error) {
	var obsolete []*ent.PayoutItem
	for part := range slices.Chunk(items, unit.RowsAtOnce) {
		found, err := obsoleteItems(ctx, t, part)
		if err != nil {
			return nil, err
		}
		obsolete = append(obsolete, found...)
	}
	if len(obsolete) == 0 {
		return items, nil
	}
	ids := make([]int, len(obsolete))
	for i, item := range obsolete {
		ids[i] = item.ID
	}
	reversals, err := lockItems(ctx, t, payoutitem.ReversesIDIn(ids...), payoutitem.Or(openItem(), isCarried(t)))
	if err != nil {
		return nil, err
	}
	cancelled := input.Set(payoutitem.FieldStatus, payoutitem.StatusCANCELLED)
	if err := setItems(ctx, t, append(obsolete, reversals...), cancelled); err != nil {
		return nil, err
	}
	if err := closeEmptied(ctx, t, reversals); err != nil {
		return nil, err
	}
	return t.PayoutItem.Query().Where(payoutitem.BatchID(items[0].BatchID), unit.Locked).Order(payoutitem.ByID()).All(ctx)
}

// obsoleteItems returns the items that cancelReturned cancels.
func obsoleteItems(ctx context.Context, t *unit.Tx, items []*ent.PayoutItem) ([]*ent.PayoutItem, error) {
	var shares, reversals []*ent.PayoutItem
	var payments, reversed []int
	for _, item := range items {
		switch {
		case item.CollectedPaymentID == nil || !isOpen(item):
		case item.ReversesID != nil:
			reversals, reversed = append(reversals, item), append(reversed, *item.ReversesID)
		default:
			shares, payments = append(shares, item), append(payments, *item.CollectedPaymentID)
		}
	}
	if len(shares)+len(reversals) == 0 {
		return nil, nil
	}
	stillPaid, err := t.Payment.Query().Where(entpayment.IDIn(payments...), entpayment.StatusEQ(payment.Paid)).All(ctx)
	if err != nil {
		return nil, err
	}
	episodes := map[int]int{} // of the PAID payments
	for _, p := range stillPaid {
		episodes[p.ID] = p.Episode
	}
	paidReversals, err := t.PayoutItem.Query().Where(
		payoutitem.CollectedPaymentIDIn(payments...), payoutitem.ReversesIDNotNil(),
		payoutitem.StatusEQ(payoutitem.StatusPAID)).All(ctx)
	if err != nil {
		return nil, err
	}
	paid, err := t.PayoutItem.Query().
		Where(payoutitem.IDIn(reversed...), payoutitem.StatusEQ(payoutitem.StatusPAID)).IDs(ctx)
	if err != nil {
		return nil, err
	}
	var found []*ent.PayoutItem
	for _, item := range shares {
		// A share whose reversal was deducted is owed again if its own transfer was returned after that.
		again := slices.ContainsFunc(paidReversals, func(r *ent.PayoutItem) bool {
			return *r.CollectedPaymentID == *item.CollectedPaymentID && *r.Episode == *item.Episode &&
				*r.SyndicatorID == *item.SyndicatorID
		})
		if episode, ok := episodes[*item.CollectedPaymentID]; !again && (!ok || episode != *item.Episode) {
			found = append(found, item)
		}
	}
	for _, item := range reversals {
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
