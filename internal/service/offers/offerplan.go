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

// OfferPlan is what an offer would come to if it were accepted today: how it is collected, what is paid out, what it
// costs. Amounts are in dollars.
type OfferPlan struct {
	// Payments is how many there are, each of PaymentAmount but for the last, of LastPayment.
	Payments                   int
	PaymentAmount, LastPayment money.Amount
	Frequency                  schedule.Frequency
	Schedule                   schedule.Rule
	TermDays                   *int
	// Holdback is the part of the monthly sales that payments take, in per cent; nil where the sales are not known.
	Holdback *money.Rate
	// Wired is what reaches the merchant: the funded amount less Deductions, which are fees and what is paid off with it.
	Wired      money.Amount
	Deductions []OfferLine
	// AvoidableFees are due only where something goes wrong.
	AvoidableFees      []OfferLine
	FinanceCharge      money.Amount
	AverageMonthlyCost *money.Amount
	// PayoffWithin has the whole paid off for Payoff, within so many calendar days from funding; both nil where that saves
	// nothing.
	PayoffWithin *int
	Payoff       *money.Amount
	// Law is where the state's law on disclosures is to be read, "" where none demands one. APR is the annual percentage
	// rate, nil where that law asks for none.
	Law string
	APR *money.Rate
}

// OfferLine is a line of an offer.
type OfferLine struct {
	Item   string
	Amount money.Amount
}

// offerPlan works the plan out by the rules that acceptance goes by. It is nil where the terms of the deal leave open how
// the offer is collected, or do not go with it.
func offerPlan(ctx context.Context, t *unit.Tx, a *ent.Approval, d *ent.Deal, m *ent.Merchant) (*OfferPlan, error) {
	if a.State != deal.OfferAccepted {
		var err error
		if d, err = asOffered(ctx, t, a, d); d == nil || err != nil {
			return nil, err
		}
	}
	terms := books.TermsOf(d, t.Zone())
	if len(terms.Missing()) > 0 || terms.NumberOfPayments == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	law, demanded := rules.Rule{}, false
	if m.State != nil {
		law, demanded = rules.Required(*m.State, string(d.ProductType), *d.FundedAmount)
	}
	says, err := compliance.WriteDisclosure(ctx, t, d, m, law)
	if f := fault.As(err); f != nil {
		return nil, nil //nolint:nilnil,nilerr // it cannot be worked out
	}
	if err != nil {
		return nil, err
	}
	n := *terms.NumberOfPayments
	plan := &OfferPlan{
		Payments: n, PaymentAmount: says.PaymentAmount,
		LastPayment: money.Round(says.TotalRepayment.Decimal().Sub(says.PaymentAmount.Decimal().Mul(decimal.NewFromInt(int64(n - 1))))),
		Frequency:   *terms.Frequency, Schedule: d.CollectionSchedule, TermDays: terms.TermDays, Holdback: terms.SpecifiedPercentage,
		Wired: says.RecipientFunds, FinanceCharge: says.FinanceCharge, AverageMonthlyCost: says.AverageMonthlyCost,
		PayoffWithin: says.Prepayment.WindowDays, Payoff: says.Prepayment.DiscountedPayoff, APR: says.EstimatedAPR,
	}
	if demanded {
		plan.Law = law.Law
	}
	for _, item := range says.Itemization {
		if item.Item != compliance.PaidToMerchant {
			plan.Deductions = append(plan.Deductions, OfferLine(item))
		}
	}
	for _, item := range says.AvoidableFees {
		plan.AvoidableFees = append(plan.AvoidableFees, OfferLine(item))
	}
	return plan, nil
}

// asOffered is the deal as it would be if the offer were accepted; nil where its terms do not go with the offer's.
func asOffered(ctx context.Context, t *unit.Tx, a *ent.Approval, d *ent.Deal) (*ent.Deal, error) {
	from, err := servicing.PricingOf(ctx, t, d, offered(a).DealFields)
	if err != nil {
		return nil, err
	}
	for _, in := range []servicing.DealUpdate{offered(a), offered(a).WithDerivedPayments()} {
		changes, problems := in.Plan(d, input.ChangesOf(in, d, t.Zone()), t.Zone(), from)
		if len(problems) == 0 {
			next := *d
			input.Apply(&next, changes)
			return &next, nil
		}
	}
	return nil, nil //nolint:nilnil // there is none
}
