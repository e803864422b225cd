package underwriting

import (
	"encoding/json"
	"fmt"

	"github.com/shopspring/decimal"

	"paydown/internal/money"
)

// Metric is a figure that a policy weighs.
type Metric string

// The metrics. What each is measured in stands with Metrics.
const (
	Revenue          Metric = "avgMonthlyTrueRevenue"
	BalanceDays      Metric = "balanceDays"
	NSFPerMonth      Metric = "nsfPerMonth"
	NegativePerMonth Metric = "negativeDaysPerMonth"
	Positions        Metric = "positionCount"
	Holdback         Metric = "holdbackPct"
	Trend            Metric = "trendPct"
	MonthsInBusiness Metric = "monthsInBusiness"
	LargestDepositor Metric = "largestDepositorPct"
	MonthsMissing    Metric = "monthsMissing"
)

// Policy is a tenant's rule book, as it is stored: what each metric is worth, where the categories and the
// recommendations lie, what raises a flag, and what limits an offer.
type Policy struct {
	Rules []Rule `json:"rules"`
	// Categories are the lowest scores of A and of B; what is below is C.
	Categories map[Category]int `json:"categories"`
	// Approve and Refer are the lowest scores that are approved and referred; what is below is declined.
	Approve int `json:"approve"`
	Refer   int `json:"refer"`
	// LeastMonths of statements, or else the deal is referred.
	LeastMonths int         `json:"leastMonths"`
	Flags       []FlagRule  `json:"flags"`
	Offer       OfferLimits `json:"offer"`
}

// Rule says what a metric is worth: the points of the first band that it falls into, or none.
type Rule struct {
	Metric Metric `json:"metric"`
	Max    int    `json:"max"`
	Bands  []Band `json:"bands"`
}

// Band is worth its points from AtLeast up, or up to AtMost; one of the two is given.
type Band struct {
	AtLeast *decimal.Decimal `json:"atLeast,omitempty"`
	AtMost  *decimal.Decimal `json:"atMost,omitempty"`
	Points  int              `json:"points"`
}

// Severity is what a flag does to the recommendation.
type Severity string

// A knock-out declines, a soft flag refers.
const (
	KnockOut Severity = "KNOCK_OUT"
	Soft     Severity = "SOFT"
)

// FlagRule raises a flag where the metric lies above, or below, the threshold. One without a metric is raised by
// statements that look tampered with.
type FlagRule struct {
	Code     string           `json:"code"`
	Severity Severity         `json:"severity"`
	Metric   Metric           `json:"metric,omitempty"`
	Above    *decimal.Decimal `json:"above,omitempty"`
	Below    *decimal.Decimal `json:"below,omitempty"`
	Message  string           `json:"message"`
}

// OfferLimits bound what may be offered; the least of them counts.
type OfferLimits struct {
	// RevenueMultiples are, by category, how often the monthly revenue may be advanced.
	RevenueMultiples map[Category]money.Rate `json:"revenueMultiples"`
	// Cap is the largest advance of all.
	Cap money.Amount `json:"cap"`
	// HoldbackPct is the part of the revenue, in per cent, that all advances together may take.
	HoldbackPct money.Rate `json:"holdbackPct"`
}

// ParsePolicy reads a policy as it is stored.
func ParsePolicy(raw json.RawMessage) (Policy, error) {
	var p Policy
	if err := json.Unmarshal(raw, &p); err != nil {
		return Policy{}, fmt.Errorf("underwriting policy: %w", err)
	}
	return p, nil
}

// DefaultPolicy is the rule book that the product comes with.
func DefaultPolicy() Policy {
	return Policy{
		Rules: []Rule{
			{Revenue, 20, atLeast(at{100_000, 20}, at{50_000, 16}, at{25_000, 11}, at{15_000, 6})},
			{BalanceDays, 15, atLeast(at{5, 15}, at{3, 10}, at{1, 5})},
			{NSFPerMonth, 15, atMost(at{0, 15}, at{1, 11}, at{3, 6})},
			{NegativePerMonth, 15, atMost(at{0, 15}, at{2, 10}, at{5, 5})},
			{Positions, 15, atMost(at{0, 15}, at{1, 11}, at{2, 6}, at{3, 2})},
			{Holdback, 10, atMost(at{10, 10}, at{15, 7}, at{25, 3})},
			{Trend, 5, atLeast(at{0, 5}, at{-15, 2})},
			{MonthsInBusiness, 5, atLeast(at{24, 5}, at{12, 3}, at{6, 1})},
		},
		Categories: map[Category]int{A: 75, B: 55},
		Approve:    55, Refer: 40, LeastMonths: 3,
		Flags: []FlagRule{
			{Code: "ALTERED", Severity: KnockOut, Message: "The statements look tampered with."},
			{Code: "STACKING", Severity: Soft, Metric: Positions, Above: whole(2), Message: "There are many open positions."},
			{Code: "NSF_HIGH", Severity: Soft, Metric: NSFPerMonth, Above: whole(3), Message: "Many items are returned for want of funds."},
			{Code: "LOW_ADB", Severity: Soft, Metric: BalanceDays, Below: whole(1), Message: "The balance is worth less than a day's revenue."},
			{
				Code: "DECLINING_REVENUE", Severity: Soft, Metric: Trend, Below: whole(-15),
				Message: "Revenue has fallen over the months of the statements.",
			},
			{
				Code: "CONCENTRATION", Severity: Soft, Metric: LargestDepositor, Above: whole(50),
				Message: "One depositor brings in more than half of the revenue.",
			},
			{
				Code: "GAP_IN_MONTHS", Severity: Soft, Metric: MonthsMissing, Above: whole(0),
				Message: "A month is missing among those that the statements cover.",
			},
		},
		Offer: OfferLimits{
			RevenueMultiples: map[Category]money.Rate{A: money.MustRate("1.2"), B: money.MustRate("0.9"), C: money.MustRate("0.6")},
			Cap:              money.Must("500000.00"), HoldbackPct: money.MustRate("25"),
		},
	}
}

func whole(n int64) *decimal.Decimal { return new(decimal.NewFromInt(n)) }

// at is a bound and the points that a figure within it is worth.
type at struct {
	bound  int64
	points int
}

// atLeast and atMost are bands, best first.
func atLeast(bounds ...at) []Band {
	bands := make([]Band, len(bounds))
	for i, b := range bounds {
		bands[i] = Band{AtLeast: whole(b.bound), Points: b.points}
	}
	return bands
}

func atMost(bounds ...at) []Band {
	bands := make([]Band, len(bounds))
	for i, b := range bounds {
		bands[i] = Band{AtMost: whole(b.bound), Points: b.points}
	}
	return bands
}
