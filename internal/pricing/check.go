package pricing

import (
	"fmt"
	"slices"
	"strings"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/schedule"
)

// Limits of the terms.
var (
	leastFactor = money.MustRate("1")
	mostFactor  = money.MustRate("2.5")
	hundred     = money.MustRate("100")
	mostMoney   = money.Must("999999999999.99")
)

// Dates outside these years are treated as typing errors.
const (
	firstYear = 1900
	lastYear  = 2999
)

var (
	implausible     = fmt.Sprintf("must be in the years %d to %d", firstYear, lastYear)
	tooManyPayments = fmt.Sprintf(" more than %d payments", schedule.MaxPayments)
)

func plausible(d civil.Date) bool { return d.Year() >= firstYear && d.Year() <= lastYear }

// checkEach refuses given values that are invalid on their own or that lack a companion field, and removes
// them from the terms.
func (s *solver) checkEach() {
	t := &s.terms
	s.positive(FundedAmount, &t.FundedAmount)
	s.positive(PaybackAmount, &t.PaybackAmount)
	s.factor(FactorRate, &t.FactorRate)
	s.factor(BuyRate, &t.BuyRate)
	s.count(NumberOfPayments, &t.NumberOfPayments, schedule.MaxPayments)
	s.positive(PaymentAmount, &t.PaymentAmount)
	s.count(TermDays, &t.TermDays, MaxTermDays)
	s.checkPlan()
	s.checkDates()
	s.percentage(SpecifiedPercentage, &t.SpecifiedPercentage)
	s.pair(CommissionBasis, &t.CommissionBasis, CommissionValue, &t.CommissionValue)
	s.pair(BankFeeBasis, &t.BankFeeBasis, BankFeeValue, &t.BankFeeValue)
	s.notNegative(ApplicationFee, &t.ApplicationFee)
	s.notNegative(WireFee, &t.WireFee)
	s.notNegative(DefaultSurcharge, &t.DefaultSurcharge)
	s.checkEarlyPayoff()
}

func (s *solver) positive(f Field, slot **money.Amount) {
	if *slot != nil && (*slot).Sign() <= 0 {
		s.refuse(f, "must be greater than 0")
		*slot = nil
	}
}

func (s *solver) notNegative(f Field, slot **money.Amount) {
	if *slot != nil && (*slot).Sign() < 0 {
		s.refuse(f, "must not be negative")
		*slot = nil
	}
}

func (s *solver) factor(f Field, slot **money.Rate) {
	if *slot != nil && ((*slot).Cmp(leastFactor) < 0 || (*slot).Cmp(mostFactor) > 0) {
		s.refuse(f, "must be from "+leastFactor.String()+" to "+mostFactor.String())
		*slot = nil
	}
}

func (s *solver) count(f Field, slot **int, most int) {
	if *slot != nil && (**slot < 1 || **slot > most) {
		s.refuse(f, fmt.Sprintf("must be from 1 to %d", most))
		*slot = nil
	}
}

func (s *solver) percentage(f Field, slot **money.Rate) {
	if *slot != nil && ((*slot).Sign() < 0 || (*slot).Cmp(hundred) > 0) {
		s.refuse(f, "must be a percentage from 0 to 100")
		*slot = nil
	}
}

// pair checks a value together with the basis that gives it its unit.
func (s *solver) pair(basisField Field, basis **Basis, valueField Field, value **money.Rate) {
	if !s.together(basisField, *basis != nil, valueField, *value != nil) {
		return
	}
	if allowed := (*basis).Values(); !slices.Contains(allowed, string(**basis)) {
		s.refuse(basisField, "must be one of "+strings.Join(allowed, ", "))
		*basis = nil
		return
	}
	s.valueOn(**basis, valueField, value)
}

// valueOn checks a value on its basis; on an unknown basis it only must not be negative.
func (s *solver) valueOn(basis Basis, f Field, value **money.Rate) {
	switch {
	case basis == PercentOfFunded || basis == PercentOfPayback || basis == Points:
		s.percentage(f, value)
	case (*value).Sign() < 0:
		s.refuse(f, "must not be negative")
		*value = nil
	case basis == Flat && !money.Round((*value).Decimal()).Decimal().Equal((*value).Decimal()):
		s.refuse(f, "must have at most 2 decimals if the basis is FLAT")
		*value = nil
	}
}

// together refuses one of two fields without the other. It returns true if both are present.
func (s *solver) together(a Field, hasA bool, b Field, hasB bool) bool {
	if hasA && !hasB {
		s.refuse(b, "is required with "+string(a))
	}
	if hasB && !hasA {
		s.refuse(a, "is required with "+string(b))
	}
	return hasA && hasB
}

