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

// move runs a requested move of a locked deal to another state, with all its consequences. It fails if the
// state table does not allow the move or a funding block applies. A move to the current state does nothing.
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
	return closeOrReopen(ctx, t, d, nil, ledger.Outstanding(balances))
}

// enter stores the new state and emits the event.
func enter(ctx context.Context, t *unit.Tx, d *ent.Deal, to deal.State, trigger deal.Trigger) (*ent.Deal, error) {
	from := d.State
	after, err := saveDeal(ctx, t, d, []input.Change{input.Set(entdeal.FieldState, to)})
	if err != nil {
		return nil, err
	}
	t.Emit("deal", d.ID, webhook.DealStateChanged{
		DealID: d.ID, DealNumber: d.DealNumber, From: string(from), To: string(to), Trigger: string(trigger),
	})
	return after, syncFacilityStatus(ctx, t, from, after)
}

// follow makes an automatic move. It does nothing if the current state does not allow the move.
func follow(ctx context.Context, t *unit.Tx, d *ent.Deal, to deal.State, trigger deal.Trigger) (*ent.Deal, error) {
	if !d.State.MayFollow(to) {
		return d, nil
	}
	return enter(ctx, t, d, to, trigger)
}

// closePaid lets a deal close only if nothing is outstanding.
func closePaid(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.Deal, error) {
	balances, err := books.Balances(ctx, t, d.ID)
	if err != nil {
		return nil, err
	}
	if owed := ledger.Outstanding(balances); !owed.IsZero() {
		return nil, fault.Conflictf("The deal cannot be closed: %s is outstanding.", owed).
			With("state", "requires a balance of 0.00; %s is outstanding", owed)
	}
	if err := cancelCollections(ctx, t, d.ID); err != nil {
		return nil, err
	}
	return d, nil
}

// putInDefault stops the deal's collection: it cancels scheduled payments, assesses the default surcharge,
// dismisses renewals and claws back commissions at risk.
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

// surcharges matches the default surcharges: no other fee payment has source SYSTEM.
func surcharges() predicate.Payment {
	return entpayment.And(entpayment.TypeEQ(payment.OtherFee), entpayment.SourceEQ(payment.FromSystem))
}

// cancelPending cancels the deal's debits that have not been submitted.
func cancelPending(ctx context.Context, t *unit.Tx, dealID int) error {
	return cancel(ctx, t, entpayment.DealID(dealID), entpayment.DirectionEQ(payment.In))
}

// cancelCollections cancels the pending payments on a receivable that has nothing outstanding. Fees are still
// owed.
func cancelCollections(ctx context.Context, t *unit.Tx, dealID int) error {
	return cancel(ctx, t, entpayment.DealID(dealID), entpayment.TypeIn(payment.AgainstReceivable()...))
}

// cancel cancels the PENDING payments that match. Their deal is locked.
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

// closeRenewals closes the deal's open renewal opportunities; more sets further columns.
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

