package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/payment"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/payment"
	"paydown/internal/pricing"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// An early payoff is one operation: the payment that meets the quote of its day, the agreed discount, the
// unpaid fees it covers, and the closing of the deal. If the payment is returned, all of it is undone.

// PayoffInput is the input for paying off a deal.
type PayoffInput struct {
	Date      input.Opt[civil.Date]     `json:"date" doc:"Day the money cleared; default: today. Backdating by more than five banking days requires the permission deals.write-off"`
	Method    input.Opt[payment.Method] `json:"method" doc:"Default: ACH; not OFFSET"`
	Reference input.Opt[string]         `json:"reference" check:"text" doc:"The caller's own reference; the referenceId of the payment"`
}

// PayOff records the payment that pays off a FUNDED deal at the quote of a day (Deals.Payoff), with its
// discount and the unpaid fees, and closes the deal. It needs the scope payments:write.
func (s Deals) PayOff(ctx context.Context, id int, in PayoffInput) (*ent.Deal, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	if in.Method.Or(payment.ACH) == payment.Offset {
		return nil, fault.Field("method", noOffset)
	}
	return unit.Write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *unit.Tx) (*ent.Deal, error) {
		d, err := books.LockDeal(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if d.State != deal.Funded {
			return nil, fault.Conflictf("Only a FUNDED deal can be paid off; this one is %s.", d.State).
				With("state", "must be FUNDED")
		}
		day := in.Date.Or(t.Today())
		if err := mayClear(t, d, payment.Paid, input.Some(day), "date"); err != nil {
			return nil, err
		}
		if backdatedTooFar(t, day) {
			return nil, fault.New(fault.Forbidden,
				"Backdating a payoff by more than %d banking days requires the permission %s.",
				payoffDaysBack, auth.WriteOff)
		}
		quote, err := payoffOn(ctx, t, d, day)
		if err != nil {
			return nil, err
		}
		if quote.Amount.Sign() <= 0 {
			return nil, fault.Conflictf("There is nothing to pay: the payoff amount after the discount is %s.", quote.Amount).
				With("date", "must be a day with a positive payoff amount, not %s", quote.Amount)
		}
		row, err := t.Payment.Create().SetDealID(d.ID).SetType(payment.AdvancePayback).SetAmount(quote.Amount).
			SetStatus(payment.Paid).SetEpisode(1).SetMethod(in.Method.Or(payment.ACH)).SetDirection(payment.In).
			SetSource(t.Source()).SetInitiatedAt(t.At()).SetClearedDate(day).
			SetNillableReferenceID(in.Reference.Ptr()).Save(ctx)
		if err != nil {
			return nil, err
		}
		t.Record("payment.create", "payment", row.ID, &d.ID, nil, row)
		if err := payOff(ctx, t, d, row, quote); err != nil {
			return nil, err
		}
		return t.Deal.Get(ctx, d.ID)
	})
}

// meetsQuote returns the quote that a payment about to be posted meets: an early payoff with a discount, as
// quoted for the payment's cleared date, to the cent. It returns nil for any other payment.
func meetsQuote(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment) (*pricing.Payoff, error) {
	collects := p.Type == payment.AdvancePayback || p.Type == payment.OriginalAdvancePayback
	if d.State != deal.Funded || !collects || byOffset(p) || p.ClearedDate == nil {
		return nil, nil //nolint:nilnil // not a payoff
	}
	until, agreed := books.TermsOf(d, t.Zone()).EarlyPayoffUntil()
	if !agreed || p.ClearedDate.After(until) || backdatedTooFar(t, *p.ClearedDate) {
		return nil, nil //nolint:nilnil // not a payoff
	}
	quote, err := payoffOn(ctx, t, d, *p.ClearedDate)
	if err != nil || quote.Discount.Sign() <= 0 || quote.Amount.Sign() <= 0 || !quote.Amount.Equal(p.Amount) {
		return nil, err
	}
	return &quote, nil
}

