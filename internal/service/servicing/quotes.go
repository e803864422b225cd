package servicing

import (
	"context"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// PriorBalance returns what it would take to pay off the deal that d renews today.
func PriorBalance(ctx context.Context, t *unit.Tx, d *ent.Deal) (money.Amount, error) {
	if d.RenewedFromDealID == nil {
		return money.Zero, nil
	}
	prior, err := t.Deal.Get(ctx, *d.RenewedFromDealID)
	if err != nil {
		return money.Zero, err
	}
	payoff, err := payoffOn(ctx, t, prior, t.Today())
	return payoff.Amount, err
}

// A quote computes what a deal would cost. It stores nothing and uses the same rules as pricing and payoff, so
// that what a merchant is quoted is what will be posted.

// DealQuote is what a deal's terms amount to, with some of them changed.
type DealQuote struct {
	pricing.Terms
	// FirstPayment is the day of the first collection if the deal funded today; nil if there is no schedule.
	FirstPayment *civil.Date
	// LastPayment is the amount of the last payment; nil if the payments are not known.
	LastPayment *money.Amount
	// Cost is the payback amount less the funded amount; nil if either is not known.
	Cost *money.Amount
	// BankFee, Commission and Fees (all that is withheld from the advance) are 0.00 if not agreed.
	BankFee, Commission, Fees money.Amount
	// NetDisbursement is what the merchant would receive, less the payoff of a deal that this one renews; nil if
	// it is not known or if fees and payoff exceed the funded amount.
	NetDisbursement *money.Amount
	// Missing names the terms that the deal needs before it can be approved.
	Missing []string
}

// Quote computes what the deal's terms would amount to with some of them changed. It rejects inconsistent terms
// as a write would.
func (s Deals) Quote(ctx context.Context, d *ent.Deal, in DealFields) (*DealQuote, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("deals"))
	if err != nil {
		return nil, err
	}
	t := s.core.View(actor)
	from, err := PricingOf(ctx, t, d, in)
	if err != nil {
		return nil, err
	}
	changes, problems := in.Plan(d, input.ChangesOf(in, d, t.Zone()), t.Zone(), from)
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	next := *d
	input.Apply(&next, changes)
	if d.RenewalPayoffAmount != nil { // fixed when the deal was funded
		return quoteOf(books.TermsOf(&next, t.Zone()), *d.RenewalPayoffAmount, t.Today()), nil
	}
	payoff, err := PriorBalance(ctx, t, d)
	if err != nil {
		return nil, err
	}
	return quoteOf(books.TermsOf(&next, t.Zone()), payoff, t.Today()), nil
}

func quoteOf(terms pricing.Terms, payoff money.Amount, today civil.Date) *DealQuote {
	q := &DealQuote{
		Terms: terms, BankFee: terms.BankFee(), Commission: terms.Commission(), Fees: terms.Fees(),
		Missing: fieldNames(terms.Missing()),
	}
	if start, ok := terms.Start(today); ok {
		q.FirstPayment = &start
	}
	if terms.PaybackAmount != nil && terms.PaymentAmount != nil && terms.NumberOfPayments != nil {
		if last, ok := schedule.FinalPayment(*terms.PaybackAmount, *terms.PaymentAmount, *terms.NumberOfPayments); ok {
			q.LastPayment = &last
		}
	}
	if terms.PaybackAmount != nil && terms.FundedAmount != nil {
		cost := terms.PaybackAmount.Sub(*terms.FundedAmount)
		q.Cost = &cost
	}
	if net, err := terms.NetDisbursement(payoff); err == nil {
		q.NetDisbursement = &net
	}
	return q
}

// PayoffQuote is what pays off a deal in one payment on a day, if nothing is collected until then.
type PayoffQuote struct {
	On civil.Date
	pricing.Payoff
	// Until is the last day of the agreed early-payoff price; nil if none was agreed.
	Until *civil.Date
}

// maxPayoffDays limits how many days ahead a payoff can be quoted.
const maxPayoffDays = 366

// Payoff quotes what pays off a deal on a day: today by default, and never a day in the past. It returns nil if
// the deal owes nothing because it is neither funded nor in default.
func (s Deals) Payoff(ctx context.Context, d *ent.Deal, on *civil.Date) (*PayoffQuote, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("payments"))
	if err != nil {
		return nil, err
	}
	t := s.core.View(actor)
	day := t.Today()
	if on != nil {
		if ahead := on.Sub(day); ahead < 0 || ahead > maxPayoffDays {
			return nil, fault.Field("on", "must be within a year from today, %s", day)
		}
		day = *on
	}
	if d.State != deal.Funded && d.State != deal.Defaulted {
		return nil, nil
	}
	payoff, err := payoffOn(ctx, t, d, day)
	if err != nil {
		return nil, err
	}
	q := &PayoffQuote{On: day, Payoff: payoff}
	if until, agreed := books.TermsOf(d, t.Zone()).EarlyPayoffUntil(); agreed {
		q.Until = &until
	}
	return q, nil
}
