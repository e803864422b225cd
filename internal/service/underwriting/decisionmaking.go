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

// Run weighs a deal that is priced by the policy in force and the deal's newest statement analysis, keeps the decision, and
// gives the deal its score and category. Each call makes a decision of its own: it tells what was known at the time.
func (s Decisions) Run(ctx context.Context, dealID int) (*ent.DecisionResult, error) {
	if _, err := unit.RequirePermission(ctx, auth.RunDecisions); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("compliance"), func(ctx context.Context, t *unit.Tx) (*ent.DecisionResult, error) {
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
	made, err := keepDecision(ctx, t, before, rules, analysis, c, policy.Decide(c))
	if err != nil {
		return nil, err
	}
	t.Record("decision.create", "decisionResult", made.ID, &dealID, nil, made)
	if before.UwScore != nil && *before.UwScore == made.Score && before.UwScoreCategory != nil &&
		*before.UwScoreCategory == made.Category {
		return made, nil
	}
	after, err := books.StoreDeal(ctx, t, before, []input.Change{
		input.Set(entdeal.FieldUwScore, made.Score), input.Set(entdeal.FieldUwScoreCategory, made.Category),
	})
	if err == nil {
		unit.AlsoUpdated(t, "deal", before, after)
	}
	return made, err
}

// caseOf gathers what a decision is made from.
func caseOf(ctx context.Context, t *unit.Tx, d *ent.Deal, analysis *ent.StatementAnalysis) (underwriting.Case, error) {
	plan, ok := books.TermsOf(d, t.Zone()).Plan()
	if !ok || d.FactorRate == nil || d.NumberOfPayments == nil || d.PaymentAmount == nil || analysis == nil {
		return underwriting.Case{}, fault.Conflictf("A deal is decided once it is priced and its statements are analysed.")
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
			FactorRate: *d.FactorRate, Payments: *d.NumberOfPayments, Payment: *d.PaymentAmount, TermDays: d.TermDays, Plan: plan,
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

// trendOf is the change of revenue from the first month of an analysis' summary to the last, in per cent; nil where the
// summary does not tell of months.
func trendOf(summary json.RawMessage) *money.Rate {
	var told struct {
		Months []struct {
			TrueRevenue money.Amount `json:"trueRevenue"`
		} `json:"months"`
	}
	if len(summary) == 0 || json.Unmarshal(summary, &told) != nil || len(told.Months) < 2 {
		return nil
	}
	first, last := told.Months[0].TrueRevenue, told.Months[len(told.Months)-1].TrueRevenue
	if first.Sign() <= 0 {
		return nil
	}
	change := last.Sub(first).Decimal().Mul(decimal.NewFromInt(100)).DivRound(first.Decimal(), 2)
	return new(money.RoundRate(change))
}

func keepDecision(
	ctx context.Context, t *unit.Tx, d *ent.Deal, rules *ent.UnderwritingPolicy, analysis *ent.StatementAnalysis,
	c underwriting.Case, made underwriting.Decision,
) (*ent.DecisionResult, error) {
	inputs, err := json.Marshal(map[string]any{"case": c, "policy": rules.Version})
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256(inputs)
	create := t.DecisionResult.Create().SetDealID(d.ID).SetPolicyID(rules.ID).SetStatementAnalysisID(analysis.ID).
		SetRecommendation(made.Recommendation).SetScore(made.Score).SetCategory(made.Category).SetInputsHash(hash[:])
	for _, part := range []struct {
		value any
		set   func(json.RawMessage) *ent.DecisionResultCreate
	}{
		{made.Flags, create.SetFlags},
		{made.Metrics, create.SetMetrics},
		{made.Contributions, create.SetContributions},
		{made.MaxOffer, create.SetMaxOffer},
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
