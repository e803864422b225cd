package service

import (
	"context"
	"fmt"
	"slices"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/ent/approval"
	entdeal "paydown/ent/deal"
	"paydown/ent/disclosure"
	"paydown/ent/journal"
	entpayment "paydown/ent/payment"
	"paydown/ent/payoutitem"
	"paydown/ent/predicate"
	"paydown/ent/renewalopportunity"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/webhook"
)

// move takes a deal that is locked to another state because somebody asks for it: if the move is allowed, if no funding
// block stands in the way, and with all that belongs to it. The state it is in already is no move.
func (t *tx) move(ctx context.Context, d *ent.Deal, to deal.State, trigger deal.Trigger) (*ent.Deal, error) {
	if d.State == to {
		return d, nil
	}
	if err := deal.AllowedMove(d.State, to); err != nil {
		return nil, err
	}
	if deal.Guarded(d.State, to) {
		blocks, err := t.blocks(ctx, d, to)
		if err != nil {
			return nil, err
		}
		if f := deal.Fault(blocks); f != nil {
			return nil, f
		}
	}
	var after *ent.Deal
	var err error
	switch {
	case to == deal.Funded && d.State == deal.Defaulted:
		after, err = t.cure(ctx, d)
	case to == deal.Funded:
		after, err = t.fund(ctx, d)
	case to == deal.Defaulted:
		after, err = t.putInDefault(ctx, d)
	case to == deal.Closed:
		after, err = t.closePaid(ctx, d)
	case d.State == deal.Prefunded:
		after, err = d, t.supersedeDisclosures(ctx, d.ID, "")
	default:
		after = d
	}
	if err != nil {
		return nil, err
	}
	if after, err = t.enter(ctx, after, to, trigger); err != nil {
		return nil, err
	}
	switch {
	case to == deal.Withdrawn:
		return after, t.endOffers(ctx, approval.DealID(d.ID))
	case to != deal.Funded:
		return after, nil
	case d.State == deal.Prefunded:
		if err := t.offersFunded(ctx, d.ID); err != nil {
			return nil, err
		}
	}
	return t.closePrepaid(ctx, after)
}