// payOff grants the discount of a quote, posts the payment that meets it, pays the unpaid fees out of what it
// brings beyond the balance, and closes the deal.
func payOff(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, quote pricing.Payoff) error {
	if err := offset(ctx, t, d, payment.EPODiscount, quote.Discount, *p.ClearedDate, &p.ID); err != nil {
		return err
	}
	if _, err := books.PostPayment(ctx, t, d, p); err != nil {
		return err
	}
	t.Emit("payment", p.ID, t.PaidEvent(p))
	if err := payFeesWith(ctx, t, d, p); err != nil {
		return err
	}
	if err := cancelCollections(ctx, t, d.ID); err != nil {
		return err
	}
	after, err := follow(ctx, t, d, deal.Closed, deal.ByEarlyPayoff)
	if err != nil {
		return err
	}
	unit.AlsoUpdated(t, "deal", d, after)
	return nil
}

// payFeesWith pays the deal's unpaid fees out of what a payoff brought beyond the balance.
func payFeesWith(ctx context.Context, t *unit.Tx, d *ent.Deal, payoff *ent.Payment) error {
	fees, err := unpaidFees(ctx, t, d.ID)
	if err != nil {
		return err
	}
	for _, fee := range fees {
		after, err := savePayment(ctx, t, fee, []input.Change{
			input.Set(entpayment.FieldStatus, payment.Paid),
			input.Set(entpayment.FieldEpisode, fee.Episode+1),
			input.Set(entpayment.FieldMethod, payment.Offset), // the money came with the payoff
			input.Set(entpayment.FieldClearedDate, *payoff.ClearedDate),
			input.Set(entpayment.FieldInitiatedAt, t.At()),
			input.Set(entpayment.FieldPayoffID, payoff.ID),
		})
		if err != nil {
			return err
		}
		unit.AlsoUpdated(t, "payment", fee, after)
		balances, err := books.Balances(ctx, t, d.ID)
		if err != nil {
			return err
		}
		entries, err := ledger.PayFeeFromSurplus(balances, fee.Amount)
		if err != nil {
			return err
		}
		if err := books.Post(ctx, t, books.Posting{
			Deal: &d.ID, Payment: &fee.ID, Episode: &after.Episode, On: books.ClearedOn(after), Entries: entries,
		}); err != nil {
			return err
		}
		t.Emit("payment", fee.ID, t.PaidEvent(after))
	}
	return nil
}

// reversePayoff reverses the fees and discounts that a returned early payoff had paid or granted, with effective
// date on. The fees are owed again. The caller must true up the books.
func reversePayoff(ctx context.Context, t *unit.Tx, d *ent.Deal, payoff *ent.Payment, on civil.Date) error {
	rows, err := t.Payment.Query().Where(entpayment.PayoffID(payoff.ID), entpayment.StatusEQ(payment.Paid), unit.Locked).
		Order(entpayment.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row.Type == payment.EPODiscount {
			err = cancelDiscount(ctx, t, row, on)
		} else {
			err = returnFee(ctx, t, d, row, on)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// returnFee undoes a fee that a returned payoff had paid: the fee becomes BOUNCED, and a new fee is owed
// instead.
func returnFee(ctx context.Context, t *unit.Tx, d *ent.Deal, fee *ent.Payment, on civil.Date) error {
	again, err := t.Payment.Create().SetDealID(d.ID).SetType(fee.Type).SetAmount(fee.Amount).SetDirection(payment.In).
		SetNillableSource(fee.Source).SetNillableNote(fee.Note).SetNillableFeeForID(fee.FeeForID).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoCreated(t, "payment", again)
	after, err := savePayment(ctx, t, fee, []input.Change{
		input.Set(entpayment.FieldStatus, payment.Bounced),
		input.Set(entpayment.FieldReturnedAt, t.At()),
		input.Set(entpayment.FieldClearedDate, nil),
		input.Set(entpayment.FieldMadeUpByID, again.ID),
	})
	if err != nil {
		return err
	}
	unit.AlsoUpdated(t, "payment", fee, after)
	t.Emit("payment", fee.ID, webhook.PaymentBounced{PaymentID: fee.ID, DealID: d.ID, Amount: fee.Amount})
	return books.ReversePayment(ctx, t, after, on)
}
