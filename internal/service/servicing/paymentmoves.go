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

// clearedDate is the field that says on which day a payment cleared.
const clearedDate = "clearedDate"

// frozenPayment refuses to change what is in the ledger already.
func frozenPayment(p *ent.Payment, changes []input.Change) error {
	refused := fault.Conflictf("The payment is %s; its amount and type no longer change.", p.Status)
	for _, column := range []string{entpayment.FieldAmount, entpayment.FieldType, entpayment.FieldSyndicatorID} {
		if hasColumn(changes, column) {
			refused = refused.With(input.FieldName(column), "is frozen once the payment is %s", p.Status)
		}
	}
	if p.Status == payment.Paid && hasColumn(changes, entpayment.FieldMethod) && movesNoMoney(p, changes) {
		refused = refused.With("method", "cannot change from or to OFFSET while the payment is PAID")
	}
	if len(refused.Details) > 0 {
		return refused
	}
	return nil
}

// movesNoMoney reports whether the payment is or would be settled by offset, which is another posting.
func movesNoMoney(p *ent.Payment, changes []input.Change) bool {
	next := *p
	input.Apply(&next, changes)
	return byOffset(p) || byOffset(&next)
}

func byOffset(p *ent.Payment) bool { return p.Method != nil && *p.Method == payment.Offset }

// offsetByHand reports a payoff by OFFSET that no renewal made. None can be recorded any more; one of before is taken back
// by marking it BOUNCED.
func offsetByHand(p *ent.Payment) bool {
	return p.Type == payment.RenewalPayoff && byOffset(p) && (p.Source == nil || *p.Source != payment.FromSystem)
}

// keepsSuccessor refuses to take the successor off a payment that came back, or to name another in its place, while the one
// there is debits the merchant or did: one payment that came back has one successor, and the debits for it are counted along
// them.
func keepsSuccessor(ctx context.Context, t *unit.Tx, before *ent.Payment, in PaymentUpdate) error {
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
	return fault.Conflictf("Payment %d makes up for this one, and is %s.", successor.ID, successor.Status).
		With("madeUpById", "stays %d: cancel that payment first, where it is not under way", successor.ID)
}

// makesUp checks a payment that is named as the make-up of another: of the same deal, for one that bounced, and only
// for that one. A make-up that bounces may be made up in its turn. No chain of them can lead back to where it began:
// whoever is made up has bounced and stays so, and whoever makes up has not.
func makesUp(ctx context.Context, t *unit.Tx, before, next *ent.Payment, in PaymentUpdate) error {
	if err := keepsSuccessor(ctx, t, before, in); err != nil {
		return err
	}
	id, given := in.MadeUpByID.Get()
	if !given || (before.MadeUpByID != nil && *before.MadeUpByID == id) {
		return nil
	}
	if before.Status != payment.Bounced {
		return fault.Conflictf("Only a bounced payment is made up.").With("madeUpById", "needs a payment that has bounced")
	}
	makeUp, err := t.Payment.Get(ctx, id)
	if err != nil {
		return err
	}
	collects := makeUp.Direction != nil && *makeUp.Direction == payment.In
	if makeUp.DealID != before.DealID || makeUp.ID == before.ID || !collects {
		return fault.Field("madeUpById", "must be another collection of the same deal")
	}
	if makeUp.Status == payment.Bounced || makeUp.Status == payment.Cancelled {
		return fault.Conflictf("That payment is %s and cannot make up for another one.", makeUp.Status).
			With("madeUpById", "names a payment that is %s", makeUp.Status)
	}
	if err := maySucceed(ctx, t, before, makeUp); err != nil {
		return err
	}
	taken, err := t.Payment.Query().Where(entpayment.MadeUpByID(id), entpayment.IDNEQ(next.ID)).Exist(ctx)
	if err != nil {
		return err
	}
	if taken {
		return fault.Conflictf("That payment makes up for another one already.").
			With("madeUpById", "makes up for another payment")
	}
	return nil
}

