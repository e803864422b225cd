package servicing

import (
	"cmp"
	"context"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/bouncecode"
	"paydown/ent/collectionhold"
	"paydown/ent/payment"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/payment"
	"paydown/internal/service/collections"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// This file handles the consequences of a returned payment by the tenant's table of return codes: a collection
// hold and a fee. They are the same whoever records the return and whenever the code becomes known.

// returned posts the return of a payment and applies its return code. The hold comes first, so that a deal that
// the return reopens is not scheduled for debits.
func returned(ctx context.Context, t *unit.Tx, d *ent.Deal, before, p *ent.Payment) error {
	code, err := codeOf(ctx, t, p)
	if err != nil {
		return err
	}
	if err := openHolds(ctx, t, d, p, code); err != nil {
		return err
	}
	if err := postBounced(ctx, t, d, before, p); err != nil {
		return err
	}
	return chargeReturn(ctx, t, d, p, code)
}

// recoded applies the return code of a BOUNCED payment whose code was added or corrected. A pending fee for the
// previous code is canceled; a hold stays until it is released.
func recoded(ctx context.Context, t *unit.Tx, d *ent.Deal, before, p *ent.Payment) error {
	sameCode := input.EqualValues(input.Nullable(before.BounceCodeID), input.Nullable(p.BounceCodeID))
	if p.Status != payment.Bounced || sameCode {
		return nil
	}
	code, err := codeOf(ctx, t, p)
	if err != nil {
		return err
	}
	if err := openHolds(ctx, t, d, p, code); err != nil {
		return err
	}
	if err := cancelReturnFees(ctx, t, p); err != nil {
		return err
	}
	paid, err := t.Payment.Query().Where(entpayment.FeeForID(p.ID), entpayment.StatusNEQ(payment.Cancelled),
		entpayment.CreatedAtGTE(orZeroTime(p.ReturnedAt))).Exist(ctx)
	if err != nil || paid {
		return err
	}
	return chargeReturn(ctx, t, d, p, code)
}

func orZeroTime(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return *at
}

// codeOf returns the return code of a collection; nil if it is not known or the payment was outgoing.
func codeOf(ctx context.Context, t *unit.Tx, p *ent.Payment) (*ent.BounceCode, error) {
	if p.BounceCodeID == nil || payment.DirectionOf(p.Type) != payment.In || p.Amount.Sign() <= 0 {
		return nil, nil //nolint:nilnil // no consequences
	}
	return t.BounceCode.Query().Where(bouncecode.ID(*p.BounceCodeID)).Only(ctx)
}

// openHolds opens the holds that a return requires.
func openHolds(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, code *ent.BounceCode) error {
	if code == nil {
		return nil
	}
	if reason, held := code.Action.Hold(); held {
		if err := collections.OpenHold(ctx, t, d, reason, code.Code, p); err != nil {
			return err
		}
	}
	if !code.Retryable {
		return nil
	}
	if many, err := tooManyReturns(ctx, t, d, p); err != nil || !many {
		return err
	}
	return collections.OpenHold(ctx, t, d, payment.HoldReturns, code.Code, p)
}

// tooManyReturns reports whether the return pauses the deal, by payment.TooManyReturns. Returns before staff
// last released such a hold do not count again.
func tooManyReturns(ctx context.Context, t *unit.Tx, d *ent.Deal, latest *ent.Payment) (bool, error) {
	rows, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.DirectionEQ(payment.In),
		entpayment.StatusIn(payment.Paid, payment.Bounced), entpayment.TypeNEQ(payment.EPODiscount),
		entpayment.Or(entpayment.MethodIsNil(), entpayment.MethodEQ(payment.ACH))).WithBounceCode().All(ctx)
	if err != nil {
		return false, err
	}
	resumed, err := t.CollectionHold.Query().
		Where(collectionhold.DealID(d.ID), collectionhold.ReasonEQ(payment.HoldReturns),
			collectionhold.ReleasedAtNotNil()).
		Order(collectionhold.ByReleasedAt(unit.Descending())).First(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return false, err
	}
	rows = slices.DeleteFunc(rows, func(p *ent.Payment) bool {
		over := resumed != nil && p.ReturnedAt != nil && !p.ReturnedAt.After(*resumed.ReleasedAt)
		return p.ID != latest.ID && p.Status == payment.Bounced && over
	})
	slices.SortFunc(rows, func(a, b *ent.Payment) int {
		return cmp.Or(presentedOn(t, a).Sub(presentedOn(t, b)), cmp.Compare(a.ID, b.ID))
	})
	debits, at := make([]payment.Presentation, len(rows)), -1
	for i, p := range rows {
		debits[i].Cleared = p.Status == payment.Paid
		if p.ReturnedAt != nil {
			debits[i].ReturnedOn = civil.On(*p.ReturnedAt, t.Zone())
		}
		debits[i].Retryable = p.Edges.BounceCode != nil && p.Edges.BounceCode.Retryable
		if p.ID == latest.ID {
			at = i
		}
	}
	return at >= 0 && payment.TooManyReturns(debits, at), nil
}

