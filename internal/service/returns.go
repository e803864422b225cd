package service

import (
	"cmp"
	"context"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/bouncecode"
	"paydown/ent/collectionhold"
	entpayment "paydown/ent/payment"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/payment"
)

// This file has what follows from the return of a payment, by the company's own data about its code: a hold on the deal's
// debits, and a fee. Whoever records the return, and whenever the code becomes known, the same follows.

// returned books the return of a payment, and does what its code asks for. The hold comes first, so that a deal which the
// return reopens is not scheduled to be debited.
func (t *tx) returned(ctx context.Context, d *ent.Deal, before, p *ent.Payment) error {
	code, err := t.codeOf(ctx, p)
	if err != nil {
		return err
	}
	if err := t.holdBack(ctx, d, p, code); err != nil {
		return err
	}
	if err := t.postBounced(ctx, d, before, p); err != nil {
		return err
	}
	return t.chargeReturn(ctx, d, p, code)
}

// recoded does what the code of a payment that has bounced already asks for, where it was told or corrected just now. A fee
// that was charged by another code and is not under way yet is called off; a hold stays until it is released.
func (t *tx) recoded(ctx context.Context, d *ent.Deal, before, p *ent.Payment) error {
	if p.Status != payment.Bounced || equalValues(nullable(before.BounceCodeID), nullable(p.BounceCodeID)) {
		return nil
	}
	code, err := t.codeOf(ctx, p)
	if err != nil {
		return err
	}
	if err := t.holdBack(ctx, d, p, code); err != nil {
		return err
	}
	if err := t.callOffFees(ctx, p); err != nil {
		return err
	}
	paid, err := t.Payment.Query().Where(entpayment.FeeForID(p.ID), entpayment.StatusNEQ(payment.Cancelled),
		entpayment.CreatedAtGTE(orZeroTime(p.ReturnedAt))).Exist(ctx)
	if err != nil || paid {
		return err
	}
	return t.chargeReturn(ctx, d, p, code)
}

func orZeroTime(at *time.Time) time.Time {
	if at == nil {
		return time.Time{}
	}
	return *at
}

// codeOf is the return code of a collection; nil where it is not known, and for money that went out.
func (t *tx) codeOf(ctx context.Context, p *ent.Payment) (*ent.BounceCode, error) {
	if p.BounceCodeID == nil || payment.DirectionOf(p.Type) != payment.In || p.Amount.Sign() <= 0 {
		return nil, nil //nolint:nilnil // nothing follows
	}
	return t.BounceCode.Query().Where(bouncecode.ID(*p.BounceCodeID)).Only(ctx)
}

// holdBack opens the holds that a return calls for.
func (t *tx) holdBack(ctx context.Context, d *ent.Deal, p *ent.Payment, code *ent.BounceCode) error {
	if code == nil {
		return nil
	}
	if reason, held := code.Action.Hold(); held {
		if err := t.openHold(ctx, d, reason, code.Code, p); err != nil {
			return err
		}
	}
	if !code.Retryable {
		return nil
	}
	if many, err := t.tooManyReturns(ctx, d, p); err != nil || !many {
		return err
	}
	return t.openHold(ctx, d, payment.HoldReturns, code.Code, p)
}

// tooManyReturns reports whether the return of a payment pauses its deal, by payment.TooManyReturns. What came back before
// staff last resumed does not count again.
func (t *tx) tooManyReturns(ctx context.Context, d *ent.Deal, latest *ent.Payment) (bool, error) {
	rows, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.DirectionEQ(payment.In),
		entpayment.StatusIn(payment.Paid, payment.Bounced), entpayment.TypeNEQ(payment.EPODiscount),
		entpayment.Or(entpayment.MethodIsNil(), entpayment.MethodEQ(payment.ACH))).WithBounceCode().All(ctx)
	if err != nil {
		return false, err
	}
	resumed, err := t.CollectionHold.Query().Where(collectionhold.DealID(d.ID), collectionhold.ReasonEQ(payment.HoldReturns),
		collectionhold.ReleasedAtNotNil()).Order(collectionhold.ByReleasedAt(descending())).First(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return false, err
	}
	rows = slices.DeleteFunc(rows, func(p *ent.Payment) bool {
		over := resumed != nil && p.ReturnedAt != nil && !p.ReturnedAt.After(*resumed.ReleasedAt)
		return p.ID != latest.ID && p.Status == payment.Bounced && over
	})
	slices.SortFunc(rows, func(a, b *ent.Payment) int {
		return cmp.Or(t.presentedOn(a).Sub(t.presentedOn(b)), cmp.Compare(a.ID, b.ID))
	})
	debits, at := make([]payment.Presentation, len(rows)), -1
	for i, p := range rows {
		debits[i].Cleared = p.Status == payment.Paid
		if p.ReturnedAt != nil {
			debits[i].ReturnedOn = civil.On(*p.ReturnedAt, t.zone())
		}
		debits[i].Retryable = p.Edges.BounceCode != nil && p.Edges.BounceCode.Retryable
		if p.ID == latest.ID {
			at = i
		}
	}
	return at >= 0 && payment.TooManyReturns(debits, at), nil
}

