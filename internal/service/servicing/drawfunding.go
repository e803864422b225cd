package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/locdraw"
	"paydown/ent/participation"
	"paydown/ent/payment"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/books"
	"paydown/internal/service/collections"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// FundDraw pays out an approved draw: it posts the draw as a further purchase of the deal, schedules payments
// on the deal's terms, and creates a disbursement to the merchant. It fails for a syndicated deal, because the
// participations were sold for what the deal funded, and for a deal on hold, because its account may not be
// debited for the draw.
func (s CreditFacilities) FundDraw(ctx context.Context, id int) (*ent.LocDraw, error) {
	return s.draw(ctx, id, func(
		ctx context.Context, t *unit.Tx, d *ent.Deal, facility *ent.CreditFacility, before *ent.LocDraw,
	) (*ent.LocDraw, error) {
		if before.Status == locdraw.StatusFUNDED {
			return before, nil
		}
		if err := deal.Draws.Check("draw", string(before.Status), string(locdraw.StatusFUNDED)); err != nil {
			return nil, err
		}
		if err := openToDraws(d, facility); err != nil {
			return nil, err
		}
		return fundDraw(ctx, t, d, facility, before)
	})
}

// refuseSyndicated rejects a further draw on a syndicated deal; field is the request field to name in the
// error.
func refuseSyndicated(ctx context.Context, t *unit.Tx, d *ent.Deal, field string) error {
	syndicated, err := t.Participation.Query().Where(participation.DealID(d.ID)).Exist(ctx)
	if err != nil || !syndicated {
		return err
	}
	return fault.Conflictf("Syndicators participate in the deal: it cannot have further draws.").
		With(field, "must not belong to a deal with participations")
}

func fundDraw(
	ctx context.Context, t *unit.Tx, d *ent.Deal, facility *ent.CreditFacility, before *ent.LocDraw,
) (*ent.LocDraw, error) {
	if err := refuseSyndicated(ctx, t, d, "status"); err != nil {
		return nil, err
	}
	if err := collections.RefuseOnHold(ctx, t, d.ID, "status"); err != nil {
		return nil, err
	}
	payback := before.Amount
	if before.PaybackAmount != nil {
		payback = *before.PaybackAmount
	}
	after, err := saveDraw(ctx, t, before, []input.Change{
		input.Set(locdraw.FieldStatus, locdraw.StatusFUNDED), input.Set(locdraw.FieldFundedAt, t.At()),
		input.Set(locdraw.FieldPaybackAmount, payback),
	})
	if err != nil {
		return nil, err
	}
	t.Record("locDraw.update", "locDraw", after.ID, &d.ID, before, after)
	entries, err := ledger.Draw(after.Amount, payback, books.OrZero(after.FeeAmount))
	if err != nil {
		return nil, err
	}
	if err := books.Post(ctx, t, books.Posting{Deal: &d.ID, Entries: entries}); err != nil {
		return nil, err
	}
	balances, err := books.TrueUp(ctx, t, d, t.Today())
	if err != nil {
		return nil, err
	}
	if err := scheduleDraw(ctx, t, d, after, money.Min(payback, ledger.Outstanding(balances))); err != nil {
		return nil, err
	}
	if err := disburse(ctx, t, d, after.Amount.Sub(books.OrZero(after.FeeAmount)), &after.ID); err != nil {
		return nil, err
	}
	return after, alsoSyncFacility(ctx, t, d, facility)
}

// scheduleDraw schedules the repayment of a draw from the next collection day on, in addition to payments
// already scheduled.
func scheduleDraw(ctx context.Context, t *unit.Tx, d *ent.Deal, draw *ent.LocDraw, owed money.Amount) error {
	terms := books.TermsOf(d, t.Zone())
	plan, ok := terms.Plan()
	if !ok || d.PaymentAmount == nil || owed.Sign() <= 0 {
		return nil // staff collect a deal without payment terms by hand
	}
	n, err := installments(d, owed)
	if err != nil {
		return err
	}
	return schedulePayments(ctx, t, d, terms, planned{
		kind: payment.AdvancePayback, start: plan.First(t.Today()), n: n, total: owed, draw: &draw.ID,
	})
}

// DrawRepayment is the input for recording a repayment of a draw.
type DrawRepayment struct {
	Amount      input.Opt[money.Amount]   `json:"amount" check:"gt=0" doc:"Default: the unpaid balance of the draw"`
	Method      input.Opt[payment.Method] `json:"method" doc:"Default: ACH"`
	ClearedDate input.Opt[civil.Date]     `json:"clearedDate" doc:"Day the money cleared; default: today"`
	ReferenceID input.Opt[string]         `json:"referenceId" check:"text" doc:"The caller's own reference"`
}

