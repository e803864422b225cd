// Package pricing computes the economics of a deal: which terms are derived from others, which terms
// contradict each other, the disbursement, commissions, and the early payoff. It reads no clock and no
// database.
//
// A deal stores which of its terms were given and which were derived. A write that changes a term starts from
// the given ones only (Without removes the derived ones), applies its changes, and calls Derive again.
package pricing

import (
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/schedule"
)

// Terms are the economic fields of a deal; a nil field has no value. The JSON names are those of a deal, so
// that equal terms have equal encodings.
type Terms struct {
	FundedAmount  *money.Amount `json:"fundedAmount,omitempty"`
	PaybackAmount *money.Amount `json:"paybackAmount,omitempty"`
	// FactorRate is payback ÷ funded. BuyRate is the factor at which the funder sells to the ISO.
	FactorRate *money.Rate `json:"factorRate,omitempty"`
	BuyRate    *money.Rate `json:"buyRate,omitempty"`

	NumberOfPayments *int          `json:"numberOfPayments,omitempty"`
	PaymentAmount    *money.Amount `json:"paymentAmount,omitempty"`
	// TermDays are the calendar days from funding to the last payment.
	TermDays  *int                `json:"termDays,omitempty"`
	Frequency *schedule.Frequency `json:"collectionFrequency,omitempty"`
	// Schedule defaults to BANKING_DAYS.
	Schedule      *schedule.Rule `json:"collectionSchedule,omitempty"`
	CollectionDay *int           `json:"collectionDay,omitempty"`
	// FirstPaymentDate is the day from which payments are collected. It need not be a collection day itself.
	FirstPaymentDate *civil.Date `json:"firstPaymentDate,omitempty"`
	// FundedOn is the day of fundedAt in the tenant's time zone; nil until it is known.
	FundedOn *civil.Date `json:"fundedAt,omitempty"`
	// SpecifiedPercentage is the percentage of the merchant's revenue that the payments estimate.
	SpecifiedPercentage *money.Rate `json:"specifiedPercentage,omitempty"`

	CommissionBasis *Basis        `json:"commissionBasis,omitempty"`
	CommissionValue *money.Rate   `json:"commissionValue,omitempty"`
	BankFeeBasis    *Basis        `json:"bankFeeBasis,omitempty"`
	BankFeeValue    *money.Rate   `json:"bankFeeValue,omitempty"`
	ApplicationFee  *money.Amount `json:"applicationFee,omitempty"`
	WireFee         *money.Amount `json:"wireFee,omitempty"`
	// DefaultSurcharge is an additional fee if the deal defaults.
	DefaultSurcharge *money.Amount `json:"defaultSurcharge,omitempty"`

	// EPOFactorRate replaces the factor in an early payoff within EPOWindowDays calendar days of funding.
	EPOFactorRate      *money.Rate `json:"epoFactorRate,omitempty"`
	EPOWindowDays      *int        `json:"epoWindowDays,omitempty"`
	EPOCommissionBasis *string     `json:"epoCommissionBasis,omitempty"`
	EPOCommissionValue *money.Rate `json:"epoCommissionValue,omitempty"`
}

// Field is the public name of a deal's field.
type Field string

// The fields of Terms, and the ISO, who earns the commission.
const (
	FundedAmount        Field = "fundedAmount"
	PaybackAmount       Field = "paybackAmount"
	FactorRate          Field = "factorRate"
	BuyRate             Field = "buyRate"
	NumberOfPayments    Field = "numberOfPayments"
	PaymentAmount       Field = "paymentAmount"
	TermDays            Field = "termDays"
	CollectionFrequency Field = "collectionFrequency"
	CollectionSchedule  Field = "collectionSchedule"
	CollectionDay       Field = "collectionDay"
	FirstPaymentDate    Field = "firstPaymentDate"
	FundedAt            Field = "fundedAt"
	SpecifiedPercentage Field = "specifiedPercentage"
	CommissionBasis     Field = "commissionBasis"
	CommissionValue     Field = "commissionValue"
	BankFeeBasis        Field = "bankFeeBasis"
	BankFeeValue        Field = "bankFeeValue"
	ApplicationFee      Field = "applicationFee"
	WireFee             Field = "wireFee"
	DefaultSurcharge    Field = "defaultSurcharge"
	EPOFactorRate       Field = "epoFactorRate"
	EPOWindowDays       Field = "epoWindowDays"
	EPOCommissionBasis  Field = "epoCommissionBasis"
	EPOCommissionValue  Field = "epoCommissionValue"
	ISOID               Field = "isoId"
)

