package service

import (
	"reflect"
	"slices"
	"time"

	"github.com/go-openapi/inflect"

	"paydown/ent"
	entdeal "paydown/ent/deal"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
	"paydown/internal/underwriting"
)

// DealFields are what a caller sets of a deal at any time.
type DealFields struct {
	ISOID               Opt[int]                   `json:"isoId" check:"gte=1" doc:"Broker who brought the deal"`
	ProductType         Opt[deal.Product]          `json:"productType" need:"value" doc:"Kind of financing; MCA unless given"`
	FundedAmount        Opt[money.Amount]          `json:"fundedAmount" doc:"Purchase price: what is funded, before fees" example:"50000.00"`
	PaybackAmount       Opt[money.Amount]          `json:"paybackAmount" doc:"Purchased amount: what is to be collected. Follows from fundedAmount and factorRate" example:"65000.00"`
	FactorRate          Opt[money.Rate]            `json:"factorRate" doc:"paybackAmount ÷ fundedAmount, 1 to 2.5" example:"1.30"`
	BuyRate             Opt[money.Rate]            `json:"buyRate" doc:"Factor at which the funder sells to the broker" example:"1.20"`
	TermDays            Opt[int]                   `json:"termDays" doc:"Calendar days from funding to the last payment" example:"182"`
	NumberOfPayments    Opt[int]                   `json:"numberOfPayments" example:"126"`
	PaymentAmount       Opt[money.Amount]          `json:"paymentAmount" doc:"One periodic payment; the last one is what remains" example:"515.88"`
	CollectionFrequency Opt[schedule.Frequency]    `json:"collectionFrequency" example:"DAILY"`
	CollectionSchedule  Opt[schedule.Rule]         `json:"collectionSchedule" need:"value" doc:"Days that a DAILY plan collects on; BANKING_DAYS unless given"`
	CollectionDay       Opt[int]                   `json:"collectionDay" doc:"WEEKLY: 1 (Monday) to 5; MONTHLY: 1 to 31; CUSTOM_DAYS: sum of Monday 1, Tuesday 2, Wednesday 4 … Sunday 64"`
	FirstPaymentDate    Opt[civil.Date]            `json:"firstPaymentDate" doc:"Day before which nothing is collected; the next collection day unless given" example:"2026-01-06"`
	Position            Opt[int]                   `json:"position" check:"gte=1,lte=50" doc:"Lien position that this advance takes: 1 is first" example:"1"`
	SpecifiedPercentage Opt[money.Rate]            `json:"specifiedPercentage" doc:"Part of revenue purchased, in per cent" example:"12.50"`
	CommissionBasis     Opt[pricing.Basis]         `json:"commissionBasis" doc:"What commissionValue is measured in"`
	CommissionValue     Opt[money.Rate]            `json:"commissionValue" doc:"In POINTS at most (factorRate − buyRate) × 100" example:"10.00"`
	BankFeeBasis        Opt[pricing.Basis]         `json:"bankFeeBasis" doc:"What bankFeeValue is measured in"`
	BankFeeValue        Opt[money.Rate]            `json:"bankFeeValue" doc:"In POINTS at most (factorRate − buyRate) × 100" example:"3.00"`
	ApplicationFee      Opt[money.Amount]          `json:"applicationFee" example:"0.00"`
	WireFee             Opt[money.Amount]          `json:"wireFee" example:"50.00"`
	DefaultSurcharge    Opt[money.Amount]          `json:"defaultSurcharge" doc:"Assessed when the deal defaults" example:"2500.00"`
	EPOFactorRate       Opt[money.Rate]            `json:"epoFactorRate" doc:"Factor of an early payoff within epoWindowDays" example:"1.20"`
	EPOWindowDays       Opt[int]                   `json:"epoWindowDays" example:"60"`
	EPOCommissionBasis  Opt[string]                `json:"epoCommissionBasis" check:"text"`
	EPOCommissionValue  Opt[money.Rate]            `json:"epoCommissionValue"`
	FundedAt            Opt[civil.Moment]          `json:"fundedAt" doc:"When the deal is or was funded; a date means midnight in the tenant's zone. Now, on the move to FUNDED, unless given"`
	PayoffDate          Opt[civil.Date]            `json:"payoffDate"`
	FundedLenderID      Opt[int]                   `json:"fundedLenderId" check:"gte=1" doc:"Funder whose money it is"`
	InceptionLenderID   Opt[int]                   `json:"inceptionLenderId" check:"gte=1" doc:"Funder it was first meant for"`
	UnderwriterID       Opt[int]                   `json:"underwriterId" check:"gte=1" doc:"User who underwrites it"`
	UWScore             Opt[int]                   `json:"uwScore" check:"gte=0,lte=1000" doc:"Underwriting score"`
	UWScoreCategory     Opt[underwriting.Category] `json:"uwScoreCategory" doc:"Band of the score"`
	ReferenceID         Opt[string]                `json:"referenceId" check:"text" doc:"The caller's own reference"`
}

// NewDeal is what a deal is made of.
type NewDeal struct {
	MerchantID Opt[int] `json:"merchantId" check:"gte=1" need:"create" doc:"Merchant that is financed"`
	DealFields
}

// DealUpdate is what a caller changes of a deal.
type DealUpdate struct {
	DealFields
	Unchanged
	State Opt[deal.State] `json:"state" need:"value" column:"-" doc:"Moves the deal through its states, if the move is allowed and nothing blocks it"`
}

