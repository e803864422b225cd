package servicing

import (
	"context"
	"fmt"
	"slices"
	"time"

	entgo "entgo.io/ent"
	"github.com/shopspring/decimal"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/ent/participation"
	"paydown/ent/payment"
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
	"paydown/internal/service/books"
	"paydown/internal/service/collections"
	"paydown/internal/service/input"
	"paydown/internal/service/parties"
	"paydown/internal/service/payouts"
	"paydown/internal/service/unit"
)

// ByHand is the provider of a filing that no filing service makes.
const ByHand = "MANUAL"

// LiveStatement is the financing statement of a deal that is drafted, filed or in force; nil where there is none.
func LiveStatement(ctx context.Context, t *unit.Tx, dealID int) (*ent.UCCFiling, error) {
	row, err := t.UCCFiling.Query().Where(uccfiling.DealID(dealID), uccfiling.TypeEQ(uccfiling.TypeUCC1),
		uccfiling.StatusIn(uccfiling.StatusDRAFT, uccfiling.StatusSUBMITTED, uccfiling.StatusACCEPTED)).
		Order(uccfiling.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return row, err
}

// DebtorState is where a claim on a merchant's receivables is filed: where the merchant is incorporated or, where that is
// not known, resides; nil where neither is known.
func DebtorState(m *ent.Merchant) *string {
	if m.StateOfIncorporation != nil {
		return m.StateOfIncorporation
	}
	return m.State
}

// ReceivablesOf is the collateral of an advance.
func ReceivablesOf(m *ent.Merchant) string {
	return "All present and future receivables of " + m.LegalName
}

// fund is all that happens when a deal becomes FUNDED, in the one transaction: its dates are settled, the payments are
// scheduled, the funding is booked, syndicators take their parts, the broker's commission is owed, a UCC-1 is drafted,
// disclosures that were not used end, and the deal it renews is paid off. The plan debits by ACH, so that a deal on hold, where
// a payment that was taken before put it, is not funded. The deal that it renews may be on hold: nothing of that is debited.
func fund(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.Deal, error) {
	if err := collections.RefuseOnHold(ctx, t, d.ID, "state"); err != nil {
		return nil, err
	}
	d, err := settleDates(ctx, t, d)
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
		if d, err = books.StoreDeal(ctx, t, d, []input.Change{input.Set(entdeal.FieldRenewalPayoffAmount, payoff)}); err != nil {
			return nil, err
		}
	}
	net, err := terms.NetDisbursement(payoff)
	if err != nil {
		return nil, err
	}
	if err := bookFunding(ctx, t, d, terms, payoff); err != nil {
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

// settleDates fixes what depends on the day of funding: fundedAt, the first payment's date and the term.
func settleDates(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.Deal, error) {
	at := t.At()
	if d.FundedAt != nil {
		at = *d.FundedAt
	}
	if at.After(t.At()) {
		return nil, fault.Conflictf("The deal cannot be funded before the time it is to be funded at.").
			With("fundedAt", "is in the future")
	}
	full, derived, problems := pricing.AtFunding(books.TermsOf(d, t.Zone()), derivedOf(d), civil.On(at, t.Zone()))
	if len(problems) > 0 {
		refused := fault.Conflictf("The deal's dates do not fit the day of its funding.")
		refused.Details = problems
		return nil, refused
	}
	changes := []input.Change{input.Set(entdeal.FieldFundedAt, at), input.Set(entdeal.FieldDerivedFields, fieldNames(derived))}
	for _, c := range termColumns(full) {
		if !input.EqualValues(input.ColumnValue(d, c.Column), c.Value) {
			changes = append(changes, c)
		}
	}
	return books.StoreDeal(ctx, t, d, changes)
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
		made, err := t.Payment.CreateBulk(part...).Save(ctx)
		if err != nil {
			return err
		}
		unit.AlsoCreated(t, "payment", made...)
	}
	return nil
}

// scheduleRest plans the collection of what is outstanding, and not being collected already, from the next collection
// day on, in payments of the agreed amount. Of a deal on hold nothing is scheduled: what is left waits for staff.
func scheduleRest(ctx context.Context, t *unit.Tx, d *ent.Deal, owed money.Amount) error {
	if held, err := collections.OnHold(ctx, t, d.ID); err != nil || held {
		return err
	}
	terms := books.TermsOf(d, t.Zone())
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
	return schedulePayments(ctx, t, d, terms, planned{
		kind: payment.AdvancePayback, start: plan.First(t.Today()), n: n, total: owed,
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
func bookFunding(ctx context.Context, t *unit.Tx, d *ent.Deal, terms pricing.Terms, payoff money.Amount) error {
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

// fundedOn is the day of the funding of a deal that is FUNDED or about to be.
func fundedOn(t *unit.Tx, d *ent.Deal) civil.Date {
	if d.FundedAt == nil {
		return t.Today()
	}
	return civil.On(*d.FundedAt, t.Zone())
}

// fundParticipations notes on a deal's participations that they are paid for, and what each of them cost.
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

// oweCommission books the broker's commission and puts it into the open batch of the month.
func oweCommission(ctx context.Context, t *unit.Tx, d *ent.Deal, terms pricing.Terms) error {
	amount := terms.Commission()
	if d.IsoID == nil || amount.Sign() <= 0 {
		return nil
	}
	entries, err := ledger.OweCommission(*d.IsoID, amount)
	if err != nil {
		return err
	}
	if err := books.Post(ctx, t, books.Posting{Deal: &d.ID, On: fundedOn(t, d), Entries: entries}); err != nil {
		return err
	}
	batch, err := commissionBatch(ctx, t)
	if err != nil {
		return err
	}
	item, err := t.PayoutItem.Create().SetBatchID(batch.ID).SetIsoID(*d.IsoID).SetDealID(d.ID).SetAmount(amount).
		SetClawbackRiskAt(d.FundedAt.Add(commissionRisk)).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoCreated(t, "payoutItem", item)
	return nil
}

// commissionBatch is the draft batch of this month's commissions. Deals that fund at the same moment must not open one
// each, so they wait for each other at the account that the commissions are owed on.
func commissionBatch(ctx context.Context, t *unit.Tx) (*ent.PayoutBatch, error) {
	if err := payouts.Serialize(ctx, t, ledger.CommissionPayable); err != nil {
		return nil, err
	}
	today := t.Today()
	from := civil.Of(today.Year(), today.Month(), 1)
	to := civil.Of(today.Year(), today.Month()+1, 1).AddDays(-1)
	batch, err := t.PayoutBatch.Query().Where(payoutbatch.KindEQ(payoutbatch.KindCOMMISSION),
		payoutbatch.StatusEQ(payoutbatch.StatusDRAFT), payoutbatch.PeriodFrom(from), payoutbatch.PeriodTo(to), unit.Locked).
		Order(payoutbatch.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		batch, err = t.PayoutBatch.Create().SetKind(payoutbatch.KindCOMMISSION).SetPeriodFrom(from).SetPeriodTo(to).Save(ctx)
		if err == nil {
			unit.AlsoCreated(t, "payoutBatch", batch)
		}
	}
	if err != nil {
		return nil, err
	}
	return batch, payouts.TakeCarried(ctx, t, batch)
}

// draftUCC drafts the financing statement: in the state where the merchant is incorporated or, where that is not known,
// resides. Without either, staff have to make it; what they have drafted already stays.
func draftUCC(ctx context.Context, t *unit.Tx, d *ent.Deal, m *ent.Merchant) error {
	where := DebtorState(m)
	if where == nil {
		return nil
	}
	if live, err := LiveStatement(ctx, t, d.ID); err != nil || live != nil {
		return err
	}
	filing, err := t.UCCFiling.Create().SetDealID(d.ID).SetProvider(ByHand).SetJurisdiction(*where).
		SetType(uccfiling.TypeUCC1).SetCollateral(ReceivablesOf(m)).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoCreated(t, "uccFiling", filing)
	return nil
}

// payOffPrior settles the deal that this one renews, and returns what that takes: the outstanding purchased amount and
// unpaid fees less the early-payoff discount. The prior deal becomes RENEWED.
func payOffPrior(ctx context.Context, t *unit.Tx, d *ent.Deal) (money.Amount, error) {
	if d.RenewedFromDealID == nil {
		return money.Zero, nil
	}
	prior, err := books.LockDeal(ctx, t, *d.RenewedFromDealID)
	if err != nil {
		return money.Zero, err
	}
	if prior.State != deal.Funded {
		return money.Zero, fault.Conflictf("The deal that this one renews is %s, not FUNDED.", prior.State).
			With("renewedFromDealId", "names a deal that is not FUNDED")
	}
	on := fundedOn(t, d)
	if day := fundedOn(t, prior); on.Before(day) {
		return money.Zero, fault.Conflictf("The deal cannot be funded before the one that it renews was, on %s.", day).
			With("fundedAt", "is before %s, the day on which the prior deal was funded", day)
	}
	payoff, err := payoffOn(ctx, t, prior, on)
	if err != nil {
		return money.Zero, err
	}
	fees, err := offsetFees(ctx, t, prior, on)
	if err != nil {
		return money.Zero, err
	}
	if err := offset(ctx, t, prior, payment.EPODiscount, payoff.Discount, on, nil); err != nil {
		return money.Zero, err
	}
	if err := offset(ctx, t, prior, payment.RenewalPayoff, payoff.Amount.Sub(fees), on, nil); err != nil {
		return money.Zero, err
	}
	if err := cancelPending(ctx, t, prior.ID); err != nil {
		return money.Zero, err
	}
	after, err := follow(ctx, t, prior, deal.Renewed, deal.ByAutomation)
	if err != nil {
		return money.Zero, err
	}
	unit.AlsoUpdated(t, "deal", prior, after)
	if err := closeRenewals(ctx, t, prior.ID, renewalopportunity.StatusRENEWED,
		input.Set(renewalopportunity.FieldRenewalDealID, d.ID)); err != nil {
		return money.Zero, err
	}
	return payoff.Amount, nil
}

// offsetFees settles for a day the fees that were assessed on the prior deal and never paid, and returns what they come to.
func offsetFees(ctx context.Context, t *unit.Tx, prior *ent.Deal, on civil.Date) (money.Amount, error) {
	var total money.Amount
	unpaid, err := unpaidFees(ctx, t, prior.ID)
	if err != nil {
		return total, err
	}
	for _, fee := range unpaid {
		after, err := savePayment(ctx, t, fee, []input.Change{
			input.Set(entpayment.FieldStatus, payment.Paid),
			input.Set(entpayment.FieldMethod, payment.Offset),
			input.Set(entpayment.FieldEpisode, fee.Episode+1),
			input.Set(entpayment.FieldClearedDate, on),
		})
		if err != nil {
			return total, err
		}
		unit.AlsoUpdated(t, "payment", fee, after)
		if _, err := books.PostPayment(ctx, t, prior, after); err != nil {
			return total, err
		}
		t.Emit("payment", fee.ID, t.PaidEvent(fee))
		total = total.Add(fee.Amount)
	}
	return total, nil
}

// unpaidFees are the fees that were assessed on a deal and whose collection is not under way.
func unpaidFees(ctx context.Context, t *unit.Tx, dealID int) ([]*ent.Payment, error) {
	return t.Payment.Query().Where(entpayment.DealID(dealID), entpayment.StatusEQ(payment.Pending),
		entpayment.TypeIn(payment.Fees()...)).Order(entpayment.ByID()).All(ctx)
}

// payoffOn is what settles a funded deal on a day, unpaid fees included, if nothing is collected until then.
func payoffOn(ctx context.Context, t *unit.Tx, d *ent.Deal, day civil.Date) (pricing.Payoff, error) {
	balances, err := books.Balances(ctx, t, d.ID)
	if err != nil {
		return pricing.Payoff{}, err
	}
	unpaid, err := unpaidFees(ctx, t, d.ID)
	if err != nil {
		return pricing.Payoff{}, err
	}
	var fees money.Amount
	for _, fee := range unpaid {
		fees = fees.Add(fee.Amount)
	}
	terms := books.TermsOf(d, t.Zone())
	funded, _, err := books.FurtherDraws(ctx, t, d)
	if err != nil {
		return pricing.Payoff{}, err
	}
	if funded.Sign() > 0 {
		funded = funded.Add(books.OrZero(terms.FundedAmount))
		terms.FundedAmount = &funded
	}
	return terms.PayoffOn(day, pricing.Position{
		Collected: ledger.Collected(balances), Outstanding: ledger.Outstanding(balances), Fees: fees,
		Defaulted: d.State == deal.Defaulted,
	}), nil
}

// offset records a payment that moves no cash for a day: on the prior deal of a renewal, or with the payoff that is named.
func offset(
	ctx context.Context, t *unit.Tx, d *ent.Deal, kind payment.Type, amount money.Amount, on civil.Date, payoff *int,
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
	unit.AlsoCreated(t, "payment", row)
	if _, err := books.PostPayment(ctx, t, d, row); err != nil {
		return err
	}
	t.Emit("payment", row.ID, t.PaidEvent(row))
	return nil
}

// participationFacts judges whether the syndicators' parts can be carried out: no more than the whole, no more than
// each one's limit, and the money for it in the wallet.
func participationFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	facts, err := books.LedgerFacts(ctx, t, d)
	if err != nil || len(facts.Participants) == 0 {
		return err
	}
	if err := facts.Check(); err != nil {
		f.ParticipationProblems = append(f.ParticipationProblems, fault.As(err).Message)
		return nil
	}
	for _, stake := range facts.Stakes() {
		// Locked, so that deals which fund at the same moment do not spend the same wallet; stakes come in order of id.
		s, err := t.Syndicator.Query().Where(syndicator.ID(stake.SyndicatorID), t.RowLock).Only(ctx)
		if err != nil {
			return err
		}
		have, err := parties.WalletBalance(ctx, t, stake.SyndicatorID)
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