// presentedOn returns the day on which a debit was presented, as far as it is known.
func presentedOn(t *unit.Tx, p *ent.Payment) civil.Date {
	switch {
	case p.ScheduledDate != nil:
		return *p.ScheduledDate
	case p.InitiatedAt != nil:
		return civil.On(*p.InitiatedAt, t.Zone())
	}
	return civil.On(p.CreatedAt, t.Zone())
}

// chargeReturn creates the fee for a return; a returned fee is not charged for. Like a surcharge, the fee is
// owed at once and has no scheduled date. It is debited by ACH unless the deal is on hold or in default; then
// it must be paid by another method.
func chargeReturn(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, code *ent.BounceCode) error {
	if code == nil || code.Fee == nil || code.Fee.Sign() <= 0 || p.Type.IsFee() {
		return nil
	}
	create := t.Payment.Create().SetDealID(d.ID).SetType(payment.BounceFee).SetAmount(*code.Fee).SetFeeForID(p.ID).
		SetDirection(payment.In).SetSource(payment.FromSystem).SetNote(code.Code + " " + code.Title)
	held, err := collections.OnHold(ctx, t, d.ID)
	if err != nil {
		return err
	}
	if !held && d.State != deal.Defaulted {
		create.SetMethod(payment.ACH)
	}
	created, err := create.Save(ctx)
	if err == nil {
		unit.AlsoCreated(t, "payment", created)
	}
	return err
}

// cancelReturnFees cancels the pending fees for a payment's return.
func cancelReturnFees(ctx context.Context, t *unit.Tx, p *ent.Payment) error {
	return cancel(ctx, t, entpayment.FeeForID(p.ID))
}

// paidAfterAll posts a payment that became PAID. If it had been returned before, the pending fee for the return
// is canceled.
func paidAfterAll(ctx context.Context, t *unit.Tx, d *ent.Deal, before, p *ent.Payment) error {
	if before.Status == payment.Bounced {
		if err := cancelReturnFees(ctx, t, p); err != nil {
			return err
		}
	}
	return postPaid(ctx, t, d, p)
}

// becomesDebit reports whether an update turns a payment into an ACH debit: it was none before, had another
// status, or is new (before is nil).
func becomesDebit(before, next *ent.Payment, to payment.Status) bool {
	if !payment.Debits(to, next.Type, next.Amount, next.Method) {
		return false
	}
	return before == nil || before.Status != to || !payment.Debits(to, before.Type, before.Amount, before.Method)
}

// mayDebit checks a payment that is about to become an ACH debit: the deal must not be on hold, and the retry
// limits must allow it.
func mayDebit(ctx context.Context, t *unit.Tx, before, next *ent.Payment, to payment.Status) error {
	if !becomesDebit(before, next, to) {
		return nil
	}
	path := "method"
	if next.Method == nil || before != nil && before.Status != to {
		path = "status"
	}
	if before == nil {
		return collections.RefuseNewOnHold(ctx, t, next.DealID, path)
	}
	if err := collections.RefuseOnHold(ctx, t, next.DealID, path); err != nil {
		return err
	}
	bounced, err := t.Payment.Query().Where(entpayment.MadeUpByID(before.ID)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return checkRetryLimits(ctx, t, bounced, debitsOn(t, next, to), path)
}
