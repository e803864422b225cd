package service

import (
	"cmp"
	"context"
	"slices"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/ent/journal"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	entposting "paydown/ent/posting"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// DraftDistribution makes the batch of what syndicators are to get of a period: an item for each of their shares of a
// payment that cleared in it and was not returned since, and a negative one for each share that was paid out and has been
// returned. What an earlier batch holds back for the same party moves into it. Where there is nothing it returns 0.
func (s Seeds) DraftDistribution(ctx context.Context, from, to civil.Date) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		due, err := t.sharesDue(ctx, from, to)
		if err != nil || len(due) == 0 {
			return 0, err
		}
		batch, err := t.PayoutBatch.Create().SetKind(payoutbatch.KindPARTICIPATION).SetPeriodFrom(from).SetPeriodTo(to).Save(ctx)
		if err != nil {
			return 0, err
		}
		rows := make([]*ent.PayoutItemCreate, len(due))
		for i, share := range due {
			rows[i] = t.PayoutItem.Create().SetBatchID(batch.ID).SetDealID(share.deal).SetSyndicatorID(share.syndicator).
				SetAmount(share.amount).SetCollectedPaymentID(share.payment).SetEpisode(share.episode).
				SetNillableReversesID(share.reverses)
		}
		for part := range slices.Chunk(rows, rowsAtOnce) {
			made, err := t.PayoutItem.CreateBulk(part...).Save(ctx)
			if err != nil {
				return 0, err
			}
			alsoMade(t, "payoutItem", made...)
		}
		if err := t.moveHeld(ctx, batch); err != nil {
			return 0, err
		}
		t.record("payoutBatch.create", "payoutBatch", batch.ID, nil, nil, batch)
		return batch.ID, nil
	})
}

// shareKey names a syndicator's share of a payment in one of its paid episodes.
type shareKey struct{ payment, episode, syndicator int }

// share is such a share, and what it comes to; reverses is the item that it takes back, if any.
type share struct {
	shareKey
	deal     int
	amount   money.Amount
	reverses *int
}

