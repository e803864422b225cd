package payouts

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"paydown/ent"
	"paydown/ent/payment"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/schedule"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// This file pays approved batches. A payee's items in a batch are paid as one sum across deals, so a deduction
// on one deal reduces what another deal pays. A negative sum is carried into the payee's next batch.

// payee is a syndicator or a broker.
type payee struct{ syndicator, ISO int }

// PayeeOf returns the payee of an item.
func PayeeOf(item *ent.PayoutItem) payee {
	var p payee
	if item.SyndicatorID != nil {
		p.syndicator = *item.SyndicatorID
	}
	if item.IsoID != nil {
		p.ISO = *item.IsoID
	}
	return p
}

// grouped groups items by key, in key order.
func grouped[K comparable](
	items []*ent.PayoutItem, key func(*ent.PayoutItem) K, order func(a, b K) int,
) ([]K, map[K][]*ent.PayoutItem) {
	var keys []K
	of := map[K][]*ent.PayoutItem{}
	for _, item := range items {
		k := key(item)
		if of[k] == nil {
			keys = append(keys, k)
		}
		of[k] = append(of[k], item)
	}
	slices.SortFunc(keys, order)
	return keys, of
}

func byPayee(a, b payee) int {
	return cmp.Or(cmp.Compare(a.syndicator, b.syndicator), cmp.Compare(a.ISO, b.ISO))
}

// sumOf returns the sum of the items' amounts.
func sumOf(items []*ent.PayoutItem) money.Amount {
	var sum money.Amount
	for _, item := range items {
		sum = sum.Add(item.Amount)
	}
	return sum
}

// isOpen reports whether the item's batch still has to pay it. Keep it in sync with openItem.
func isOpen(item *ent.PayoutItem) bool {
	return item.CarriedAt == nil && (item.Status == payoutitem.StatusPENDING || item.Status == payoutitem.StatusHELD ||
		item.Status == payoutitem.StatusFAILED)
}

// mayBePaid reports whether an item can be paid now: it is PENDING, or the system holds it back.
func mayBePaid(item *ent.PayoutItem) bool {
	return item.CarriedAt == nil && (item.Status == payoutitem.StatusPENDING ||
		item.Status == payoutitem.StatusHELD && item.HeldReason == nil)
}

// payBatch pays what can be paid of an approved batch; only the named items if any are named. It holds back
// items that cannot be paid yet and carries negative sums.
func payBatch(ctx context.Context, t *unit.Tx, by Transfers, id int, named []int) (*ent.PayoutBatch, error) {
	commissions, err := t.PayoutBatch.Query().
		Where(payoutbatch.ID(id), payoutbatch.KindEQ(payoutbatch.KindCOMMISSION)).Exist(ctx)
	if err == nil && commissions {
		err = Serialize(ctx, t, ledger.DueFromISO) // a batch can take deductions from other batches
	}
	if err != nil {
		return nil, err
	}
	batch, items, err := lockBatch(ctx, t, id)
	if err != nil {
		return nil, err
	}
	if batch.Status == payoutbatch.StatusPAID && len(named) == 0 {
		return batch, nil
	}
	if batch.Status == payoutbatch.StatusDRAFT {
		return nil, fault.Conflictf("The payout is DRAFT; approve it before paying it.").
			With("status", "must be APPROVED or PARTIAL")
	}
	if items, err = cancelReturned(ctx, t, items); err != nil {
		return nil, err
	}
	open, err := payable(items, named)
	if err != nil {
		return nil, err
	}
	if commissions {
		// A carried item is replaced in one other batch only.
		if err := Serialize(ctx, t, ledger.CommissionPayable); err != nil {
			return nil, err
		}
		if len(named) == 0 {
			if open, err = holdAtRisk(ctx, t, open); err != nil {
				return nil, err
			}
		}
	}
	if batch.Kind == payoutbatch.KindPARTICIPATION {
		if open, err = holdWithin(ctx, t, open); err != nil {
			return nil, err
		}
	}
	paid := false
	order, of := grouped(open, PayeeOf, byPayee)
	for _, p := range order {
		done, err := payPayee(ctx, t, by, batch, p, of[p])
		if err != nil {
			return nil, err
		}
		paid = paid || done
	}
	return closeBatch(ctx, t, batch, paid)
}