// RepayDraw records a repayment of a draw, which becomes REPAID once nothing of it is unpaid. The repayment is
// a payment like any other and needs the scope payments:write. It cancels the same amount of the draw's
// scheduled payments, latest first.
func (s CreditFacilities) RepayDraw(ctx context.Context, id int, in DrawRepayment) (*ent.LocDraw, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	if in.Method.Or(payment.ACH) == payment.Offset {
		return nil, fault.Field("method", noOffset)
	}
	return unit.Write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *unit.Tx) (*ent.LocDraw, error) {
		d, facility, draw, err := lockDraw(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if err := mayClear(t, d, payment.Pending, in.ClearedDate, clearedDate); err != nil {
			return nil, err
		}
		left, err := drawBalance(ctx, t, d, facility, draw)
		if err != nil {
			return nil, err
		}
		amount := in.Amount.Or(left)
		if left.Less(amount) {
			return nil, fault.Field("amount", "must be at most %s, the unpaid balance of the draw", left)
		}
		row, err := t.Payment.Create().SetDealID(d.ID).SetType(payment.AdvancePayback).
			SetAmount(amount).SetLocDrawID(draw.ID).
			SetStatus(payment.Paid).SetEpisode(1).SetMethod(in.Method.Or(payment.ACH)).SetDirection(payment.In).
			SetSource(t.Source()).SetInitiatedAt(t.At()).SetClearedDate(in.ClearedDate.Or(t.Today())).
			SetNillableReferenceID(in.ReferenceID.Ptr()).Save(ctx)
		if err != nil {
			return nil, err
		}
		t.Record("payment.create", "payment", row.ID, &d.ID, nil, row)
		if err := postPaid(ctx, t, d, row); err != nil {
			return nil, err
		}
		if err := cancelDrawPayments(ctx, t, draw.ID, amount); err != nil {
			return nil, err
		}
		return t.LocDraw.Get(ctx, draw.ID)
	})
}

// drawBalance returns what is left to collect of a draw. It fails if the draw is not paid out or already
// repaid.
func drawBalance(
	ctx context.Context, t *unit.Tx, d *ent.Deal, facility *ent.CreditFacility, draw *ent.LocDraw,
) (money.Amount, error) {
	if draw.Status != locdraw.StatusFUNDED {
		return money.Zero, fault.Conflictf("Only a FUNDED draw can be repaid; this one is %s.", draw.Status).
			With("status", "must be FUNDED")
	}
	out, err := t.LocDraw.Query().Where(locdraw.FacilityID(facility.ID),
		locdraw.StatusIn(locdraw.StatusFUNDED, locdraw.StatusREPAID)).Order(locdraw.ByID()).All(ctx)
	if err != nil {
		return money.Zero, err
	}
	unpaid, _, err := unpaidOf(ctx, t, d, out)
	if err != nil {
		return money.Zero, err
	}
	for i := range out {
		if out[i].ID == draw.ID && unpaid[i].Sign() > 0 {
			return unpaid[i], nil
		}
	}
	return money.Zero, fault.Conflictf("The draw has no unpaid balance.").With("status", "requires an unpaid balance")
}

// cancelDrawPayments reduces the draw's scheduled payments by an amount that was paid early, latest first.
func cancelDrawPayments(ctx context.Context, t *unit.Tx, drawID int, amount money.Amount) error {
	pending, err := t.Payment.Query().
		Where(entpayment.LocDrawID(drawID), entpayment.StatusEQ(payment.Pending), unit.Locked).
		Order(entpayment.ByScheduledDate(unit.Descending()), entpayment.ByID(unit.Descending())).All(ctx)
	if err != nil {
		return err
	}
	for _, p := range pending {
		if amount.Sign() <= 0 {
			return nil
		}
		change := input.Set(entpayment.FieldStatus, payment.Cancelled)
		if amount.Less(p.Amount) {
			change = input.Set(entpayment.FieldAmount, p.Amount.Sub(amount))
		}
		after, err := savePayment(ctx, t, p, []input.Change{change})
		if err != nil {
			return err
		}
		unit.AlsoUpdated(t, "payment", p, after)
		amount = amount.Sub(p.Amount)
	}
	return nil
}
