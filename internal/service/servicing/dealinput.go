package servicing

import (
	"context"
	"reflect"
	"slices"
	"time"

	"github.com/go-openapi/inflect"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/ent/participation"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/payouts"
	"paydown/internal/service/unit"
	"paydown/internal/underwriting"
)

// DealFields are what a caller sets of a deal at any time.
type DealFields struct {
	ISOID               input.Opt[int]                   `json:"isoId" check:"gte=1" doc:"Broker who brought the deal"`
	ProductType         input.Opt[deal.Product]          `json:"productType" need:"value" doc:"Kind of financing; MCA unless given"`
	FundedAmount        input.Opt[money.Amount]          `json:"fundedAmount" doc:"Purchase price: what is funded, before fees" example:"50000.00"`
	PaybackAmount       input.Opt[money.Amount]          `json:"paybackAmount" doc:"Purchased amount: what is to be collected. Follows from fundedAmount and factorRate" example:"65000.00"`
	FactorRate          input.Opt[money.Rate]            `json:"factorRate" doc:"paybackAmount ÷ fundedAmount, 1 to 2.5" example:"1.30"`
	BuyRate             input.Opt[money.Rate]            `json:"buyRate" doc:"Factor at which the funder sells to the broker" example:"1.20"`
	TermDays            input.Opt[int]                   `json:"termDays" doc:"Calendar days from funding to the last payment" example:"182"`
	NumberOfPayments    input.Opt[int]                   `json:"numberOfPayments" example:"126"`
	PaymentAmount       input.Opt[money.Amount]          `json:"paymentAmount" doc:"One periodic payment; the last one is what remains" example:"515.88"`
	CollectionFrequency input.Opt[schedule.Frequency]    `json:"collectionFrequency" example:"DAILY"`
	CollectionSchedule  input.Opt[schedule.Rule]         `json:"collectionSchedule" need:"value" doc:"Days that a DAILY plan collects on; BANKING_DAYS unless given"`
	CollectionDay       input.Opt[int]                   `json:"collectionDay" doc:"WEEKLY: 1 (Monday) to 5; MONTHLY: 1 to 31; CUSTOM_DAYS: sum of Monday 1, Tuesday 2, Wednesday 4 … Sunday 64"`
	FirstPaymentDate    input.Opt[civil.Date]            `json:"firstPaymentDate" doc:"Day before which nothing is collected; the next collection day unless given" example:"2026-01-06"`
	Position            input.Opt[int]                   `json:"position" check:"gte=1,lte=50" doc:"Lien position that this advance takes: 1 is first" example:"1"`
	SpecifiedPercentage input.Opt[money.Rate]            `json:"specifiedPercentage" doc:"Part of revenue purchased, in per cent" example:"12.50"`
	CommissionBasis     input.Opt[pricing.Basis]         `json:"commissionBasis" doc:"What commissionValue is measured in"`
	CommissionValue     input.Opt[money.Rate]            `json:"commissionValue" doc:"In POINTS at most (factorRate − buyRate) × 100" example:"10.00"`
	BankFeeBasis        input.Opt[pricing.Basis]         `json:"bankFeeBasis" doc:"What bankFeeValue is measured in"`
	BankFeeValue        input.Opt[money.Rate]            `json:"bankFeeValue" doc:"In POINTS at most (factorRate − buyRate) × 100" example:"3.00"`
	ApplicationFee      input.Opt[money.Amount]          `json:"applicationFee" example:"0.00"`
	WireFee             input.Opt[money.Amount]          `json:"wireFee" example:"50.00"`
	DefaultSurcharge    input.Opt[money.Amount]          `json:"defaultSurcharge" doc:"Assessed when the deal defaults" example:"2500.00"`
	EPOFactorRate       input.Opt[money.Rate]            `json:"epoFactorRate" doc:"Factor of an early payoff within epoWindowDays" example:"1.20"`
	EPOWindowDays       input.Opt[int]                   `json:"epoWindowDays" example:"60"`
	EPOCommissionBasis  input.Opt[string]                `json:"epoCommissionBasis" check:"text"`
	EPOCommissionValue  input.Opt[money.Rate]            `json:"epoCommissionValue"`
	FundedAt            input.Opt[civil.Moment]          `json:"fundedAt" doc:"When the deal is or was funded; a date means midnight in the tenant's zone. Now, on the move to FUNDED, unless given"`
	PayoffDate          input.Opt[civil.Date]            `json:"payoffDate"`
	FundedLenderID      input.Opt[int]                   `json:"fundedLenderId" check:"gte=1" doc:"Funder whose money it is"`
	InceptionLenderID   input.Opt[int]                   `json:"inceptionLenderId" check:"gte=1" doc:"Funder it was first meant for"`
	UnderwriterID       input.Opt[int]                   `json:"underwriterId" check:"gte=1" doc:"User who underwrites it"`
	UWScore             input.Opt[int]                   `json:"uwScore" check:"gte=0,lte=1000" doc:"Underwriting score"`
	UWScoreCategory     input.Opt[underwriting.Category] `json:"uwScoreCategory" doc:"Band of the score"`
	ReferenceID         input.Opt[string]                `json:"referenceId" check:"text" doc:"The caller's own reference"`
	CommissionOfferID   input.Opt[int]                   `json:"commissionOfferId" check:"gte=1" by:"staff" doc:"Commission that the broker was promised; prices the commission unless that is given"`
	ExternalSource      input.Opt[string]                `json:"externalSource" check:"text" by:"staff" doc:"Other system that the deal came from; externalRef is its id there"`
	ExternalRef         input.Opt[string]                `json:"externalRef" check:"text" by:"staff" doc:"Id in externalSource; no other deal has the same"`
}