// payable returns the items to pay: the named items if any are named, plus their payees' other items in the
// batch that belong to the sum (all items of a syndicator, the deductions of a broker). A named item that
// cannot be paid is a conflict.
func payable(items []*ent.PayoutItem, named []int) ([]*ent.PayoutItem, error) {
	var open []*ent.PayoutItem
	for _, item := range items {
		if mayBePaid(item) && (len(named) == 0 || slices.Contains(named, item.ID)) {
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
			return nil, fault.UnknownReference(fault.Detail{
				Path: "itemIds." + strconv.Itoa(i), Message: "no such item of this payout",
			})
		case items[at].CarriedAt != nil:
			refused = refused.With("itemIds."+strconv.Itoa(i), "was carried to a later payout")
		case !mayBePaid(items[at]):
			refused = refused.With("itemIds."+strconv.Itoa(i), "is %s", items[at].Status)
		}
	}
	if len(refused.Details) > 0 {
		return nil, refused
	}
	for _, item := range items {
		shares := func(other *ent.PayoutItem) bool {
			return PayeeOf(other) == PayeeOf(item) && (item.SyndicatorID != nil || item.Amount.Sign() < 0)
		}
		if mayBePaid(item) && !slices.Contains(open, item) && slices.ContainsFunc(open, shares) {
			open = append(open, item)
		}
	}
	return open, nil
}

// holdAtRisk holds back commissions that a default would still claw back, and returns the other items.
func holdAtRisk(ctx context.Context, t *unit.Tx, items []*ent.PayoutItem) ([]*ent.PayoutItem, error) {
	var due, atRisk []*ent.PayoutItem
	for _, item := range items {
		if item.ClawbackRiskAt != nil && item.ClawbackRiskAt.After(t.At()) {
			atRisk = append(atRisk, item)
		} else {
			due = append(due, item)
		}
	}
	return due, setItems(ctx, t, atRisk, input.Set(payoutitem.FieldStatus, payoutitem.StatusHELD))
}

// holdWithin holds back shares of payments that are within their holding period again because their cleared date
// changed after the batch was made. It returns the other items.
func holdWithin(ctx context.Context, t *unit.Tx, items []*ent.PayoutItem) ([]*ent.PayoutItem, error) {
	var ids []int
	for _, item := range items {
		if isShare(item) {
			ids = append(ids, *item.CollectedPaymentID)
		}
	}
	within := map[int]int{} // episodes of payments within their holding period, by payment id
	for part := range slices.Chunk(ids, unit.RowsAtOnce) {
		payments, err := t.Payment.Query().Where(entpayment.IDIn(part...), entpayment.ClearedDateNotNil()).All(ctx)
		if err != nil {
			return nil, err
		}
		for _, p := range payments {
			if schedule.AddBankingDays(*p.ClearedDate, HoldDays).After(t.Today()) {
				within[p.ID] = p.Episode
			}
		}
	}
	var due, held []*ent.PayoutItem
	for _, item := range items {
		if isShare(item) && within[*item.CollectedPaymentID] == *item.Episode {
			held = append(held, item)
		} else {
			due = append(due, item)
		}
	}
	if len(held) == 0 {
		return due, nil
	}
	return due, setItems(ctx, t, held, input.Set(payoutitem.FieldStatus, payoutitem.StatusHELD))
}

// isShare reports whether an item is a syndicator's share of a payment.
func isShare(item *ent.PayoutItem) bool {
	return item.CollectedPaymentID != nil && item.ReversesID == nil && item.Amount.Sign() > 0
}

// payPayee pays the sum of a payee's items and reports whether it did. It carries a negative sum, and a sum
// above what the syndicator is owed in total: the overpayment, from a returned payment or a manual payout, is
// deducted in the syndicator's next batch, where these items net against it.
func payPayee(
	ctx context.Context, t *unit.Tx, by Transfers, batch *ent.PayoutBatch, p payee, items []*ent.PayoutItem,
) (bool, error) {
	if p.ISO != 0 {
		setOff, err := takeClawbacks(ctx, t, batch, p.ISO)
		if err != nil {
			return false, err
		}
		items = append(items, setOff...)
	}
	sum := sumOf(items)
	if sum.Sign() < 0 {
		return false, carry(ctx, t, items)
	}
	if p.syndicator == 0 {
		return true, payBroker(ctx, t, p.ISO, items)
	}
	owed, err := books.PayableTo(ctx, t, p.syndicator)
	if err != nil {
		return false, err
	}
	if owed.Less(sum) {
		return false, carry(ctx, t, items)
	}
	return true, distribute(ctx, t, by, batch, p.syndicator, items)
}