// clawBack claws back the deal's commissions at risk: a paid one becomes a debt of the ISO, an unpaid one is no
// longer owed.
func clawBack(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	items, err := t.PayoutItem.Query().Where(payoutitem.DealID(d.ID), payoutitem.SyndicatorIDIsNil(),
		payoutitem.ClawbackRiskAtGT(t.At()), payoutitem.AmountGT(money.Zero), payoutitem.Not(payoutitem.HasCarriedToWith(
			payoutitem.TenantID(t.Actor.TenantID))),
		payoutitem.StatusIn(payoutitem.StatusPENDING, payoutitem.StatusHELD, payoutitem.StatusFAILED, payoutitem.StatusPAID),
		unit.Locked).
		Order(payoutitem.ByID()).All(ctx)
	if err != nil {
		return err
	}
	for _, item := range items {
		posting := books.Posting{Deal: &d.ID, PayoutItem: &item.ID}
		if item.Status == payoutitem.StatusPAID {
			posting.Entries, err = ledger.ClawBack(payouts.PayeeOf(item).ISO, item.Amount)
		} else {
			posting, err = reverseOwedCommission(ctx, t, d.ID)
		}
		if err != nil {
			return err
		}
		if err := books.Post(ctx, t, posting); err != nil {
			return err
		}
		if item.Status == payoutitem.StatusPAID {
			if err := offsetClawback(ctx, t, item); err != nil {
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

// offsetClawback adds an item that deducts a paid commission, now clawed back, from the broker's next payout.
func offsetClawback(ctx context.Context, t *unit.Tx, item *ent.PayoutItem) error {
	batch, err := commissionBatch(ctx, t)
	if err != nil {
		return err
	}
	_, err = payouts.AddItems(ctx, t, []*ent.PayoutItemCreate{
		t.PayoutItem.Create().SetBatchID(batch.ID).SetAmount(item.Amount.Neg()).SetReversesID(item.ID).
			SetNillableIsoID(item.IsoID).SetNillableReferrerID(item.ReferrerID).SetNillableDealID(item.DealID),
	})
	return err
}

// returnCommissionShares refunds syndicators their part of a commission that was clawed back.
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

// reverseOwedCommission returns the reversal of the entry that booked the deal's unpaid commission.
func reverseOwedCommission(ctx context.Context, t *unit.Tx, dealID int) (books.Posting, error) {
	owed, err := t.Journal.Query().Where(journal.DealID(dealID), journal.KindEQ(ledger.Commission),
		journal.ReversesIDIsNil(), journal.Not(journal.HasReversals())).WithPostings().Only(ctx)
	if err != nil {
		return books.Posting{}, fmt.Errorf("commission of deal %d: %w", dealID, err)
	}
	return books.Posting{
		Deal: &dealID, Reverses: []int{owed.ID}, Entries: []ledger.Entry{ledger.Reverse(books.EntryOf(owed))},
	}, nil
}

// cure takes a deal out of default: it schedules the outstanding amount again and cancels a surcharge that has
// not been submitted. Canceling the surcharge is a product decision; neither the API nor the agreements we know
// say anything about it. The surcharge belongs to the default, and a cured default no longer counts:
// defaultedAt is cleared and funding blocks ignore it. What the merchant has already paid of the surcharge is
// kept, and a submitted debit continues.
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

// SupersedeDisclosures supersedes the deal's current disclosures, except the one for the given state.
func SupersedeDisclosures(ctx context.Context, t *unit.Tx, dealID int, except string) error {
	current, err := t.Disclosure.Query().Where(disclosure.DealID(dealID), disclosure.StateNEQ(except),
		disclosure.StatusNEQ(disclosure.StatusSUPERSEDED), unit.Locked).Order(disclosure.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return unit.StoreAll(ctx, t, "disclosure", current, []input.Change{
		input.Set(disclosure.FieldStatus, disclosure.StatusSUPERSEDED), input.Set(disclosure.FieldSupersededAt, t.At()),
	}, func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
		update := t.Disclosure.Update().Where(disclosure.IDIn(ids...))
		return update.Mutation(), update.Save
	})
}

// closeOrReopen updates the deal's state after its balance changed. A deal that is paid in full closes. A
// closed deal whose payoff was returned or refunded reopens, its collection is scheduled again, and the
// discount granted for the payoff is canceled. by is the payment that changed the balance; nil if the funding
// did.
func closeOrReopen(
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
			if err := linkDiscounts(ctx, t, d, by); err != nil {
				return nil, err
			}
		}
		return follow(ctx, t, d, deal.Closed, trigger)
	case (d.State == deal.Closed || d.State == deal.Renewed) && owed.Sign() > 0:
		if d.State == deal.Closed {
			var err error
			if owed, err = reverseDiscounts(ctx, t, d, by, owed); err != nil {
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
