package underwriting

import (
	"encoding/json"

	"github.com/shopspring/decimal"

	"paydown/internal/money"
	"paydown/internal/schedule"
)

// Case is the data for a decision on a deal: figures from the merchant's bank statements, and the offer.
// Unknown figures are nil and earn no points.
type Case struct {
	MonthlyRevenue *money.Amount `json:"monthlyRevenue"` // average true revenue
	DailyBalance   *money.Amount `json:"dailyBalance"`   // average daily balance
	MonthsCovered  *int          `json:"monthsCovered"`  // covered by the statements
	NSFCount       *int          `json:"nsfCount"`       // over those months
	NegativeDays   *int          `json:"negativeDays"`   // over those months
	Positions      *int          `json:"positions"`      // open positions with other funders
	TakenMonthly   *money.Amount `json:"takenMonthly"`   // monthly payments to those funders
	TrendPct       *money.Rate   `json:"trendPct"`       // revenue trend from the first month to the last
	MonthsOpen     *int          `json:"monthsOpen"`     // since the business began
	PeriodRevenue  *money.Amount `json:"periodRevenue"`  // true revenue of the whole period
	TopDeposits    *money.Amount `json:"topDeposits"`    // from the largest depositor in that period
	MonthsMissing  *int          `json:"monthsMissing"`  // months without a statement within the period
	Altered        bool          `json:"altered"`        // the statements appear to be altered
	Offer          Offer         `json:"offer"`
}

// Offer is the offer to the merchant.
type Offer struct {
	FactorRate money.Rate    `json:"factorRate"`
	Payments   int           `json:"payments"`
	Payment    money.Amount  `json:"payment"`
	TermDays   *int          `json:"termDays"`
	Plan       schedule.Plan `json:"plan"`
}

// Metrics are the figures of a case. Revenue is in dollars per month; balanceDays is the average daily
// balance in days of revenue, with 365 days a year; percentages are of revenue.
type Metrics map[Metric]decimal.Decimal

// MarshalJSON writes each figure as in Contribution.
func (m Metrics) MarshalJSON() ([]byte, error) {
	out := make(map[Metric]any, len(m))
	for name, value := range m {
		out[name] = figure(name, value)
	}
	return json.Marshal(out)
}

// figure returns a figure for display: an integer for counts, otherwise text with two decimals.
func figure(of Metric, d decimal.Decimal) any {
	if of == Positions || of == MonthsInBusiness || of == MonthsMissing {
		return d.IntPart()
	}
	return money.Round(d).String()
}

// Contribution is the points that one rule added to a score.
type Contribution struct {
	Metric Metric `json:"metric"`
	Value  any    `json:"value"` // an integer, or text with two decimals; null if unknown
	Points int    `json:"points"`
	Max    int    `json:"max"`
}

// Flag is a policy finding that needs review. Value and threshold are null if the flag does not compare
// figures.
type Flag struct {
	Severity  Severity `json:"severity"`
	Value     any      `json:"value"`
	Threshold any      `json:"threshold"`
	Message   string   `json:"message"`
}

// MaxOffer is the largest offer that the policy allows, with the offer's other terms. Amounts are in dollars.
type MaxOffer struct {
	FundedAmount        money.Amount `json:"fundedAmount"`
	FactorRate          money.Rate   `json:"factorRate"`
	TermDays            *int         `json:"termDays"`
	PaymentAmount       money.Amount `json:"paymentAmount"`
	SpecifiedPercentage money.Rate   `json:"specifiedPercentage"`
	LimitedBy           string       `json:"limitedBy"` // REVENUE, POLICY_CAP or HOLDBACK
}

// Decision is the result of a policy for a case.
type Decision struct {
	Recommendation Recommendation
	Score          int
	Category       Category
	Flags          map[string]Flag // by code
	MaxOffer       *MaxOffer       // nil if nothing can be offered
	Metrics        Metrics
	Contributions  []Contribution // in the policy's order; the points add up to the score
}

// Decide evaluates a case.
func (p Policy) Decide(c Case) Decision {
	d := Decision{Metrics: c.metrics(), Flags: map[string]Flag{}}
	for _, rule := range p.Rules {
		part := rule.weigh(d.Metrics)
		d.Contributions = append(d.Contributions, part)
		d.Score += part.Points
	}
	d.Category = p.category(d.Score)
	knockedOut := false
	for _, rule := range p.Flags {
		if flag, raised := rule.evaluate(c, d.Metrics); raised {
			d.Flags[rule.Code] = flag
			knockedOut = knockedOut || flag.Severity == KnockOut
		}
	}
	switch {
	case knockedOut || d.Score < p.Refer:
		d.Recommendation = Decline
	case d.Score < p.Approve || len(d.Flags) > 0 || c.MonthsCovered == nil || *c.MonthsCovered < p.LeastMonths:
		d.Recommendation = Refer
	default:
		d.Recommendation = Approve
	}
	if d.Recommendation != Decline {
		d.MaxOffer = p.maxOffer(c, d.Category)
	}
	return d
}

func (p Policy) category(score int) Category {
	switch {
	case score >= p.Categories[A]:
		return A
	case score >= p.Categories[B]:
		return B
	default:
		return C
	}
}

