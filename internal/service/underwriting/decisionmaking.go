package underwriting

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/shopspring/decimal"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/underwriting"
)

// Run evaluates a priced deal by the active policy and the deal's newest statement analysis, stores the
// decision, and sets the deal's score and category. Each call creates a new decision, based on what is known at
// the time.
func (s Decisions) Run(ctx context.Context, dealID int) (*ent.DecisionResult, error) {
	if _, err := unit.RequirePermission(ctx, auth.RunDecisions); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("compliance"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.DecisionResult, error) {
		return decide(ctx, t, dealID)
	})
}

func decide(ctx context.Context, t *unit.Tx, dealID int) (*ent.DecisionResult, error) {
	before, err := books.LockDeal(ctx, t, dealID)
	if err != nil {
		return nil, err
	}
	rules, err := underwritingPolicy(ctx, t)
	if err != nil {
		return nil, err
	}
	policy, err := underwriting.ParsePolicy(rules.Rules)
	if err != nil {
		return nil, err
	}
	analysis, err := LatestAnalysis(ctx, t, dealID)
	if err != nil {
		return nil, err
	}
	c, err := caseOf(ctx, t, before, analysis)
	if err != nil {
		return nil, err
	}
	created, err := storeDecision(ctx, t, before, rules, analysis, c, policy.Decide(c))
	if err != nil {
		return nil, err
	}
	t.Record("decision.create", "decisionResult", created.ID, &dealID, nil, created)
	if before.UwScore != nil && *before.UwScore == created.Score && before.UwScoreCategory != nil &&
		*before.UwScoreCategory == created.Category {
		return created, nil
	}
	after, err := books.StoreDeal(ctx, t, before, []input.Change{
		input.Set(entdeal.FieldUwScore, created.Score), input.Set(entdeal.FieldUwScoreCategory, created.Category),
	})
	if err == nil {
		unit.AlsoUpdated(t, "deal", before, after)
	}
	return created, err
}

// caseOf collects the facts for a decision.
func caseOf(ctx context.Context, t *unit.Tx, d *ent.Deal, analysis *ent.StatementAnalysis) (underwriting.Case, error) {
	plan, ok := books.TermsOf(d, t.Zone()).Plan()
	if !ok || d.FactorRate == nil || d.NumberOfPayments == nil || d.PaymentAmount == nil || analysis == nil {
		return underwriting.Case{}, fault.Conflictf(
			"The deal must be priced and have a statement analysis before a decision.")
	}
	m, err := t.Merchant.Get(ctx, d.MerchantID)
	if err != nil {
		return underwriting.Case{}, err
	}
	c := underwriting.Case{
		MonthlyRevenue: analysis.AvgMonthlyTrueRevenue, DailyBalance: analysis.AvgDailyBalance,
		MonthsCovered: analysis.MonthsCovered, NSFCount: analysis.NsfCount, NegativeDays: analysis.NegativeDays,
		Positions: analysis.PositionCount, TakenMonthly: analysis.EstimatedMcaMonthly, TrendPct: trendOf(analysis.Summary),
		PeriodRevenue: periodRevenue(analysis), TopDeposits: topDeposits(analysis), Altered: analysis.Altered,
		Offer: underwriting.Offer{
			FactorRate: *d.FactorRate, Payments: *d.NumberOfPayments, Payment: *d.PaymentAmount,
			TermDays: d.TermDays, Plan: plan,
		},
	}
	if c.MonthsMissing, err = monthsMissing(ctx, t, d.ID); err != nil {
		return underwriting.Case{}, err
	}
	if m.StartedOn != nil {
		c.MonthsOpen = new(monthsBetween(*m.StartedOn, t.Today()))
	}
	return c, nil
}

// monthsBetween counts the whole months from one day to a later one.
func monthsBetween(from, to civil.Date) int {
	n := 12*(to.Year()-from.Year()) + int(to.Month()) - int(from.Month())
	if to.Day() < from.Day() {
		n--
	}
	return n
}

// trendOf returns the change of revenue from the first to the last month in an analysis' summary, in percent;
// nil if the summary has no months.
func trendOf(summary json.RawMessage) *money.Rate {
	var parsed struct {
		Months []struct {
			TrueRevenue money.Amount `json:"trueRevenue"`
		} `json:"months"`
	}
	if len(summary) == 0 || json.Unmarshal(summary, &parsed) != nil || len(parsed.Months) < 2 {
		return nil
	}
	first, last := parsed.Months[0].TrueRevenue, parsed.Months[len(parsed.Months)-1].TrueRevenue
	if first.Sign() <= 0 {
		return nil
	}
	change := last.Sub(first).Decimal().Mul(decimal.NewFromInt(100)).DivRound(first.Decimal(), 2)
	return new(money.RoundRate(change))
}

func storeDecision(
	ctx context.Context, t *unit.Tx, d *ent.Deal, rules *ent.UnderwritingPolicy, analysis *ent.StatementAnalysis,
	c underwriting.Case, created underwriting.Decision,
) (*ent.DecisionResult, error) {
	inputs, err := json.Marshal(map[string]any{"case": c, "policy": rules.Version})
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(inputs)
	create := t.DecisionResult.Create().SetDealID(d.ID).SetPolicyID(rules.ID).SetStatementAnalysisID(analysis.ID).
		SetRecommendation(created.Recommendation).SetScore(created.Score).SetCategory(created.Category).SetInputsHash(hash[:])
	for _, part := range []struct {
		value any
		set   func(json.RawMessage) *ent.DecisionResultCreate
	}{
		{created.Flags, create.SetFlags},
		{created.Metrics, create.SetMetrics},
		{created.Contributions, create.SetContributions},
		{created.MaxOffer, create.SetMaxOffer},
	} {
		raw, err := json.Marshal(part.value)
		if err != nil {
			return nil, fmt.Errorf("decision on deal %d: %w", d.ID, err)
		}
		if string(raw) != "null" {
			part.set(raw)
		}
	}
	return create.Save(ctx)
}
