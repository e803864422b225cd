package pricing

import (
	"slices"

	"github.com/shopspring/decimal"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/schedule"
)

// Context is what Derive needs to know beside the terms.
type Context struct {
	// Today is the day in the tenant's zone; the term of a deal that is not funded counts from it.
	Today civil.Date
	// MonthlyRevenue is the merchant's average monthly true revenue; nil while no statements were analysed.
	MonthlyRevenue *money.Amount
	// TermAgreed says that the given term and number of payments were found to agree on an earlier day, and are not
	// compared again: the same terms may not come to disagree because days have passed.
	TermAgreed bool
}

// Derive completes the terms that were given with those that follow from them, and names the derived ones. What is
// given is never changed. Where given values are senseless or disagree, problems holds all of them, each under the
// field at fault, and full is given as it came.
//
//	paybackAmount = fundedAmount × factorRate          any two give the third
//	paymentAmount = paybackAmount ÷ numberOfPayments   up to the next cent; the last payment is what remains
//	numberOfPayments = paybackAmount ÷ paymentAmount   up, or else the collection days within termDays
//	termDays = from FundingDay to the last payment
//	firstPaymentDate = the next collection day         only once FundedOn is known: until then see Start
//	specifiedPercentage = see PercentageOfRevenue      where it is at most 100
//
// The result depends on the terms and the context alone, so that deriving again from the given ones gives the same.
// As the context changes with the day, derive only in a write that touches a term, and not once terms are frozen: when
// a deal is funded, AtFunding settles what depends on that day.
func Derive(given Terms, in Context) (full Terms, derived []Field, problems []fault.Detail) {
	s := &solver{given: given, terms: given, in: in}
	s.checkEach()
	s.solveFactor()
	s.checkFactors()
	s.solveFirstPayment()
	s.solvePayments()
	s.solveTerm()
	s.solvePercentage()
	s.checkFees()
	if len(s.problems) > 0 {
		return given, nil, s.problems
	}
	return s.terms, s.derived, nil
}

