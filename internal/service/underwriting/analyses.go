package underwriting

import (
	"context"
	"encoding/json"
	"strings"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/ent/merchant"
	"paydown/ent/predicate"
	"paydown/ent/statementanalysis"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Analyses is the aggregate of analyses of merchants' bank statements.
type Analyses struct{ core *unit.Core }

// AnalysisInput is the input for delivering an analysis for a deal.
type AnalysisInput struct {
	Source                input.Opt[string]          `json:"source" check:"text" need:"create" doc:"Who made the analysis" example:"statement-reader"`
	PeriodStart           input.Opt[civil.Date]      `json:"periodStart" doc:"First day covered" example:"2026-01-01"`
	PeriodEnd             input.Opt[civil.Date]      `json:"periodEnd" doc:"Last day covered" example:"2026-03-31"`
	MonthsCovered         input.Opt[int]             `json:"monthsCovered" check:"gte=1,lte=120" example:"3"`
	GrossDeposits         input.Opt[money.Amount]    `json:"grossDeposits" check:"gte=0" doc:"All deposits of the period, in dollars" example:"180000.00"`
	MCADeposits           input.Opt[money.Amount]    `json:"mcaDeposits" check:"gte=0" doc:"Of those, advances from funders" example:"0.00"`
	InternalTransfers     input.Opt[money.Amount]    `json:"internalTransfers" check:"gte=0" doc:"Of those, moves between the merchant's own accounts" example:"6000.00"`
	TrueRevenue3M         input.Opt[money.Amount]    `json:"trueRevenue3m" column:"true_revenue_3m" doc:"Revenue of the last three months" example:"174000.00"`
	AvgMonthlyTrueRevenue input.Opt[money.Amount]    `json:"avgMonthlyTrueRevenue" example:"58000.00"`
	EstimatedMCAMonthly   input.Opt[money.Amount]    `json:"estimatedMcaMonthly" check:"gte=0" doc:"Monthly payments of existing advances" example:"4200.00"`
	AvgDailyBalance       input.Opt[money.Amount]    `json:"avgDailyBalance" doc:"May be negative" example:"9150.25"`
	PositionCount         input.Opt[int]             `json:"positionCount" check:"gte=0,lte=1000" example:"1"`
	NSFCount              input.Opt[int]             `json:"nsfCount" check:"gte=0,lte=100000" example:"2"`
	NegativeDays          input.Opt[int]             `json:"negativeDays" check:"gte=0,lte=100000" example:"1"`
	Altered               input.Opt[bool]            `json:"altered" need:"value" doc:"The statements look tampered with; blocks funding until a newer, clean analysis. Default: false"`
	DepositTypes          input.Opt[json.RawMessage] `json:"depositTypes" check:"json" doc:"[{type, amount, count}], or an object keyed by type. An entry may also name the depositor, if there is only one"`
	Positions             input.Opt[json.RawMessage] `json:"positions" check:"json" doc:"[{funder, payment, frequency, firstSeen, lastSeen, estimatedBalance}], or an object"`
	AlteredFlags          input.Opt[json.RawMessage] `json:"alteredFlags" check:"json" doc:"[{code, page, note}], or an object"`
	Summary               input.Opt[json.RawMessage] `json:"summary" check:"object" doc:"Anything else worth keeping. Underwriting reads months, [{month: YYYY-MM, trueRevenue}] in order, for the trend of revenue and missing months, and depositors, [{name, amount}], for concentration"`
}

// TargetedAnalysis is an analysis that names its target: exactly one of a deal, a merchant and an EIN.
type TargetedAnalysis struct {
	DealID     input.Opt[int]    `json:"dealId" check:"gte=1" column:"-" doc:"Deal the analysis is for"`
	MerchantID input.Opt[int]    `json:"merchantId" check:"gte=1" column:"-" doc:"The merchant: its newest open deal"`
	EIN        input.Opt[string] `json:"ein" check:"ein" column:"-" doc:"The merchant's EIN: its newest open deal" example:"98-7654321"`
	AnalysisInput
}

// AnalysisListing describes the list of statement analyses.
var AnalysisListing = &list.Listing[ent.StatementAnalysis]{
	Resource: "statementAnalyses", Scope: auth.Read("statement-analysis"), ByIDOnly: true,
	Created: statementanalysis.FieldReceivedAt,
	Sorts: []list.Sort{
		{Name: "version", Column: statementanalysis.FieldVersion, Kind: list.IsInteger},
	},
	Filters: []list.Filter{
		{Name: "dealId", Column: statementanalysis.FieldDealID, Kind: list.IsID, Doc: "Only analyses of this deal"},
		{
			Name: "merchantId", Column: statementanalysis.FieldMerchantID, Kind: list.IsID,
			Doc: "Only analyses of this merchant",
		},
	},
}

// List returns a page of statement analyses.
func (s Analyses) List(ctx context.Context, req list.Request) (*list.Page[ent.StatementAnalysis], error) {
	return list.Read(ctx, s.core, AnalysisListing, req, s.core.Store.Reader().StatementAnalysis.Query())
}

// Latest returns the newest analysis of a deal.
func (s Analyses) Latest(ctx context.Context, dealID int) (*ent.StatementAnalysis, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("statement-analysis")); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().StatementAnalysis.Query().Where(statementanalysis.DealID(dealID)).
		Order(statementanalysis.ByVersion(unit.Descending())).First(ctx)
	return row, unit.NotFound(err, "statement analysis")
}

