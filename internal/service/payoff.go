package service

import (
	"context"

	"paydown/ent"
	entpayment "paydown/ent/payment"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/payment"
	"paydown/internal/pricing"
	"paydown/internal/webhook"
)

// An early payoff is one operation: the payment that meets the quote of its day, the discount that was agreed for it, the
// fees it covers, and the closing of the deal. When the payment comes back all of that does.

// PayoffInput says by what a deal is paid off.
type PayoffInput struct {
	Date      Opt[civil.Date]     `json:"date" doc:"Day the money cleared; today unless given. More than five banking days back needs the permission deals.write-off"`
	Method    Opt[payment.Method] `json:"method" doc:"ACH unless given, and not OFFSET"`
	Reference Opt[string]         `json:"reference" check:"text" doc:"The caller's own reference; the referenceId of the payment"`
}

// PayOff records the payment that settles a FUNDED deal by the quote of a day (Deals.Payoff), with its discount and the
// unpaid fees, and closes the deal. It needs the scope payments:write.
func (s Deals) PayOff(ctx context.Context, id int, in PayoffInput) (*ent.Deal, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	if in.Method.Or(payment.ACH) == payment.Offset {
		return nil, fault.Field("method", noOffset)
	}
	return write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *tx) (*ent.Deal, error) {
		d, err := t.lockDeal(ctx, id)
		if err != nil {
			return nil, err
		}
		if d.State != deal.Funded {
			return nil, fault.Conflictf("Only a funded deal is paid off; this one is %s.", d.State).With("state", "must be FUNDED")
		}
		day := in.Date.Or(t.today())
		if err := t.mayClear(d, payment.Paid, Some(day), "date"); err != nil {
			return nil, err
		}
		if t.forgivesTooLate(day) {
			return nil, fault.New(fault.Forbidden, "A payoff of more than %d banking days back needs the permission %s.",
				payoffDaysBack, auth.WriteOff)
		}
		quote, err := t.payoffOn(ctx, d, day)
		if err != nil {
			return nil, err
		}
		if quote.Amount.Sign() <= 0 {
			return nil, fault.Conflictf("There is nothing to pay: the deal owes %s after the discount.", quote.Amount).
				With("date", "is a day on which the payoff is %s", quote.Amount)
		}
		row, err := t.Payment.Create().SetDealID(d.ID).SetType(payment.AdvancePayback).SetAmount(quote.Amount).
			SetStatus(payment.Paid).SetEpisode(1).SetMethod(in.Method.Or(payment.ACH)).SetDirection(payment.In).
			SetSource(t.source()).SetInitiatedAt(t.At()).SetClearedDate(day).
			SetNillableReferenceID(in.Reference.Ptr()).Save(ctx)
		if err != nil {
			return nil, err
		}
		t.record("payment.create", "payment", row.ID, &d.ID, nil, row)
		if err := t.payOff(ctx, d, row, quote); err != nil {
			return nil, err
		}
		return t.Deal.Get(ctx, d.ID)
	})
}

// meetsQuote is the quote that a payment meets which is about to be posted: an early payoff with a discount, of the day on
// which the payment cleared, to the cent. It is nil for any other payment.
func (t *tx) meetsQuote(ctx context.Context, d *ent.Deal, p *ent.Payment) (*pricing.Payoff, error) {
	collects := p.Type == payment.AdvancePayback || p.Type == payment.OriginalAdvancePayback
	if d.State != deal.Funded || !collects || byOffset(p) || p.ClearedDate == nil {
		return nil, nil //nolint:nilnil // it is no payoff
	}
	until, agreed := termsOf(d, t.zone()).EarlyPayoffUntil()
	if !agreed || p.ClearedDate.After(until) || t.forgivesTooLate(*p.ClearedDate) {
		return nil, nil //nolint:nilnil // it is no payoff
	}
	quote, err := t.payoffOn(ctx, d, *p.ClearedDate)
	if err != nil || quote.Discount.Sign() <= 0 || quote.Amount.Sign() <= 0 || !quote.Amount.Equal(p.Amount) {
		return nil, err
	}
	return &quote, nil
}

