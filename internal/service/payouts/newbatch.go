package payouts

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
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// NewPayout is the input for creating a payout batch.
type NewPayout struct {
	Kind       input.Opt[payoutbatch.Kind] `json:"kind" need:"create"`
	PeriodFrom input.Opt[civil.Date]       `json:"periodFrom" need:"create" doc:"First day of the period"`
	PeriodTo   input.Opt[civil.Date]       `json:"periodTo" need:"create" doc:"Last day of the period"`
}

// Make drafts a batch.
//
// A PARTICIPATION batch has an item for each syndicator's share of each payment that cleared in the period and
// has been held for HoldDays banking days; a negative item for each share that was paid out before its payment
// was returned; an item without a payment for amounts that were trued up; and the items that earlier batches
// carried.
//
// A COMMISSION batch has the commissions that earlier batches hold back and whose clawback risk ends in the
// period, and the items that earlier batches carried. Commissions of newly funded deals are added to the draft
// of their month automatically.
//
// If there is nothing new to pay out and the carried items do not add up to a payable amount, it is a conflict.
// No item is in two batches, even if several batches are made at the same time. It needs the permission
// payouts.make.
func (s Payouts) Make(ctx context.Context, in NewPayout) (*ent.PayoutBatch, error) {
	if _, err := unit.RequirePermission(ctx, auth.MakePayouts); err != nil {
		return nil, err
	}
	problems := input.Check(in, input.ForCreate)
	from, to := in.PeriodFrom.Or(civil.Date{}), in.PeriodTo.Or(civil.Date{})
	if in.PeriodFrom.Given() && in.PeriodTo.Given() && to.Before(from) {
		problems = input.MergeProblems(problems, []fault.Detail{{Path: "periodTo", Message: "must not be before periodFrom"}})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return unit.Write(ctx, s.core, auth.Write("payouts"), func(ctx context.Context, t *unit.Tx) (*ent.PayoutBatch, error) {
		batch, err := makeBatch(ctx, t, in.Kind.Or(""), from, to)
		if err == nil && batch == nil {
			err = fault.Conflictf("There is nothing to pay out for that period.").
				With("periodTo", "must end a period with something to pay out")
		}
		return batch, err
	})
}

// makeBatch drafts the batch of a period; nil if it would be empty.
func makeBatch(ctx context.Context, t *unit.Tx, kind payoutbatch.Kind, from, to civil.Date) (*ent.PayoutBatch, error) {
	fill := fillCommissions
	if kind == payoutbatch.KindPARTICIPATION {
		fill = fillAllShares
	}
	create := t.PayoutBatch.Create().SetKind(kind).SetPeriodFrom(from).SetPeriodTo(to)
	if t.Actor.IsUser() {
		create.SetCreatedByUserID(t.Actor.ID)
	}
	return fill(ctx, t, create, from, to)
}

// Serialize locks an account, so that writes that lock the same account run one after the other.
func Serialize(ctx context.Context, t *unit.Tx, code ledger.Account) error {
	_, err := t.Account.Query().Where(account.Code(string(code)), unit.Locked).Only(ctx)
	return err
}

// fillCommissions creates the batch of held-back commissions whose clawback risk ends in the period.
func fillCommissions(
	ctx context.Context, t *unit.Tx, create *ent.PayoutBatchCreate, from, to civil.Date,
) (*ent.PayoutBatch, error) {
	held, err := lockHeld(ctx, t, payoutbatch.KindCOMMISSION,
		payoutitem.ClawbackRiskAtGTE(from.Midnight(t.Zone())), payoutitem.ClawbackRiskAtLT(to.AddDays(1).Midnight(t.Zone())))
	if err == nil {
		err = Serialize(ctx, t, ledger.CommissionPayable)
	}
	if err != nil {
		return nil, err
	}
	if len(held) == 0 {
		if pays, err := paysCarried(ctx, t, payoutbatch.KindCOMMISSION); err != nil || !pays {
			return nil, err
		}
	}
	batch, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.Record("payoutBatch.create", "payoutBatch", batch.ID, nil, nil, batch)
	if err := carry(ctx, t, held); err != nil {
		return nil, err
	}
	return batch, TakeCarried(ctx, t, batch)
}

// fillAllShares creates the batch of shares due to all syndicators.
func fillAllShares(
	ctx context.Context, t *unit.Tx, create *ent.PayoutBatchCreate, from, to civil.Date,
) (*ent.PayoutBatch, error) {
	if err := Serialize(ctx, t, ledger.SyndicatorPayable); err != nil {
		return nil, err
	}
	due, err := sharesDue(ctx, t, from, to)
	if err != nil {
		return nil, err
	}
	return fillShares(ctx, t, create, due)
}

// fillShares creates the batch of due shares, with matching items that earlier batches carried.
func fillShares(
	ctx context.Context, t *unit.Tx, create *ent.PayoutBatchCreate, due []share, which ...predicate.PayoutItem,
) (*ent.PayoutBatch, error) {
	if len(due) == 0 {
		if pays, err := paysCarried(ctx, t, payoutbatch.KindPARTICIPATION, which...); err != nil || !pays {
			return nil, err
		}
	}
	batch, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.Record("payoutBatch.create", "payoutBatch", batch.ID, nil, nil, batch)
	rows := make([]*ent.PayoutItemCreate, len(due))
	for i, share := range due {
		rows[i] = t.PayoutItem.Create().SetBatchID(batch.ID).SetDealID(share.deal).SetSyndicatorID(share.syndicator).
			SetAmount(share.amount).SetNillableReversesID(share.reverses)
		if share.payment != 0 {
			rows[i].SetCollectedPaymentID(share.payment).SetEpisode(share.episode)
		}
	}
	if _, err := AddItems(ctx, t, rows); err != nil {
		return nil, err
	}
	held, err := lockHeld(ctx, t, payoutbatch.KindPARTICIPATION, which...)
	if err != nil {
		return nil, err
	}
	if err := carry(ctx, t, held); err != nil {
		return nil, err
	}
	return batch, TakeCarried(ctx, t, batch, which...)
}

// AddItems stores new items of a batch.
func AddItems(ctx context.Context, t *unit.Tx, rows []*ent.PayoutItemCreate) ([]*ent.PayoutItem, error) {
	var items []*ent.PayoutItem
	for part := range slices.Chunk(rows, unit.RowsAtOnce) {
		created, err := t.PayoutItem.CreateBulk(part...).Save(ctx)
		if err != nil {
			return nil, err
		}
		unit.AlsoCreated(t, "payoutItem", created...)
		items = append(items, created...)
	}
	return items, nil
}
