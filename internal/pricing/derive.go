package pricing

import (
	"slices"

	"github.com/shopspring/decimal"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/schedule"
)

// Context has the inputs of Derive besides the terms.
type Context struct {
	// Today is the current day in the tenant's time zone; the term of an unfunded deal counts from it.
	Today civil.Date
	// MonthlyRevenue is the merchant's average monthly true revenue; nil until statements are analyzed.
	MonthlyRevenue *money.Amount
	// TermAgreed means that the given term and number of payments were checked against each other on an earlier
	// day. They are not checked again, because the same terms must not become invalid as days pass.
	TermAgreed bool
	// CommissionRule prices a commission that is not given; nil if there is no rule. Renewal selects its list
	// for renewals.
	CommissionRule *CommissionRule
	Renewal        bool
	// BuyRate is the ISO's agreed buy rate, used if the terms have none; nil if none is agreed.
	BuyRate *money.Rate
}

// Derive completes the given terms with derived ones and lists the derived fields. It never changes given
// values. If given values are invalid or contradictory, problems has all problems, each under the field at
// fault, and full is given, unchanged.
//
//	paybackAmount = fundedAmount × factorRate          any two determine the third
//	paymentAmount = paybackAmount ÷ numberOfPayments   rounded up to the cent; the last payment is the
//
// rest
//
//	numberOfPayments = paybackAmount ÷ paymentAmount   rounded up, else the collection days within
//
// termDays
//
//	termDays = from FundingDay to the last payment
//	firstPaymentDate = the next collection day         only once FundedOn is known: until then see
//
// Start
//
//	specifiedPercentage = see PercentageOfRevenue      if it is at most 100
//	commissionBasis, commissionValue = see CommissionRule
//	buyRate = the one agreed with the ISO              if it is at most the factor rate
//
// The result depends only on the terms and the context, so deriving again from the given terms gives the same
// result. Because the context changes every day, derive only in a write that changes a term, and not after
// the terms are frozen. AtFunding derives what depends on the day of funding.
func Derive(given Terms, in Context) (full Terms, derived []Field, problems []fault.Detail) {
	s := &solver{given: given, terms: given, in: in}
	s.checkEach()
	s.solveFactor()
	s.solveBuyRate()
	s.checkFactors()
	s.solveFirstPayment()
	s.solvePayments()
	s.solveTerm()
	s.solvePercentage()
	s.solveCommission()
	s.checkFees()
	if len(s.problems) > 0 {
		return given, nil, s.problems
	}
	return s.terms, s.derived, nil
}

// AtFunding derives the terms that depend on the day of funding: the day itself, and the first payment's date
// and the term unless they were given. All other terms stay as stored. It returns the terms and the derived
// fields to store, or problems if a given first payment does not fit the day.
func AtFunding(stored Terms, derived []Field, on civil.Date) (Terms, []Field, []fault.Detail) {
	s := &solver{given: stored, terms: stored, in: Context{Today: on}}
	// A derived count is final by now. The term that it was derived from may have fewer collection days from
	// this day on.
	s.countFromTerm = slices.Contains(derived, NumberOfPayments)
	for _, f := range derived {
		if f == FirstPaymentDate || f == TermDays {
			s.terms = s.terms.Without(f)
		} else {
			s.derived = append(s.derived, f)
		}
	}
	s.terms.FundedOn = &on
	s.in.TermAgreed = s.terms.FirstPaymentDate == nil
	s.checkDates()
	s.solveFirstPayment()
	s.solveTerm()
	if len(s.problems) > 0 {
		return stored, derived, s.problems
	}
	return s.terms, s.derived, nil
}

// solver holds the state of one Derive call. Its terms are the given ones, without those that were refused,
// so that each mistake is reported once, plus the ones derived so far.
type solver struct {
	given, terms Terms
	in           Context
	derived      []Field
	problems     []fault.Detail
	// countFromTerm means that numberOfPayments was derived from termDays, so the two cannot contradict each
	// other.
	countFromTerm bool
}

func (s *solver) refuse(f Field, message string) {
	s.problems = append(s.problems, fault.Detail{Path: string(f), Message: message})
}

// refuseOnce refuses a field that has no problem yet.
func (s *solver) refuseOnce(f Field, message string) {
	if !slices.ContainsFunc(s.problems, func(p fault.Detail) bool { return p.Path == string(f) }) {
		s.refuse(f, message)
	}
}

// derive sets a field that had no value.
func derive[T any](s *solver, f Field, slot **T, value T) {
	*slot = &value
	s.derived = append(s.derived, f)
}

// solveFactor derives the third of the funded amount, the payback amount and the factor rate.
func (s *solver) solveFactor() {
	t := &s.terms
	switch {
	case t.FundedAmount != nil && t.PaybackAmount != nil:
		s.solveRate()
	case t.FundedAmount != nil && t.FactorRate != nil:
		payback := t.FundedAmount.Times(*t.FactorRate)
		if mostMoney.Less(payback) {
			s.refuse(FundedAmount, "is too large: at the factor rate "+
				"the payback amount would have more than 12 digits before the decimal point")
			return
		}
		derive(s, PaybackAmount, &t.PaybackAmount, payback)
	case t.PaybackAmount != nil && t.FactorRate != nil:
		funded := fundedFor(*t.PaybackAmount, *t.FactorRate)
		if funded.Sign() <= 0 {
			s.refuse(PaybackAmount, "is too small: at the factor rate the funded amount would be 0")
			return
		}
		derive(s, FundedAmount, &t.FundedAmount, funded)
	}
}