// NewDeal is what a deal is made of.
type NewDeal struct {
	MerchantID input.Opt[int] `json:"merchantId" check:"gte=1" need:"create" doc:"Merchant that is financed"`
	DealFields
}

// DealUpdate is what a caller changes of a deal.
type DealUpdate struct {
	DealFields
	input.Unchanged
	State input.Opt[deal.State] `json:"state" need:"value" column:"-" doc:"Moves the deal through its states, if the move is allowed and nothing blocks it"`
}

// WithDerivedPayments is the change that also has the deal's payments follow from the other terms.
func (in DealUpdate) WithDerivedPayments() DealUpdate {
	in.NumberOfPayments, in.PaymentAmount = input.Null[int](), input.Null[money.Amount]()
	return in
}

// references are the other records that the fields name.
func (f DealFields) references() []unit.Reference {
	return []unit.Reference{
		{Path: "isoId", Record: "ISO", ID: f.ISOID.Ptr()},
		{Path: "fundedLenderId", Record: "Funder", ID: f.FundedLenderID.Ptr()},
		{Path: "inceptionLenderId", Record: "Funder", ID: f.InceptionLenderID.Ptr()},
		{Path: "underwriterId", Record: "User", ID: f.UnderwriterID.Ptr()},
		{Path: "commissionOfferId", Record: "CommissionOffer", ID: f.CommissionOfferID.Ptr()},
	}
}

