package pricing

import "strconv"

const (
	// MaxTermDays is the longest term: thirty years.
	MaxTermDays = 30 * 366

	// termTolerance is how many days the given term may differ from the computed one, because a term is agreed
	// before the calendar is known.
	termTolerance = 7

	// fundingLead is the maximum number of days from funding to the first payment, if the day of funding is not
	// known yet.
	fundingLead = 31
)

// solveFirstPayment derives the first payment's date once the day of funding is known.
func (s *solver) solveFirstPayment() {
	t := &s.terms
	if t.FundedOn == nil || t.FirstPaymentDate != nil {
		return
	}
	switch first, ok := t.Start(s.in.Today); {
	case !ok:
	case !plausible(first):
		s.refuse(FundedAt, "must not put the first payment beyond the year "+strconv.Itoa(lastYear))
	default:
		derive(s, FirstPaymentDate, &t.FirstPaymentDate, first)
	}
}

// solveTerm derives the term, or compares the given one with the schedule.
func (s *solver) solveTerm() {
	t := &s.terms
	start, ok := t.Start(s.in.Today)
	if !ok || t.NumberOfPayments == nil {
		return
	}
	plan, _ := t.Plan()
	last := plan.Last(start, *t.NumberOfPayments)
	funded := t.FundingDay(s.in.Today)
	term := last.Sub(funded)
	switch {
	case start.Sub(funded) > MaxTermDays:
		s.refuse(FirstPaymentDate, "must be within thirty years of funding")
	case term > MaxTermDays:
		s.refuse(s.countSource(), "must not put the last payment beyond thirty years after funding")
	case t.TermDays == nil:
		derive(s, TermDays, &t.TermDays, term)
	case s.in.TermAgreed || s.countFromTerm || s.collectionDaysWithin(start) == *t.NumberOfPayments:
		// The term has that number of payments, even if the last is long before the end of the term.
	default:
		s.checkTerm(term)
	}
}

// countSource returns the field that determines the number of payments.
func (s *solver) countSource() Field {
	switch {
	case s.given.NumberOfPayments != nil:
		return NumberOfPayments
	case s.countFromTerm:
		return TermDays
	default:
		return PaymentAmount
	}
}

// checkTerm refuses a given term that no possible day of funding brings within the tolerance of the schedule.
// While a deal is not funded and its first payment is fixed, any day shortly before that payment may become
// the day of funding.
func (s *solver) checkTerm(term int) {
	t := &s.terms
	shortest, longest := term, term
	if t.FundedOn == nil && t.FirstPaymentDate != nil {
		ahead := t.FirstPaymentDate.Sub(t.FundingDay(s.in.Today))
		shortest = term - ahead + 1
		longest = term + max(0, fundingLead-ahead)
	}
	if *t.TermDays < shortest-termTolerance || *t.TermDays > longest+termTolerance {
		s.refuse(TermDays, "must be within a week of the days that the payments take")
	}
}
