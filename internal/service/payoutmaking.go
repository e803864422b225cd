package service

import (
	"context"
	"slices"

	"paydown/ent"
	"paydown/ent/account"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/ent/predicate"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/ledger"
)

// NewPayout is what a batch is made of.
type NewPayout struct {
	Kind       Opt[payoutbatch.Kind] `json:"kind" need:"create"`
	PeriodFrom Opt[civil.Date]       `json:"periodFrom" need:"create" doc:"First day of the period"`
	PeriodTo   Opt[civil.Date]       `json:"periodTo" need:"create" doc:"Last day of the period"`
}

// Make drafts a batch.
//
// PARTICIPATION has a line for each syndicator's share of each payment that cleared in the period and has been held for
// HoldDays banking days; a negative line for each share that was paid out and whose payment came back since; a line
// without a payment for what was trued up besides; and the lines that earlier batches carried.
//
// COMMISSION has the commissions that earlier batches hold back and whose risk of a clawback ends in the period, and the
// lines that earlier batches carried. Those of deals that fund come into the draft of their month by themselves.
//
// Where there is nothing new to pay out, and what was carried comes to nothing that can be paid, it is a conflict. What is in
// one batch is in no other, however many are made at a time. It needs the permission payouts.make.
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
	if kind == payoutbatch.KindPARTICIPATION {
		fill = t.fillAllShares
	}
	create := t.PayoutBatch.Create().SetKind(kind).SetPeriodFrom(from).SetPeriodTo(to)
	if t.actor.IsUser() {
		create.SetCreatedByUserID(t.actor.ID)
	}
	return fill(ctx, create, from, to)
}

// inTurn has writes that lock the same account run one after the other.
func (t *tx) inTurn(ctx context.Context, code ledger.Account) error {
	_, err := t.Account.Query().Where(account.Code(string(code)), locked).Only(ctx)
	return err
}

// fillCommissions makes the batch of what earlier ones hold back of commissions whose risk ends in the period.
func (t *tx) fillCommissions(
	ctx context.Context, create *ent.PayoutBatchCreate, from, to civil.Date,
) (*ent.PayoutBatch, error) {
	held, err := t.lockHeld(ctx, payoutbatch.KindCOMMISSION,
		payoutitem.ClawbackRiskAtGTE(from.Midnight(t.zone())), payoutitem.ClawbackRiskAtLT(to.AddDays(1).Midnight(t.zone())))
	if err == nil {
		err = t.inTurn(ctx, ledger.CommissionPayable)
	}
	if err != nil {
		return nil, err
	}
	if len(held) == 0 {
		if pays, err := t.paysCarried(ctx, payoutbatch.KindCOMMISSION); err != nil || !pays {
			return nil, err
		}
	}
	batch, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.record("payoutBatch.create", "payoutBatch", batch.ID, nil, nil, batch)
	if err := t.carry(ctx, held); err != nil {
		return nil, err
	}
	return batch, t.takeCarried(ctx, batch)
}

// fillAllShares makes the batch of what all syndicators are due.
func (t *tx) fillAllShares(
	ctx context.Context, create *ent.PayoutBatchCreate, from, to civil.Date,
) (*ent.PayoutBatch, error) {
	if err := t.inTurn(ctx, ledger.SyndicatorPayable); err != nil {
		return nil, err
	}
	due, err := t.sharesDue(ctx, from, to)
	if err != nil {
		return nil, err
	}
	return t.fillShares(ctx, create, due)
}

// fillShares makes the batch of shares that are due, with what earlier ones left, of those that the predicates name.
func (t *tx) fillShares(
	ctx context.Context, create *ent.PayoutBatchCreate, due []share, which ...predicate.PayoutItem,
) (*ent.PayoutBatch, error) {
	if len(due) == 0 {
		if pays, err := t.paysCarried(ctx, payoutbatch.KindPARTICIPATION, which...); err != nil || !pays {
			return nil, err
		}
	}
	batch, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.record("payoutBatch.create", "payoutBatch", batch.ID, nil, nil, batch)
	rows := make([]*ent.PayoutItemCreate, len(due))
	for i, share := range due {
		rows[i] = t.PayoutItem.Create().SetBatchID(batch.ID).SetDealID(share.deal).SetSyndicatorID(share.syndicator).
			SetAmount(share.amount).SetNillableReversesID(share.reverses)
		if share.payment != 0 {
			rows[i].SetCollectedPaymentID(share.payment).SetEpisode(share.episode)
		}
	}
	if _, err := t.addItems(ctx, rows); err != nil {
		return nil, err
	}
	held, err := t.lockHeld(ctx, payoutbatch.KindPARTICIPATION, which...)
	if err != nil {
		return nil, err
	}
	if err := t.carry(ctx, held); err != nil {
		return nil, err
	}
	return batch, t.takeCarried(ctx, batch, which...)
}

// addItems stores new lines of a batch.
func (t *tx) addItems(ctx context.Context, rows []*ent.PayoutItemCreate) ([]*ent.PayoutItem, error) {
	var items []*ent.PayoutItem
	for part := range slices.Chunk(rows, rowsAtOnce) {
		made, err := t.PayoutItem.CreateBulk(part...).Save(ctx)
		if err != nil {
			return nil, err
		}
		alsoMade(t, "payoutItem", made...)
		items = append(items, made...)
	}
	return items, nil
}
