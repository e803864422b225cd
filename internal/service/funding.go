package service

import (
	"context"
	"fmt"
	"slices"
	"time"

	entgo "entgo.io/ent"
	"github.com/shopspring/decimal"

	"paydown/ent"
	entdeal "paydown/ent/deal"
	"paydown/ent/participation"
	entpayment "paydown/ent/payment"
	"paydown/ent/payoutbatch"
	"paydown/ent/renewalopportunity"
	"paydown/ent/syndicator"
	"paydown/ent/uccfiling"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
)

// fund is all that happens when a deal becomes FUNDED, in the one transaction: its dates are settled, the payments are
// scheduled, the funding is booked, syndicators take their parts, the broker's commission is owed, a UCC-1 is drafted,
// disclosures that were not used end, and the deal it renews is paid off. The plan debits by ACH, so that a deal on hold, where
// a payment that was taken before put it, is not funded. The deal that it renews may be on hold: nothing of that is debited.
func (t *tx) fund(ctx context.Context, d *ent.Deal) (*ent.Deal, error) {
	if err := t.notOnHold(ctx, d.ID, "state"); err != nil {
		return nil, err
	}
	d, err := t.settleDates(ctx, d)
	if err != nil {
		return nil, err
	}
	merchant, err := t.Merchant.Get(ctx, d.MerchantID)
	if err != nil {
		return nil, err
	}
	terms := termsOf(d, t.zone())
	payoff, err := t.payOffPrior(ctx, d)
	if err != nil {
		return nil, err
	}
	if payoff.Sign() > 0 {
		if d, err = t.storeDeal(ctx, d, []columnChange{{entdeal.FieldRenewalPayoffAmount, payoff}}); err != nil {
			return nil, err
		}
	}
	net, err := terms.NetDisbursement(payoff)
	if err != nil {
		return nil, err
	}
	if err := t.bookFunding(ctx, d, terms, payoff); err != nil {
		return nil, err
	}
	start, _ := terms.Start(civil.On(*d.FundedAt, t.zone()))
	if err := t.schedulePayments(ctx, d, terms, planned{
		kind: payment.OriginalAdvancePayback, start: start, n: *d.NumberOfPayments, total: *d.PaybackAmount,
	}); err != nil {
		return nil, err
	}
	if err := t.disburse(ctx, d, net, nil); err != nil {
		return nil, err
	}
	if err := t.oweCommission(ctx, d, terms); err != nil {
		return nil, err
	}
	if err := t.draftUCC(ctx, d, merchant); err != nil {
		return nil, err
	}
	state := ""
	if merchant.State != nil {
		state = *merchant.State
	}
	return d, t.supersedeDisclosures(ctx, d.ID, state)
}

// settleDates fixes what depends on the day of funding: fundedAt, the first payment's date and the term.
func (t *tx) settleDates(ctx context.Context, d *ent.Deal) (*ent.Deal, error) {
	at := t.At()
	if d.FundedAt != nil {
		at = *d.FundedAt
	}
	if at.After(t.At()) {
		return nil, fault.Conflictf("The deal cannot be funded before the time it is to be funded at.").
			With("fundedAt", "is in the future")
	}
	full, derived, problems := pricing.AtFunding(termsOf(d, t.zone()), derivedOf(d), civil.On(at, t.zone()))
	if len(problems) > 0 {
		refused := fault.Conflictf("The deal's dates do not fit the day of its funding.")
		refused.Details = problems
		return nil, refused
	}
	changes := []columnChange{{entdeal.FieldFundedAt, at}, {entdeal.FieldDerivedFields, fieldNames(derived)}}
	for _, c := range termColumns(full) {
		if !equalValues(columnValue(d, c.column), c.value) {
			changes = append(changes, c)
		}
	}
	return t.storeDeal(ctx, d, changes)
}

// planned says which payments are to be made: so many of a kind that repay a total, from a day on, for a draw where one is
// given.
type planned struct {
	kind  payment.Type
	start civil.Date
	n     int
	total money.Amount
	draw  *int
}

// schedulePayments makes the rows that repay an amount.
func (t *tx) schedulePayments(ctx context.Context, d *ent.Deal, terms pricing.Terms, p planned) error {
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
	for part := range slices.Chunk(creates, rowsAtOnce) {
		made, err := t.Payment.CreateBulk(part...).Save(ctx)
		if err != nil {
			return err
		}
		alsoMade(t, "payment", made...)
	}
	return nil
}

// rowsAtOnce keeps a statement below the arguments that either database takes.
const rowsAtOnce = 500