// Deliver stores an analysis as the newest version for a deal.
func (s Analyses) Deliver(ctx context.Context, dealID int, in AnalysisInput) (*ent.StatementAnalysis, error) {
	if err := checkedAnalysis(in, in); err != nil {
		return nil, err
	}
	type analysis = ent.StatementAnalysis
	return unit.Write(ctx, s.core, auth.Write("statement-analysis"), func(
		ctx context.Context, t *unit.Tx,
	) (*analysis, error) {
		d, err := books.LockDeal(ctx, t, dealID)
		if err != nil {
			return nil, err
		}
		return StoreAnalysis(ctx, t, d, in)
	})
}

// DeliverTo stores an analysis for the deal that its target identifies.
func (s Analyses) DeliverTo(ctx context.Context, in TargetedAnalysis) (*ent.StatementAnalysis, error) {
	if err := checkedAnalysis(in, in.AnalysisInput, in.TargetProblems()...); err != nil {
		return nil, err
	}
	type analysis = ent.StatementAnalysis
	return unit.Write(ctx, s.core, auth.Write("statement-analysis"), func(
		ctx context.Context, t *unit.Tx,
	) (*analysis, error) {
		d, err := DealOfTarget(ctx, t, in)
		if err != nil {
			return nil, err
		}
		return StoreAnalysis(ctx, t, d, in.AnalysisInput)
	})
}

func checkedAnalysis(in any, fields AnalysisInput, more ...fault.Detail) error {
	problems := input.MergeProblems(input.Check(in, input.ForCreate), more)
	if len(problems) == 0 {
		problems = fields.Contradictions()
	}
	if len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	return nil
}

// TargetProblems checks that exactly one of dealId, merchantId and ein is given.
func (in TargetedAnalysis) TargetProblems() []fault.Detail {
	var named []string
	for _, target := range []struct {
		name string
		opt  input.Optional
	}{{"dealId", in.DealID}, {"merchantId", in.MerchantID}, {"ein", in.EIN}} {
		if target.opt.Given() {
			named = append(named, target.name)
		}
	}
	switch len(named) {
	case 1:
		return nil
	case 0:
		return []fault.Detail{{Path: "dealId", Message: "is required, or merchantId or ein"}}
	}
	problems := make([]fault.Detail, len(named))
	for i, name := range named {
		problems[i] = fault.Detail{Path: name, Message: "must be the only one of dealId, merchantId and ein"}
	}
	return problems
}

