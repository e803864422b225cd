package service

import (
	"cmp"
	"context"
	"slices"

	"paydown/ent"
	"paydown/ent/account"
	"paydown/ent/journal"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	entposting "paydown/ent/posting"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/schedule"
)

// HoldDays is how many banking days a payment that was taken is held before its shares are paid out: by then most of what
// comes back has come back. It is a decision of ours.
const HoldDays = 5

// NewPayout is what a batch is made of.
type NewPayout struct {
	Kind       Opt[payoutbatch.Kind] `json:"kind" need:"create"`
	PeriodFrom Opt[civil.Date]       `json:"periodFrom" need:"create" doc:"First day of the period"`
	PeriodTo   Opt[civil.Date]       `json:"periodTo" need:"create" doc:"Last day of the period"`
}

// Make drafts a batch. PARTICIPATION has an item for each syndicator's share of each payment that was taken in the period,
// has been held for HoldDays banking days and has not come back, and a negative one for each share that an earlier batch
// has and whose payment came back; what was trued up besides is an item without a payment, and what earlier batches hold
// back by themselves moves into it. COMMISSION has the
// commissions that earlier batches hold back, of which the risk of a clawback ends in the period: those of deals that fund
// come into the draft of their month by themselves. Where there is nothing to pay out it is a conflict, and what is in one
// batch is in no other, however many are made at a time. It needs the permission payouts.make.
func (s Payouts) Make(ctx context.Context, in NewPayout) (*ent.PayoutBatch, error) {
	if _, err := entitled(ctx, auth.MakePayouts); err != nil {
		return nil, err
	}
	problems := Check(in, ForCreate)
	from, to := in.PeriodFrom.Or(civil.Date{}), in.PeriodTo.Or(civil.Date{})
	if in.PeriodFrom.Given() && in.PeriodTo.Given() && to.Before(from) {
		problems = mergeProblems(problems, []fault.Detail{{Path: "periodTo", Message: "must not be before periodFrom"}})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return write(ctx, s.core, auth.Write("payouts"), func(ctx context.Context, t *tx) (*ent.PayoutBatch, error) {
		batch, err := t.makeBatch(ctx, in.Kind.Or(""), from, to)
		if err == nil && batch == nil {
			err = fault.Conflictf("There is nothing to pay out of that period.").
				With("periodTo", "leaves nothing that could be paid out")
		}
		return batch, err
	})
}

// makeBatch drafts the batch of a period; nil where it would be empty.
func (t *tx) makeBatch(ctx context.Context, kind payoutbatch.Kind, from, to civil.Date) (*ent.PayoutBatch, error) {
	fill := t.fillCommissions
	owed := ledger.CommissionPayable
	if kind == payoutbatch.KindPARTICIPATION {
		fill, owed = t.fillShares, ledger.SyndicatorPayable
	}
	// Batches of a kind are made one after the other.
	if _, err := t.Account.Query().Where(account.Code(string(owed)), locked).Only(ctx); err != nil {
		return nil, err
	}
	create := t.PayoutBatch.Create().SetKind(kind).SetPeriodFrom(from).SetPeriodTo(to)
	if t.actor.IsUser() {
		create.SetCreatedByUserID(t.actor.ID)
	}
	return fill(ctx, create, from, to)
}

// fillCommissions makes the batch of what earlier ones hold back of commissions whose risk ends in the period.
func (t *tx) fillCommissions(
	ctx context.Context, create *ent.PayoutBatchCreate, from, to civil.Date,
) (*ent.PayoutBatch, error) {
	held, err := t.lockHeld(ctx, payoutitem.SyndicatorIDIsNil(),
		payoutitem.ClawbackRiskAtGTE(from.Midnight(t.zone())), payoutitem.ClawbackRiskAtLT(to.AddDays(1).Midnight(t.zone())))
	if err != nil || len(held) == 0 {
		return nil, err
	}
	batch, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.record("payoutBatch.create", "payoutBatch", batch.ID, nil, nil, batch)
	return batch, t.moveHeld(ctx, held, batch)
}

// fillShares makes the batch of what syndicators are due.
func (t *tx) fillShares(ctx context.Context, create *ent.PayoutBatchCreate, from, to civil.Date) (*ent.PayoutBatch, error) {
	due, err := t.sharesDue(ctx, from, to)
	if err != nil {
		return nil, err
	}
	rest, err := t.restDue(ctx, to)
	if err != nil || len(due)+len(rest) == 0 {
		return nil, err
	}
	batch, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.record("payoutBatch.create", "payoutBatch", batch.ID, nil, nil, batch)
	rows := make([]*ent.PayoutItemCreate, 0, len(due)+len(rest))
	for _, share := range due {
		rows = append(rows, t.PayoutItem.Create().SetBatchID(batch.ID).SetDealID(share.deal).SetSyndicatorID(share.syndicator).
			SetAmount(share.amount).SetCollectedPaymentID(share.payment).SetEpisode(share.episode).
			SetNillableReversesID(share.reverses))
	}
	for _, share := range rest {
		rows = append(rows, t.PayoutItem.Create().SetBatchID(batch.ID).SetDealID(share.deal).SetSyndicatorID(share.syndicator).
			SetAmount(share.amount))
	}
	for part := range slices.Chunk(rows, rowsAtOnce) {
		made, err := t.PayoutItem.CreateBulk(part...).Save(ctx)
		if err != nil {
			return nil, err
		}
		alsoMade(t, "payoutItem", made...)
	}
	held, err := t.lockHeld(ctx, payoutitem.SyndicatorIDNotNil())
	if err != nil {
		return nil, err
	}
	return batch, t.moveHeld(ctx, held, batch)
}

// restDue is, by deal and syndicator, what is payable and no single payment made: cents that were trued up after a return,
// surplus that went to a reopened receivable, what the house makes good of a loss. Of that, what no batch has yet.
func (t *tx) restDue(ctx context.Context, to civil.Date) ([]share, error) {
	sums, err := t.UnsharedCents(ctx, t.actor.TenantID, string(ledger.SyndicatorPayable), to.AddDays(1).Midnight(t.zone()))
	if err != nil || len(sums) == 0 {
		return nil, err
	}
	items, err := t.PayoutItem.Query().Where(payoutitem.SyndicatorIDNotNil(), payoutitem.CollectedPaymentIDIsNil()).All(ctx)
	if err != nil {
		return nil, err
	}
	inBatches := map[party]money.Amount{}
	for _, item := range items {
		inBatches[partyOf(item)] = inBatches[partyOf(item)].Add(item.Amount)
	}
	var due []share
	for _, s := range sums {
		left := money.Cents(-s.Cents).Sub(inBatches[party{s.DealID, s.SyndicatorID}])
		if !left.IsZero() {
			due = append(due, share{shareKey: shareKey{syndicator: s.SyndicatorID}, deal: s.DealID, amount: left})
		}
	}
	return due, nil
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

// sharesDue are the shares that no batch has yet, and those that have to come back. The day of a payment is that on which
// it was booked.
func (t *tx) sharesDue(ctx context.Context, from, to civil.Date) ([]share, error) {
	lines, err := t.Posting.Query().Where(entposting.AccountEQ(string(ledger.SyndicatorPayable)), entposting.SyndicatorIDNotNil(),
		entposting.PaymentIDNotNil(), entposting.KindNEQ(ledger.Payout), entposting.HasJournalWith(
			journal.TenantID(t.actor.TenantID), journal.KindNEQ(ledger.Payout), journal.EpisodeNotNil(),
			journal.OccurredAtGTE(from.Midnight(t.zone())))).
		WithJournal().WithPayment().Order(entposting.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	inBatches, err := t.sharesInBatches(ctx, lines)
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
			!t.mayBePaidOut(civil.On(j.OccurredAt, t.zone()), to) {
			continue
		}
		if sums[key] == nil {
			sums[key] = &share{shareKey: key, deal: *l.DealID}
		}
		sums[key].amount = sums[key].amount.Sub(l.Amount)
	}
	var due []share
	for key, sum := range sums {
		if !returned[key] && inBatches[key] == nil && sum.amount.Sign() > 0 {
			due = append(due, *sum)
		}
	}
	for key := range returned {
		if item := inBatches[key]; item != nil {
			due = append(due, share{shareKey: key, deal: *item.DealID, amount: item.Amount.Neg(), reverses: &item.ID})
		}
	}
	slices.SortFunc(due, func(a, b share) int {
		return cmp.Or(cmp.Compare(a.deal, b.deal), cmp.Compare(a.syndicator, b.syndicator), cmp.Compare(a.payment, b.payment),
			cmp.Compare(a.episode, b.episode), a.amount.Cmp(b.amount))
	})
	return due, nil
}

// mayBePaidOut reports whether the shares of what was taken on a day go into a batch of a period that ends on another.
func (t *tx) mayBePaidOut(taken, to civil.Date) bool {
	return !taken.After(to) && !schedule.AddBankingDays(taken, HoldDays).After(t.today())
}

// sharesInBatches are the items that batches have of the shares which the lines are about, but for those that another item
// has taken back.
func (t *tx) sharesInBatches(ctx context.Context, lines []*ent.Posting) (map[shareKey]*ent.PayoutItem, error) {
	payments := make([]int, len(lines))
	for i, l := range lines {
		payments[i] = *l.PaymentID
	}
	slices.Sort(payments)
	found := map[shareKey]*ent.PayoutItem{}
	for part := range slices.Chunk(slices.Compact(payments), rowsAtOnce) {
		items, err := t.PayoutItem.Query().Where(payoutitem.SyndicatorIDNotNil(), payoutitem.CollectedPaymentIDIn(part...)).
			Order(payoutitem.ByID()).All(ctx)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			key := shareKey{*item.CollectedPaymentID, *item.Episode, *item.SyndicatorID}
			if item.ReversesID != nil {
				found[key] = nil
			} else {
				found[key] = item
			}
		}
	}
	return found, nil
}