func (t *tx) sharesDue(ctx context.Context, from, to civil.Date) ([]share, error) {
	items, err := t.PayoutItem.Query().Where(payoutitem.SyndicatorIDNotNil(), payoutitem.CollectedPaymentIDNotNil()).
		Order(payoutitem.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	paidOut := map[shareKey]*ent.PayoutItem{}
	for _, item := range items {
		key := shareKey{*item.CollectedPaymentID, *item.Episode, *item.SyndicatorID}
		if item.ReversesID != nil {
			delete(paidOut, key)
		} else {
			paidOut[key] = item
		}
	}
	lines, err := t.Posting.Query().Where(entposting.AccountEQ(string(ledger.SyndicatorPayable)), entposting.SyndicatorIDNotNil(),
		entposting.PaymentIDNotNil(), entposting.KindNEQ(ledger.Payout), entposting.HasJournalWith(
			journal.TenantID(t.actor.TenantID), journal.KindNEQ(ledger.Payout), journal.EpisodeNotNil(),
			journal.OccurredAtGTE(from.Midnight(t.zone())))).
		WithJournal().WithPayment().Order(entposting.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	sums, returned := map[shareKey]*share{}, map[shareKey]bool{}
	for _, l := range lines {
		j := l.Edges.Journal
		key := shareKey{*l.PaymentID, *j.Episode, *l.SyndicatorID}
		if j.ReversesID != nil {
			returned[key] = true
			continue
		}
		if l.Edges.Payment.Direction == nil || *l.Edges.Payment.Direction != payment.In || l.DealID == nil ||
			!j.OccurredAt.Before(to.AddDays(1).Midnight(t.zone())) {
			continue
		}
		if sums[key] == nil {
			sums[key] = &share{shareKey: key, deal: *l.DealID}
		}
		sums[key].amount = sums[key].amount.Sub(l.Amount)
	}
	var due []share
	for key, sum := range sums {
		if !returned[key] && paidOut[key] == nil && sum.amount.Sign() > 0 {
			due = append(due, *sum)
		}
	}
	for key := range returned {
		if item := paidOut[key]; item != nil {
			due = append(due, share{shareKey: key, deal: *item.DealID, amount: item.Amount.Neg(), reverses: &item.ID})
		}
	}
	slices.SortFunc(due, func(a, b share) int {
		return cmp.Or(cmp.Compare(a.deal, b.deal), cmp.Compare(a.syndicator, b.syndicator), cmp.Compare(a.payment, b.payment),
			cmp.Compare(a.episode, b.episode), a.amount.Cmp(b.amount))
	})
	return due, nil
}

// moveHeld takes what earlier distributions hold back into a new one.
func (t *tx) moveHeld(ctx context.Context, batch *ent.PayoutBatch) error {
	held, err := t.PayoutItem.Query().Where(payoutitem.SyndicatorIDNotNil(), payoutitem.StatusEQ(payoutitem.StatusHELD), locked).
		Order(payoutitem.ByID()).All(ctx)
	if err != nil || len(held) == 0 {
		return err
	}
	if err := t.setItems(ctx, held, columnChange{payoutitem.FieldBatchID, batch.ID},
		columnChange{payoutitem.FieldStatus, payoutitem.StatusPENDING}); err != nil {
		return err
	}
	emptied, err := t.PayoutBatch.Query().Where(payoutbatch.KindEQ(payoutbatch.KindPARTICIPATION),
		payoutbatch.StatusEQ(payoutbatch.StatusPARTIAL),
		payoutbatch.Not(payoutbatch.HasItemsWith(payoutitem.TenantID(t.actor.TenantID),
			payoutitem.StatusIn(payoutitem.StatusHELD, payoutitem.StatusFAILED))), locked).Order(payoutbatch.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return allStored(ctx, t, "payoutBatch", emptied, []columnChange{{payoutbatch.FieldStatus, payoutbatch.StatusPAID}},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.PayoutBatch.Update().Where(payoutbatch.IDIn(ids...))
			return update.Mutation(), update.Save
		})
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

// ApprovePayout approves the drafted batch of a period; where there is none it returns 0.
func (s Seeds) ApprovePayout(ctx context.Context, kind payoutbatch.Kind, from, to civil.Date) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		before, err := t.batchOf(ctx, kind, from, to)
		if before == nil || err != nil {
			return 0, err
		}
		if before.Status != payoutbatch.StatusDRAFT {
			return 0, fault.Conflictf("A batch that is %s is not approved any more.", before.Status)
		}
		return before.ID, t.moveBatch(ctx, before, payoutbatch.StatusAPPROVED, payoutbatch.FieldApprovedAt)
	})
}

// batchOf is the batch of a period, locked; nil where there is none.
func (t *tx) batchOf(ctx context.Context, kind payoutbatch.Kind, from, to civil.Date) (*ent.PayoutBatch, error) {
	row, err := t.PayoutBatch.Query().Where(payoutbatch.KindEQ(kind), payoutbatch.PeriodFrom(from), payoutbatch.PeriodTo(to),
		locked).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return row, err
}

func (t *tx) moveBatch(ctx context.Context, before *ent.PayoutBatch, to payoutbatch.Status, stamp string) error {
	update := t.PayoutBatch.Update().Where(payoutbatch.ID(before.ID))
	after, err := stored(ctx, t, before, []columnChange{{payoutbatch.FieldStatus, to}, {stamp, t.At()}},
		update.Mutation(), update.Save)
	if err == nil {
		t.record("payoutBatch.update", "payoutBatch", before.ID, nil, before, after)
	}
	return err
}

// PayPayout pays what can be paid of the approved batch of a period, and holds the rest back: commissions that a default
// would still take back, and shares of a syndicator in a deal that come to nothing altogether. The batch is PAID then, or
// PARTIAL, and what is left of it is paid by a later call; one of which nothing could be paid stays APPROVED. failing has
// the bank send one transfer back to a syndicator's account. Where there is no batch it returns 0.
func (s Seeds) PayPayout(ctx context.Context, kind payoutbatch.Kind, from, to civil.Date, failing bool) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		batch, err := t.batchOf(ctx, kind, from, to)
		if batch == nil || err != nil {
			return 0, err
		}
		if batch.Status == payoutbatch.StatusPAID {
			return 0, nil
		}
		if batch.Status == payoutbatch.StatusDRAFT {
			return 0, fault.Conflictf("A batch is paid once it is approved.")
		}
		open, err := t.PayoutItem.Query().Where(payoutitem.BatchID(batch.ID),
			payoutitem.StatusIn(payoutitem.StatusPENDING, payoutitem.StatusHELD), locked).Order(payoutitem.ByID()).All(ctx)
		if err != nil {
			return 0, err
		}
		var paid, left int
		if kind == payoutbatch.KindPARTICIPATION {
			paid, left, err = t.distribute(ctx, open, failing)
		} else {
			paid, left, err = t.payCommissions(ctx, open)
		}
		switch {
		case err != nil:
			return 0, err
		case left == 0:
			return batch.ID, t.moveBatch(ctx, batch, payoutbatch.StatusPAID, payoutbatch.FieldPaidAt)
		case paid > 0:
			return batch.ID, t.moveBatch(ctx, batch, payoutbatch.StatusPARTIAL, payoutbatch.FieldPaidAt)
		}
		t.record("payoutBatch.update", "payoutBatch", batch.ID, nil, batch, batch)
		return batch.ID, nil
	})
}