// presentedOn is the day on which a debit was presented, as far as that is known.
func (t *tx) presentedOn(p *ent.Payment) civil.Date {
	switch {
	case p.ScheduledDate != nil:
		return *p.ScheduledDate
	case p.InitiatedAt != nil:
		return civil.On(*p.InitiatedAt, t.zone())
	}
	return civil.On(p.CreatedAt, t.zone())
}

// chargeReturn asks for the fee of a return; a fee that comes back is not charged for. It is owed at once, like a surcharge,
// and has no day of its own. It is to be debited unless the deal's debits are kept back or called off: then it waits to be
// paid in some other way.
func (t *tx) chargeReturn(ctx context.Context, d *ent.Deal, p *ent.Payment, code *ent.BounceCode) error {
	if code == nil || code.Fee == nil || code.Fee.Sign() <= 0 || p.Type.IsFee() {
		return nil
	}
	create := t.Payment.Create().SetDealID(d.ID).SetType(payment.BounceFee).SetAmount(*code.Fee).SetFeeForID(p.ID).
		SetDirection(payment.In).SetSource(payment.FromSystem).SetNote(code.Code + " " + code.Title)
	held, err := t.onHold(ctx, d.ID)
	if err != nil {
		return err
	}
	if !held && d.State != deal.Defaulted {
		create.SetMethod(payment.ACH)
	}
	made, err := create.Save(ctx)
	if err == nil {
		alsoMade(t, "payment", made)
	}
	return err
}

// callOffFees calls off the fees for the return of a payment that are not under way yet.
func (t *tx) callOffFees(ctx context.Context, p *ent.Payment) error {
	return t.cancel(ctx, entpayment.FeeForID(p.ID))
}

// paidAfterAll posts a payment that has become PAID. Where it had come back before, the fee for that is called off.
func (t *tx) paidAfterAll(ctx context.Context, d *ent.Deal, before, p *ent.Payment) error {
	if before.Status == payment.Bounced {
		if err := t.callOffFees(ctx, p); err != nil {
			return err
		}
	}
	return t.postPaid(ctx, d, p)
}

// becomesDebit reports whether what a payment is about to become is an ACH debit, and another than it was: none, one of another
// status, or not there at all (nil).
func becomesDebit(before, next *ent.Payment, to payment.Status) bool {
	if !payment.Debits(to, next.Type, next.Amount, next.Method) {
		return false
	}
	return before == nil || before.Status != to || !payment.Debits(to, before.Type, before.Amount, before.Method)
}

// mayDebit judges what a payment is about to become: where that is an ACH debit and it was none, the deal must not be on
// hold, and the money not asked for too often or too late.
func (t *tx) mayDebit(ctx context.Context, before, next *ent.Payment, to payment.Status) error {
	if !becomesDebit(before, next, to) {
		return nil
	}
	path := "method"
	if next.Method == nil || before != nil && before.Status != to {
		path = "status"
	}
	if err := t.notOnHold(ctx, next.DealID, path); err != nil {
		return err
	}
	if before == nil {
		return nil
	}
	bounced, err := t.Payment.Query().Where(entpayment.MadeUpByID(before.ID)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	return t.mayAskAgain(ctx, bounced, t.debitsOn(next, to), path)
}
