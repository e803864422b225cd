package service

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	entgo "entgo.io/ent"

	"paydown/ent"
	entdeal "paydown/ent/deal"
	"paydown/ent/journal"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	entposting "paydown/ent/posting"
	"paydown/ent/predicate"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// This file moves batches and their items. The deals of a batch are locked before it, and it before its items.

// lockHeld are the items that batches hold back by themselves, of those that the predicates name, locked. What staff hold
// back stays where it is.
func (t *tx) lockHeld(ctx context.Context, which ...predicate.PayoutItem) ([]*ent.PayoutItem, error) {
	which = append(which, payoutitem.StatusEQ(payoutitem.StatusHELD), payoutitem.HeldReasonIsNil())
	if _, err := t.PayoutBatch.Query().Where(payoutbatch.HasItemsWith(
		append(slices.Clone(which), payoutitem.TenantID(t.actor.TenantID))...), locked).Order(payoutbatch.ByID()).All(ctx); err != nil {
		return nil, err
	}
	return t.PayoutItem.Query().Where(which...).Where(locked).Order(payoutitem.ByID()).All(ctx)
}

// moveHeld takes items that earlier batches hold back into a new one. A batch of which nothing is left to pay is PAID.
func (t *tx) moveHeld(ctx context.Context, held []*ent.PayoutItem, batch *ent.PayoutBatch) error {
	if len(held) == 0 {
		return nil
	}
	if err := t.setItems(ctx, held, columnChange{payoutitem.FieldBatchID, batch.ID},
		columnChange{payoutitem.FieldStatus, payoutitem.StatusPENDING}); err != nil {
		return err
	}
	emptied, err := t.PayoutBatch.Query().Where(payoutbatch.KindEQ(batch.Kind),
		payoutbatch.StatusEQ(payoutbatch.StatusPARTIAL),
		payoutbatch.Not(payoutbatch.HasItemsWith(payoutitem.TenantID(t.actor.TenantID), openItem())), locked).
		Order(payoutbatch.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return t.setBatches(ctx, emptied, payoutbatch.StatusPAID)
}

// openItem is an item that is still to be paid.
func openItem() predicate.PayoutItem {
	return payoutitem.StatusIn(payoutitem.StatusPENDING, payoutitem.StatusHELD, payoutitem.StatusFAILED)
}

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
	if len(items) == 0 {
		return nil, fault.Conflictf("The payout has no items.").With("items", "must not be empty")
	}
	changes := []columnChange{{payoutbatch.FieldStatus, payoutbatch.StatusAPPROVED}, {payoutbatch.FieldApprovedAt, t.At()}}
	if t.actor.IsUser() {
		changes = append(changes, columnChange{payoutbatch.FieldApprovedByUserID, t.actor.ID})
	}
	return t.saveBatch(ctx, batch, changes...)
}

// payBatch pays what can be paid of an approved batch: of the named items alone where any are named. What it cannot pay yet
// it holds back.
func (t *tx) payBatch(ctx context.Context, id int, named []int) (*ent.PayoutBatch, error) {
	batch, items, err := t.lockBatch(ctx, id)
	if err != nil {
		return nil, err
	}
	if batch.Status == payoutbatch.StatusPAID && len(named) == 0 {
		return batch, nil
	}
	if batch.Status == payoutbatch.StatusDRAFT {
		return nil, fault.Conflictf("The payout is DRAFT; it is paid once it is approved.").With("status", "must be APPROVED or PARTIAL")
	}
	open, err := payable(items, named)
	if err != nil {
		return nil, err
	}
	pay := t.payCommissions
	if batch.Kind == payoutbatch.KindPARTICIPATION {
		pay = t.distribute
	}
	paid, err := pay(ctx, open, len(named) > 0)
	if err != nil {
		return nil, err
	}
	return t.closeBatch(ctx, batch, paid > 0)
}

// payable are the items that may be paid: those that wait, and those that the product held back, of the named ones where
// any are named. One that is named and cannot be paid is a conflict.
func payable(items []*ent.PayoutItem, named []int) ([]*ent.PayoutItem, error) {
	may := func(item *ent.PayoutItem) bool {
		return item.Status == payoutitem.StatusPENDING || item.Status == payoutitem.StatusHELD && item.HeldReason == nil
	}
	var open []*ent.PayoutItem
	for _, item := range items {
		if may(item) && (len(named) == 0 || slices.Contains(named, item.ID)) {
			open = append(open, item)
		}
	}
	if len(named) == 0 {
		return open, nil
	}
	refused := fault.Conflictf("Not all of the items can be paid.")
	for i, id := range named {
		at := slices.IndexFunc(items, func(item *ent.PayoutItem) bool { return item.ID == id })
		switch {
		case at < 0:
			return nil, fault.UnknownReference(fault.Detail{Path: "itemIds." + strconv.Itoa(i), Message: "no such item of this payout"})
		case !may(items[at]):
			refused = refused.With("itemIds."+strconv.Itoa(i), "is %s", items[at].Status)
		}
	}
	if len(refused.Details) > 0 {
		return nil, refused
	}
	// What a syndicator has of a deal is paid together, what comes back of it too.
	for _, item := range items {
		belongs := func(other *ent.PayoutItem) bool { return item.SyndicatorID != nil && partyOf(other) == partyOf(item) }
		if may(item) && !slices.Contains(open, item) && slices.ContainsFunc(open, belongs) {
			open = append(open, item)
		}
	}
	return open, nil
}

