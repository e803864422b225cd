package servicing

import (
	"context"
	"fmt"
	"slices"

	entgo "entgo.io/ent"
	"github.com/shopspring/decimal"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/ent/participation"
	"paydown/ent/payment"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
	"paydown/internal/service/books"
	"paydown/internal/service/collections"
	"paydown/internal/service/input"
	"paydown/internal/service/payouts"
	"paydown/internal/service/unit"
)

// fund runs every step of moving a deal to FUNDED in one transaction: it fixes the dates, schedules the
// payments, posts the funding and the participations, posts the broker's commission, drafts a UCC-1, supersedes
// unused disclosures, and pays off the deal that this one renews. It fails for a deal on hold, which an earlier
// returned payment can cause, because the payments debit by ACH. The deal that it renews may be on hold: that
// deal is not debited.
func fund(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.Deal, error) {
	if err := collections.RefuseOnHold(ctx, t, d.ID, "state"); err != nil {
		return nil, err
	}
	d, err := fixDates(ctx, t, d)
	if err != nil {
		return nil, err
	}
	merchant, err := t.Merchant.Get(ctx, d.MerchantID)
	if err != nil {
		return nil, err
	}
	terms := books.TermsOf(d, t.Zone())
	payoff, err := payOffPrior(ctx, t, d)
	if err != nil {
		return nil, err
	}
	if payoff.Sign() > 0 {
		change := input.Set(entdeal.FieldRenewalPayoffAmount, payoff)
		if d, err = books.StoreDeal(ctx, t, d, []input.Change{change}); err != nil {
			return nil, err
		}
	}
	net, err := terms.NetDisbursement(payoff)
	if err != nil {
		return nil, err
	}
	if err := postFunding(ctx, t, d, terms, payoff); err != nil {
		return nil, err
	}
	start, _ := terms.Start(civil.On(*d.FundedAt, t.Zone()))
	if err := schedulePayments(ctx, t, d, terms, planned{
		kind: payment.OriginalAdvancePayback, start: start, n: *d.NumberOfPayments, total: *d.PaybackAmount,
	}); err != nil {
		return nil, err
	}
	if err := disburse(ctx, t, d, net, nil); err != nil {
		return nil, err
	}
	if err := oweCommission(ctx, t, d, terms); err != nil {
		return nil, err
	}
	if err := draftUCC(ctx, t, d, merchant); err != nil {
		return nil, err
	}
	state := ""
	if merchant.State != nil {
		state = *merchant.State
	}
	return d, SupersedeDisclosures(ctx, t, d.ID, state)
}

// fixDates sets what depends on the day of funding: fundedAt, the first payment date and the term.
func fixDates(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.Deal, error) {
	at := t.At()
	if d.FundedAt != nil {
		at = *d.FundedAt
	}
	if at.After(t.At()) {
		return nil, fault.Conflictf("The deal cannot be funded before its fundedAt time.").
			With("fundedAt", "must not be in the future")
	}
	full, derived, problems := pricing.AtFunding(books.TermsOf(d, t.Zone()), derivedOf(d), civil.On(at, t.Zone()))
	if len(problems) > 0 {
		refused := fault.Conflictf("The deal's dates do not fit its day of funding.")
		refused.Details = problems
		return nil, refused
	}
	changes := []input.Change{
		input.Set(entdeal.FieldFundedAt, at), input.Set(entdeal.FieldDerivedFields, fieldNames(derived)),
	}
	for _, c := range termColumns(full) {
		if !input.EqualValues(input.ColumnValue(d, c.Column), c.Value) {
			changes = append(changes, c)
		}
	}
	return books.StoreDeal(ctx, t, d, changes)
}

// planned describes n payments of one type that repay total from day start on; draw is the draw they repay, if
// any.
type planned struct {
	kind  payment.Type
	start civil.Date
	n     int
	total money.Amount
	draw  *int
}