// FrozenOncePrefunded lists the fields that cannot change once a deal is approved for funding.
func FrozenOncePrefunded() []Field {
	return []Field{
		FundedAmount, PaybackAmount, FactorRate, BuyRate, NumberOfPayments, PaymentAmount, TermDays,
		CollectionFrequency, CollectionSchedule, CollectionDay, SpecifiedPercentage,
		CommissionBasis, CommissionValue, BankFeeBasis, BankFeeValue, ApplicationFee, WireFee, DefaultSurcharge,
		EPOFactorRate, EPOWindowDays, EPOCommissionBasis, EPOCommissionValue, ISOID,
	}
}

// FrozenOnceFunded lists further fields that cannot change once a deal is funded.
func FrozenOnceFunded() []Field { return []Field{FundedAt, FirstPaymentDate} }

// Without returns the terms without the given fields. It removes only fields that Derive can derive.
func (t Terms) Without(fields ...Field) Terms {
	for _, f := range fields {
		switch f {
		case FundedAmount:
			t.FundedAmount = nil
		case PaybackAmount:
			t.PaybackAmount = nil
		case FactorRate:
			t.FactorRate = nil
		case NumberOfPayments:
			t.NumberOfPayments = nil
		case PaymentAmount:
			t.PaymentAmount = nil
		case TermDays:
			t.TermDays = nil
		case FirstPaymentDate:
			t.FirstPaymentDate = nil
		case SpecifiedPercentage:
			t.SpecifiedPercentage = nil
		case BuyRate:
			t.BuyRate = nil
		case CommissionBasis:
			t.CommissionBasis = nil
		case CommissionValue:
			t.CommissionValue = nil
		default: // never derived
		}
	}
	return t
}

// Missing lists the terms that a deal still needs before it can fund: the amounts, the payments and their
// frequency.
func (t Terms) Missing() []Field {
	var missing []Field
	for _, needed := range []struct {
		field Field
		known bool
	}{
		{FundedAmount, t.FundedAmount != nil},
		{PaybackAmount, t.PaybackAmount != nil},
		{FactorRate, t.FactorRate != nil},
		{NumberOfPayments, t.NumberOfPayments != nil},
		{PaymentAmount, t.PaymentAmount != nil},
		{CollectionFrequency, t.Frequency != nil},
	} {
		if !needed.known {
			missing = append(missing, needed.field)
		}
	}
	return missing
}

// Plan returns the collection plan, which may be invalid; ok is false without a frequency.
func (t Terms) Plan() (plan schedule.Plan, ok bool) {
	if t.Frequency == nil {
		return schedule.Plan{}, false
	}
	plan = schedule.Plan{Frequency: *t.Frequency, Rule: schedule.BankingDays, CollectionDay: t.CollectionDay}
	if t.Schedule != nil {
		plan.Rule = *t.Schedule
	}
	return plan, true
}

// FundingDay is the day from which the term counts. Until it is known, it is assumed to be today, or the
// banking day before the first payment if that is earlier.
func (t Terms) FundingDay(today civil.Date) civil.Date {
	switch {
	case t.FundedOn != nil:
		return *t.FundedOn
	case t.FirstPaymentDate != nil && !today.Before(*t.FirstPaymentDate):
		return schedule.PreviousBankingDay(*t.FirstPaymentDate)
	default:
		return today
	}
}

// Start returns the day of the first payment: the first collection day on or after FirstPaymentDate or, if
// that is not set, after FundingDay. ok is false without a valid plan.
func (t Terms) Start(today civil.Date) (start civil.Date, ok bool) {
	plan, _ := t.Plan()
	if t.FirstPaymentDate != nil {
		start = plan.First(t.FirstPaymentDate.AddDays(-1))
	} else {
		start = plan.First(t.FundingDay(today))
	}
	return start, !start.IsZero()
}
