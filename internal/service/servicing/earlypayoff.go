package servicing

import (
	"context"
	"slices"

	"paydown/ent"
	"paydown/ent/journal"
	"paydown/ent/payment"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/payouts"
	"paydown/internal/service/unit"
)

// An early payoff that meets the quote names its discount (payoff.go). Whoever records the two one by one records the
// discount, and the payoff, which may come in parts. Then neither names the other, and either may be first. They belong
// together where collection by instalments did not go on between them: an instalment that was begun before the discount was
// granted and clears after it is no sign of that.

// granted is a discount that stands, with the entry that booked it.
type granted struct {
	payment *ent.Payment
	entry   *ent.Journal
}

// discounts are those of the deal that stand, oldest first.
func discounts(ctx context.Context, t *unit.Tx, dealID int) ([]granted, error) {
	rows, err := t.Payment.Query().Where(entpayment.DealID(dealID), entpayment.TypeEQ(payment.EPODiscount),
		entpayment.StatusEQ(payment.Paid), unit.Locked).Order(entpayment.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	found := make([]granted, len(rows))
	for i, p := range rows {
		entry, err := t.Journal.Query().Where(journal.PaymentID(p.ID), journal.Episode(p.Episode),
			journal.KindEQ(ledger.Discount), journal.ReversesIDIsNil()).Only(ctx)
		if err != nil {
			return nil, err
		}
		found[i] = granted{p, entry}
	}
	return found, nil
}

// paidOffEarly reports whether a deal that the payment closes (nil: its funding does) is closed by an early payoff: a
// discount stands, and collection by instalments has not gone on since the newest was granted.
func paidOffEarly(ctx context.Context, t *unit.Tx, d *ent.Deal, by *ent.Payment) (bool, error) {
	if by == nil {
		return false, nil
	}
	standing, err := discounts(ctx, t, d.ID)
	if err != nil || len(standing) == 0 {
		return false, err
	}
	newest := slices.MaxFunc(standing, func(a, b granted) int { return a.entry.ID - b.entry.ID })
	goneOn, err := collectedSince(ctx, t, d, newest, by.ID)
	return !goneOn, err
}

// collectedSince reports whether an instalment, other than the payments named, was begun after the discount was granted, and
// paid.
func collectedSince(ctx context.Context, t *unit.Tx, d *ent.Deal, g granted, but ...int) (bool, error) {
	paid, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.IDNotIn(but...),
		entpayment.StatusEQ(payment.Paid), entpayment.InitiatedAtGT(g.entry.OccurredAt)).All(ctx)
	return slices.ContainsFunc(paid, func(p *ent.Payment) bool { return instalment(d, p) }), err
}

// instalment reports whether a payment collects no more than the deal asks for at a time.
func instalment(d *ent.Deal, p *ent.Payment) bool {
	return (p.Type == payment.OriginalAdvancePayback || p.Type == payment.AdvancePayback) &&
		d.PaymentAmount != nil && !d.PaymentAmount.Less(p.Amount)
}

// grantsBelongTo notes which payment pays a deal off early: the discounts that were recorded for it go with it, should it come
// back, whatever came back before it. Of a payoff in several payments that is the last one; grantedFor finds the others.
func grantsBelongTo(ctx context.Context, t *unit.Tx, d *ent.Deal, payoff *ent.Payment) error {
	if payoff.Type == payment.EPODiscount {
		return nil
	}
	standing, err := discounts(ctx, t, d.ID)
	if err != nil {
		return err
	}
	for _, g := range standing {
		if g.payment.PayoffID != nil || ofRenewal(g.payment) {
			continue
		}
		after, err := savePayment(ctx, t, g.payment, []input.Change{input.Set(entpayment.FieldPayoffID, payoff.ID)})
		if err != nil {
			return err
		}
		unit.AlsoUpdated(t, "payment", g.payment, after)
	}
	return nil
}

// ofRenewal reports a discount that a renewal granted. The renewal and an early payoff are all that have the product make one:
// that of a payoff names it (payoff_id) for as long as it has not been taken back, and is in a later episode once it is granted
// anew. That of a renewal names none and is never taken back.
func ofRenewal(discount *ent.Payment) bool {
	made := discount.Source != nil && *discount.Source == payment.FromSystem
	return made && discount.PayoffID == nil && discount.Episode == 1
}