// schedulePayments creates the scheduled payments.
func schedulePayments(ctx context.Context, t *unit.Tx, d *ent.Deal, terms pricing.Terms, p planned) error {
	plan, _ := terms.Plan()
	rows, err := schedule.Rows(plan, p.start, p.n, *d.PaymentAmount, p.total)
	if err != nil {
		return fmt.Errorf("schedule of deal %d: %w", d.ID, err)
	}
	creates := make([]*ent.PaymentCreate, len(rows))
	for i, row := range rows {
		creates[i] = t.Payment.Create().SetDealID(d.ID).SetType(p.kind).SetAmount(row.Amount).SetNillableLocDrawID(p.draw).
			SetScheduledDate(row.Date).SetDirection(payment.In).SetSource(payment.FromSchedule).SetMethod(payment.ACH)
		if p.kind == payment.OriginalAdvancePayback {
			creates[i].SetPlannedAmount(row.Amount)
		}
	}
	for part := range slices.Chunk(creates, unit.RowsAtOnce) {
		created, err := t.Payment.CreateBulk(part...).Save(ctx)
		if err != nil {
			return err
		}
		unit.AlsoCreated(t, "payment", created...)
	}
	return nil
}

// scheduleRest schedules the outstanding amount that is not already being collected, from the next collection
// day on, in payments of the agreed amount. For a deal on hold it schedules nothing: staff decide what to do
// with the rest.
func scheduleRest(ctx context.Context, t *unit.Tx, d *ent.Deal, owed money.Amount) error {
	if held, err := collections.OnHold(ctx, t, d.ID); err != nil || held {
		return err
	}
	terms := books.TermsOf(d, t.Zone())
	plan, ok := terms.Plan()
	if !ok || d.PaymentAmount == nil {
		return nil // staff collect a deal without payment terms by hand
	}
	inProcess, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.DirectionEQ(payment.In),
		entpayment.StatusIn(payment.Pending, payment.Submitted)).All(ctx)
	if err != nil {
		return err
	}
	for _, p := range inProcess {
		if p.Type.ReducesReceivable() {
			owed = owed.Sub(p.Amount)
		}
	}
	if owed.Sign() <= 0 {
		return nil
	}
	n, err := installments(d, owed)
	if err != nil {
		return err
	}
	return schedulePayments(ctx, t, d, terms, planned{
		kind: payment.AdvancePayback, start: plan.First(t.Today()), n: n, total: owed,
	})
}

// installments returns how many payments of the agreed amount collect what is owed.
func installments(d *ent.Deal, owed money.Amount) (int, error) {
	n := owed.Decimal().Div(d.PaymentAmount.Decimal()).Ceil()
	if n.GreaterThan(decimal.NewFromInt(schedule.MaxPayments)) {
		return 0, fault.Conflictf("The outstanding amount cannot be collected in payments of %s.", d.PaymentAmount).
			With("state", "requires more than %d payments of %s", schedule.MaxPayments, d.PaymentAmount)
	}
	return int(n.IntPart()), nil
}

// postFunding posts the purchase and the participations.
func postFunding(ctx context.Context, t *unit.Tx, d *ent.Deal, terms pricing.Terms, payoff money.Amount) error {
	facts, err := books.LedgerFacts(ctx, t, d)
	if err != nil {
		return err
	}
	entries, err := ledger.Fund(facts, terms.Fees(), payoff)
	if err != nil {
		return err
	}
	sold, err := ledger.Participate(facts)
	if err != nil {
		return err
	}
	on := fundedOn(t, d)
	if err := books.Post(ctx, t, books.Posting{Deal: &d.ID, On: on, Entries: append(entries, sold...)}); err != nil {
		return err
	}
	if len(facts.Participants) > 0 {
		if err := fundParticipations(ctx, t, d, facts.Stakes()); err != nil {
			return err
		}
	}
	_, err = books.TrueUp(ctx, t, d, on)
	return err
}

// fundedOn returns the day of funding of a deal that is FUNDED or about to be.
func fundedOn(t *unit.Tx, d *ent.Deal) civil.Date {
	if d.FundedAt == nil {
		return t.Today()
	}
	return civil.On(*d.FundedAt, t.Zone())
}

// fundParticipations stores that the deal's participations are funded, and the cost of each.
func fundParticipations(ctx context.Context, t *unit.Tx, d *ent.Deal, stakes []ledger.Stake) error {
	if err := payouts.PriceParticipations(ctx, t, d.ID, stakes); err != nil {
		return err
	}
	rows, err := t.Participation.Query().Where(participation.DealID(d.ID), t.RowLock).Order(participation.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return unit.StoreAll(ctx, t, "participation", rows, []input.Change{input.Set(participation.FieldFundedAt, t.At())},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.Participation.Update().Where(participation.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}
