package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/payment"
	"paydown/ent/renewalopportunity"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/pricing"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// payOffPrior pays off the deal that d renews and returns the payoff amount: the outstanding amount plus unpaid
// fees, less the early-payoff discount. The prior deal becomes RENEWED.
func payOffPrior(ctx context.Context, t *unit.Tx, d *ent.Deal) (money.Amount, error) {
	if d.RenewedFromDealID == nil {
		return money.Zero, nil
	}
	prior, err := books.LockDeal(ctx, t, *d.RenewedFromDealID)
	if err != nil {
		return money.Zero, err
	}
	if prior.State != deal.Funded {
		return money.Zero, fault.Conflictf("The deal that this one renews is %s, not FUNDED.", prior.State).
			With("renewedFromDealId", "must name a deal that is FUNDED")
	}
	on := fundedOn(t, d)
	if day := fundedOn(t, prior); on.Before(day) {
		return money.Zero, fault.Conflictf(
			"The deal cannot be funded before the deal that it renews was funded, on %s.", day).
			With("fundedAt", "must not be before %s, the day the prior deal was funded", day)
	}
	payoff, err := payoffOn(ctx, t, prior, on)
	if err != nil {
		return money.Zero, err
	}
	fees, err := offsetFees(ctx, t, prior, on)
	if err != nil {
		return money.Zero, err
	}
	if err := offset(ctx, t, prior, payment.EPODiscount, payoff.Discount, on, nil); err != nil {
		return money.Zero, err
	}
	if err := offset(ctx, t, prior, payment.RenewalPayoff, payoff.Amount.Sub(fees), on, nil); err != nil {
		return money.Zero, err
	}
	if err := cancelPending(ctx, t, prior.ID); err != nil {
		return money.Zero, err
	}
	after, err := follow(ctx, t, prior, deal.Renewed, deal.ByAutomation)
	if err != nil {
		return money.Zero, err
	}
	unit.AlsoUpdated(t, "deal", prior, after)
	if err := closeRenewals(ctx, t, prior.ID, renewalopportunity.StatusRENEWED,
		input.Set(renewalopportunity.FieldRenewalDealID, d.ID)); err != nil {
		return money.Zero, err
	}
	return payoff.Amount, nil
}

// offsetFees pays the prior deal's unpaid fees by OFFSET with effective date on, and returns their total.
func offsetFees(ctx context.Context, t *unit.Tx, prior *ent.Deal, on civil.Date) (money.Amount, error) {
	var total money.Amount
	unpaid, err := unpaidFees(ctx, t, prior.ID)
	if err != nil {
		return total, err
	}
	for _, fee := range unpaid {
		after, err := savePayment(ctx, t, fee, []input.Change{
			input.Set(entpayment.FieldStatus, payment.Paid),
			input.Set(entpayment.FieldMethod, payment.Offset),
			input.Set(entpayment.FieldEpisode, fee.Episode+1),
			input.Set(entpayment.FieldClearedDate, on),
		})
		if err != nil {
			return total, err
		}
		unit.AlsoUpdated(t, "payment", fee, after)
		if _, err := books.PostPayment(ctx, t, prior, after); err != nil {
			return total, err
		}
		t.Emit("payment", fee.ID, t.PaidEvent(fee))
		total = total.Add(fee.Amount)
	}
	return total, nil
}

// unpaidFees lists the fees of a deal that are neither paid nor being collected.
func unpaidFees(ctx context.Context, t *unit.Tx, dealID int) ([]*ent.Payment, error) {
	return t.Payment.Query().Where(entpayment.DealID(dealID), entpayment.StatusEQ(payment.Pending),
		entpayment.TypeIn(payment.Fees()...)).Order(entpayment.ByID()).All(ctx)
}

// payoffOn returns what pays off a funded deal on a day, including unpaid fees, if nothing is collected until
// then.
func payoffOn(ctx context.Context, t *unit.Tx, d *ent.Deal, day civil.Date) (pricing.Payoff, error) {
	balances, err := books.Balances(ctx, t, d.ID)
	if err != nil {
		return pricing.Payoff{}, err
	}
	unpaid, err := unpaidFees(ctx, t, d.ID)
	if err != nil {
		return pricing.Payoff{}, err
	}
	var fees money.Amount
	for _, fee := range unpaid {
		fees = fees.Add(fee.Amount)
	}
	terms := books.TermsOf(d, t.Zone())
	funded, _, err := books.FurtherDraws(ctx, t, d)
	if err != nil {
		return pricing.Payoff{}, err
	}
	if funded.Sign() > 0 {
		funded = funded.Add(books.OrZero(terms.FundedAmount))
		terms.FundedAmount = &funded
	}
	return terms.PayoffOn(day, pricing.Position{
		Collected: ledger.Collected(balances), Outstanding: ledger.Outstanding(balances), Fees: fees,
		Defaulted: d.State == deal.Defaulted,
	}), nil
}

// offset records a payment that moves no cash: on the prior deal of a renewal, or with the given payoff.
func offset(
	ctx context.Context, t *unit.Tx, d *ent.Deal, kind payment.Type, amount money.Amount, on civil.Date, payoff *int,
) error {
	if amount.Sign() <= 0 {
		return nil
	}
	row, err := t.Payment.Create().SetDealID(d.ID).SetType(kind).SetAmount(amount).SetStatus(payment.Paid).
		SetEpisode(1).SetMethod(payment.Offset).SetDirection(payment.In).SetSource(payment.FromSystem).
		SetClearedDate(on).SetInitiatedAt(t.At()).SetNillablePayoffID(payoff).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoCreated(t, "payment", row)
	if _, err := books.PostPayment(ctx, t, d, row); err != nil {
		return err
	}
	t.Emit("payment", row.ID, t.PaidEvent(row))
	return nil
}