// takeDiscountsBack reverses the discounts that were granted for a payoff which is undone by a payment, and returns what is owed
// then. The payment is one that came back or refunds what the payoff had brought. The discounts end CANCELLED, so that one which
// is granted anew can be set PAID again. What a payoff paid of fees is not refunded by an adjustment, and stays paid then.
func takeDiscountsBack(ctx context.Context, t *unit.Tx, d *ent.Deal, by *ent.Payment, owed money.Amount) (money.Amount, error) {
	standing, err := discounts(ctx, t, d.ID)
	if err != nil {
		return owed, err
	}
	undone, on := grantedFor, returnedOn(t, by, by)
	if by.Status == payment.Paid {
		undone, on = refundedBy, books.ClearedOn(by)
	}
	for _, g := range standing {
		belongs, err := undone(ctx, t, d, g, by)
		if err != nil {
			return owed, err
		}
		if !belongs {
			continue
		}
		if cleared := books.ClearedOn(g.payment); on.Before(cleared) {
			on = cleared
		}
		if err := cancelDiscount(ctx, t, g.payment, on); err != nil {
			return owed, err
		}
		balances, err := books.TrueUp(ctx, t, d, on)
		if err != nil {
			return owed, err
		}
		owed = ledger.Outstanding(balances)
	}
	return owed, nil
}

// cancelDiscount takes a discount back for a day. It ends CANCELLED. settle must follow.
func cancelDiscount(ctx context.Context, t *unit.Tx, discount *ent.Payment, on civil.Date) error {
	after, err := savePayment(ctx, t, discount, []input.Change{
		input.Set(entpayment.FieldStatus, payment.Cancelled),
		input.Set(entpayment.FieldClearedDate, nil),
		input.Set(entpayment.FieldPayoffID, nil),
	})
	if err != nil {
		return err
	}
	unit.AlsoUpdated(t, "payment", discount, after)
	if err := payouts.CancelSharesOf(ctx, t, after); err != nil {
		return err
	}
	return books.ReversePayment(ctx, t, after, on)
}

// grantedFor reports whether the discount belongs to a payoff that has come back: one that was paid after the discount
// was granted, or the last one before it where none was. An instalment that was under way by then is none. What a renewal
// granted belongs to the renewal.
func grantedFor(ctx context.Context, t *unit.Tx, d *ent.Deal, g granted, returned *ent.Payment) (bool, error) {
	if noted := g.payment.PayoffID != nil && *g.payment.PayoffID == returned.ID; noted || ofRenewal(g.payment) {
		return noted, nil
	}
	if goneOn, err := collectedSince(ctx, t, d, g, returned.ID); err != nil || goneOn {
		return false, err
	}
	paid, err := t.Journal.Query().Where(journal.PaymentID(returned.ID), journal.Episode(returned.Episode),
		journal.KindEQ(ledger.Payment), journal.ReversesIDIsNil()).First(ctx)
	if ent.IsNotFound(err) {
		return false, nil // it met nothing that was owed
	}
	if err != nil {
		return false, err
	}
	if paid.ID > g.entry.ID {
		underWay := returned.InitiatedAt != nil && returned.InitiatedAt.Before(g.entry.OccurredAt)
		return !underWay || !instalment(d, returned), nil
	}
	later, err := t.Journal.Query().Where(journal.DealID(d.ID), journal.IDGT(paid.ID),
		journal.ReversesIDIsNil(), journal.KindEQ(ledger.Payment), journal.PaymentIDNEQ(returned.ID),
		journal.HasPaymentWith(entpayment.StatusEQ(payment.Paid), entpayment.TypeIn(payment.AgainstReceivable()...))).
		Exist(ctx)
	return !later, err
}

// refundedBy reports whether an adjustment that reopens the deal undoes the early payoff that the discount was granted for. None
// closed the deal where collection by instalments has gone on since; that of a renewal belongs to the renewal.
func refundedBy(ctx context.Context, t *unit.Tx, d *ent.Deal, g granted, refund *ent.Payment) (bool, error) {
	if ofRenewal(g.payment) || refund.Type != payment.AdvancePaybackAdjustment || refund.Amount.Sign() >= 0 {
		return false, nil
	}
	payoffs := []int{refund.ID}
	if g.payment.PayoffID != nil {
		payoffs = append(payoffs, *g.payment.PayoffID)
	}
	// What closed the deal paid it off, however small it was: something of an earlier payoff had come back.
	closing, err := t.Journal.Query().Where(journal.DealID(d.ID), journal.KindEQ(ledger.Payment), journal.ReversesIDIsNil(),
		journal.PaymentIDNEQ(refund.ID), journal.HasPaymentWith(entpayment.StatusEQ(payment.Paid),
			entpayment.TypeIn(payment.AgainstReceivable()...), entpayment.AmountGT(money.Zero))).
		Order(journal.ByID(unit.Descending())).First(ctx)
	switch {
	case err == nil:
		payoffs = append(payoffs, *closing.PaymentID)
	case !ent.IsNotFound(err):
		return false, err
	}
	goneOn, err := collectedSince(ctx, t, d, g, payoffs...)
	return !goneOn, err
}