// payBroker posts each of a broker's items and marks it as paid.
func payBroker(ctx context.Context, t *unit.Tx, isoID int, items []*ent.PayoutItem) error {
	for _, item := range items {
		entries, err := ledger.PayISO(isoID, item.Amount)
		if err != nil {
			return err
		}
		if err := books.Post(ctx, t, books.Posting{Deal: item.DealID, PayoutItem: &item.ID, Entries: entries}); err != nil {
			return err
		}
	}
	return setItems(ctx, t, items, input.Set(payoutitem.FieldStatus, payoutitem.StatusPAID))
}

// distribute pays a syndicator the sum of its items. Because the ledger is kept by deal, each deal gets its own
// payment for what it adds to the sum or deducts from it. Together they are one transfer.
func distribute(
	ctx context.Context, t *unit.Tx, by Transfers, batch *ent.PayoutBatch, syndicatorID int, items []*ent.PayoutItem,
) error {
	deals, of := grouped(items, func(item *ent.PayoutItem) int { return *item.DealID }, cmp.Compare[int])
	for _, dealID := range deals {
		changes := []input.Change{input.Set(payoutitem.FieldStatus, payoutitem.StatusPAID)}
		if sum := sumOf(of[dealID]); !sum.IsZero() {
			id, err := paySyndicator(ctx, t, by, batch, dealID, syndicatorID, sum)
			if err != nil {
				return err
			}
			changes = append(changes, input.Set(payoutitem.FieldPaymentID, id))
		}
		if err := setItems(ctx, t, of[dealID], changes...); err != nil {
			return err
		}
	}
	return nil
}

// paySyndicator records the PAID payment for a deal's part of a distribution and returns its id. A negative
// amount is a deduction.
func paySyndicator(
	ctx context.Context, t *unit.Tx, by Transfers, batch *ent.PayoutBatch, dealID, syndicatorID int, amount money.Amount,
) (int, error) {
	d, err := books.LockDeal(ctx, t, dealID)
	if err != nil {
		return 0, err
	}
	kind := payment.ParticipationPayout
	if amount.Sign() < 0 {
		kind = payment.ParticipationPayoutAdjustment
	}
	row, err := t.Payment.Create().SetDealID(dealID).SetSyndicatorID(syndicatorID).SetType(kind).
		SetAmount(amount).SetStatus(payment.Paid).SetEpisode(1).SetMethod(payment.ACH).SetDirection(payment.Out).
		SetSource(payment.FromSystem).SetClearedDate(t.Today()).SetInitiatedAt(t.At()).
		SetReferenceID(fmt.Sprintf("Payout %d", batch.ID)).Save(ctx)
	if err != nil {
		return 0, err
	}
	unit.AlsoCreated(t, "payment", row)
	return row.ID, by.Paid(ctx, t, d, row)
}

// closeBatch stores the status of a batch: PAID if nothing is left to pay, PARTIAL if something was paid.
func closeBatch(ctx context.Context, t *unit.Tx, batch *ent.PayoutBatch, paid bool) (*ent.PayoutBatch, error) {
	left, err := t.PayoutItem.Query().Where(payoutitem.BatchID(batch.ID), openItem()).Exist(ctx)
	if err != nil {
		return nil, err
	}
	to := batch.Status
	switch {
	case batch.Status == payoutbatch.StatusDRAFT:
	case !left:
		to = payoutbatch.StatusPAID
	case paid || batch.Status == payoutbatch.StatusPAID:
		to = payoutbatch.StatusPARTIAL
	}
	var changes []input.Change
	if to != batch.Status {
		changes = append(changes, input.Set(payoutbatch.FieldStatus, to))
	}
	if paid {
		changes = append(changes, input.Set(payoutbatch.FieldPaidAt, t.At()))
	}
	if len(changes) == 0 && !t.HasEffects() {
		return batch, nil
	}
	return saveBatch(ctx, t, batch, changes...)
}