// termColumns are the columns that hold the terms, with the value of each: nil where it has none. fundedAt is not
// among them: the row holds an instant, the terms its day.
func termColumns(t pricing.Terms) []input.Change {
	v := reflect.ValueOf(t)
	var columns []input.Change
	for _, f := range reflect.VisibleFields(v.Type()) {
		name := input.JSONName(f)
		if name == string(pricing.FundedAt) || name == string(pricing.CollectionSchedule) {
			continue
		}
		c := input.Change{Column: inflect.Underscore(name)}
		if value := v.FieldByIndex(f.Index); !value.IsNil() {
			c.Value = value.Elem().Interface()
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

// Plan works out what the input makes of a deal's columns: what it sets, and the terms that follow. before is the
// record as it is, or one that holds nothing yet. in is what terms are derived from besides themselves.
func (f DealFields) Plan(
	before *ent.Deal, changes []input.Change, zone *time.Location, in pricing.Context,
) ([]input.Change, []fault.Detail) {
	next := *before
	input.Apply(&next, changes)
	named := input.GivenFields(f)
	// A value that the caller names is given from now on, or cleared to be derived again. A commission is given as a whole:
	// where one half of it is, the other stays as it is.
	if f.CommissionBasis.Given() || f.CommissionValue.Given() {
		named[string(pricing.CommissionBasis)], named[string(pricing.CommissionValue)] = true, true
	}
	derived := slices.DeleteFunc(derivedOf(before), func(f pricing.Field) bool { return named[string(f)] })
	given := books.TermsOf(&next, zone).Without(derived...)
	in.TermAgreed = samePlan(books.TermsOf(before, zone), given)
	full, nowDerived, problems := pricing.Derive(given, in)
	if len(problems) > 0 {
		return nil, problems
	}
	for _, c := range termColumns(full) {
		if !input.EqualValues(input.ColumnValue(&next, c.Column), c.Value) {
			changes = ReplaceColumn(changes, c)
		}
	}
	names := fieldNames(nowDerived)
	if !reflect.DeepEqual(names, before.DerivedFields) && len(names)+len(before.DerivedFields) > 0 {
		changes = append(changes, input.Set(entdeal.FieldDerivedFields, names))
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

// ReplaceColumn adds a change, in the place of an earlier one of the same column.
func ReplaceColumn(changes []input.Change, c input.Change) []input.Change {
	for i := range changes {
		if changes[i].Column == c.Column {
			changes[i] = c
			return changes
		}
	}
	return append(changes, c)
}

// repriced has what was agreed on for a deal's funded amount follow a change of it: the amounts of the parts, and the first
// draw of a line of credit, whose limit has to suffice.
func repriced(ctx context.Context, t *unit.Tx, before, after *ent.Deal) error {
	if after.FundedAmount == nil || input.EqualValues(input.Nullable(before.FundedAmount), *after.FundedAmount) {
		return nil
	}
	facts, err := books.LedgerFacts(ctx, t, after)
	if err != nil {
		return err
	}
	if err := payouts.PriceParticipations(ctx, t, after.ID, facts.Stakes()); err != nil {
		return err
	}
	return repriceLine(ctx, t, after)
}

// ParticipationProblems are, by deal, what the funding of each of the deals will not pass about its parts, in sentences for
// people: more than the whole, more than a syndicator's limit, less in a wallet than the part costs. A wallet is judged
// for each deal by itself; funding judges it anew.
func (s Deals) ParticipationProblems(ctx context.Context, through auth.Scope, ids []int) (map[int][]string, error) {
	actor, err := unit.RequireScope(ctx, through)
	if err != nil {
		return nil, err
	}
	reader := s.core.Store.Reader()
	rows, err := reader.Participation.Query().Where(participation.DealIDIn(ids...)).WithSyndicator().WithDeal(func(q *ent.DealQuery) {
		q.Where(entdeal.StateIn(deal.Inception, deal.Submitted, deal.Prefunded))
	}).Order(participation.BySyndicatorID(), participation.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	of := map[int][]*ent.Participation{}
	var syndicators []int
	for _, p := range rows {
		if p.Edges.Deal != nil && p.Edges.Deal.FundedAmount != nil {
			of[p.DealID] = append(of[p.DealID], p)
			syndicators = append(syndicators, p.SyndicatorID)
		}
	}
	if len(of) == 0 {
		return nil, nil
	}
	wallets, err := s.core.Store.PartySums(ctx, actor.TenantID, syndicators)
	if err != nil {
		return nil, err
	}
	problems := map[int][]string{}
	for id, parts := range of {
		facts := books.FactsOfDeal(parts[0].Edges.Deal, unit.ZoneOf(actor))
		named := map[int]*ent.Syndicator{}
		for _, p := range parts {
			facts.Participants = append(facts.Participants, books.ParticipantOf(p))
			named[p.SyndicatorID] = p.Edges.Syndicator
		}
		if f := fault.As(facts.Check()); f != nil {
			problems[id] = []string{f.Message}
			continue
		}
		for _, stake := range facts.Stakes() {
			have := books.BalancesOf(wallets[stake.SyndicatorID]).Of(ledger.SyndicatorWallet).Neg()
			problems[id] = append(problems[id], stakeProblems(named[stake.SyndicatorID], stake, have)...)
		}
	}
	return problems, nil
}
