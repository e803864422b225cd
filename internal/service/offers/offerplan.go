package offers

import (
	"context"

	"github.com/shopspring/decimal"

	"paydown/ent"
	"paydown/internal/deal"
	rules "paydown/internal/disclosure"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/schedule"
	"paydown/internal/service/books"
	"paydown/internal/service/compliance"
	"paydown/internal/service/input"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
)

// OfferPlan is the payment plan of an offer if it were accepted today: its collection, disbursement and cost.
// Amounts are in dollars.
type OfferPlan struct {
	// Payments is the number of payments, each of PaymentAmount except the last, which is LastPayment.
	Payments                   int
	PaymentAmount, LastPayment money.Amount
	Frequency                  schedule.Frequency
	Schedule                   schedule.Rule
	TermDays                   *int
	// Holdback is the percentage of monthly sales that the payments take; nil if the sales are unknown.
	Holdback *money.Rate
	// Wired is the amount that the merchant receives: the funded amount less Deductions, which are fees and
	// earlier balances that are paid off.
	Wired      money.Amount
	Deductions []OfferLine
	// AvoidableFees are charged only in case of a problem, such as a returned payment.
	AvoidableFees      []OfferLine
	FinanceCharge      money.Amount
	AverageMonthlyCost *money.Amount
	// PayoffWithin is the number of calendar days from funding in which the total can be paid off for Payoff;
	// both are nil if there is no discount.
	PayoffWithin *int
	Payoff       *money.Amount
	// Law is the citation of the state's disclosure law, "" if none requires a disclosure. APR is the annual
	// percentage rate, nil if that law does not require it.
	Law string
	APR *money.Rate
}

// OfferLine is a line of an offer.
type OfferLine struct {
	Item   string
	Amount money.Amount
}

// offerPlan computes the plan by the rules that acceptance uses. It is nil if the deal's terms do not
// determine how the offer is collected, or conflict with the offer.
func offerPlan(ctx context.Context, t *unit.Tx, a *ent.Approval, d *ent.Deal, m *ent.Merchant) (*OfferPlan, error) {
	if a.State != deal.OfferAccepted {
		var err error
		if d, err = dealAsOffered(ctx, t, a, d); d == nil || err != nil {
			return nil, err
		}
	}
	terms := books.TermsOf(d, t.Zone())
	if len(terms.Missing()) > 0 || terms.NumberOfPayments == nil {
		return nil, nil //nolint:nilnil // no plan
	}
	law, lawApplies := rules.Rule{}, false
	if m.State != nil {
		law, lawApplies = rules.Required(*m.State, string(d.ProductType), *d.FundedAmount)
	}
	content, err := compliance.WriteDisclosure(ctx, t, d, m, law)
	if f := fault.As(err); f != nil {
		return nil, nil //nolint:nilnil,nilerr // the plan cannot be computed
	}
	if err != nil {
		return nil, err
	}
	n := *terms.NumberOfPayments
	plan := &OfferPlan{
		Payments: n, PaymentAmount: content.PaymentAmount,
		LastPayment: money.Round(content.TotalRepayment.Decimal().
			Sub(content.PaymentAmount.Decimal().Mul(decimal.NewFromInt(int64(n - 1))))),
		Frequency: *terms.Frequency, Schedule: d.CollectionSchedule, TermDays: terms.TermDays,
		Holdback: terms.SpecifiedPercentage,
		Wired:    content.RecipientFunds, FinanceCharge: content.FinanceCharge,
		AverageMonthlyCost: content.AverageMonthlyCost,
		PayoffWithin:       content.Prepayment.WindowDays, Payoff: content.Prepayment.DiscountedPayoff,
		APR: content.EstimatedAPR,
	}
	if lawApplies {
		plan.Law = law.Law
	}
	for _, item := range content.Itemization {
		if item.Item != compliance.PaidToMerchant {
			plan.Deductions = append(plan.Deductions, OfferLine(item))
		}
	}
	for _, item := range content.AvoidableFees {
		plan.AvoidableFees = append(plan.AvoidableFees, OfferLine(item))
	}
	return plan, nil
}

// dealAsOffered returns the deal as it would be if the offer were accepted; nil if its terms conflict with the
// offer's.
func dealAsOffered(ctx context.Context, t *unit.Tx, a *ent.Approval, d *ent.Deal) (*ent.Deal, error) {
	from, err := servicing.PricingOf(ctx, t, d, offerUpdate(a).DealFields)
	if err != nil {
		return nil, err
	}
	for _, in := range []servicing.DealUpdate{offerUpdate(a), offerUpdate(a).WithDerivedPayments()} {
		changes, problems := in.Plan(d, input.ChangesOf(in, d, t.Zone()), t.Zone(), from)
		if len(problems) == 0 {
			next := *d
			input.Apply(&next, changes)
			return &next, nil
		}
	}
	return nil, nil //nolint:nilnil // no such deal
}
