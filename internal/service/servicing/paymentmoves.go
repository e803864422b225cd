package servicing

import (
	"context"
	"strings"

	"paydown/ent"
	"paydown/ent/payment"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/payment"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/payouts"
	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// clearedDate is the name of the field for the day a payment cleared.
const clearedDate = "clearedDate"

// refuseFrozenPayment rejects changes to fields that are already in the ledger.
func refuseFrozenPayment(p *ent.Payment, changes []input.Change) error {
	refused := fault.Conflictf("The payment is %s; its amount and type are frozen.", p.Status)
	for _, column := range []string{entpayment.FieldAmount, entpayment.FieldType, entpayment.FieldSyndicatorID} {
		if hasColumn(changes, column) {
			refused = refused.With(input.FieldName(column), "is frozen once the payment is %s", p.Status)
		}
	}
	if p.Status == payment.Paid && hasColumn(changes, entpayment.FieldMethod) && usesOffset(p, changes) {
		refused = refused.With("method", "must not change from or to OFFSET while the payment is PAID")
	}
	if len(refused.Details) > 0 {
		return refused
	}
	return nil
}

// usesOffset reports whether the payment is or would be paid by OFFSET, which posts differently.
func usesOffset(p *ent.Payment, changes []input.Change) bool {
	next := *p
	input.Apply(&next, changes)
	return byOffset(p) || byOffset(&next)
}

func byOffset(p *ent.Payment) bool { return p.Method != nil && *p.Method == payment.Offset }

// isManualOffset reports whether the payment is a payoff by OFFSET that no renewal made. These can no longer be
// recorded; an old one is undone by marking it BOUNCED.
func isManualOffset(p *ent.Payment) bool {
	return p.Type == payment.RenewalPayoff && byOffset(p) && (p.Source == nil || *p.Source != payment.FromSystem)
}

// checkSuccessor rejects removing or replacing the successor of a returned payment while that successor debits
// or has debited the merchant. A returned payment has one successor, and the ACH debits are counted along that
// chain.
func checkSuccessor(ctx context.Context, t *unit.Tx, before *ent.Payment, in PaymentUpdate) error {
	if in.MadeUpByID.Absent() || before.MadeUpByID == nil {
		return nil
	}
	if id, named := in.MadeUpByID.Get(); named && id == *before.MadeUpByID {
		return nil
	}
	successor, err := successorOf(ctx, t, before)
	if err != nil || successor == nil || successor.Method != nil && *successor.Method != payment.ACH {
		return err
	}
	return fault.Conflictf("Payment %d makes up for this one and is %s.", successor.ID, successor.Status).
		With("madeUpById", "must stay %d: cancel that payment first, if it has not been submitted", successor.ID)
}

// checkMakeUp checks a payment that is named as the make-up of another: both are on the same deal, the other
// one is BOUNCED, and it makes up for no other. A make-up that is returned can itself be made up. The chain
// cannot loop: a payment that is made up is BOUNCED and stays so, and a payment that makes up is not.
func checkMakeUp(ctx context.Context, t *unit.Tx, before, next *ent.Payment, in PaymentUpdate) error {
	if err := checkSuccessor(ctx, t, before, in); err != nil {
		return err
	}
	id, given := in.MadeUpByID.Get()
	if !given || (before.MadeUpByID != nil && *before.MadeUpByID == id) {
		return nil
	}
	if before.Status != payment.Bounced {
		return fault.Conflictf("Only a BOUNCED payment can be made up.").With("madeUpById", "requires a BOUNCED payment")
	}
	makeUp, err := t.Payment.Get(ctx, id)
	if err != nil {
		return err
	}
	collects := makeUp.Direction != nil && *makeUp.Direction == payment.In
	if makeUp.DealID != before.DealID || makeUp.ID == before.ID || !collects {
		return fault.Field("madeUpById", "must name another collection of the same deal")
	}
	if makeUp.Status == payment.Bounced || makeUp.Status == payment.Cancelled {
		return fault.Conflictf("A payment that is %s cannot make up for another one.", makeUp.Status).
			With("madeUpById", "must not name a payment that is %s", makeUp.Status)
	}
	if err := maySucceed(ctx, t, before, makeUp); err != nil {
		return err
	}
	taken, err := t.Payment.Query().Where(entpayment.MadeUpByID(id), entpayment.IDNEQ(next.ID)).Exist(ctx)
	if err != nil {
		return err
	}
	if taken {
		return fault.Conflictf("That payment already makes up for another one.").
			With("madeUpById", "must name a payment that does not make up for another one")
	}
	return nil
}

// mayClear checks a cleared date: it must be between the deal's day of funding and today. A deal that is not
// funded yet accepts payments from the day it was created, or from its planned day of funding if that is
// earlier.
//
// Errors name the given field; callers pass clearedDate or their own field.
func mayClear(t *unit.Tx, d *ent.Deal, to payment.Status, cleared input.Opt[civil.Date], field string) error {
	if cleared.IsNull() && to == payment.Paid {
		return fault.Field(field, "must be a date: the payment is PAID")
	}
	day, given := cleared.Get()
	if !given {
		return nil
	}
	if today := t.Today(); day.After(today) {
		return fault.Field(field, "must not be after today, %s", today)
	}
	if from := collectableFrom(t, d); day.Before(from) {
		return fault.Field(field, "must not be before %s, the day the deal was funded", from)
	}
	return nil
}

// collectableFrom returns the first day for which a payment on the deal can be recorded.
func collectableFrom(t *unit.Tx, d *ent.Deal) civil.Date {
	entered := civil.On(d.CreatedAt, t.Zone())
	if d.FundedAt == nil {
		return entered
	}
	funded := civil.On(*d.FundedAt, t.Zone())
	if !d.State.Live() && entered.Before(funded) {
		return entered
	}
	return funded
}

// movePayment checks a status change against the status table and returns the columns that it sets.
func movePayment(
	ctx context.Context, t *unit.Tx, p, next *ent.Payment, to payment.Status, in PaymentUpdate,
) ([]input.Change, error) {
	if !p.Status.CanBecome(to) {
		return nil, fault.Conflictf("A payment that is %s cannot become %s.", p.Status, to).
			With("status", "%s", movesText(p.Status))
	}
	changes := []input.Change{input.Set(entpayment.FieldStatus, to)}
	switch to { //nolint:exhaustive // a move to another status sets nothing else
	case payment.Paid:
		successor, err := successorOf(ctx, t, next)
		if err != nil {
			return nil, err
		}
		if successor != nil {
			return nil, fault.Conflictf("The payment was made up for by another one and cannot be paid as well.").
				With("status", "must not be PAID: payment %d makes up for it", successor.ID)
		}
		if p.Type.ToSyndicator() && p.Status == payment.Bounced && p.Source != nil && *p.Source == payment.FromSystem {
			return nil, fault.Conflictf("The payment belongs to a payout: pay it again through the payout.").
				With("status", "must not be PAID again: release the items of the payout")
		}
		changes = append(changes, input.Set(entpayment.FieldEpisode, p.Episode+1))
		if !in.ClearedDate.Given() {
			changes = append(changes, input.Set(entpayment.FieldClearedDate, t.Today()))
		}
		if !in.BounceCodeID.Given() && p.BounceCodeID != nil {
			changes = append(changes, input.Set(entpayment.FieldBounceCodeID, nil))
		}
		changes = append(changes, clearReturn(next)...)
		fallthrough
	case payment.Submitted:
		if p.InitiatedAt == nil {
			changes = append(changes, input.Set(entpayment.FieldInitiatedAt, t.At()))
		}
	case payment.Bounced:
		if !p.Type.MayReturn(p.Method) && !isManualOffset(p) {
			return nil, fault.Conflictf("The payment cannot be returned: it never went through a bank.").
				With("status", "must not be BOUNCED: discounts and OFFSET payments move no money")
		}
		changes = append(changes, input.Set(entpayment.FieldReturnedAt, t.At()))
		if !in.ClearedDate.Given() && p.ClearedDate != nil {
			changes = append(changes, input.Set(entpayment.FieldClearedDate, nil))
		}
	}
	return changes, nil
}

// clearReturn clears the remains of a return when the payment is paid after all: when it was returned, a
// canceled successor, and the link to an early payoff that had paid it.
func clearReturn(p *ent.Payment) []input.Change {
	var changes []input.Change
	if p.ReturnedAt != nil {
		changes = append(changes, input.Set(entpayment.FieldReturnedAt, nil))
	}
	if p.MadeUpByID != nil {
		changes = append(changes, input.Set(entpayment.FieldMadeUpByID, nil))
	}
	if p.PayoffID != nil {
		changes = append(changes, input.Set(entpayment.FieldPayoffID, nil))
	}
	return changes
}

func movesText(s payment.Status) string {
	var names []string
	for _, next := range s.Next() {
		names = append(names, string(next))
	}
	return "may become " + strings.Join(names, ", ")
}

// savePayment stores columns of a payment in a deferred statement: no caller handles its error.
func savePayment(ctx context.Context, t *unit.Tx, before *ent.Payment, changes []input.Change) (*ent.Payment, error) {
	update := t.Payment.Update().Where(entpayment.ID(before.ID))
	return unit.Store(t.Deferred(ctx), t, before, changes, update.Mutation(), update.Save)
}

// postPaid posts a payment that became PAID, emits the event, and closes the deal if nothing is outstanding.
func postPaid(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment) error {
	quote, err := meetsQuote(ctx, t, d, p)
	if err != nil {
		return err
	}
	if quote != nil {
		return payOff(ctx, t, d, p, *quote)
	}
	balances, err := books.PostPayment(ctx, t, d, p)
	if err != nil {
		return err
	}
	t.Emit("payment", p.ID, t.PaidEvent(p))
	return afterPosting(ctx, t, d, p, balances, books.ClearedOn(p))
}

// postBounced reverses exactly what a returned payment posted, and emits the event.
func postBounced(ctx context.Context, t *unit.Tx, d *ent.Deal, before, p *ent.Payment) error {
	code, reason, err := returnReason(ctx, t, p)
	if err != nil {
		return err
	}
	t.Emit("payment", p.ID, webhook.PaymentBounced{
		PaymentID: p.ID, DealID: p.DealID, Amount: p.Amount, ReturnCode: code, Reason: reason,
	})
	if before.Status != payment.Paid {
		return nil
	}
	if p.Type.ToSyndicator() {
		if err := payouts.FailItemsOf(ctx, t, PayoutTransfers{}, p); err != nil {
			return err
		}
	}
	if err := payouts.CancelSharesOf(ctx, t, p); err != nil {
		return err
	}
	on := returnedOn(t, before, p)
	if err := books.ReversePayment(ctx, t, p, on); err != nil {
		return err
	}
	if err := reversePayoff(ctx, t, d, p, on); err != nil {
		return err
	}
	facts, balances, err := books.Books(ctx, t, d)
	if err != nil {
		return err
	}
	if opensWrittenOff(balances) {
		return writeOffAgain(ctx, t, d, facts, balances, on)
	}
	if err := books.TrueUpBooks(ctx, t, d, facts, balances, on); err != nil {
		return err
	}
	return afterPosting(ctx, t, d, p, balances, on)
}

// returnedOn returns the effective date of a return: the day it came back, but not before the payment cleared.
func returnedOn(t *unit.Tx, before, after *ent.Payment) civil.Date {
	day := t.Today()
	if after.ReturnedAt != nil {
		day = civil.On(*after.ReturnedAt, t.Zone())
	}
	if cleared := books.ClearedOn(before); day.Before(cleared) {
		return cleared
	}
	return day
}

// afterPosting updates the deal's state and credit facility after its balance changed.
func afterPosting(
	ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, balances ledger.Balances, on civil.Date,
) error {
	if !p.Type.ReducesReceivable() || !d.State.Live() {
		return nil
	}
	if opensWrittenOff(balances) {
		facts, err := books.LedgerFacts(ctx, t, d)
		if err != nil {
			return err
		}
		return writeOffAgain(ctx, t, d, facts, balances, on)
	}
	after, err := closeOrReopen(ctx, t, d, p, ledger.Outstanding(balances))
	if err != nil {
		return err
	}
	if after == d {
		return syncFacilityBalance(ctx, t, d)
	}
	unit.AlsoUpdated(t, "deal", d, after)
	return nil
}

// returnReason returns the NACHA return code of a payment and its title; nil if not known.
func returnReason(ctx context.Context, t *unit.Tx, p *ent.Payment) (code, reason *string, err error) {
	if p.BounceCodeID == nil {
		return nil, nil, nil
	}
	row, err := t.BounceCode.Get(ctx, *p.BounceCodeID)
	if err != nil {
		return nil, nil, err
	}
	return &row.Code, &row.Title, nil
}
