package service

import (
	"context"
	"encoding/json"
	"strings"

	"paydown/ent"
	entdeal "paydown/ent/deal"
	"paydown/ent/merchant"
	"paydown/ent/predicate"
	"paydown/ent/statementanalysis"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
)

// Analyses are what somebody read out of merchants' bank statements.
type Analyses struct{ *core }

// AnalysisInput is an analysis as it is delivered for a deal.
type AnalysisInput struct {
	Source                Opt[string]          `json:"source" check:"text" need:"create" doc:"Who made the analysis" example:"statement-reader"`
	PeriodStart           Opt[civil.Date]      `json:"periodStart" doc:"First day covered" example:"2026-01-01"`
	PeriodEnd             Opt[civil.Date]      `json:"periodEnd" doc:"Last day covered" example:"2026-03-31"`
	MonthsCovered         Opt[int]             `json:"monthsCovered" check:"gte=1,lte=120" example:"3"`
	GrossDeposits         Opt[money.Amount]    `json:"grossDeposits" check:"gte=0" doc:"All deposits of the period, in dollars" example:"180000.00"`
	MCADeposits           Opt[money.Amount]    `json:"mcaDeposits" check:"gte=0" doc:"Of those, advances from funders" example:"0.00"`
	InternalTransfers     Opt[money.Amount]    `json:"internalTransfers" check:"gte=0" doc:"Of those, moves between the merchant's own accounts" example:"6000.00"`
	TrueRevenue3M         Opt[money.Amount]    `json:"trueRevenue3m" column:"true_revenue_3m" doc:"Revenue of the last three months" example:"174000.00"`
	AvgMonthlyTrueRevenue Opt[money.Amount]    `json:"avgMonthlyTrueRevenue" example:"58000.00"`
	EstimatedMCAMonthly   Opt[money.Amount]    `json:"estimatedMcaMonthly" check:"gte=0" doc:"What existing advances take in a month" example:"4200.00"`
	AvgDailyBalance       Opt[money.Amount]    `json:"avgDailyBalance" doc:"May be negative" example:"9150.25"`
	PositionCount         Opt[int]             `json:"positionCount" check:"gte=0,lte=1000" example:"1"`
	NSFCount              Opt[int]             `json:"nsfCount" check:"gte=0,lte=100000" example:"2"`
	NegativeDays          Opt[int]             `json:"negativeDays" check:"gte=0,lte=100000" example:"1"`
	Altered               Opt[bool]            `json:"altered" need:"value" doc:"The statements look tampered with; blocks funding until a newer, clean analysis. False unless given"`
	DepositTypes          Opt[json.RawMessage] `json:"depositTypes" check:"json" doc:"[{type, amount, count}], or an object keyed by type. An entry may also name the depositor, where all of it is from one"`
	Positions             Opt[json.RawMessage] `json:"positions" check:"json" doc:"[{funder, payment, frequency, firstSeen, lastSeen, estimatedBalance}], or an object"`
	AlteredFlags          Opt[json.RawMessage] `json:"alteredFlags" check:"json" doc:"[{code, page, note}], or an object"`
	Summary               Opt[json.RawMessage] `json:"summary" check:"object" doc:"Anything else worth keeping. Underwriting reads months, [{month: YYYY-MM, trueRevenue}] in order, for the trend of revenue and missing months, and depositors, [{name, amount}], for concentration"`
}

// TargetedAnalysis is an analysis that names what it is for: exactly one of a deal, a merchant and an EIN.
type TargetedAnalysis struct {
	DealID     Opt[int]    `json:"dealId" check:"gte=1" column:"-" doc:"The deal it is for"`
	MerchantID Opt[int]    `json:"merchantId" check:"gte=1" column:"-" doc:"The merchant: its newest open deal"`
	EIN        Opt[string] `json:"ein" check:"ein" column:"-" doc:"The merchant's EIN: its newest open deal" example:"98-7654321"`
	AnalysisInput
}

// AnalysisListing describes the list.
var AnalysisListing = &Listing[ent.StatementAnalysis]{
	Resource: "statementAnalyses", Scope: auth.Read("statement-analysis"), ByIDOnly: true, Created: statementanalysis.FieldReceivedAt,
	Sorts: []Sort{
		{"version", statementanalysis.FieldVersion, IsInteger},
	},
	Filters: []Filter{
		{Name: "dealId", Column: statementanalysis.FieldDealID, Kind: IsID, Doc: "Only analyses of this deal"},
		{Name: "merchantId", Column: statementanalysis.FieldMerchantID, Kind: IsID, Doc: "Only analyses of this merchant"},
	},
}

// List returns a page of them.
func (s Analyses) List(ctx context.Context, params map[string]string) (*Page[ent.StatementAnalysis], error) {
	return page(ctx, s.core, AnalysisListing, params, s.store.Reader().StatementAnalysis.Query())
}

// Latest returns the newest analysis of a deal.
func (s Analyses) Latest(ctx context.Context, dealID int) (*ent.StatementAnalysis, error) {
	if _, err := permit(ctx, auth.Read("statement-analysis")); err != nil {
		return nil, err
	}
	row, err := s.store.Reader().StatementAnalysis.Query().Where(statementanalysis.DealID(dealID)).
		Order(statementanalysis.ByVersion(descending())).First(ctx)
	return row, missing(err, "statement analysis")
}

