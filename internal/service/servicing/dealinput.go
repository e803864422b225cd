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

// DealFields are the fields that a caller can set when creating or updating a deal.
type DealFields struct {
	ISOID               input.Opt[int]                   `json:"isoId" check:"gte=1" doc:"Broker who brought the deal"`
	ProductType         input.Opt[deal.Product]          `json:"productType" need:"value" doc:"Kind of financing; default: MCA"`
	FundedAmount        input.Opt[money.Amount]          `json:"fundedAmount" doc:"Purchase price: what is funded, before fees" example:"50000.00"`
	PaybackAmount       input.Opt[money.Amount]          `json:"paybackAmount" doc:"Purchased amount to collect. Derived from fundedAmount and factorRate if they are set" example:"65000.00"`
	FactorRate          input.Opt[money.Rate]            `json:"factorRate" doc:"paybackAmount ÷ fundedAmount, 1 to 2.5" example:"1.30"`
	BuyRate             input.Opt[money.Rate]            `json:"buyRate" doc:"Factor rate at which the funder sells to the broker" example:"1.20"`
	TermDays            input.Opt[int]                   `json:"termDays" doc:"Calendar days from funding to the last payment" example:"182"`
	NumberOfPayments    input.Opt[int]                   `json:"numberOfPayments" example:"126"`
	PaymentAmount       input.Opt[money.Amount]          `json:"paymentAmount" doc:"Amount of one periodic payment; the last payment is the remainder" example:"515.88"`
	CollectionFrequency input.Opt[schedule.Frequency]    `json:"collectionFrequency" example:"DAILY"`
	CollectionSchedule  input.Opt[schedule.Rule]         `json:"collectionSchedule" need:"value" doc:"Days on which a DAILY schedule collects; default: BANKING_DAYS"`
	CollectionDay       input.Opt[int]                   `json:"collectionDay" doc:"WEEKLY: 1 (Monday) to 5; MONTHLY: 1 to 31; CUSTOM_DAYS: sum of Monday 1, Tuesday 2, Wednesday 4 … Sunday 64"`
	FirstPaymentDate    input.Opt[civil.Date]            `json:"firstPaymentDate" doc:"Nothing is collected before this day; default: the next collection day" example:"2026-01-06"`
	Position            input.Opt[int]                   `json:"position" check:"gte=1,lte=50" doc:"Lien position of this advance: 1 is first" example:"1"`
	SpecifiedPercentage input.Opt[money.Rate]            `json:"specifiedPercentage" doc:"Holdback: percentage of revenue purchased" example:"12.50"`
	CommissionBasis     input.Opt[pricing.Basis]         `json:"commissionBasis" doc:"Unit of commissionValue"`
	CommissionValue     input.Opt[money.Rate]            `json:"commissionValue" doc:"In POINTS at most (factorRate − buyRate) × 100" example:"10.00"`
	BankFeeBasis        input.Opt[pricing.Basis]         `json:"bankFeeBasis" doc:"Unit of bankFeeValue"`
	BankFeeValue        input.Opt[money.Rate]            `json:"bankFeeValue" doc:"In POINTS at most (factorRate − buyRate) × 100" example:"3.00"`
	ApplicationFee      input.Opt[money.Amount]          `json:"applicationFee" example:"0.00"`
	WireFee             input.Opt[money.Amount]          `json:"wireFee" example:"50.00"`
	DefaultSurcharge    input.Opt[money.Amount]          `json:"defaultSurcharge" doc:"Assessed when the deal defaults" example:"2500.00"`
	EPOFactorRate       input.Opt[money.Rate]            `json:"epoFactorRate" doc:"Factor rate of an early payoff within epoWindowDays" example:"1.20"`
	EPOWindowDays       input.Opt[int]                   `json:"epoWindowDays" example:"60"`
	EPOCommissionBasis  input.Opt[string]                `json:"epoCommissionBasis" check:"text"`
	EPOCommissionValue  input.Opt[money.Rate]            `json:"epoCommissionValue"`
	FundedAt            input.Opt[civil.Moment]          `json:"fundedAt" doc:"When the deal is or was funded; a date means midnight in the tenant's time zone. Default: the time of the move to FUNDED"`
	PayoffDate          input.Opt[civil.Date]            `json:"payoffDate"`
	FundedLenderID      input.Opt[int]                   `json:"fundedLenderId" check:"gte=1" doc:"Funder that funds the deal"`
	InceptionLenderID   input.Opt[int]                   `json:"inceptionLenderId" check:"gte=1" doc:"Funder the deal was originally meant for"`
	UnderwriterID       input.Opt[int]                   `json:"underwriterId" check:"gte=1" doc:"User who underwrites it"`
	UWScore             input.Opt[int]                   `json:"uwScore" check:"gte=0,lte=1000" doc:"Underwriting score"`
	UWScoreCategory     input.Opt[underwriting.Category] `json:"uwScoreCategory" doc:"Band of the score"`
	ReferenceID         input.Opt[string]                `json:"referenceId" check:"text" doc:"The caller's own reference"`
	CommissionOfferID   input.Opt[int]                   `json:"commissionOfferId" check:"gte=1" by:"staff" doc:"Commission offer promised to the broker; sets the commission unless the deal gives one"`
	ExternalSource      input.Opt[string]                `json:"externalSource" check:"text" by:"staff" doc:"Other system that the deal came from; externalRef is its id there"`
	ExternalRef         input.Opt[string]                `json:"externalRef" check:"text" by:"staff" doc:"Id in externalSource, unique among deals"`
}