// scheduleRest plans the collection of what is outstanding, and not being collected already, from the next collection
// day on, in payments of the agreed amount. Of a deal on hold nothing is scheduled: what is left waits for staff.
func (t *tx) scheduleRest(ctx context.Context, d *ent.Deal, owed money.Amount) error {
	if held, err := t.onHold(ctx, d.ID); err != nil || held {
		return err
	}
	terms := termsOf(d, t.zone())
	plan, ok := terms.Plan()
	if !ok || d.PaymentAmount == nil {
		return nil // a deal without a plan is collected by hand
	}
	underWay, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.DirectionEQ(payment.In),
		entpayment.StatusIn(payment.Pending, payment.Submitted)).All(ctx)
	if err != nil {
		return err
	}
	for _, p := range underWay {
		if p.Type.ReducesReceivable() {
			owed = owed.Sub(p.Amount)
		}
	}
	if owed.Sign() <= 0 {
		return nil
	}
	n, err := instalments(d, owed)
	if err != nil {
		return err
	}
	return t.schedulePayments(ctx, d, terms, planned{
		kind: payment.AdvancePayback, start: plan.First(t.today()), n: n, total: owed,
	})
}

// instalments is how many payments of the agreed amount collect what is owed.
func instalments(d *ent.Deal, owed money.Amount) (int, error) {
	n := owed.Decimal().Div(d.PaymentAmount.Decimal()).Ceil()
	if n.GreaterThan(decimal.NewFromInt(schedule.MaxPayments)) {
		return 0, fault.Conflictf("What is outstanding cannot be collected in payments of %s.", d.PaymentAmount).
			With("state", "needs more than %d payments of %s", schedule.MaxPayments, d.PaymentAmount)
	}
	return int(n.IntPart()), nil
}

// bookFunding posts the purchase and the participations.
func (t *tx) bookFunding(ctx context.Context, d *ent.Deal, terms pricing.Terms, payoff money.Amount) error {
	facts, err := t.ledgerFacts(ctx, d)
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
	on := t.fundedOn(d)
	if err := t.post(ctx, posting{deal: &d.ID, on: on, entries: append(entries, sold...)}); err != nil {
		return err
	}
	if len(facts.Participants) > 0 {
		if err := t.fundParticipations(ctx, d, facts.Stakes()); err != nil {
			return err
		}
	}
	_, err = t.settle(ctx, d, on)
	return err
}

// fundedOn is the day of the funding of a deal that is FUNDED or about to be.
func (t *tx) fundedOn(d *ent.Deal) civil.Date {
	if d.FundedAt == nil {
		return t.today()
	}
	return civil.On(*d.FundedAt, t.zone())
}