// closeBatch stores where a batch stands by what is left of it: PAID where nothing is, PARTIAL where something was paid.
func (t *tx) closeBatch(ctx context.Context, batch *ent.PayoutBatch, paid bool) (*ent.PayoutBatch, error) {
	left, err := t.PayoutItem.Query().Where(payoutitem.BatchID(batch.ID), openItem()).Exist(ctx)
	if err != nil {
		return nil, err
	}
	to := batch.Status
	switch {
	case !left:
		to = payoutbatch.StatusPAID
	case paid || batch.Status == payoutbatch.StatusPAID:
		to = payoutbatch.StatusPARTIAL
	}
	var changes []columnChange
	if to != batch.Status {
		changes = append(changes, columnChange{payoutbatch.FieldStatus, to})
	}
	if paid {
		changes = append(changes, columnChange{payoutbatch.FieldPaidAt, t.At()})
	}
	if len(changes) == 0 && len(t.effects) == 0 {
		return batch, nil
	}
	return t.saveBatch(ctx, batch, changes...)
}

// payCommissions pays commissions and counts them. Those that a default would still take back are held, unless they were
// named.
func (t *tx) payCommissions(ctx context.Context, open []*ent.PayoutItem, named bool) (int, error) {
	var due, kept []*ent.PayoutItem
	for _, item := range open {
		if !named && item.ClawbackRiskAt != nil && item.ClawbackRiskAt.After(t.At()) {
			kept = append(kept, item)
			continue
		}
		entries, err := ledger.PayISO(item.Amount)
		if err != nil {
			return 0, err
		}
		if err := t.post(ctx, posting{deal: item.DealID, entries: entries}); err != nil {
			return 0, err
		}
		due = append(due, item)
	}
	if err := t.setItems(ctx, due, columnChange{payoutitem.FieldStatus, payoutitem.StatusPAID}); err != nil {
		return 0, err
	}
	return len(due), t.setItems(ctx, kept, columnChange{payoutitem.FieldStatus, payoutitem.StatusHELD})
}

// party is a syndicator in a deal.
type party struct{ deal, syndicator int }

func partyOf(item *ent.PayoutItem) party {
	if item.DealID == nil || item.SyndicatorID == nil {
		return party{}
	}
	return party{*item.DealID, *item.SyndicatorID}
}

// parties are the items of each party, in the order of deals.
func parties(items []*ent.PayoutItem) (order []party, of map[party][]*ent.PayoutItem) {
	of = map[party][]*ent.PayoutItem{}
	for _, item := range items {
		p := partyOf(item)
		if of[p] == nil {
			order = append(order, p)
		}
		of[p] = append(of[p], item)
	}
	slices.SortFunc(order, func(a, b party) int {
		return cmp.Or(cmp.Compare(a.deal, b.deal), cmp.Compare(a.syndicator, b.syndicator))
	})
	return order, of
}

// distribute pays each syndicator the sum of its shares of each deal, and counts the sums. Where one is not more than
// nothing it is held, until a later batch has more for the party.
func (t *tx) distribute(ctx context.Context, open []*ent.PayoutItem, _ bool) (int, error) {
	paid := 0
	order, shares := parties(open)
	for _, p := range order {
		var sum money.Amount
		for _, item := range shares[p] {
			sum = sum.Add(item.Amount)
		}
		changes := []columnChange{{payoutitem.FieldStatus, payoutitem.StatusHELD}}
		if sum.Sign() > 0 {
			paid++
			id, err := t.paySyndicator(ctx, p.deal, p.syndicator, sum)
			if err != nil {
				return 0, err
			}
			changes = []columnChange{{payoutitem.FieldStatus, payoutitem.StatusPAID}, {payoutitem.FieldPaymentID, id}}
		}
		if err := t.setItems(ctx, shares[p], changes...); err != nil {
			return 0, err
		}
	}
	return paid, nil
}

// paySyndicator records a payout that is PAID and returns its id.
func (t *tx) paySyndicator(ctx context.Context, dealID, syndicatorID int, amount money.Amount) (int, error) {
	d, err := t.lockDeal(ctx, dealID)
	if err != nil {
		return 0, err
	}
	row, err := t.Payment.Create().SetDealID(dealID).SetSyndicatorID(syndicatorID).SetType(payment.ParticipationPayout).
		SetAmount(amount).SetStatus(payment.Paid).SetEpisode(1).SetMethod(payment.ACH).SetDirection(payment.Out).
		SetSource(payment.FromSystem).SetClearedDate(t.today()).SetInitiatedAt(t.At()).Save(ctx)
	if err != nil {
		return 0, err
	}
	alsoMade(t, "payment", row)
	if err := t.covered(ctx, row); err != nil {
		return 0, err
	}
	return row.ID, t.postPaid(ctx, d, row)
}

