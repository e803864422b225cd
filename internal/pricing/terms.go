// Package pricing is the economics of a deal: which of its terms follow from the others, which terms cannot stand
// together, what is disbursed, what a commission and an early payoff come to. It reads no clock and no database.
//
// A deal remembers which of its terms were given and which were derived. A write that touches a term takes the given
// ones alone (Without drops the derived), changes what it is asked to change, and calls Derive again.
package pricing

import (
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/schedule"
)

// Terms are the economic fields of a deal; nil is a field without a value. The JSON names are those of a deal, so that
// the encoding of two equal sets of terms is equal too.
type Terms struct {
	FundedAmount  *money.Amount `json:"fundedAmount,omitempty"`
	PaybackAmount *money.Amount `json:"paybackAmount,omitempty"`
	// FactorRate is payback ÷ funded; BuyRate is the factor at which the funder itself sells.
	FactorRate *money.Rate `json:"factorRate,omitempty"`
	BuyRate    *money.Rate `json:"buyRate,omitempty"`

	NumberOfPayments *int          `json:"numberOfPayments,omitempty"`
	PaymentAmount    *money.Amount `json:"paymentAmount,omitempty"`
	// TermDays are the calendar days from funding to the last payment.
	TermDays  *int                `json:"termDays,omitempty"`
	Frequency *schedule.Frequency `json:"collectionFrequency,omitempty"`
	// Schedule is taken as BANKING_DAYS where it has no value.
	Schedule      *schedule.Rule `json:"collectionSchedule,omitempty"`
	CollectionDay *int           `json:"collectionDay,omitempty"`
	// FirstPaymentDate is the day before which nothing is collected. It need not be a collection day itself.
	FirstPaymentDate *civil.Date `json:"firstPaymentDate,omitempty"`
	// FundedOn is the day of fundedAt in the tenant's zone; nil while that is not known.
	FundedOn *civil.Date `json:"fundedAt,omitempty"`
	// SpecifiedPercentage is the part of the merchant's revenue that the payments are an estimate of.
	SpecifiedPercentage *money.Rate `json:"specifiedPercentage,omitempty"`

	CommissionBasis *Basis        `json:"commissionBasis,omitempty"`
	CommissionValue *money.Rate   `json:"commissionValue,omitempty"`
	BankFeeBasis    *Basis        `json:"bankFeeBasis,omitempty"`
	BankFeeValue    *money.Rate   `json:"bankFeeValue,omitempty"`
	ApplicationFee  *money.Amount `json:"applicationFee,omitempty"`
	WireFee         *money.Amount `json:"wireFee,omitempty"`
	// DefaultSurcharge is what is assessed on top when the deal defaults.
	DefaultSurcharge *money.Amount `json:"defaultSurcharge,omitempty"`

	// EPOFactorRate replaces the factor in an early payoff within EPOWindowDays calendar days of funding.
	EPOFactorRate      *money.Rate `json:"epoFactorRate,omitempty"`
	EPOWindowDays      *int        `json:"epoWindowDays,omitempty"`
	EPOCommissionBasis *string     `json:"epoCommissionBasis,omitempty"`
	EPOCommissionValue *money.Rate `json:"epoCommissionValue,omitempty"`
}

// Field is the public name of a deal's field.
type Field string

// The fields of Terms, and the broker, whom the commission is owed to.
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

// FrozenOncePrefunded lists the fields that no longer change once a deal is approved for funding.
func FrozenOncePrefunded() []Field {
	return []Field{
		FundedAmount, PaybackAmount, FactorRate, BuyRate, NumberOfPayments, PaymentAmount, TermDays,
		CollectionFrequency, CollectionSchedule, CollectionDay, SpecifiedPercentage,
		CommissionBasis, CommissionValue, BankFeeBasis, BankFeeValue, ApplicationFee, WireFee, DefaultSurcharge,
		EPOFactorRate, EPOWindowDays, EPOCommissionBasis, EPOCommissionValue, ISOID,
	}
}

// FrozenOnceFunded lists the fields that no longer change once a deal is funded, besides FrozenOncePrefunded.
func FrozenOnceFunded() []Field { return []Field{FundedAt, FirstPaymentDate} }

// Without is t less the given fields. Only those that Derive derives can be taken away; others stay.
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

// Missing lists what a deal still needs before it can be funded: the money, the payments and their frequency.
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

// Plan is the collection plan, which may not be valid; ok is false where there is no frequency.
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

// FundingDay is the day that the term counts from. Until it is known it is presumed: today, or the banking day before
// the first payment where today is too late for that one.
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

// Start is the day of the first payment: the first collection day on or after FirstPaymentDate or, where that has no
// value, after FundingDay. ok is false where there is no valid plan.
func (t Terms) Start(today civil.Date) (start civil.Date, ok bool) {
	plan, _ := t.Plan()
	if t.FirstPaymentDate != nil {
		start = plan.First(t.FirstPaymentDate.AddDays(-1))
	} else {
		start = plan.First(t.FundingDay(today))
	}
	return start, !start.IsZero()
}