// payOff grants the discount of a quote, posts the payment that meets it, pays the fees out of what that brings beyond the
// balance, and closes the deal.
func (t *tx) payOff(ctx context.Context, d *ent.Deal, p *ent.Payment, quote pricing.Payoff) error {
	if err := t.offset(ctx, d, payment.EPODiscount, quote.Discount, *p.ClearedDate, &p.ID); err != nil {
		return err
	}
	if _, err := t.postPayment(ctx, d, p); err != nil {
		return err
	}
	t.emit("payment", p.ID, t.paidEvent(p))
	if err := t.payFeesWith(ctx, d, p); err != nil {
		return err
	}
	if err := t.cancelCollections(ctx, d.ID); err != nil {
		return err
	}
	after, err := t.follow(ctx, d, deal.Closed, deal.ByEarlyPayoff)
	if err != nil {
		return err
	}
	alsoChanged(t, "deal", d, after)
	return nil
}

// payFeesWith pays the deal's unpaid fees out of what a payoff brought beyond the balance.
func (t *tx) payFeesWith(ctx context.Context, d *ent.Deal, payoff *ent.Payment) error {
	fees, err := t.unpaidFees(ctx, d.ID)
	if err != nil {
		return err
	}
	for _, fee := range fees {
		after, err := t.savePayment(ctx, fee, []columnChange{
			{entpayment.FieldStatus, payment.Paid},
			{entpayment.FieldEpisode, fee.Episode + 1},
			{entpayment.FieldMethod, payment.Offset}, // the money came with the payoff
			{entpayment.FieldClearedDate, *payoff.ClearedDate},
			{entpayment.FieldInitiatedAt, t.At()},
			{entpayment.FieldPayoffID, payoff.ID},
		})
		if err != nil {
			return err
		}
		alsoChanged(t, "payment", fee, after)
		balances, err := t.balances(ctx, d.ID)
		if err != nil {
			return err
		}
		entries, err := ledger.PayFeeFromSurplus(balances, fee.Amount)
		if err != nil {
			return err
		}
		if err := t.post(ctx, posting{
			deal: &d.ID, payment: &fee.ID, episode: &after.Episode, on: clearedOn(after), entries: entries,
		}); err != nil {
			return err
		}
		t.emit("payment", fee.ID, t.paidEvent(after))
	}
	return nil
}

// takePayoffBack undoes for a day what an early payoff that came back had paid or granted besides. The fees are owed anew.
// settle must follow.
func (t *tx) takePayoffBack(ctx context.Context, d *ent.Deal, payoff *ent.Payment, on civil.Date) error {
	rows, err := t.Payment.Query().Where(entpayment.PayoffID(payoff.ID), entpayment.StatusEQ(payment.Paid), locked).
		Order(entpayment.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Type == payment.EPODiscount {
			err = t.cancelDiscount(ctx, row, on)
		} else {
			err = t.returnFee(ctx, d, row, on)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// returnFee takes back a fee that a payoff paid which came back: it has bounced with it, and another one is owed instead.
func (t *tx) returnFee(ctx context.Context, d *ent.Deal, fee *ent.Payment, on civil.Date) error {
	again, err := t.Payment.Create().SetDealID(d.ID).SetType(fee.Type).SetAmount(fee.Amount).SetDirection(payment.In).
		SetNillableSource(fee.Source).SetNillableNote(fee.Note).SetNillableFeeForID(fee.FeeForID).Save(ctx)
	if err != nil {
		return err
	}
	alsoMade(t, "payment", again)
	after, err := t.savePayment(ctx, fee, []columnChange{
		{entpayment.FieldStatus, payment.Bounced},
		{entpayment.FieldReturnedAt, t.At()},
		{entpayment.FieldClearedDate, nil},
		{entpayment.FieldMadeUpByID, again.ID},
	})
	if err != nil {
		return err
	}
	alsoChanged(t, "payment", fee, after)
	t.emit("payment", fee.ID, webhook.PaymentBounced{PaymentID: fee.ID, DealID: d.ID, Amount: fee.Amount})
	return t.reversePayment(ctx, after, on)
}