// mayClear checks the day on which a payment is said to have cleared: from the day of the deal's funding to today. A deal
// that is not funded has no payments from before it was entered, unless it is to be funded for an earlier day.
//
// The errors name a field, which callers whose own is another give instead of clearedDate.
func mayClear(t *unit.Tx, d *ent.Deal, to payment.Status, cleared input.Opt[civil.Date], field string) error {
	if cleared.IsNull() && to == payment.Paid {
		return fault.Field(field, "must be a day: the payment is PAID")
	}
	day, given := cleared.Get()
	if !given {
		return nil
	}
	if today := t.Today(); day.After(today) {
		return fault.Field(field, "must not be after today, %s", today)
	}
	if from := collectableFrom(t, d); day.Before(from) {
		return fault.Field(field, "must not be before %s, the day on which the deal was funded", from)
	}
	return nil
}

// collectableFrom is the first day for which a payment of the deal can be recorded.
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

// movePayment checks a move by the status table and says what else it sets.
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
			return nil, fault.Conflictf("The payment was made up for by another one; it cannot be paid as well.").
				With("status", "cannot be PAID: payment %d makes up for it", successor.ID)
		}
		if p.Type.ToSyndicator() && p.Status == payment.Bounced && p.Source != nil && *p.Source == payment.FromSystem {
			return nil, fault.Conflictf("The payment was made for a payout: what it paid is paid again through that.").
				With("status", "cannot be PAID again: release the items of the payout")
		}
		changes = append(changes, input.Set(entpayment.FieldEpisode, p.Episode+1))
		if !in.ClearedDate.Given() {
			changes = append(changes, input.Set(entpayment.FieldClearedDate, t.Today()))
		}
		if !in.BounceCodeID.Given() && p.BounceCodeID != nil {
			changes = append(changes, input.Set(entpayment.FieldBounceCodeID, nil))
		}
		changes = append(changes, undoneReturn(next)...)
		fallthrough
	case payment.Submitted:
		if p.InitiatedAt == nil {
			changes = append(changes, input.Set(entpayment.FieldInitiatedAt, t.At()))
		}
	case payment.Bounced:
		if !p.Type.MayReturn(p.Method) && !offsetByHand(p) {
			return nil, fault.Conflictf("The payment cannot come back: it never went through a bank.").
				With("status", "cannot be BOUNCED: a discount, and what was settled by OFFSET, moved no money")
		}
		changes = append(changes, input.Set(entpayment.FieldReturnedAt, t.At()))
		if !in.ClearedDate.Given() && p.ClearedDate != nil {
			changes = append(changes, input.Set(entpayment.FieldClearedDate, nil))
		}
	}
	return changes, nil
}

// undoneReturn clears what stands of a return when the payment is paid after all: when it came back, the successor that was
// called off, and the early payoff that had paid it, since it is paid by itself now.
func undoneReturn(p *ent.Payment) []input.Change {
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

func savePayment(ctx context.Context, t *unit.Tx, before *ent.Payment, changes []input.Change) (*ent.Payment, error) {
	update := t.Payment.Update().Where(entpayment.ID(before.ID))
	return unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
}

// postPaid posts a payment that has become PAID, tells the world, and closes the deal where nothing is owed any more.
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

// postBounced takes back what a returned payment posted, to the cent, and tells the world.
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
	if err := takePayoffBack(ctx, t, d, p, on); err != nil {
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

// returnedOn is the day that the return of a payment counts for: that on which it came back, and none before it cleared.
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

// afterPosting lets the deal follow its balance, which changed for a day.
func afterPosting(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment, balances ledger.Balances, on civil.Date) error {
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
	after, err := settleBalance(ctx, t, d, p, ledger.Outstanding(balances))
	if err != nil {
		return err
	}
	if after == d {
		return followBalance(ctx, t, d)
	}
	unit.AlsoUpdated(t, "deal", d, after)
	return nil
}

// returnReason is the NACHA code that a payment came back with, and its title; nil where it is not known.
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