// Deliver stores an analysis of a deal as its newest version.
func (s Analyses) Deliver(ctx context.Context, dealID int, in AnalysisInput) (*ent.StatementAnalysis, error) {
	if err := checkedAnalysis(in, in); err != nil {
		return nil, err
	}
	type analysis = ent.StatementAnalysis
	return write(ctx, s.core, auth.Write("statement-analysis"), func(ctx context.Context, t *tx) (*analysis, error) {
		d, err := t.lockDeal(ctx, dealID)
		if err != nil {
			return nil, err
		}
		return t.keepAnalysis(ctx, d, in)
	})
}

// DeliverTo stores an analysis of the deal that its target leads to.
func (s Analyses) DeliverTo(ctx context.Context, in TargetedAnalysis) (*ent.StatementAnalysis, error) {
	if err := checkedAnalysis(in, in.AnalysisInput, in.targetProblems()...); err != nil {
		return nil, err
	}
	type analysis = ent.StatementAnalysis
	return write(ctx, s.core, auth.Write("statement-analysis"), func(ctx context.Context, t *tx) (*analysis, error) {
		d, err := t.dealOfTarget(ctx, in)
		if err != nil {
			return nil, err
		}
		return t.keepAnalysis(ctx, d, in.AnalysisInput)
	})
}

func checkedAnalysis(in any, fields AnalysisInput, more ...fault.Detail) error {
	problems := mergeProblems(Check(in, ForCreate), more)
	if len(problems) == 0 {
		problems = fields.contradictions()
	}
	if len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	return nil
}

func (in TargetedAnalysis) targetProblems() []fault.Detail {
	var named []string
	for _, target := range []struct {
		name string
		opt  Optional
	}{{"dealId", in.DealID}, {"merchantId", in.MerchantID}, {"ein", in.EIN}} {
		if target.opt.Given() {
			named = append(named, target.name)
		}
	}
	switch len(named) {
	case 1:
		return nil
	case 0:
		return []fault.Detail{{Path: "dealId", Message: "name the target: one of dealId, merchantId and ein is required"}}
	}
	problems := make([]fault.Detail, len(named))
	for i, name := range named {
		problems[i] = fault.Detail{Path: name, Message: "name one target only: dealId, merchantId or ein"}
	}
	return problems
}

// dealOfTarget finds and locks the deal: the one that is named, or the newest open one of the merchant.
func (t *tx) dealOfTarget(ctx context.Context, in TargetedAnalysis) (*ent.Deal, error) {
	path, message := "dealId", "no such record"
	var whose predicate.Deal
	switch {
	case in.DealID.Given():
		d, err := t.lockDeal(ctx, in.DealID.Or(0))
		if fault.Is(err, fault.NotFound) {
			return nil, fault.UnknownReference(fault.Detail{Path: path, Message: message})
		}
		return d, err
	case in.MerchantID.Given():
		path, message = "merchantId", "no such merchant, or it has no open deal"
		whose = entdeal.MerchantID(in.MerchantID.Or(0))
	default:
		path, message = "ein", "no merchant has this EIN and an open deal"
		whose = entdeal.HasMerchantWith(merchant.TenantID(t.actor.TenantID),
			merchant.FederalIDDigits(strings.ReplaceAll(in.EIN.Or(""), "-", "")))
	}
	d, err := t.lockNewestOpen(ctx, whose)
	if ent.IsNotFound(err) {
		return nil, fault.UnknownReference(fault.Detail{Path: path, Message: message})
	}
	return d, err
}

// lockNewestOpen finds and locks the newest open deal of those that whose names. While it waits for a lock another deal
// may become the newest, which the query that waits does not see; so it looks again once it has the lock.
func (t *tx) lockNewestOpen(ctx context.Context, whose predicate.Deal) (*ent.Deal, error) {
	open := t.Deal.Query().Where(entdeal.StateNotIn(deal.Closed, deal.Renewed, deal.Withdrawn), whose).
		Order(entdeal.ByID(descending()))
	newest, err := open.Clone().FirstID(ctx)
	for err == nil {
		var d *ent.Deal
		if d, err = open.Clone().Where(entdeal.ID(newest), locked).Only(ctx); err != nil && !ent.IsNotFound(err) {
			return nil, err
		}
		if newest, err = open.Clone().FirstID(ctx); err == nil && d != nil && d.ID == newest {
			return d, nil
		}
	}
	return nil, err
}

// keepAnalysis stores the next version; the deal is locked, so that versions count up without a gap.
func (t *tx) keepAnalysis(ctx context.Context, d *ent.Deal, in AnalysisInput) (*ent.StatementAnalysis, error) {
	latest, err := t.latestAnalysis(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	version := 1
	if latest != nil {
		version = latest.Version + 1
	}
	create := t.StatementAnalysis.Create().SetDealID(d.ID).SetMerchantID(d.MerchantID).SetVersion(version).
		SetReceivedAt(t.At())
	switch t.actor.Kind {
	case auth.ByKey:
		if found, err := t.Has(ctx, "APIKey", t.actor.ID); err != nil {
			return nil, err
		} else if found { // a test key works in the sandbox, but belongs to the live tenant
			create.SetKeyID(t.actor.ID)
		}
	case auth.ByUser:
		create.SetActorID(t.actor.ID)
	case auth.ByOperator, auth.BySystem, auth.ByMerchant, auth.ByApplicant: // none is a record of this tenant
	}
	if err := setColumns(create.Mutation(), columnsOf(in, nil, t.zone())); err != nil {
		return nil, err
	}
	row, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.record("statementAnalysis.create", "statementAnalysis", row.ID, &d.ID, nil, row)
	return row, nil
}