// checkEarlyPayoff checks the four fields of an early payoff. It consists of a factor and a window, and
// optionally a commission with a basis and a value; the basis is free text.
func (s *solver) checkEarlyPayoff() {
	t := &s.terms
	factor, window := t.EPOFactorRate != nil, t.EPOWindowDays != nil
	basis, value := t.EPOCommissionBasis != nil, t.EPOCommissionValue != nil
	if !s.together(EPOFactorRate, factor, EPOWindowDays, window) && !factor && !window && (basis || value) {
		s.refuse(EPOFactorRate, "is required with an early-payoff commission")
		s.refuse(EPOWindowDays, "is required with an early-payoff commission")
	}
	if s.together(EPOCommissionBasis, basis, EPOCommissionValue, value) {
		s.valueOn(Basis(*t.EPOCommissionBasis), EPOCommissionValue, &t.EPOCommissionValue)
	}
	s.factor(EPOFactorRate, &t.EPOFactorRate)
	s.count(EPOWindowDays, &t.EPOWindowDays, MaxTermDays)
}

// checkDates refuses implausible dates, and a first payment on or before the day of funding.
func (s *solver) checkDates() {
	t := &s.terms
	if t.FundedOn != nil && !plausible(*t.FundedOn) {
		s.refuse(FundedAt, implausible)
		t.FundedOn = nil
	}
	switch {
	case t.FirstPaymentDate == nil:
	case !plausible(*t.FirstPaymentDate):
		s.refuse(FirstPaymentDate, implausible)
		t.FirstPaymentDate = nil
	case t.FundedOn != nil && !t.FirstPaymentDate.After(*t.FundedOn):
		s.refuse(FirstPaymentDate, "must be after the day of funding")
		t.FirstPaymentDate = nil
	}
}

// checkPlan refuses an invalid collection plan.
func (s *solver) checkPlan() {
	t := &s.terms
	plan, ok := t.Plan()
	if ok {
		if refused := fault.As(plan.Validate()); refused != nil {
			s.problems = append(s.problems, refused.Details...)
			t.Frequency = nil
		}
		return
	}
	if t.CollectionDay != nil {
		s.refuse(CollectionDay, "is used only with collectionFrequency")
	}
	if allowed := schedule.BankingDays.Values(); t.Schedule != nil && !slices.Contains(allowed, string(*t.Schedule)) {
		s.refuse(CollectionSchedule, "must be one of "+strings.Join(allowed, ", "))
	}
}

// checkFactors compares the other rates with the given or derived factor rate.
func (s *solver) checkFactors() {
	t := &s.terms
	if t.FactorRate != nil {
		if t.BuyRate != nil && t.BuyRate.Cmp(*t.FactorRate) > 0 {
			s.refuse(BuyRate, "must be at most the factor rate")
			t.BuyRate = nil
		}
		if t.EPOFactorRate != nil && t.EPOFactorRate.Cmp(*t.FactorRate) >= 0 {
			s.refuse(EPOFactorRate, "must be less than the factor rate")
		}
	}
	s.checkPoints("a commission", t.CommissionBasis, CommissionValue, t.CommissionValue)
	s.checkPoints("a bank fee", t.BankFeeBasis, BankFeeValue, t.BankFeeValue)
}

// checkPoints requires a value in POINTS to be at most the margin between the buy rate and the factor rate,
// which must both be known.
func (s *solver) checkPoints(of string, basis *Basis, f Field, value *money.Rate) {
	t := &s.terms
	if basis == nil || *basis != Points {
		return
	}
	if s.given.BuyRate == nil && t.BuyRate == nil {
		s.refuseOnce(BuyRate, "is required for "+of+" in POINTS")
	}
	if s.given.FactorRate == nil && t.FactorRate == nil {
		s.refuseOnce(FactorRate, "is required for "+of+" in POINTS")
	}
	if t.BuyRate == nil || t.FactorRate == nil || value == nil {
		return
	}
	if value.Decimal().GreaterThan(t.margin()) {
		s.refuse(f, "must be at most the points between the buy rate and the factor rate")
	}
}

// checkFees refuses fees above the funded amount, under one of the fee fields that have a value.
func (s *solver) checkFees() {
	t := &s.terms
	if t.FundedAmount == nil || t.Fees().Cmp(*t.FundedAmount) <= 0 {
		return
	}
	at := WireFee
	switch {
	case t.BankFeeValue != nil:
		at = BankFeeValue
	case t.ApplicationFee != nil:
		at = ApplicationFee
	}
	s.refuse(at, "must not make the fees exceed the funded amount")
}