func (r Rule) weigh(m Metrics) Contribution {
	part := Contribution{Metric: r.Metric, Max: r.Max}
	value, known := m[r.Metric]
	if !known {
		return part
	}
	part.Value = figure(r.Metric, value)
	for _, band := range r.Bands {
		if band.holds(value) {
			part.Points = band.Points
			break
		}
	}
	return part
}

func (b Band) holds(value decimal.Decimal) bool {
	if b.AtLeast != nil {
		return value.GreaterThanOrEqual(*b.AtLeast)
	}
	return b.AtMost != nil && value.LessThanOrEqual(*b.AtMost)
}

func (r FlagRule) evaluate(c Case, m Metrics) (flag Flag, raised bool) {
	flag = Flag{Severity: r.Severity, Message: r.Message}
	if r.Metric == "" {
		return flag, c.Altered
	}
	value, known := m[r.Metric]
	if !known {
		return flag, false
	}
	threshold := r.Above
	if threshold != nil {
		raised = value.GreaterThan(*threshold)
	} else if threshold = r.Below; threshold != nil {
		raised = value.LessThan(*threshold)
	}
	if raised {
		flag.Value, flag.Threshold = figure(r.Metric, value), figure(r.Metric, *threshold)
	}
	return flag, raised
}

var (
	hundred    = decimal.NewFromInt(100)
	dayPerYear = decimal.NewFromInt(365)
	perYear    = decimal.NewFromInt(12)
)

// metrics computes the figures, each rounded to two decimals, so that rules use the same values that are
// displayed.
func (c Case) metrics() Metrics {
	m := Metrics{}
	put := func(name Metric, value decimal.Decimal) { m[name] = value.Round(2) }
	if c.NSFCount != nil && c.months().IsPositive() {
		put(NSFPerMonth, decimal.NewFromInt(int64(*c.NSFCount)).Div(c.months()))
	}
	if c.NegativeDays != nil && c.months().IsPositive() {
		put(NegativePerMonth, decimal.NewFromInt(int64(*c.NegativeDays)).Div(c.months()))
	}
	if c.Positions != nil {
		put(Positions, decimal.NewFromInt(int64(*c.Positions)))
	}
	if c.TrendPct != nil {
		put(Trend, c.TrendPct.Decimal())
	}
	if c.MonthsOpen != nil {
		put(MonthsInBusiness, decimal.NewFromInt(int64(*c.MonthsOpen)))
	}
	if c.MonthsMissing != nil {
		put(MonthsMissing, decimal.NewFromInt(int64(*c.MonthsMissing)))
	}
	if c.TopDeposits != nil && c.PeriodRevenue != nil && c.PeriodRevenue.Sign() > 0 {
		put(LargestDepositor, c.TopDeposits.Decimal().Mul(hundred).Div(c.PeriodRevenue.Decimal()))
	}
	if c.MonthlyRevenue == nil {
		return m
	}
	revenue := c.MonthlyRevenue.Decimal()
	put(Revenue, revenue)
	if !revenue.IsPositive() {
		return m
	}
	if c.DailyBalance != nil {
		put(BalanceDays, c.DailyBalance.Decimal().Mul(dayPerYear).Div(revenue.Mul(perYear)))
	}
	taken := c.taken().Add(c.Offer.Payment.Decimal().Mul(c.Offer.Plan.PaymentsPerMonth()))
	put(Holdback, taken.Mul(hundred).Div(revenue))
	return m
}

func (c Case) months() decimal.Decimal {
	if c.MonthsCovered == nil {
		return decimal.Zero
	}
	return decimal.NewFromInt(int64(*c.MonthsCovered))
}

func (c Case) taken() decimal.Decimal {
	if c.TakenMonthly == nil {
		return decimal.Zero
	}
	return c.TakenMonthly.Decimal()
}

// maxOffer computes the largest offer, rounded down to whole hundreds of dollars.
func (p Policy) maxOffer(c Case, category Category) *MaxOffer {
	if c.MonthlyRevenue == nil || c.MonthlyRevenue.Sign() <= 0 || c.Offer.Payments < 1 || c.Offer.FactorRate.Sign() <= 0 {
		return nil
	}
	revenue, perMonth := c.MonthlyRevenue.Decimal(), c.Offer.Plan.PaymentsPerMonth()
	n := decimal.NewFromInt(int64(c.Offer.Payments))
	free := revenue.Mul(p.Offer.HoldbackPct.Decimal()).Div(hundred).Sub(c.taken())
	most, by := revenue.Mul(p.Offer.RevenueMultiples[category].Decimal()), "REVENUE"
	if limit := p.Offer.Cap.Decimal(); limit.LessThan(most) {
		most, by = limit, "POLICY_CAP"
	}
	if limit := free.Div(perMonth).Mul(n).Div(c.Offer.FactorRate.Decimal()); limit.LessThan(most) {
		most, by = limit, "HOLDBACK"
	}
	most = most.Div(hundred).Floor().Mul(hundred)
	if !most.IsPositive() {
		return nil
	}
	installment := money.RoundUp(most.Mul(c.Offer.FactorRate.Decimal()).Div(n))
	return &MaxOffer{
		FundedAmount: money.Round(most), FactorRate: c.Offer.FactorRate, TermDays: c.Offer.TermDays,
		PaymentAmount:       installment,
		SpecifiedPercentage: money.RoundRate(installment.Decimal().Mul(perMonth).Mul(hundred).Div(revenue).Round(2)),
		LimitedBy:           by,
	}
}