// fundedFor returns the funded amount for a payback amount.
func fundedFor(payback money.Amount, factor money.Rate) money.Amount {
	return money.Round(payback.Decimal().DivRound(factor.Decimal(), money.AmountScale))
}

// solveBuyRate uses the buy rate agreed with the ISO if it is at most the factor rate.
func (s *solver) solveBuyRate() {
	t := &s.terms
	if s.given.BuyRate == nil && s.in.BuyRate != nil && t.FactorRate != nil && s.in.BuyRate.Cmp(*t.FactorRate) <= 0 {
		derive(s, BuyRate, &t.BuyRate, *s.in.BuyRate)
	}
}

// solveRate handles the case that both amounts are given.
func (s *solver) solveRate() {
	t := &s.terms
	funded, payback := t.FundedAmount.Decimal(), t.PaybackAmount.Decimal()
	switch {
	case payback.LessThan(funded):
		s.refuse(PaybackAmount, "must be at least the funded amount")
	case t.FactorRate == nil && payback.GreaterThan(funded.Mul(mostFactor.Decimal())):
		s.refuse(PaybackAmount, "must be at most "+mostFactor.String()+" times the funded amount")
	case t.FactorRate == nil:
		derive(s, FactorRate, &t.FactorRate, money.RoundRate(payback.DivRound(funded, money.RateScale)))
	case !agree(*t.FundedAmount, *t.PaybackAmount, *t.FactorRate):
		s.refuse(PaybackAmount, "must be the funded amount times the factor rate")
	}
}

// agree reports whether the three amounts are consistent. It allows the rounding difference of factors with
// four decimals and amounts in cents, and whatever Derive itself computes from two of them, which may differ
// by more for small amounts.
func agree(funded, payback money.Amount, factor money.Rate) bool {
	gap := payback.Decimal().Sub(funded.Decimal().Mul(factor.Decimal())).Abs()
	tolerance := funded.Decimal().Mul(decimal.New(5, -5)).Add(decimal.New(5, -3))
	return gap.LessThanOrEqual(tolerance) || payback.Equal(funded.Times(factor)) ||
		funded.Equal(fundedFor(payback, factor))
}

// solvePayments derives the number of payments and the payment amount from each other, or the number from the
// term.
func (s *solver) solvePayments() {
	t := &s.terms
	switch {
	case t.PaymentAmount != nil && t.PaybackAmount != nil:
		s.solveCount()
		return
	case t.NumberOfPayments == nil:
		s.countWithinTerm()
	}
	if t.NumberOfPayments == nil || t.PaymentAmount != nil || t.PaybackAmount == nil {
		return
	}
	n := *t.NumberOfPayments
	// Twenty decimals are enough: a quotient above a whole cent exceeds it by more than a millionth.
	payment := money.RoundUp(t.PaybackAmount.Decimal().DivRound(decimal.NewFromInt(int64(n)), 20))
	if _, ok := schedule.FinalPayment(*t.PaybackAmount, payment, n); !ok {
		at := NumberOfPayments
		if s.countFromTerm {
			at = TermDays
		}
		s.refuse(at, "must not be more payments than the payback amount has cents")
		return
	}
	derive(s, PaymentAmount, &t.PaymentAmount, payment)
}

// solveCount handles the case that the payment amount and the payback amount are known.
func (s *solver) solveCount() {
	t := &s.terms
	if t.PaybackAmount.Less(*t.PaymentAmount) {
		s.refuse(PaymentAmount, "must be at most the payback amount")
		return
	}
	if t.NumberOfPayments != nil {
		if _, ok := schedule.FinalPayment(*t.PaybackAmount, *t.PaymentAmount, *t.NumberOfPayments); !ok {
			s.refuse(PaymentAmount, "must repay the payback amount in exactly the number of payments")
		}
		return
	}
	whole, rest := t.PaybackAmount.Decimal().QuoRem(t.PaymentAmount.Decimal(), 0)
	if !rest.IsZero() {
		whole = whole.Add(decimal.New(1, 0))
	}
	if whole.GreaterThan(decimal.New(schedule.MaxPayments, 0)) {
		s.refuse(PaymentAmount, "is too small: repaying the payback amount would take"+tooManyPayments)
		return
	}
	derive(s, NumberOfPayments, &t.NumberOfPayments, int(whole.IntPart()))
}

// countWithinTerm derives the number of payments as the number of collection days within the term.
func (s *solver) countWithinTerm() {
	t := &s.terms
	start, ok := t.Start(s.in.Today)
	if !ok || t.TermDays == nil {
		return
	}
	n := s.collectionDaysWithin(start)
	switch {
	case n == 0:
		s.refuse(TermDays, "is too short: it contains no collection day")
	case n > schedule.MaxPayments:
		s.refuse(TermDays, "is too long: it would have"+tooManyPayments)
	default:
		s.countFromTerm = true
		derive(s, NumberOfPayments, &t.NumberOfPayments, n)
	}
}

// collectionDaysWithin counts the collection days of the term from start on.
func (s *solver) collectionDaysWithin(start civil.Date) int {
	plan, _ := s.terms.Plan()
	return plan.CountWithin(start, s.terms.FundingDay(s.in.Today).AddDays(*s.terms.TermDays))
}

func (s *solver) solvePercentage() {
	t := &s.terms
	plan, ok := t.Plan()
	if !ok || t.SpecifiedPercentage != nil || t.PaymentAmount == nil || s.in.MonthlyRevenue == nil {
		return
	}
	p, ok := PercentageOfRevenue(*t.PaymentAmount, plan, *s.in.MonthlyRevenue)
	if ok && p.Cmp(hundred) <= 0 {
		derive(s, SpecifiedPercentage, &t.SpecifiedPercentage, p)
	}
}