// itemMove is where staff move an item, and why.
type itemMove struct {
	to     payoutitem.Status
	reason *string
}

// moveItem holds an item back, releases it or says that its transfer failed. What a syndicator got for several items at once
// fails for all of them; what was paid is taken back in the books.
func (t *tx) moveItem(ctx context.Context, id int, m itemMove) (*ent.PayoutItem, error) {
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
		return nil, fault.Conflictf("The item has just moved to another payout.")
	}
	before := items[at]
	if before.Status == m.to && equalValues(nullable(before.HeldReason), nullable(m.reason)) {
		return before, nil
	}
	if before.Status != m.to {
		if err := deal.Items.Check("item", string(before.Status), string(m.to)); err != nil {
			return nil, err
		}
	}
	with := []*ent.PayoutItem{before}
	if m.to == payoutitem.StatusFAILED && before.Status == payoutitem.StatusPAID {
		if with, err = t.takePaidBack(ctx, before); err != nil {
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
	return changedCopy(t, before, changes), nil
}

// takePaidBack undoes the payment of an item, and returns all items that were paid with it, as they are then. A payment to
// a syndicator has bounced; of a commission the entry is reversed.
func (t *tx) takePaidBack(ctx context.Context, item *ent.PayoutItem) ([]*ent.PayoutItem, error) {
	if item.PaymentID == nil {
		return []*ent.PayoutItem{item}, t.reversePayoutOf(ctx, item)
	}
	d, p, err := t.lockPayment(ctx, *item.PaymentID)
	if err != nil {
		return nil, err
	}
	after, err := t.changePayment(ctx, d, p, PaymentUpdate{PaymentFields: PaymentFields{Status: Some(payment.Bounced)}})
	if err != nil {
		return nil, err
	}
	if after != p {
		alsoChanged(t, "payment", p, after)
	}
	return t.PayoutItem.Query().Where(payoutitem.PaymentID(p.ID), locked).Order(payoutitem.ByID()).All(ctx)
}

// failItemsOf has the items of batches follow when a payment that paid them comes back. A batch that was PAID is PARTIAL.
func (t *tx) failItemsOf(ctx context.Context, p *ent.Payment) error {
	batches, err := t.PayoutBatch.Query().Where(payoutbatch.HasItemsWith(payoutitem.TenantID(t.actor.TenantID),
		payoutitem.PaymentID(p.ID)), locked).Order(payoutbatch.ByID()).All(ctx)
	if err != nil || len(batches) == 0 {
		return err
	}
	items, err := t.PayoutItem.Query().Where(payoutitem.PaymentID(p.ID), payoutitem.StatusEQ(payoutitem.StatusPAID), locked).
		Order(payoutitem.ByID()).All(ctx)
	if err != nil {
		return err
	}
	if err := t.setItems(ctx, items, columnChange{payoutitem.FieldStatus, payoutitem.StatusFAILED},
		columnChange{payoutitem.FieldHeldReason, "The transfer came back."}); err != nil {
		return err
	}
	batches = slices.DeleteFunc(batches, func(b *ent.PayoutBatch) bool { return b.Status != payoutbatch.StatusPAID })
	return t.setBatches(ctx, batches, payoutbatch.StatusPARTIAL)
}

func (t *tx) setBatches(ctx context.Context, batches []*ent.PayoutBatch, to payoutbatch.Status) error {
	return allStored(ctx, t, "payoutBatch", batches, []columnChange{{payoutbatch.FieldStatus, to}},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.PayoutBatch.Update().Where(payoutbatch.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

// reversePayoutOf reverses the entry by which a commission was paid out.
func (t *tx) reversePayoutOf(ctx context.Context, item *ent.PayoutItem) error {
	paid, err := t.Journal.Query().Where(dealOfJournal(item.DealID), journal.KindEQ(ledger.Payout), journal.PaymentIDIsNil(),
		journal.ReversesIDIsNil(), journal.Not(journal.HasReversals()),
		journal.HasPostingsWith(entposting.TenantID(t.actor.TenantID), entposting.Account(string(ledger.CommissionPayable)),
			entposting.AmountEQ(item.Amount))).
		WithPostings().Order(journal.ByID()).First(ctx)
	if err != nil {
		return fmt.Errorf("payout of item %d: %w", item.ID, err)
	}
	return t.post(ctx, posting{deal: item.DealID, reverses: []int{paid.ID}, entries: []ledger.Entry{ledger.Reverse(entryOf(paid))}})
}

func dealOfJournal(id *int) predicate.Journal {
	if id == nil {
		return journal.DealIDIsNil()
	}
	return journal.DealID(*id)
}
