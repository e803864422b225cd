package servicing

import (
	"context"
	"fmt"
	"slices"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/ent/deal"
	"paydown/ent/disclosure"
	"paydown/ent/journal"
	"paydown/ent/payment"
	"paydown/ent/payoutitem"
	"paydown/ent/predicate"
	"paydown/ent/renewalopportunity"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/payouts"
	"paydown/internal/service/pipeline"
	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// move takes a deal that is locked to another state because somebody asks for it: if the move is allowed, if no funding
// block stands in the way, and with all that belongs to it. The state it is in already is no move.
func move(ctx context.Context, t *unit.Tx, d *ent.Deal, to deal.State, trigger deal.Trigger) (*ent.Deal, error) {
	if d.State == to {
		return d, nil
	}
	if err := deal.AllowedMove(d.State, to); err != nil {
		return nil, err
	}
	if deal.Guarded(d.State, to) {
		blocks, err := blocks(ctx, t, d, to)
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
		after, err = cure(ctx, t, d)
	case to == deal.Funded:
		after, err = fund(ctx, t, d)
	case to == deal.Defaulted:
		after, err = putInDefault(ctx, t, d)
	case to == deal.Closed:
		after, err = closePaid(ctx, t, d)
	case d.State == deal.Prefunded:
		after, err = d, SupersedeDisclosures(ctx, t, d.ID, "")
	default:
		after = d
	}
	if err != nil {
		return nil, err
	}
	if after, err = enter(ctx, t, after, to, trigger); err != nil {
		return nil, err
	}
	switch {
	case to == deal.Withdrawn:
		return after, pipeline.EndOffers(ctx, t, approval.DealID(d.ID))
	case to != deal.Funded:
		return after, nil
	case d.State == deal.Prefunded:
		if err := pipeline.OffersFunded(ctx, t, d.ID); err != nil {
			return nil, err
		}
	}
	return closePrepaid(ctx, t, after)
}

// closePrepaid closes a deal that was paid in full before it became FUNDED.
func closePrepaid(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.Deal, error) {
	balances, err := books.Balances(ctx, t, d.ID)
	if err != nil {
		return nil, err
	}
	return settleBalance(ctx, t, d, nil, ledger.Outstanding(balances))
}

// enter stores the new state and tells the world.
func enter(ctx context.Context, t *unit.Tx, d *ent.Deal, to deal.State, trigger deal.Trigger) (*ent.Deal, error) {
	from := d.State
	after, err := saveDeal(ctx, t, d, []input.Change{input.Set(entdeal.FieldState, to)})
	if err != nil {
		return nil, err
	}
	t.Emit("deal", d.ID, webhook.DealStateChanged{
		DealID: d.ID, DealNumber: d.DealNumber, From: string(from), To: string(to), Trigger: string(trigger),
	})
	return after, followDeal(ctx, t, from, after)
}

// follow makes a move that the system makes by itself.
func follow(ctx context.Context, t *unit.Tx, d *ent.Deal, to deal.State, trigger deal.Trigger) (*ent.Deal, error) {
	if !d.State.MayFollow(to) {
		return d, nil
	}
	return enter(ctx, t, d, to, trigger)
}

// closePaid lets a deal close only when nothing is owed any more.
func closePaid(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.Deal, error) {
	balances, err := books.Balances(ctx, t, d.ID)
	if err != nil {
		return nil, err
	}
	if owed := ledger.Outstanding(balances); !owed.IsZero() {
		return nil, fault.Conflictf("The deal cannot be closed: %s is outstanding.", owed).
			With("state", "needs a balance of 0.00; %s is outstanding", owed)
	}
	if err := cancelCollections(ctx, t, d.ID); err != nil {
		return nil, err
	}
	return d, nil
}

// putInDefault stops the collection of a deal: what was to be collected is called off, the surcharge is assessed,
// renewals are off, and a commission at risk comes back.
func putInDefault(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.Deal, error) {
	if err := cancelPending(ctx, t, d.ID); err != nil {
		return nil, err
	}
	if d.DefaultSurcharge != nil && d.DefaultSurcharge.Sign() > 0 {
		surcharge, err := t.Payment.Create().SetDealID(d.ID).SetType(payment.OtherFee).SetAmount(*d.DefaultSurcharge).
			SetDirection(payment.In).SetSource(payment.FromSystem).SetNote("Default surcharge").Save(ctx)
		if err != nil {
			return nil, err
		}
		unit.AlsoCreated(t, "payment", surcharge)
	}
	if err := dismissRenewals(ctx, t, d.ID); err != nil {
		return nil, err
	}
	if err := clawBack(ctx, t, d); err != nil {
		return nil, err
	}
	return saveDeal(ctx, t, d, []input.Change{input.Set(entdeal.FieldDefaultedAt, t.At())})
}

// surcharges are the payments by which defaults are charged for; no other fee is the system's own.
func surcharges() predicate.Payment {
	return entpayment.And(entpayment.TypeEQ(payment.OtherFee), entpayment.SourceEQ(payment.FromSystem))
}

// cancelPending calls off the deal's payments that are not under way yet.
func cancelPending(ctx context.Context, t *unit.Tx, dealID int) error {
	return cancel(ctx, t, entpayment.DealID(dealID), entpayment.DirectionEQ(payment.In))
}

// cancelCollections calls off the payments that would be collected of a receivable of which nothing is left. What was
// assessed besides it, a fee, is owed on.
func cancelCollections(ctx context.Context, t *unit.Tx, dealID int) error {
	return cancel(ctx, t, entpayment.DealID(dealID), entpayment.TypeIn(payment.AgainstReceivable()...))
}

// cancel calls off the payments that are PENDING, of those that the predicates name. Their deal is locked.
func cancel(ctx context.Context, t *unit.Tx, which ...predicate.Payment) error {
	pending, err := t.Payment.Query().Where(which...).Where(entpayment.StatusEQ(payment.Pending), unit.Locked).
		Order(entpayment.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return unit.StoreAll(ctx, t, "payment", pending, []input.Change{input.Set(entpayment.FieldStatus, payment.Cancelled)},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.Payment.Update().Where(entpayment.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

func dismissRenewals(ctx context.Context, t *unit.Tx, dealID int) error {
	return closeRenewals(ctx, t, dealID, renewalopportunity.StatusDISMISSED)
}

// closeRenewals ends the open opportunities to renew a deal, and sets more of their columns where more is given.
func closeRenewals(
	ctx context.Context, t *unit.Tx, dealID int, status renewalopportunity.Status, more ...input.Change,
) error {
	open, err := t.RenewalOpportunity.Query().
		Where(renewalopportunity.PriorDealID(dealID), renewalopportunity.ClosedAtIsNil(), unit.Locked).
		Order(renewalopportunity.ByID()).All(ctx)
	if err != nil {
		return err
	}
	changes := slices.Concat(more, []input.Change{
		input.Set(renewalopportunity.FieldStatus, status), input.Set(renewalopportunity.FieldClosedAt, t.At()),
	})
	return unit.StoreAll(ctx, t, "renewalOpportunity", open, changes,
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.RenewalOpportunity.Update().Where(renewalopportunity.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

// clawBack takes back commissions of the deal that are still at risk: one that was paid out becomes a debt of the ISO,
// one that was not is no longer owed.
func clawBack(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	items, err := t.PayoutItem.Query().Where(payoutitem.DealID(d.ID), payoutitem.SyndicatorIDIsNil(),
		payoutitem.ClawbackRiskAtGT(t.At()), payoutitem.AmountGT(money.Zero), payoutitem.Not(payoutitem.HasCarriedToWith(
			payoutitem.TenantID(t.Actor.TenantID))),
		payoutitem.StatusIn(payoutitem.StatusPENDING, payoutitem.StatusHELD, payoutitem.StatusFAILED, payoutitem.StatusPAID), unit.Locked).
		Order(payoutitem.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, item := range items {
		// What was paid out is a debt of the broker now; what was not is no longer owed.
		taken := books.Posting{Deal: &d.ID, PayoutItem: &item.ID}
		if item.Status == payoutitem.StatusPAID {
			taken.Entries, err = ledger.ClawBack(payouts.PayeeOf(item).ISO, item.Amount)
		} else {
			taken, err = unearned(ctx, t, d.ID)
		}
		if err != nil {
			return err
		}
		if err := books.Post(ctx, t, taken); err != nil {
			return err
		}
		if item.Status == payoutitem.StatusPAID {
			if err := setOffClawback(ctx, t, item); err != nil {
				return err
			}
		}
		after, err := t.PayoutItem.UpdateOne(item).SetStatus(payoutitem.StatusCLAWED_BACK).SetClawedBackAt(t.At()).
			SetClawbackAmount(item.Amount).SetClawbackNote("The deal defaulted.").Save(ctx)
		if err != nil {
			return err
		}
		unit.AlsoUpdated(t, "payoutItem", item, after)
	}
	if len(items) == 0 {
		return nil
	}
	return returnCommissionShares(ctx, t, d)
}

// setOffClawback has a commission that was paid and clawed back be set off against what its broker is paid next.
func setOffClawback(ctx context.Context, t *unit.Tx, item *ent.PayoutItem) error {
	batch, err := commissionBatch(ctx, t)
	if err != nil {
		return err
	}
	_, err = payouts.AddItems(ctx, t, []*ent.PayoutItemCreate{t.PayoutItem.Create().SetBatchID(batch.ID).SetAmount(item.Amount.Neg()).
		SetReversesID(item.ID).SetNillableIsoID(item.IsoID).SetNillableReferrerID(item.ReferrerID).SetNillableDealID(item.DealID)})
	return err
}

// returnCommissionShares gives the syndicators who fronted a commission their part of it back, once it was taken back.
func returnCommissionShares(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	facts, err := books.LedgerFacts(ctx, t, d)
	if err != nil {
		return err
	}
	balances, err := books.Balances(ctx, t, d.ID)
	if err != nil {
		return err
	}
	entries, err := ledger.ReturnCommissionShares(facts, balances)
	if err != nil {
		return err
	}
	return books.Post(ctx, t, books.Posting{Deal: &d.ID, Entries: entries})
}

// unearned takes back the commission that was owed on a deal but not paid: the entry that booked it is reversed.
func unearned(ctx context.Context, t *unit.Tx, dealID int) (books.Posting, error) {
	owed, err := t.Journal.Query().Where(journal.DealID(dealID), journal.KindEQ(ledger.Commission),
		journal.ReversesIDIsNil(), journal.Not(journal.HasReversals())).WithPostings().Only(ctx)
	if err != nil {
		return books.Posting{}, fmt.Errorf("commission of deal %d: %w", dealID, err)
	}
	return books.Posting{Deal: &dealID, Reverses: []int{owed.ID}, Entries: []ledger.Entry{ledger.Reverse(books.EntryOf(owed))}}, nil
}

// cure takes a deal out of default: what is outstanding is scheduled anew, and a surcharge that is not under way yet is
// called off. That is a decision of ours, which neither the API nor the agreements that we know of make: the surcharge
// belongs to the default, and a default that is cured no longer stands (defaultedAt is cleared, funding blocks do not see
// it). What the merchant has paid of it is kept, and a debit that is at the bank takes its course.
func cure(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.Deal, error) {
	if err := cancel(ctx, t, entpayment.DealID(d.ID), surcharges()); err != nil {
		return nil, err
	}
	balances, err := books.Balances(ctx, t, d.ID)
	if err != nil {
		return nil, err
	}
	if owed := ledger.Outstanding(balances); owed.Sign() > 0 {
		if err := scheduleRest(ctx, t, d, owed); err != nil {
			return nil, err
		}
	}
	return saveDeal(ctx, t, d, []input.Change{input.Set(entdeal.FieldDefaultedAt, nil)})
}

// SupersedeDisclosures ends the deal's disclosures in force, but the one of the given state.
func SupersedeDisclosures(ctx context.Context, t *unit.Tx, dealID int, but string) error {
	inForce, err := t.Disclosure.Query().Where(disclosure.DealID(dealID), disclosure.StateNEQ(but),
		disclosure.StatusNEQ(disclosure.StatusSUPERSEDED), unit.Locked).Order(disclosure.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return unit.StoreAll(ctx, t, "disclosure", inForce, []input.Change{
		input.Set(disclosure.FieldStatus, disclosure.StatusSUPERSEDED), input.Set(disclosure.FieldSupersededAt, t.At()),
	}, func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
		update := t.Disclosure.Update().Where(disclosure.IDIn(ids...))
		return update.Mutation(), update.Save
	})
}

// settleBalance lets a deal follow its balance, which the payment changed (nil: the funding did): it closes once it is
// paid in full, and reopens, to be collected on, when its payoff came back or was refunded. A discount that was granted for that
// payoff comes back with it.
func settleBalance(
	ctx context.Context, t *unit.Tx, d *ent.Deal, by *ent.Payment, owed money.Amount,
) (*ent.Deal, error) {
	switch {
	case d.State == deal.Funded && owed.IsZero():
		if err := cancelCollections(ctx, t, d.ID); err != nil {
			return nil, err
		}
		early, err := paidOffEarly(ctx, t, d, by)
		if err != nil {
			return nil, err
		}
		trigger := deal.ByAutomation
		if early {
			trigger = deal.ByEarlyPayoff
			if err := grantsBelongTo(ctx, t, d, by); err != nil {
				return nil, err
			}
		}
		return follow(ctx, t, d, deal.Closed, trigger)
	case (d.State == deal.Closed || d.State == deal.Renewed) && owed.Sign() > 0:
		if d.State == deal.Closed {
			var err error
			if owed, err = takeDiscountsBack(ctx, t, d, by, owed); err != nil {
				return nil, err
			}
		}
		if err := scheduleRest(ctx, t, d, owed); err != nil {
			return nil, err
		}
		return follow(ctx, t, d, deal.Funded, deal.ByAutomation)
	}
	return d, nil
}
