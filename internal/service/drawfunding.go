package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/locdraw"
	"paydown/ent/participation"
	entpayment "paydown/ent/payment"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// FundDraw pays out an approved draw: it is booked as a further purchase of the deal, its payback is scheduled in payments of
// the deal's plan, and what the merchant gets is a disbursement. A deal that syndicators take part in pays out no further
// draws, since their parts were sold for what the deal funded; nor does one on hold, since it could not be debited for them.
func (s CreditFacilities) FundDraw(ctx context.Context, id int) (*ent.LocDraw, error) {
	return s.draw(ctx, id, func(ctx context.Context, t *tx, d *ent.Deal, line *ent.CreditFacility, before *ent.LocDraw) (*ent.LocDraw, error) {
		if before.Status == locdraw.StatusFUNDED {
			return before, nil
		}
		if err := deal.Draws.Check("draw", string(before.Status), string(locdraw.StatusFUNDED)); err != nil {
			return nil, err
		}
		if err := openToDraws(d, line); err != nil {
			return nil, err
		}
		return t.fundDraw(ctx, d, line, before)
	})
}

// notSyndicated refuses a further draw on a deal that syndicators take part in; field names what asks for it.
func (t *tx) notSyndicated(ctx context.Context, d *ent.Deal, field string) error {
	syndicated, err := t.Participation.Query().Where(participation.DealID(d.ID)).Exist(ctx)
	if err != nil || !syndicated {
		return err
	}
	return fault.Conflictf("Syndicators take part in the deal: nothing further can be drawn on it.").
		With(field, "is of a deal that has participations")
}

func (t *tx) fundDraw(ctx context.Context, d *ent.Deal, line *ent.CreditFacility, before *ent.LocDraw) (*ent.LocDraw, error) {
	if err := t.notSyndicated(ctx, d, "status"); err != nil {
		return nil, err
	}
	if err := t.notOnHold(ctx, d.ID, "status"); err != nil {
		return nil, err
	}
	payback := before.Amount
	if before.PaybackAmount != nil {
		payback = *before.PaybackAmount
	}
	after, err := t.saveDraw(ctx, before, []columnChange{
		{locdraw.FieldStatus, locdraw.StatusFUNDED}, {locdraw.FieldFundedAt, t.At()}, {locdraw.FieldPaybackAmount, payback},
	})
	if err != nil {
		return nil, err
	}
	t.record("locDraw.update", "locDraw", after.ID, &d.ID, before, after)
	entries, err := ledger.Draw(after.Amount, payback, orZero(after.FeeAmount))
	if err != nil {
		return nil, err
	}
	if err := t.post(ctx, posting{deal: &d.ID, entries: entries}); err != nil {
		return nil, err
	}
	balances, err := t.settle(ctx, d, t.today())
	if err != nil {
		return nil, err
	}
	if err := t.scheduleDraw(ctx, d, after, money.Min(payback, ledger.Outstanding(balances))); err != nil {
		return nil, err
	}
	if err := t.disburse(ctx, d, after.Amount.Sub(orZero(after.FeeAmount)), &after.ID); err != nil {
		return nil, err
	}
	return after, t.alsoFollowLine(ctx, d, line)
}

// scheduleDraw plans the collection of a draw from the next collection day on, beside what is scheduled already.
func (t *tx) scheduleDraw(ctx context.Context, d *ent.Deal, draw *ent.LocDraw, owed money.Amount) error {
	terms := termsOf(d, t.zone())
	plan, ok := terms.Plan()
	if !ok || d.PaymentAmount == nil || owed.Sign() <= 0 {
		return nil // a deal without a plan is collected by hand
	}
	n, err := instalments(d, owed)
	if err != nil {
		return err
	}
	return t.schedulePayments(ctx, d, terms, planned{
		kind: payment.AdvancePayback, start: plan.First(t.today()), n: n, total: owed, draw: &draw.ID,
	})
}

// DrawRepayment is money by which a draw is repaid.
type DrawRepayment struct {
	Amount      Opt[money.Amount]   `json:"amount" check:"gt=0" doc:"All that is left of the draw unless given"`
	Method      Opt[payment.Method] `json:"method" doc:"ACH unless given"`
	ClearedDate Opt[civil.Date]     `json:"clearedDate" doc:"Day the money cleared; today unless given"`
	ReferenceID Opt[string]         `json:"referenceId" check:"text" doc:"The caller's own reference"`
}