// DealOfTarget finds and locks the target deal: the named deal, or the merchant's newest open deal.
func DealOfTarget(ctx context.Context, t *unit.Tx, in TargetedAnalysis) (*ent.Deal, error) {
	path, message := "dealId", "no such record"
	var whose predicate.Deal
	switch {
	case in.DealID.Given():
		d, err := books.LockDeal(ctx, t, in.DealID.Or(0))
		if fault.Is(err, fault.NotFound) {
			return nil, fault.UnknownReference(fault.Detail{Path: path, Message: message})
		}
		return d, err
	case in.MerchantID.Given():
		path, message = "merchantId", "no such merchant, or it has no open deal"
		whose = entdeal.MerchantID(in.MerchantID.Or(0))
	default:
		path, message = "ein", "no merchant has this EIN and an open deal"
		whose = entdeal.HasMerchantWith(merchant.TenantID(t.Actor.TenantID),
			merchant.FederalIDDigits(strings.ReplaceAll(in.EIN.Or(""), "-", "")))
	}
	d, err := lockNewestOpen(ctx, t, whose)
	if ent.IsNotFound(err) {
		return nil, fault.UnknownReference(fault.Detail{Path: path, Message: message})
	}
	return d, err
}

// lockNewestOpen finds and locks the newest open deal that matches whose. While it waits for the lock, another
// deal may become the newest, which the waiting query does not see. So it checks again once it has the lock.
func lockNewestOpen(ctx context.Context, t *unit.Tx, whose predicate.Deal) (*ent.Deal, error) {
	open := t.Deal.Query().Where(entdeal.StateNotIn(deal.Closed, deal.Renewed, deal.Withdrawn), whose).
		Order(entdeal.ByID(unit.Descending()))
	newest, err := open.Clone().FirstID(ctx)
	for err == nil {
		var d *ent.Deal
		if d, err = open.Clone().Where(entdeal.ID(newest), unit.Locked).Only(ctx); err != nil && !ent.IsNotFound(err) {
			return nil, err
		}
		if newest, err = open.Clone().FirstID(ctx); err == nil && d != nil && d.ID == newest {
			return d, nil
		}
	}
	return nil, err
}

// StoreAnalysis stores the next version. The deal is locked, so that version numbers have no gaps.
func StoreAnalysis(ctx context.Context, t *unit.Tx, d *ent.Deal, in AnalysisInput) (*ent.StatementAnalysis, error) {
	latest, err := LatestAnalysis(ctx, t, d.ID)
	if err != nil {
		return nil, err
	}
	version := 1
	if latest != nil {
		version = latest.Version + 1
	}
	create := t.StatementAnalysis.Create().SetDealID(d.ID).SetMerchantID(d.MerchantID).SetVersion(version).
		SetReceivedAt(t.At())
	switch t.Actor.Kind {
	case auth.ByKey:
		if found, err := t.Has(ctx, "APIKey", t.Actor.ID); err != nil {
			return nil, err
		} else if found { // a test key works in the sandbox but belongs to the live tenant
			create.SetKeyID(t.Actor.ID)
		}
	case auth.ByUser:
		create.SetActorID(t.Actor.ID)
	case auth.ByOperator, auth.BySystem, auth.ByMerchant, auth.ByApplicant: // not a user or key of this tenant
	}
	if err := input.SetColumns(create.Mutation(), input.ChangesOf(in, nil, t.Zone())); err != nil {
		return nil, err
	}
	row, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.Record("statementAnalysis.create", "statementAnalysis", row.ID, &d.ID, nil, row)
	return row, nil
}

// MonthlyRevenue returns the merchant's average monthly true revenue from the deal's newest analysis; nil if
// there is none.
func MonthlyRevenue(ctx context.Context, t *unit.Tx, dealID int) (*money.Amount, error) {
	latest, err := LatestAnalysis(ctx, t, dealID)
	if err != nil || latest == nil {
		return nil, err
	}
	return latest.AvgMonthlyTrueRevenue, nil
}

// LatestAnalysis returns the deal's newest statement analysis; nil if there is none.
func LatestAnalysis(ctx context.Context, t *unit.Tx, dealID int) (*ent.StatementAnalysis, error) {
	row, err := t.StatementAnalysis.Query().Where(statementanalysis.DealID(dealID)).
		Order(statementanalysis.ByVersion(unit.Descending())).First(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return row, err
}
