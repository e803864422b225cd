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

// PriorBalance is what the deal that this one renews would take to pay off today.
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

// A quote works out what a deal would come to. It stores nothing, and follows the rules by which the deal itself is
// priced and paid off, so that what somebody is told is what will be booked.

// DealQuote is what a deal's terms come to, some of them changed.
type DealQuote struct {
	pricing.Terms
	// FirstPayment is the day of the first collection, were the deal funded today; nil while there is no plan.
	FirstPayment *civil.Date
	// LastPayment is what remains for the last payment; nil while the payments are not known.
	LastPayment *money.Amount
	// Cost is what the merchant pays back beyond what is funded; nil while either is not known.
	Cost *money.Amount
	// BankFee, Commission and Fees (all that is withheld from the advance) are 0.00 where none is agreed.
	BankFee, Commission, Fees money.Amount
	// NetDisbursement is what the merchant would receive, less the payoff of a deal that this one renews; nil where
	// the fees and the payoff are more than the funded amount, or that is not known.
	NetDisbursement *money.Amount
	// Missing are the terms that the deal needs before it can be approved, by their names.
	Missing []string
}

// Quote works out what the deal's terms would come to with some of them changed. Terms that cannot stand together are
// refused as a write of them would be.
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
	if d.RenewalPayoffAmount != nil { // what it took is known since the deal funded
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

// PayoffQuote is what settles a deal in one payment on a day, if nothing is collected until then.
type PayoffQuote struct {
	On civil.Date
	pricing.Payoff
	// Until is the last day of the price that was agreed for an early payoff; nil where none was agreed.
	Until *civil.Date
}

// maxPayoffDays bounds how far ahead a payoff is quoted.
const maxPayoffDays = 366

// Payoff works out what settles a deal on a day: today where none is given, and none before it. It is nil where the
// deal owes nothing, being neither funded nor in default.
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
