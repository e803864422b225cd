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

// This file has what follows from the return of a payment, by the company's own data about its code: a hold on the deal's
// debits, and a fee. Whoever records the return, and whenever the code becomes known, the same follows.

// returned books the return of a payment, and does what its code asks for. The hold comes first, so that a deal which the
// return reopens is not scheduled to be debited.
func returned(ctx context.Context, t *unit.Tx, d *ent.Deal, before, p *ent.Payment) error {
	code, err := codeOf(ctx, t, p)
	if err != nil {
		return err
	}
	if err := holdBack(ctx, t, d, p, code); err != nil {
		return err
	}
	if err := postBounced(ctx, t, d, before, p); err != nil {
		return err
	}
	return chargeReturn(ctx, t, d, p, code)
}

// recoded does what the code of a payment that has bounced already asks for, where it was told or corrected just now. A fee
// that was charged by another code and is not under way yet is called off; a hold stays until it is released.
func recoded(ctx context.Context, t *unit.Tx, d *ent.Deal, before, p *ent.Payment) error {
	if p.Status != payment.Bounced || input.EqualValues(input.Nullable(before.BounceCodeID), input.Nullable(p.BounceCodeID)) {
		return nil
	}
	code, err := codeOf(ctx, t, p)
	if err != nil {
		return err
	}
	if err := holdBack(ctx, t, d, p, code); err != nil {
		return err
	}
	if err := callOffFees(ctx, t, p); err != nil {
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

// codeOf is the return code of a collection; nil where it is not known, and for money that went out.
func codeOf(ctx context.Context, t *unit.Tx, p *ent.Payment) (*ent.BounceCode, error) {
	if p.BounceCodeID == nil || payment.DirectionOf(p.Type) != payment.In || p.Amount.Sign() <= 0 {
		return nil, nil //nolint:nilnil // nothing follows
	}
	return t.BounceCode.Query().Where(bouncecode.ID(*p.BounceCodeID)).Only(ctx)
}

// holdBack opens the holds that a return calls for.
func holdBack(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, code *ent.BounceCode) error {
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

// tooManyReturns reports whether the return of a payment pauses its deal, by payment.TooManyReturns. What came back before
// staff last resumed does not count again.
func tooManyReturns(ctx context.Context, t *unit.Tx, d *ent.Deal, latest *ent.Payment) (bool, error) {
	rows, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.DirectionEQ(payment.In),
		entpayment.StatusIn(payment.Paid, payment.Bounced), entpayment.TypeNEQ(payment.EPODiscount),
		entpayment.Or(entpayment.MethodIsNil(), entpayment.MethodEQ(payment.ACH))).WithBounceCode().All(ctx)
	if err != nil {
		return false, err
	}
	resumed, err := t.CollectionHold.Query().Where(collectionhold.DealID(d.ID), collectionhold.ReasonEQ(payment.HoldReturns),
		collectionhold.ReleasedAtNotNil()).Order(collectionhold.ByReleasedAt(unit.Descending())).First(ctx)
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

// presentedOn is the day on which a debit was presented, as far as that is known.
func presentedOn(t *unit.Tx, p *ent.Payment) civil.Date {
	switch {
	case p.ScheduledDate != nil:
		return *p.ScheduledDate
	case p.InitiatedAt != nil:
		return civil.On(*p.InitiatedAt, t.Zone())
	}
	return civil.On(p.CreatedAt, t.Zone())
}

// chargeReturn asks for the fee of a return; a fee that comes back is not charged for. It is owed at once, like a surcharge,
// and has no day of its own. It is to be debited unless the deal's debits are kept back or called off: then it waits to be
// paid in some other way.
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
	made, err := create.Save(ctx)
	if err == nil {
		unit.AlsoCreated(t, "payment", made)
	}
	return err
}

// callOffFees calls off the fees for the return of a payment that are not under way yet.
func callOffFees(ctx context.Context, t *unit.Tx, p *ent.Payment) error {
	return cancel(ctx, t, entpayment.FeeForID(p.ID))
}

// paidAfterAll posts a payment that has become PAID. Where it had come back before, the fee for that is called off.
func paidAfterAll(ctx context.Context, t *unit.Tx, d *ent.Deal, before, p *ent.Payment) error {
	if before.Status == payment.Bounced {
		if err := callOffFees(ctx, t, p); err != nil {
			return err
		}
	}
	return postPaid(ctx, t, d, p)
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
func mayDebit(ctx context.Context, t *unit.Tx, before, next *ent.Payment, to payment.Status) error {
	if !becomesDebit(before, next, to) {
		return nil
	}
	path := "method"
	if next.Method == nil || before != nil && before.Status != to {
		path = "status"
	}
	if err := collections.RefuseOnHold(ctx, t, next.DealID, path); err != nil {
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
	return mayAskAgain(ctx, t, bounced, debitsOn(t, next, to), path)
}