// fundParticipations notes on a deal's participations that they are paid for, and what each of them cost.
func (t *tx) fundParticipations(ctx context.Context, d *ent.Deal, stakes []ledger.Stake) error {
	if err := t.priceParticipations(ctx, d.ID, stakes); err != nil {
		return err
	}
	rows, err := t.Participation.Query().Where(participation.DealID(d.ID), t.held).Order(participation.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return allStored(ctx, t, "participation", rows, []columnChange{{participation.FieldFundedAt, t.At()}},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.Participation.Update().Where(participation.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

// oweCommission books the broker's commission and puts it into the open batch of the month.
func (t *tx) oweCommission(ctx context.Context, d *ent.Deal, terms pricing.Terms) error {
	amount := terms.Commission()
	if d.IsoID == nil || amount.Sign() <= 0 {
		return nil
	}
	entries, err := ledger.OweCommission(*d.IsoID, amount)
	if err != nil {
		return err
	}
	if err := t.post(ctx, posting{deal: &d.ID, on: t.fundedOn(d), entries: entries}); err != nil {
		return err
	}
	batch, err := t.commissionBatch(ctx)
	if err != nil {
		return err
	}
	item, err := t.PayoutItem.Create().SetBatchID(batch.ID).SetIsoID(*d.IsoID).SetDealID(d.ID).SetAmount(amount).
		SetClawbackRiskAt(d.FundedAt.Add(commissionRisk)).Save(ctx)
	if err != nil {
		return err
	}
	alsoMade(t, "payoutItem", item)
	return nil
}

// commissionBatch is the draft batch of this month's commissions. Deals that fund at the same moment must not open one
// each, so they wait for each other at the account that the commissions are owed on.
func (t *tx) commissionBatch(ctx context.Context) (*ent.PayoutBatch, error) {
	if err := t.inTurn(ctx, ledger.CommissionPayable); err != nil {
		return nil, err
	}
	today := t.today()
	from := civil.Of(today.Year(), today.Month(), 1)
	to := civil.Of(today.Year(), today.Month()+1, 1).AddDays(-1)
	batch, err := t.PayoutBatch.Query().Where(payoutbatch.KindEQ(payoutbatch.KindCOMMISSION),
		payoutbatch.StatusEQ(payoutbatch.StatusDRAFT), payoutbatch.PeriodFrom(from), payoutbatch.PeriodTo(to), locked).
		Order(payoutbatch.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		batch, err = t.PayoutBatch.Create().SetKind(payoutbatch.KindCOMMISSION).SetPeriodFrom(from).SetPeriodTo(to).Save(ctx)
		if err == nil {
			alsoMade(t, "payoutBatch", batch)
		}
	}
	if err != nil {
		return nil, err
	}
	return batch, t.takeCarried(ctx, batch)
}

// draftUCC drafts the financing statement: in the state where the merchant is incorporated or, where that is not known,
// resides. Without either, staff have to make it; what they have drafted already stays.
func (t *tx) draftUCC(ctx context.Context, d *ent.Deal, m *ent.Merchant) error {
	where := debtorState(m)
	if where == nil {
		return nil
	}
	if live, err := t.liveStatement(ctx, d.ID); err != nil || live != nil {
		return err
	}
	filing, err := t.UCCFiling.Create().SetDealID(d.ID).SetProvider(byHand).SetJurisdiction(*where).
		SetType(uccfiling.TypeUCC1).SetCollateral(receivablesOf(m)).Save(ctx)
	if err != nil {
		return err
	}
	alsoMade(t, "uccFiling", filing)
	return nil
}

// payOffPrior settles the deal that this one renews, and returns what that takes: the outstanding purchased amount and
// unpaid fees less the early-payoff discount. The prior deal becomes RENEWED.
func (t *tx) payOffPrior(ctx context.Context, d *ent.Deal) (money.Amount, error) {
	if d.RenewedFromDealID == nil {
		return money.Zero, nil
	}
	prior, err := t.lockDeal(ctx, *d.RenewedFromDealID)
	if err != nil {
		return money.Zero, err
	}
	if prior.State != deal.Funded {
		return money.Zero, fault.Conflictf("The deal that this one renews is %s, not FUNDED.", prior.State).
			With("renewedFromDealId", "names a deal that is not FUNDED")
	}
	on := t.fundedOn(d)
	if day := t.fundedOn(prior); on.Before(day) {
		return money.Zero, fault.Conflictf("The deal cannot be funded before the one that it renews was, on %s.", day).
			With("fundedAt", "is before %s, the day on which the prior deal was funded", day)
	}
	payoff, err := t.payoffOn(ctx, prior, on)
	if err != nil {
		return money.Zero, err
	}
	fees, err := t.offsetFees(ctx, prior, on)
	if err != nil {
		return money.Zero, err
	}
	if err := t.offset(ctx, prior, payment.EPODiscount, payoff.Discount, on, nil); err != nil {
		return money.Zero, err
	}
	if err := t.offset(ctx, prior, payment.RenewalPayoff, payoff.Amount.Sub(fees), on, nil); err != nil {
		return money.Zero, err
	}
	if err := t.cancelPending(ctx, prior.ID); err != nil {
		return money.Zero, err
	}
	after, err := t.follow(ctx, prior, deal.Renewed, deal.ByAutomation)
	if err != nil {
		return money.Zero, err
	}
	alsoChanged(t, "deal", prior, after)
	if err := t.closeRenewals(ctx, prior.ID, renewalopportunity.StatusRENEWED,
		columnChange{renewalopportunity.FieldRenewalDealID, d.ID}); err != nil {
		return money.Zero, err
	}
	return payoff.Amount, nil
}

// offsetFees settles for a day the fees that were assessed on the prior deal and never paid, and returns what they come to.
func (t *tx) offsetFees(ctx context.Context, prior *ent.Deal, on civil.Date) (money.Amount, error) {
	var total money.Amount
	unpaid, err := t.unpaidFees(ctx, prior.ID)
	if err != nil {
		return total, err
	}
	for _, fee := range unpaid {
		after, err := t.savePayment(ctx, fee, []columnChange{
			{entpayment.FieldStatus, payment.Paid},
			{entpayment.FieldMethod, payment.Offset},
			{entpayment.FieldEpisode, fee.Episode + 1},
			{entpayment.FieldClearedDate, on},
		})
		if err != nil {
			return total, err
		}
		alsoChanged(t, "payment", fee, after)
		if _, err := t.postPayment(ctx, prior, after); err != nil {
			return total, err
		}
		t.emit("payment", fee.ID, t.paidEvent(fee))
		total = total.Add(fee.Amount)
	}
	return total, nil
}

// unpaidFees are the fees that were assessed on a deal and whose collection is not under way.
func (t *tx) unpaidFees(ctx context.Context, dealID int) ([]*ent.Payment, error) {
	return t.Payment.Query().Where(entpayment.DealID(dealID), entpayment.StatusEQ(payment.Pending),
		entpayment.TypeIn(payment.Fees()...)).Order(entpayment.ByID()).All(ctx)
}

// payoffOn is what settles a funded deal on a day, unpaid fees included, if nothing is collected until then.
func (t *tx) payoffOn(ctx context.Context, d *ent.Deal, day civil.Date) (pricing.Payoff, error) {
	balances, err := t.balances(ctx, d.ID)
	if err != nil {
		return pricing.Payoff{}, err
	}
	unpaid, err := t.unpaidFees(ctx, d.ID)
	if err != nil {
		return pricing.Payoff{}, err
	}
	var fees money.Amount
	for _, fee := range unpaid {
		fees = fees.Add(fee.Amount)
	}
	terms := termsOf(d, t.zone())
	funded, _, err := t.furtherDraws(ctx, d)
	if err != nil {
		return pricing.Payoff{}, err
	}
	if funded.Sign() > 0 {
		funded = funded.Add(orZero(terms.FundedAmount))
		terms.FundedAmount = &funded
	}
	return terms.PayoffOn(day, pricing.Position{
		Collected: ledger.Collected(balances), Outstanding: ledger.Outstanding(balances), Fees: fees,
		Defaulted: d.State == deal.Defaulted,
	}), nil
}

// offset records a payment that moves no cash for a day: on the prior deal of a renewal, or with the payoff that is named.
func (t *tx) offset(
	ctx context.Context, d *ent.Deal, kind payment.Type, amount money.Amount, on civil.Date, payoff *int,
) error {
	if amount.Sign() <= 0 {
		return nil
	}
	row, err := t.Payment.Create().SetDealID(d.ID).SetType(kind).SetAmount(amount).SetStatus(payment.Paid).
		SetEpisode(1).SetMethod(payment.Offset).SetDirection(payment.In).SetSource(payment.FromSystem).
		SetClearedDate(on).SetInitiatedAt(t.At()).SetNillablePayoffID(payoff).Save(ctx)
	if err != nil {
		return err
	}
	alsoMade(t, "payment", row)
	if _, err := t.postPayment(ctx, d, row); err != nil {
		return err
	}
	t.emit("payment", row.ID, t.paidEvent(row))
	return nil
}

// participationFacts judges whether the syndicators' parts can be carried out: no more than the whole, no more than
// each one's limit, and the money for it in the wallet.
func (t *tx) participationFacts(ctx context.Context, d *ent.Deal, f *deal.Facts) error {
	facts, err := t.ledgerFacts(ctx, d)
	if err != nil || len(facts.Participants) == 0 {
		return err
	}
	if err := facts.Check(); err != nil {
		f.ParticipationProblems = append(f.ParticipationProblems, fault.As(err).Message)
		return nil
	}
	for _, stake := range facts.Stakes() {
		// Locked, so that deals which fund at the same moment do not spend the same wallet; stakes come in order of id.
		s, err := t.Syndicator.Query().Where(syndicator.ID(stake.SyndicatorID), t.held).Only(ctx)
		if err != nil {
			return err
		}
		have, err := t.walletOf(ctx, stake.SyndicatorID)
		if err != nil {
			return err
		}
		f.ParticipationProblems = append(f.ParticipationProblems, stakeProblems(s, stake, have)...)
	}
	return nil
}

// stakeProblems say what keeps a syndicator from taking a part: the limit, or too little in the wallet.
func stakeProblems(s *ent.Syndicator, stake ledger.Stake, have money.Amount) []string {
	var problems []string
	if s.MaxPerDeal != nil && s.MaxPerDeal.Less(stake.Cost) {
		problems = append(problems, fmt.Sprintf("%s would put %s into the deal, above the limit of %s", s.Name, stake.Cost, s.MaxPerDeal))
	}
	if have.Less(stake.WalletDebit()) {
		problems = append(problems, fmt.Sprintf("%s has %s in the wallet and needs %s", s.Name, have, stake.WalletDebit()))
	}
	return problems
}

// commissionRisk is how long after funding a default takes the commission back.
const commissionRisk = 30 * 24 * time.Hour