// RepayDraw records money that repays a draw, which is REPAID once nothing of it is left. It is a payment like any other, and
// needs the scope of one. What it collects ahead of the schedule is called off from the end of the draw's own payments.
func (s CreditFacilities) RepayDraw(ctx context.Context, id int, in DrawRepayment) (*ent.LocDraw, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	if in.Method.Or(payment.ACH) == payment.Offset {
		return nil, fault.Field("method", noOffset)
	}
	return write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *tx) (*ent.LocDraw, error) {
		d, line, draw, err := t.lockDraw(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := t.mayClear(d, payment.Pending, in.ClearedDate, clearedDate); err != nil {
			return nil, err
		}
		left, err := t.leftOfDraw(ctx, d, line, draw)
		if err != nil {
			return nil, err
		}
		amount := in.Amount.Or(left)
		if left.Less(amount) {
			return nil, fault.Field("amount", "must be at most %s, which is left of the draw", left)
		}
		row, err := t.Payment.Create().SetDealID(d.ID).SetType(payment.AdvancePayback).SetAmount(amount).SetLocDrawID(draw.ID).
			SetStatus(payment.Paid).SetEpisode(1).SetMethod(in.Method.Or(payment.ACH)).SetDirection(payment.In).
			SetSource(t.source()).SetInitiatedAt(t.At()).SetClearedDate(in.ClearedDate.Or(t.today())).
			SetNillableReferenceID(in.ReferenceID.Ptr()).Save(ctx)
		if err != nil {
			return nil, err
		}
		t.record("payment.create", "payment", row.ID, &d.ID, nil, row)
		if err := t.postPaid(ctx, d, row); err != nil {
			return nil, err
		}
		if err := t.callOff(ctx, draw.ID, amount); err != nil {
			return nil, err
		}
		return t.LocDraw.Get(ctx, draw.ID)
	})
}

// leftOfDraw is what is left to collect of a draw; a conflict where it was not paid out or is repaid.
func (t *tx) leftOfDraw(ctx context.Context, d *ent.Deal, line *ent.CreditFacility, draw *ent.LocDraw) (money.Amount, error) {
	if draw.Status != locdraw.StatusFUNDED {
		return money.Zero, fault.Conflictf("Only a draw that is FUNDED is repaid; this one is %s.", draw.Status).
			With("status", "must be FUNDED")
	}
	out, err := t.LocDraw.Query().Where(locdraw.FacilityID(line.ID),
		locdraw.StatusIn(locdraw.StatusFUNDED, locdraw.StatusREPAID)).Order(locdraw.ByID()).All(ctx)
	if err != nil {
		return money.Zero, err
	}
	unpaid, _, err := t.unpaidOf(ctx, d, out)
	if err != nil {
		return money.Zero, err
	}
	for i := range out {
		if out[i].ID == draw.ID && unpaid[i].Sign() > 0 {
			return unpaid[i], nil
		}
	}
	return money.Zero, fault.Conflictf("Nothing of the draw is unpaid.").With("status", "needs an unpaid balance")
}

// callOff lowers what is still scheduled for a draw by an amount that was paid ahead of it, from the end.
func (t *tx) callOff(ctx context.Context, drawID int, amount money.Amount) error {
	pending, err := t.Payment.Query().Where(entpayment.LocDrawID(drawID), entpayment.StatusEQ(payment.Pending), locked).
		Order(entpayment.ByScheduledDate(descending()), entpayment.ByID(descending())).All(ctx)
	if err != nil {
		return err
	}
	for _, p := range pending {
		if amount.Sign() <= 0 {
			return nil
		}
		change := columnChange{entpayment.FieldStatus, payment.Cancelled}
		if amount.Less(p.Amount) {
			change = columnChange{entpayment.FieldAmount, p.Amount.Sub(amount)}
		}
		after, err := t.savePayment(ctx, p, []columnChange{change})
		if err != nil {
			return err
		}
		alsoChanged(t, "payment", p, after)
		amount = amount.Sub(p.Amount)
	}
	return nil
}
