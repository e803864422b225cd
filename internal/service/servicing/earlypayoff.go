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

// An early payoff that meets the quote is linked to its discount (payoff.go). Staff can also record the
// discount and the payoff separately, in either order, and the payoff in several payments; then nothing links
// them. They belong together if no regular installment was collected in between. An installment that was
// initiated before the discount was granted and cleared after it does not count as collected in between.

// granted is an active discount with the journal entry that posted it.
type granted struct {
	payment *ent.Payment
	entry   *ent.Journal
}

// discounts lists the deal's active discounts, oldest first.
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

// paidOffEarly reports whether a deal that is now paid in full was paid off early: it has an active discount,
// and no installment was collected since the newest one was granted. by is the payment that closes the deal;
// nil if its funding does.
func paidOffEarly(ctx context.Context, t *unit.Tx, d *ent.Deal, by *ent.Payment) (bool, error) {
	if by == nil {
		return false, nil
	}
	active, err := discounts(ctx, t, d.ID)
	if err != nil || len(active) == 0 {
		return false, err
	}
	newest := slices.MaxFunc(active, func(a, b granted) int { return a.entry.ID - b.entry.ID })
	collected, err := collectedSince(ctx, t, d, newest, by.ID)
	return !collected, err
}

// collectedSince reports whether an installment other than the given payments was initiated after the discount
// was granted, and paid.
func collectedSince(ctx context.Context, t *unit.Tx, d *ent.Deal, g granted, except ...int) (bool, error) {
	paid, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.IDNotIn(except...),
		entpayment.StatusEQ(payment.Paid), entpayment.InitiatedAtGT(g.entry.OccurredAt)).All(ctx)
	return slices.ContainsFunc(paid, func(p *ent.Payment) bool { return isInstallment(d, p) }), err
}

// isInstallment reports whether a payment collects no more than one regular payment amount.
func isInstallment(d *ent.Deal, p *ent.Payment) bool {
	return (p.Type == payment.OriginalAdvancePayback || p.Type == payment.AdvancePayback) &&
		d.PaymentAmount != nil && !d.PaymentAmount.Less(p.Amount)
}

// linkDiscounts links the deal's unlinked discounts to the payment that paid the deal off early, so that they
// are canceled when that payment is returned, even if another payment was returned before. Of a payoff in
// several payments that is the last one; grantedFor finds the others.
func linkDiscounts(ctx context.Context, t *unit.Tx, d *ent.Deal, payoff *ent.Payment) error {
	if payoff.Type == payment.EPODiscount {
		return nil
	}
	active, err := discounts(ctx, t, d.ID)
	if err != nil {
		return err
	}
	for _, g := range active {
		if g.payment.PayoffID != nil || fromRenewal(g.payment) {
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

// fromRenewal reports whether a renewal granted the discount. The system creates discounts only for renewals
// and early payoffs. A payoff's discount has payoff_id set while it is active, and is in a later episode if it
// was granted again; a renewal's discount has neither and is never canceled.
func fromRenewal(discount *ent.Payment) bool {
	bySystem := discount.Source != nil && *discount.Source == payment.FromSystem
	return bySystem && discount.PayoffID == nil && discount.Episode == 1
}

// reverseDiscounts reverses the discounts of a payoff that was returned or refunded, and returns what is
// outstanding after that. by is the returned payment or the refund. The discounts become CANCELLED, so that one
// that is granted again can become PAID again. Fees that the payoff paid stay paid after a refund, because an
// adjustment does not refund them.
func reverseDiscounts(
	ctx context.Context, t *unit.Tx, d *ent.Deal, by *ent.Payment, owed money.Amount,
) (money.Amount, error) {
	active, err := discounts(ctx, t, d.ID)
	if err != nil {
		return owed, err
	}
	belongs, on := grantedFor, returnedOn(t, by, by)
	if by.Status == payment.Paid {
		belongs, on = refundedBy, books.ClearedOn(by)
	}
	for _, g := range active {
		ok, err := belongs(ctx, t, d, g, by)
		if err != nil {
			return owed, err
		}
		if !ok {
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

// cancelDiscount cancels a discount and reverses it with effective date on. The caller must true up the books.
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

// grantedFor reports whether the discount belongs to a payoff that was returned: a payment made after the
// discount was granted or, if there was none, the last payment before it. An installment that was in process
// when the discount was granted is not a payoff. A discount that a renewal granted belongs to the renewal.
func grantedFor(ctx context.Context, t *unit.Tx, d *ent.Deal, g granted, returned *ent.Payment) (bool, error) {
	if noted := g.payment.PayoffID != nil && *g.payment.PayoffID == returned.ID; noted || fromRenewal(g.payment) {
		return noted, nil
	}
	if collected, err := collectedSince(ctx, t, d, g, returned.ID); err != nil || collected {
		return false, err
	}
	paid, err := t.Journal.Query().Where(journal.PaymentID(returned.ID), journal.Episode(returned.Episode),
		journal.KindEQ(ledger.Payment), journal.ReversesIDIsNil()).First(ctx)
	if ent.IsNotFound(err) {
		return false, nil // it paid nothing that was owed
	}
	if err != nil {
		return false, err
	}
	if paid.ID > g.entry.ID {
		inProcess := returned.InitiatedAt != nil && returned.InitiatedAt.Before(g.entry.OccurredAt)
		return !inProcess || !isInstallment(d, returned), nil
	}
	later, err := t.Journal.Query().Where(journal.DealID(d.ID), journal.IDGT(paid.ID),
		journal.ReversesIDIsNil(), journal.KindEQ(ledger.Payment), journal.PaymentIDNEQ(returned.ID),
		journal.HasPaymentWith(entpayment.StatusEQ(payment.Paid), entpayment.TypeIn(payment.AgainstReceivable()...))).
		Exist(ctx)
	return !later, err
}

// refundedBy reports whether an adjustment that reopens the deal undoes the early payoff that the discount was
// granted for. If installments were collected since the discount, no early payoff closed the deal. A discount
// that a renewal granted belongs to the renewal.
func refundedBy(ctx context.Context, t *unit.Tx, d *ent.Deal, g granted, refund *ent.Payment) (bool, error) {
	if fromRenewal(g.payment) || refund.Type != payment.AdvancePaybackAdjustment || refund.Amount.Sign() >= 0 {
		return false, nil
	}
	payoffs := []int{refund.ID}
	if g.payment.PayoffID != nil {
		payoffs = append(payoffs, *g.payment.PayoffID)
	}
	// The payment that closed the deal counts as its payoff even if it is small: part of an earlier payoff had
	// been returned.
	closing, err := t.Journal.Query().
		Where(journal.DealID(d.ID), journal.KindEQ(ledger.Payment), journal.ReversesIDIsNil(),
			journal.PaymentIDNEQ(refund.ID), journal.HasPaymentWith(entpayment.StatusEQ(payment.Paid),
				entpayment.TypeIn(payment.AgainstReceivable()...), entpayment.AmountGT(money.Zero))).
		Order(journal.ByID(unit.Descending())).First(ctx)
	switch {
	case err == nil:
		payoffs = append(payoffs, *closing.PaymentID)
	case !ent.IsNotFound(err):
		return false, err
	}
	collected, err := collectedSince(ctx, t, d, g, payoffs...)
	return !collected, err
}