// AtFunding settles what depends on the day of funding: the day itself, the first payment's date where it was not
// given, and the term where that was not given. Everything else stays as stored, derived or not. It returns the terms
// and the derived fields to store, or the problems where a given first payment does not fit the day.
func AtFunding(stored Terms, derived []Field, on civil.Date) (Terms, []Field, []fault.Detail) {
	s := &solver{given: stored, terms: stored, in: Context{Today: on}}
	// A count that was derived is fixed by now. The term it may have come from need not hold as many days from this day.
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

// solver carries one call of Derive. Its terms are the given ones less those that are refused for themselves, so that
// one mistake is reported once, and plus those derived so far.
type solver struct {
	given, terms Terms
	in           Context
	derived      []Field
	problems     []fault.Detail
	// countFromTerm says that numberOfPayments follows from termDays, so that the two cannot disagree.
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

// derive notes the value of a field that had none.
func derive[T any](s *solver, f Field, slot **T, value T) {
	*slot = &value
	s.derived = append(s.derived, f)
}

// solveFactor finds the third of the funded amount, the payback amount and the factor rate.
func (s *solver) solveFactor() {
	t := &s.terms
	switch {
	case t.FundedAmount != nil && t.PaybackAmount != nil:
		s.solveRate()
	case t.FundedAmount != nil && t.FactorRate != nil:
		payback := t.FundedAmount.Times(*t.FactorRate)
		if mostMoney.Less(payback) {
			s.refuse(FundedAmount, "is too large: at the factor rate the payback amount has more than 12 digits before the point")
			return
		}
		derive(s, PaybackAmount, &t.PaybackAmount, payback)
	case t.PaybackAmount != nil && t.FactorRate != nil:
		funded := fundedFor(*t.PaybackAmount, *t.FactorRate)
		if funded.Sign() <= 0 {
			s.refuse(PaybackAmount, "is too small: at the factor rate nothing is funded")
			return
		}
		derive(s, FundedAmount, &t.FundedAmount, funded)
	}
}

// fundedFor is the funded amount that a payback amount comes from.
func fundedFor(payback money.Amount, factor money.Rate) money.Amount {
	return money.Round(payback.Decimal().DivRound(factor.Decimal(), money.AmountScale))
}

// solveRate is the case in which both amounts are given.
func (s *solver) solveRate() {
	t := &s.terms
	funded, payback := t.FundedAmount.Decimal(), t.PaybackAmount.Decimal()
	switch {
	case payback.LessThan(funded):
		s.refuse(PaybackAmount, "must not be less than the funded amount")
	case t.FactorRate == nil && payback.GreaterThan(funded.Mul(mostFactor.Decimal())):
		s.refuse(PaybackAmount, "must be at most "+mostFactor.String()+" times the funded amount")
	case t.FactorRate == nil:
		derive(s, FactorRate, &t.FactorRate, money.RoundRate(payback.DivRound(funded, money.RateScale)))
	case !agree(*t.FundedAmount, *t.PaybackAmount, *t.FactorRate):
		s.refuse(PaybackAmount, "must be the funded amount times the factor rate")
	}
}

// agree reports whether the three amounts fit together. What factors of four decimals and amounts in whole cents lose by
// rounding is no disagreement. Nor is what Derive makes of two of them, which is off by more where little is funded.
func agree(funded, payback money.Amount, factor money.Rate) bool {
	gap := payback.Decimal().Sub(funded.Decimal().Mul(factor.Decimal())).Abs()
	tolerance := funded.Decimal().Mul(decimal.New(5, -5)).Add(decimal.New(5, -3))
	return gap.LessThanOrEqual(tolerance) || payback.Equal(funded.Times(factor)) || funded.Equal(fundedFor(payback, factor))
}

// solvePayments finds the number of payments and their amount from one another, or the number from the term.
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
	// Twenty decimals are exact enough: a quotient above a whole cent is so by more than a millionth.
	payment := money.RoundUp(t.PaybackAmount.Decimal().DivRound(decimal.NewFromInt(int64(n)), 20))
	if _, ok := schedule.FinalPayment(*t.PaybackAmount, payment, n); !ok {
		at := NumberOfPayments
		if s.countFromTerm {
			at = TermDays
		}
		s.refuse(at, "makes more payments than the payback amount can be divided into")
		return
	}
	derive(s, PaymentAmount, &t.PaymentAmount, payment)
}

// solveCount is the case in which the payment and the payback amount are known.
func (s *solver) solveCount() {
	t := &s.terms
	if t.PaybackAmount.Less(*t.PaymentAmount) {
		s.refuse(PaymentAmount, "must not be more than the payback amount")
		return
	}
	if t.NumberOfPayments != nil {
		if _, ok := schedule.FinalPayment(*t.PaybackAmount, *t.PaymentAmount, *t.NumberOfPayments); !ok {
			s.refuse(PaymentAmount, "does not repay the payback amount in the number of payments")
		}
		return
	}
	whole, rest := t.PaybackAmount.Decimal().QuoRem(t.PaymentAmount.Decimal(), 0)
	if !rest.IsZero() {
		whole = whole.Add(decimal.New(1, 0))
	}
	if whole.GreaterThan(decimal.New(schedule.MaxPayments, 0)) {
		s.refuse(PaymentAmount, "is too small: repaying the payback amount takes"+tooManyPayments)
		return
	}
	derive(s, NumberOfPayments, &t.NumberOfPayments, int(whole.IntPart()))
}

// countWithinTerm finds the number of payments as that of the collection days within the term.
func (s *solver) countWithinTerm() {
	t := &s.terms
	start, ok := t.Start(s.in.Today)
	if !ok || t.TermDays == nil {
		return
	}
	n := s.collectionDaysWithin(start)
	switch {
	case n == 0:
		s.refuse(TermDays, "is too short: it holds no collection day")
	case n > schedule.MaxPayments:
		s.refuse(TermDays, "is too long: it holds"+tooManyPayments)
	default:
		s.countFromTerm = true
		derive(s, NumberOfPayments, &t.NumberOfPayments, n)
	}
}

// collectionDaysWithin the term, from the first payment's day on.
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
