package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/payment"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/schedule"
	"paydown/internal/service/books"
	"paydown/internal/service/unit"
)

// payoffDaysBack is how many banking days an early payoff or its discount may be backdated without the
// permission deals.write-off. The limit prevents granting a discount after its window by backdating it into the
// window.
const payoffDaysBack = 5

// checkLimits rejects a payment that becomes PAID and exceeds its limit: a discount that the deal's payoff does
// not grant on the cleared date, a payout above what the syndicator is owed, or a refund of money that was
// never paid. It applies to every actor and surface. The deal is locked.
func checkLimits(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, cleared civil.Date) error {
	if !payment.Limited(p.Type, p.Amount) {
		return nil
	}
	room, err := limitsOf(ctx, t, d, p, cleared)
	if err != nil {
		return err
	}
	most, what, _ := room.Limit(p.Type, p.Amount)
	if size := p.Amount.Abs(); most.Less(size) {
		return fault.Conflictf("The payment of %s cannot be PAID: %s %s.", p.Amount, what, most).
			With("amount", "must be at most %s: %s %s", most, what, most)
	}
	return nil
}

// limitsOf returns the limits for a payment on the deal; it computes only what the payment's type needs.
func limitsOf(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, cleared civil.Date) (payment.Room, error) {
	var room payment.Room
	if p.Type == payment.EPODiscount {
		if backdatedTooFar(t, cleared) {
			return room, nil
		}
		payoff, err := payoffOn(ctx, t, d, cleared)
		room.Discount = payoff.Discount
		return room, err
	}
	balances, err := books.Balances(ctx, t, d.ID)
	if err != nil {
		return room, err
	}
	room.Collected = money.Max(money.Zero,
		money.Sum(ledger.Collected(balances), ledger.Recovered(balances), ledger.Surplus(balances)))
	if p.SyndicatorID != nil {
		room.PaidOut = money.Max(money.Zero, balances.ShareOf(*p.SyndicatorID).PaidOut)
		room.Payable, err = books.PayableTo(ctx, t, *p.SyndicatorID)
	}
	return room, err
}

// backdatedTooFar reports whether an early payoff is backdated further than the actor may.
func backdatedTooFar(t *unit.Tx, cleared civil.Date) bool {
	return !t.Actor.Has(auth.WriteOff) && schedule.AddBankingDays(cleared, payoffDaysBack).Before(t.Today())
}

// checkClearedDate rejects a change of the cleared date of a payment whose day follows from another: an OFFSET
// payment from the renewal or payoff that paid it, a discount from its payoff, and a payoff from what was
// posted with it.
func checkClearedDate(ctx context.Context, t *unit.Tx, p *ent.Payment, cleared civil.Date) error {
	if p.Status != payment.Paid || p.ClearedDate == nil || p.ClearedDate.Equal(cleared) {
		return nil
	}
	if byOffset(p) && p.Type != payment.EPODiscount {
		return fault.Conflictf("The payment was paid by OFFSET: it keeps the day of the renewal or payoff that paid it.").
			With(clearedDate, "must stay %s", p.ClearedDate)
	}
	if p.PayoffID != nil {
		return fault.Conflictf("The discount belongs to payment %d, which paid the deal off early.", *p.PayoffID).
			With(clearedDate, "must stay %s: the discount follows the day of the payoff", p.ClearedDate)
	}
	payoff, err := t.Payment.Query().Where(entpayment.PayoffID(p.ID), entpayment.StatusEQ(payment.Paid)).Exist(ctx)
	if err != nil || !payoff {
		return err
	}
	return fault.Conflictf("The payment paid the deal off early at the quote of its cleared date.").
		With(clearedDate, "must stay %s: mark the payment BOUNCED, then pay the deal off on the other day", p.ClearedDate)
}

// checkDiscountDate rejects a cleared date of a PAID discount on which the payoff grants no discount.
func checkDiscountDate(t *unit.Tx, d *ent.Deal, p *ent.Payment, cleared civil.Date) error {
	if p.Type != payment.EPODiscount || p.Status != payment.Paid {
		return nil
	}
	until, agreed := books.TermsOf(d, t.Zone()).EarlyPayoffUntil()
	if agreed && !cleared.After(until) {
		return nil
	}
	return fault.Conflictf(
		"The discount was granted for an early payoff; outside the payoff window it is %s.", money.Zero).
		With("clearedDate", "must be within the early-payoff window")
}