// payCommissions pays the commissions that are not at risk any more, and counts those and the rest.
func (t *tx) payCommissions(ctx context.Context, open []*ent.PayoutItem) (paid, left int, err error) {
	var due, kept []*ent.PayoutItem
	for _, item := range open {
		if item.ClawbackRiskAt != nil && item.ClawbackRiskAt.After(t.At()) {
			kept = append(kept, item)
			continue
		}
		entries, err := ledger.PayISO(item.Amount)
		if err != nil {
			return 0, 0, err
		}
		if err := t.post(ctx, posting{deal: item.DealID, entries: entries}); err != nil {
			return 0, 0, err
		}
		due = append(due, item)
	}
	if err := t.setItems(ctx, due, columnChange{payoutitem.FieldStatus, payoutitem.StatusPAID}); err != nil {
		return 0, 0, err
	}
	return len(due), len(kept), t.setItems(ctx, kept, columnChange{payoutitem.FieldStatus, payoutitem.StatusHELD})
}

// distribute pays each syndicator the sum of its shares of each deal, where it is more than nothing, and counts the sums
// that it paid and the rest. failing has the last of several transfers fail.
func (t *tx) distribute(ctx context.Context, open []*ent.PayoutItem, failing bool) (paid, left int, err error) {
	type party struct{ deal, syndicator int }
	shares := map[party][]*ent.PayoutItem{}
	var parties []party
	for _, item := range open {
		p := party{*item.DealID, *item.SyndicatorID}
		if shares[p] == nil {
			parties = append(parties, p)
		}
		shares[p] = append(shares[p], item)
	}
	slices.SortFunc(parties, func(a, b party) int {
		return cmp.Or(cmp.Compare(a.deal, b.deal), cmp.Compare(a.syndicator, b.syndicator))
	})
	for i, p := range parties {
		var sum money.Amount
		for _, item := range shares[p] {
			sum = sum.Add(item.Amount)
		}
		changes := []columnChange{{payoutitem.FieldStatus, payoutitem.StatusPAID}}
		switch {
		case sum.Sign() <= 0:
			left++
			changes[0].value = payoutitem.StatusHELD
		case failing && paid > 0 && i == len(parties)-1:
			left++
			changes[0].value = payoutitem.StatusFAILED
		default:
			paid++
			id, err := t.paySyndicator(ctx, p.deal, p.syndicator, sum)
			if err != nil {
				return 0, 0, err
			}
			changes = append(changes, columnChange{payoutitem.FieldPaymentID, id})
		}
		if err := t.setItems(ctx, shares[p], changes...); err != nil {
			return 0, 0, err
		}
	}
	return paid, left, nil
}

// paySyndicator records a payout that is PAID and returns its id.
func (t *tx) paySyndicator(ctx context.Context, dealID, syndicatorID int, amount money.Amount) (int, error) {
	d, err := t.lockDeal(ctx, dealID)
	if err != nil {
		return 0, err
	}
	row, err := t.Payment.Create().SetDealID(dealID).SetSyndicatorID(syndicatorID).SetType(payment.ParticipationPayout).
		SetAmount(amount).SetStatus(payment.Paid).SetEpisode(1).SetMethod(payment.ACH).SetDirection(payment.Out).
		SetSource(t.source()).SetClearedDate(t.today()).SetInitiatedAt(t.At()).Save(ctx)
	if err != nil {
		return 0, err
	}
	alsoMade(t, "payment", row)
	return row.ID, t.postPaid(ctx, d, row)
}