// NewDeal is the input for creating a deal.
type NewDeal struct {
	MerchantID input.Opt[int] `json:"merchantId" check:"gte=1" need:"create" doc:"Merchant to finance"`
	DealFields
}

// DealUpdate is the input for updating a deal.
type DealUpdate struct {
	DealFields
	input.Unchanged
	State input.Opt[deal.State] `json:"state" need:"value" column:"-" doc:"Moves the deal through its states, if the move is allowed and nothing blocks it"`
}

// WithDerivedPayments returns the update with the payment terms cleared, so that they are derived from the
// other terms.
func (in DealUpdate) WithDerivedPayments() DealUpdate {
	in.NumberOfPayments, in.PaymentAmount = input.Null[int](), input.Null[money.Amount]()
	return in
}

// references lists the other records that the fields name.
func (f DealFields) references() []unit.Reference {
	return []unit.Reference{
		{Path: "isoId", Record: "ISO", ID: f.ISOID.Ptr()},
		{Path: "fundedLenderId", Record: "Funder", ID: f.FundedLenderID.Ptr()},
		{Path: "inceptionLenderId", Record: "Funder", ID: f.InceptionLenderID.Ptr()},
		{Path: "underwriterId", Record: "User", ID: f.UnderwriterID.Ptr()},
		{Path: "commissionOfferId", Record: "CommissionOffer", ID: f.CommissionOfferID.Ptr()},
	}
}

// termColumns returns the columns that hold the terms, with their values; nil if a term has no value. fundedAt
// is not among them: the row holds an instant, the terms only its day.
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

// isTerm reports whether an input field is one of the economics.
func isTerm(name string) bool {
	for _, f := range append(pricing.FrozenOncePrefunded(), pricing.FrozenOnceFunded()...) {
		if string(f) == name {
			return true
		}
	}
	return false
}

// Plan computes the column changes of the input: the fields that it sets and the terms derived from them.
// before is the stored deal, or an empty one for a new deal. in is the pricing context.
func (f DealFields) Plan(
	before *ent.Deal, changes []input.Change, zone *time.Location, in pricing.Context,
) ([]input.Change, []fault.Detail) {
	next := *before
	input.Apply(&next, changes)
	named := input.GivenFields(f)
	// A term that the caller sets is no longer derived; a term set to null is derived again. A commission's basis
	// and value count as one term: if the caller sets one, the other keeps its value.
	if f.CommissionBasis.Given() || f.CommissionValue.Given() {
		named[string(pricing.CommissionBasis)], named[string(pricing.CommissionValue)] = true, true
	}
	derived := slices.DeleteFunc(derivedOf(before), func(f pricing.Field) bool { return named[string(f)] })
	given := books.TermsOf(&next, zone).Without(derived...)
	in.TermAgreed = sameSchedule(books.TermsOf(before, zone), given)
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

// sameSchedule reports whether given keeps the term, the number of payments and the payment dates. If so, the
// two still agree, because they agreed when they were stored.
func sameSchedule(stored, given pricing.Terms) bool {
	timing := func(t pricing.Terms) pricing.Terms {
		return pricing.Terms{
			TermDays: t.TermDays, NumberOfPayments: t.NumberOfPayments, Frequency: t.Frequency, Schedule: t.Schedule,
			CollectionDay: t.CollectionDay, FirstPaymentDate: t.FirstPaymentDate, FundedOn: t.FundedOn,
		}
	}
	return reflect.DeepEqual(timing(stored), timing(given))
}

// derivedOf lists the deal's terms that were derived rather than given.
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

// ReplaceColumn adds a change, replacing an earlier change of the same column.
func ReplaceColumn(changes []input.Change, c input.Change) []input.Change {
	for i := range changes {
		if changes[i].Column == c.Column {
			changes[i] = c
			return changes
		}
	}
	return append(changes, c)
}

// repriced updates what depends on a deal's funded amount after it changed: the amounts of the participations,
// and the first draw of a credit facility, whose limit must suffice.
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
	return repriceFacility(ctx, t, after)
}

// ParticipationProblems returns, by deal, why its participations block funding, as sentences for people: more
// than 100% sold, a syndicator's limit exceeded, or too little in a wallet. It checks a wallet for each deal on
// its own; funding checks again.
func (s Deals) ParticipationProblems(ctx context.Context, through auth.Scope, ids []int) (map[int][]string, error) {
	actor, err := unit.RequireScope(ctx, through)
	if err != nil {
		return nil, err
	}
	reader := s.core.Store.Reader()
	query := reader.Participation.Query().Where(participation.DealIDIn(ids...)).WithSyndicator()
	rows, err := query.WithDeal(func(q *ent.DealQuery) {
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