// closePrepaid closes a deal that was paid in full before it became FUNDED.
func (t *tx) closePrepaid(ctx context.Context, d *ent.Deal) (*ent.Deal, error) {
	balances, err := t.balances(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	return t.settleBalance(ctx, d, nil, ledger.Outstanding(balances))
}

// enter stores the new state and tells the world.
func (t *tx) enter(ctx context.Context, d *ent.Deal, to deal.State, trigger deal.Trigger) (*ent.Deal, error) {
	from := d.State
	after, err := t.saveDeal(ctx, d, []columnChange{{entdeal.FieldState, to}})
	if err != nil {
		return nil, err
	}
	t.emit("deal", d.ID, webhook.DealStateChanged{
		DealID: d.ID, DealNumber: d.DealNumber, From: string(from), To: string(to), Trigger: string(trigger),
	})
	return after, t.followDeal(ctx, from, after)
}

// follow makes a move that the system makes by itself.
func (t *tx) follow(ctx context.Context, d *ent.Deal, to deal.State, trigger deal.Trigger) (*ent.Deal, error) {
	if !d.State.MayFollow(to) {
		return d, nil
	}
	return t.enter(ctx, d, to, trigger)
}

// closePaid lets a deal close only when nothing is owed any more.
func (t *tx) closePaid(ctx context.Context, d *ent.Deal) (*ent.Deal, error) {
	balances, err := t.balances(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	if owed := ledger.Outstanding(balances); !owed.IsZero() {
		return nil, fault.Conflictf("The deal cannot be closed: %s is outstanding.", owed).
			With("state", "needs a balance of 0.00; %s is outstanding", owed)
	}
	if err := t.cancelCollections(ctx, d.ID); err != nil {
		return nil, err
	}
	return d, nil
}

// putInDefault stops the collection of a deal: what was to be collected is called off, the surcharge is assessed,
// renewals are off, and a commission at risk comes back.
func (t *tx) putInDefault(ctx context.Context, d *ent.Deal) (*ent.Deal, error) {
	if err := t.cancelPending(ctx, d.ID); err != nil {
		return nil, err
	}
	if d.DefaultSurcharge != nil && d.DefaultSurcharge.Sign() > 0 {
		surcharge, err := t.Payment.Create().SetDealID(d.ID).SetType(payment.OtherFee).SetAmount(*d.DefaultSurcharge).
			SetDirection(payment.In).SetSource(payment.FromSystem).SetNote("Default surcharge").Save(ctx)
		if err != nil {
			return nil, err
		}
		alsoMade(t, "payment", surcharge)
	}
	if err := t.dismissRenewals(ctx, d.ID); err != nil {
		return nil, err
	}
	if err := t.clawBack(ctx, d); err != nil {
		return nil, err
	}
	return t.saveDeal(ctx, d, []columnChange{{entdeal.FieldDefaultedAt, t.At()}})
}

// surcharges are the payments by which defaults are charged for; no other fee is the system's own.
func surcharges() predicate.Payment {
	return entpayment.And(entpayment.TypeEQ(payment.OtherFee), entpayment.SourceEQ(payment.FromSystem))
}

// cancelPending calls off the deal's payments that are not under way yet.
func (t *tx) cancelPending(ctx context.Context, dealID int) error {
	return t.cancel(ctx, entpayment.DealID(dealID), entpayment.DirectionEQ(payment.In))
}

// cancelCollections calls off the payments that would be collected of a receivable of which nothing is left. What was
// assessed besides it, a fee, is owed on.
func (t *tx) cancelCollections(ctx context.Context, dealID int) error {
	return t.cancel(ctx, entpayment.DealID(dealID), entpayment.TypeIn(payment.AgainstReceivable()...))
}

// cancel calls off the payments that are PENDING, of those that the predicates name. Their deal is locked.
func (t *tx) cancel(ctx context.Context, which ...predicate.Payment) error {
	pending, err := t.Payment.Query().Where(which...).Where(entpayment.StatusEQ(payment.Pending), locked).
		Order(entpayment.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return allStored(ctx, t, "payment", pending, []columnChange{{entpayment.FieldStatus, payment.Cancelled}},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.Payment.Update().Where(entpayment.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

func (t *tx) dismissRenewals(ctx context.Context, dealID int) error {
	return t.closeRenewals(ctx, dealID, renewalopportunity.StatusDISMISSED)
}

// closeRenewals ends the open opportunities to renew a deal, and sets more of their columns where more is given.
func (t *tx) closeRenewals(
	ctx context.Context, dealID int, status renewalopportunity.Status, more ...columnChange,
) error {
	open, err := t.RenewalOpportunity.Query().
		Where(renewalopportunity.PriorDealID(dealID), renewalopportunity.ClosedAtIsNil(), locked).
		Order(renewalopportunity.ByID()).All(ctx)
	if err != nil {
		return err
	}
	changes := slices.Concat(more, []columnChange{
		{renewalopportunity.FieldStatus, status}, {renewalopportunity.FieldClosedAt, t.At()},
	})
	return allStored(ctx, t, "renewalOpportunity", open, changes,
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.RenewalOpportunity.Update().Where(renewalopportunity.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

// clawBack takes back commissions of the deal that are still at risk: one that was paid out becomes a debt of the ISO,
// one that was not is no longer owed.
func (t *tx) clawBack(ctx context.Context, d *ent.Deal) error {
	items, err := t.PayoutItem.Query().Where(payoutitem.DealID(d.ID), payoutitem.SyndicatorIDIsNil(),
		payoutitem.ClawbackRiskAtGT(t.At()), payoutitem.AmountGT(money.Zero), payoutitem.Not(payoutitem.HasCarriedToWith(
			payoutitem.TenantID(t.actor.TenantID))),
		payoutitem.StatusIn(payoutitem.StatusPENDING, payoutitem.StatusHELD, payoutitem.StatusFAILED, payoutitem.StatusPAID), locked).
		Order(payoutitem.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, item := range items {
		// What was paid out is a debt of the broker now; what was not is no longer owed.
		taken := posting{deal: &d.ID, payoutItem: &item.ID}
		if item.Status == payoutitem.StatusPAID {
			taken.entries, err = ledger.ClawBack(payeeOf(item).iso, item.Amount)
		} else {
			taken, err = t.unearned(ctx, d.ID)
		}
		if err != nil {
			return err
		}
		if err := t.post(ctx, taken); err != nil {
			return err
		}
		if item.Status == payoutitem.StatusPAID {
			if err := t.setOffClawback(ctx, item); err != nil {
				return err
			}
		}
		after, err := t.PayoutItem.UpdateOne(item).SetStatus(payoutitem.StatusCLAWED_BACK).SetClawedBackAt(t.At()).
			SetClawbackAmount(item.Amount).SetClawbackNote("The deal defaulted.").Save(ctx)
		if err != nil {
			return err
		}
		alsoChanged(t, "payoutItem", item, after)
	}
	if len(items) == 0 {
		return nil
	}
	return t.returnCommissionShares(ctx, d)
}

// setOffClawback has a commission that was paid and clawed back be set off against what its broker is paid next.
func (t *tx) setOffClawback(ctx context.Context, item *ent.PayoutItem) error {
	batch, err := t.commissionBatch(ctx)
	if err != nil {
		return err
	}
	_, err = t.addItems(ctx, []*ent.PayoutItemCreate{t.PayoutItem.Create().SetBatchID(batch.ID).SetAmount(item.Amount.Neg()).
		SetReversesID(item.ID).SetNillableIsoID(item.IsoID).SetNillableReferrerID(item.ReferrerID).SetNillableDealID(item.DealID)})
	return err
}

// returnCommissionShares gives the syndicators who fronted a commission their part of it back, once it was taken back.
func (t *tx) returnCommissionShares(ctx context.Context, d *ent.Deal) error {
	facts, err := t.ledgerFacts(ctx, d)
	if err != nil {
		return err
	}
	balances, err := t.balances(ctx, d.ID)
	if err != nil {
		return err
	}
	entries, err := ledger.ReturnCommissionShares(facts, balances)
	if err != nil {
		return err
	}
	return t.post(ctx, posting{deal: &d.ID, entries: entries})
}

// unearned takes back the commission that was owed on a deal but not paid: the entry that booked it is reversed.
func (t *tx) unearned(ctx context.Context, dealID int) (posting, error) {
	owed, err := t.Journal.Query().Where(journal.DealID(dealID), journal.KindEQ(ledger.Commission),
		journal.ReversesIDIsNil(), journal.Not(journal.HasReversals())).WithPostings().Only(ctx)
	if err != nil {
		return posting{}, fmt.Errorf("commission of deal %d: %w", dealID, err)
	}
	return posting{deal: &dealID, reverses: []int{owed.ID}, entries: []ledger.Entry{ledger.Reverse(entryOf(owed))}}, nil
}

// cure takes a deal out of default: what is outstanding is scheduled anew, and a surcharge that is not under way yet is
// called off. That is a decision of ours, which neither the API nor the agreements that we know of make: the surcharge
// belongs to the default, and a default that is cured no longer stands (defaultedAt is cleared, funding blocks do not see
// it). What the merchant has paid of it is kept, and a debit that is at the bank takes its course.
func (t *tx) cure(ctx context.Context, d *ent.Deal) (*ent.Deal, error) {
	if err := t.cancel(ctx, entpayment.DealID(d.ID), surcharges()); err != nil {
		return nil, err
	}
	balances, err := t.balances(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	if owed := ledger.Outstanding(balances); owed.Sign() > 0 {
		if err := t.scheduleRest(ctx, d, owed); err != nil {
			return nil, err
		}
	}
	return t.saveDeal(ctx, d, []columnChange{{entdeal.FieldDefaultedAt, nil}})
}

// supersedeDisclosures ends the deal's disclosures in force, but the one of the given state.
func (t *tx) supersedeDisclosures(ctx context.Context, dealID int, but string) error {
	inForce, err := t.Disclosure.Query().Where(disclosure.DealID(dealID), disclosure.StateNEQ(but),
		disclosure.StatusNEQ(disclosure.StatusSUPERSEDED), locked).Order(disclosure.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return allStored(ctx, t, "disclosure", inForce, []columnChange{
		{disclosure.FieldStatus, disclosure.StatusSUPERSEDED}, {disclosure.FieldSupersededAt, t.At()},
	}, func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
		update := t.Disclosure.Update().Where(disclosure.IDIn(ids...))
		return update.Mutation(), update.Save
	})
}

// settleBalance lets a deal follow its balance, which the payment changed (nil: the funding did): it closes once it is
// paid in full, and reopens, to be collected on, when its payoff came back or was refunded. A discount that was granted for that
// payoff comes back with it.
func (t *tx) settleBalance(
	ctx context.Context, d *ent.Deal, by *ent.Payment, owed money.Amount,
) (*ent.Deal, error) {
	switch {
	case d.State == deal.Funded && owed.IsZero():
		if err := t.cancelCollections(ctx, d.ID); err != nil {
			return nil, err
		}
		early, err := t.paidOffEarly(ctx, d, by)
		if err != nil {
			return nil, err
		}
		trigger := deal.ByAutomation
		if early {
			trigger = deal.ByEarlyPayoff
			if err := t.grantsBelongTo(ctx, d, by); err != nil {
				return nil, err
			}
		}
		return t.follow(ctx, d, deal.Closed, trigger)
	case (d.State == deal.Closed || d.State == deal.Renewed) && owed.Sign() > 0:
		if d.State == deal.Closed {
			var err error
			if owed, err = t.takeDiscountsBack(ctx, d, by, owed); err != nil {
				return nil, err
			}
		}
		if err := t.scheduleRest(ctx, d, owed); err != nil {
			return nil, err
		}
		return t.follow(ctx, d, deal.Funded, deal.ByAutomation)
	}
	return d, nil
}