// references are the other records that the fields name.
func (f DealFields) references() []reference {
	return []reference{
		{"isoId", "ISO", f.ISOID.Ptr()},
		{"fundedLenderId", "Funder", f.FundedLenderID.Ptr()},
		{"inceptionLenderId", "Funder", f.InceptionLenderID.Ptr()},
		{"underwriterId", "User", f.UnderwriterID.Ptr()},
	}
}

// termsOf are the economics of a deal as its row holds them.
func termsOf(d *ent.Deal, zone *time.Location) pricing.Terms {
	t := pricing.Terms{
		FundedAmount: d.FundedAmount, PaybackAmount: d.PaybackAmount, FactorRate: d.FactorRate, BuyRate: d.BuyRate,
		NumberOfPayments: d.NumberOfPayments, PaymentAmount: d.PaymentAmount, TermDays: d.TermDays,
		Frequency: d.CollectionFrequency, Schedule: &d.CollectionSchedule, CollectionDay: d.CollectionDay,
		FirstPaymentDate: d.FirstPaymentDate, SpecifiedPercentage: d.SpecifiedPercentage,
		CommissionBasis: d.CommissionBasis, CommissionValue: d.CommissionValue,
		BankFeeBasis: d.BankFeeBasis, BankFeeValue: d.BankFeeValue,
		ApplicationFee: d.ApplicationFee, WireFee: d.WireFee, DefaultSurcharge: d.DefaultSurcharge,
		EPOFactorRate: d.EpoFactorRate, EPOWindowDays: d.EpoWindowDays,
		EPOCommissionBasis: d.EpoCommissionBasis, EPOCommissionValue: d.EpoCommissionValue,
	}
	if d.CollectionSchedule == "" {
		t.Schedule = nil
	}
	if d.FundedAt != nil {
		day := civil.On(*d.FundedAt, zone)
		t.FundedOn = &day
	}
	return t
}

// termColumns are the columns that hold the terms, with the value of each: nil where it has none. fundedAt is not
// among them: the row holds an instant, the terms its day.
func termColumns(t pricing.Terms) []columnChange {
	v := reflect.ValueOf(t)
	var columns []columnChange
	for _, f := range reflect.VisibleFields(v.Type()) {
		name := jsonName(f)
		if name == string(pricing.FundedAt) || name == string(pricing.CollectionSchedule) {
			continue
		}
		c := columnChange{column: inflect.Underscore(name)}
		if value := v.FieldByIndex(f.Index); !value.IsNil() {
			c.value = value.Elem().Interface()
		}
		columns = append(columns, c)
	}
	return columns
}

// isTerm reports whether a field of the input is one of the economics.
func isTerm(name string) bool {
	for _, f := range append(pricing.FrozenOncePrefunded(), pricing.FrozenOnceFunded()...) {
		if string(f) == name {
			return true
		}
	}
	return false
}

// plan works out what the input makes of a deal's columns: what it sets, and the terms that follow. before is the
// record as it is, or one that holds nothing yet. revenue is the merchant's, where statements were analysed.
func (f DealFields) plan(
	before *ent.Deal, changes []columnChange, zone *time.Location, today civil.Date, revenue *money.Amount,
) ([]columnChange, []fault.Detail) {
	next := *before
	assign(&next, changes)
	named := namesGiven(f)
	// A value that the caller names is given from now on, or cleared to be derived again.
	derived := slices.DeleteFunc(derivedOf(before), func(f pricing.Field) bool { return named[string(f)] })
	given := termsOf(&next, zone).Without(derived...)
	full, nowDerived, problems := pricing.Derive(given, pricing.Context{
		Today: today, MonthlyRevenue: revenue, TermAgreed: samePlan(termsOf(before, zone), given),
	})
	if len(problems) > 0 {
		return nil, problems
	}
	for _, c := range termColumns(full) {
		if !equalValues(columnValue(&next, c.column), c.value) {
			changes = replaceColumn(changes, c)
		}
	}
	names := fieldNames(nowDerived)
	if !reflect.DeepEqual(names, before.DerivedFields) && len(names)+len(before.DerivedFields) > 0 {
		changes = append(changes, columnChange{entdeal.FieldDerivedFields, names})
	}
	return changes, nil
}

// samePlan reports whether given terms keep the term, the number of payments and all that places the payments in time, so
// that the two, which agreed when they were stored, still do.
func samePlan(stored, given pricing.Terms) bool {
	placed := func(t pricing.Terms) pricing.Terms {
		return pricing.Terms{
			TermDays: t.TermDays, NumberOfPayments: t.NumberOfPayments, Frequency: t.Frequency, Schedule: t.Schedule,
			CollectionDay: t.CollectionDay, FirstPaymentDate: t.FirstPaymentDate, FundedOn: t.FundedOn,
		}
	}
	return reflect.DeepEqual(placed(stored), placed(given))
}

// derivedOf are the terms of a deal that were worked out.
func derivedOf(d *ent.Deal) []pricing.Field {
	fields := make([]pricing.Field, len(d.DerivedFields))
	for i, name := range d.DerivedFields {
		fields[i] = pricing.Field(name)
	}
	return fields
}

func fieldNames(fields []pricing.Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = string(f)
	}
	return names
}

// replaceColumn adds a change, in the place of an earlier one of the same column.
func replaceColumn(changes []columnChange, c columnChange) []columnChange {
	for i := range changes {
		if changes[i].column == c.column {
			changes[i] = c
			return changes
		}
	}
	return append(changes, c)
}
