package pricing

import "strconv"

const (
	// MaxTermDays is the longest term, thirty years.
	MaxTermDays = 30 * 366

	// The given term may differ from the computed one by a week, as days are agreed on before the calendar is known.
	termTolerance = 7

	// How far ahead of its first payment a deal may be funded, where that day is not known yet.
	fundingLead = 31
)

// solveFirstPayment finds the first payment's date, once the day it follows is known for certain.
func (s *solver) solveFirstPayment() {
	t := &s.terms
	if t.FundedOn == nil || t.FirstPaymentDate != nil {
		return
	}
	switch first, ok := t.Start(s.in.Today); {
	case !ok:
	case !plausible(first):
		s.refuse(FundedAt, "puts the first payment beyond the year "+strconv.Itoa(lastYear))
	default:
		derive(s, FirstPaymentDate, &t.FirstPaymentDate, first)
	}
}

// solveTerm finds the term, or holds the given one against the schedule.
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
		s.refuse(s.countSource(), "takes the last payment beyond thirty years of funding")
	case t.TermDays == nil:
		derive(s, TermDays, &t.TermDays, term)
	case s.in.TermAgreed || s.countFromTerm || s.collectionDaysWithin(start) == *t.NumberOfPayments:
		// The term holds that number of payments, however long before its end the last one is.
	default:
		s.checkTerm(term)
	}
}

// countSource is the field that the number of payments was read from.
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

// checkTerm refuses a given term that no day of funding brings within the tolerance of the schedule: while a deal is not
// funded and its first payment is fixed, any day shortly before that one may be the one it is funded on.
func (s *solver) checkTerm(term int) {
	t := &s.terms
	shortest, longest := term, term
	if t.FundedOn == nil && t.FirstPaymentDate != nil {
		ahead := t.FirstPaymentDate.Sub(t.FundingDay(s.in.Today))
		shortest = term - ahead + 1
		longest = term + max(0, fundingLead-ahead)
	}
	if *t.TermDays < shortest-termTolerance || *t.TermDays > longest+termTolerance {
		s.refuse(TermDays, "differs by more than a week from the days that the payments take")
	}
}
