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

// payoffDaysBack is how many banking days back an early payoff or its discount may be dated without the permission to write
// off: else whoever records payments could grant one after its window by dating it into the window.
const payoffDaysBack = 5

// withinRoom refuses a payment that becomes PAID and takes more than is there: a discount that the deal's payoff does not
// grant on the day the payment cleared, a payout beyond what the syndicator is owed, money taken back that was never paid.
// It holds for every actor and every surface. The deal is locked.
func withinRoom(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, cleared civil.Date) error {
	if !payment.Limited(p.Type, p.Amount) {
		return nil
	}
	room, err := roomOf(ctx, t, d, p, cleared)
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

// roomOf is what payments of the deal may still take; only what the payment's type asks for is worked out.
func roomOf(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, cleared civil.Date) (payment.Room, error) {
	var room payment.Room
	if p.Type == payment.EPODiscount {
		if forgivesTooLate(t, cleared) {
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

// forgivesTooLate reports an early payoff that is dated further back than the actor may.
func forgivesTooLate(t *unit.Tx, cleared civil.Date) bool {
	return !t.Actor.Has(auth.WriteOff) && schedule.AddBankingDays(cleared, payoffDaysBack).Before(t.Today())
}

// keepsItsDay refuses to move the cleared date of what counts with something else: a payment by OFFSET with the renewal or the
// payoff that it settles, a discount with the payoff that it was granted for, and a payoff with what was booked with it.
func keepsItsDay(ctx context.Context, t *unit.Tx, p *ent.Payment, cleared civil.Date) error {
	if p.Status != payment.Paid || p.ClearedDate == nil || p.ClearedDate.Equal(cleared) {
		return nil
	}
	if byOffset(p) && p.Type != payment.EPODiscount {
		return fault.Conflictf("The payment was settled by OFFSET: it counts for the day of what settled it.").
			With(clearedDate, "must stay %s", p.ClearedDate)
	}
	if p.PayoffID != nil {
		return fault.Conflictf("The discount was granted for payment %d, which paid the deal off early.", *p.PayoffID).
			With(clearedDate, "must stay %s: the discount follows the day of the payoff", p.ClearedDate)
	}
	payoff, err := t.Payment.Query().Where(entpayment.PayoffID(p.ID), entpayment.StatusEQ(payment.Paid)).Exist(ctx)
	if err != nil || !payoff {
		return err
	}
	return fault.Conflictf("The payment paid the deal off early, by the quote of its day.").
		With(clearedDate, "must stay %s: mark the payment BOUNCED, and pay the deal off on the other day", p.ClearedDate)
}

// keepsItsGrant refuses to move the cleared date of a discount that is PAID to a day on which the payoff grants none.
func keepsItsGrant(t *unit.Tx, d *ent.Deal, p *ent.Payment, cleared civil.Date) error {
	if p.Type != payment.EPODiscount || p.Status != payment.Paid {
		return nil
	}
	until, agreed := books.TermsOf(d, t.Zone()).EarlyPayoffUntil()
	if agreed && !cleared.After(until) {
		return nil
	}
	return fault.Conflictf("The discount was granted for an early payoff; on another day than those of its window it is %s.", money.Zero).
		With("clearedDate", "must be within the early-payoff window")
}
