package underwriting

import (
	"encoding/json"
	"fmt"

	"github.com/shopspring/decimal"

	"paydown/internal/money"
)

// Metric is a figure that a policy uses.
type Metric string

// The metrics. See Metrics for their units.
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

// Policy is a tenant's underwriting policy as stored: the points of each metric, the score limits of
// categories and recommendations, the flags, and the limits of offers.
type Policy struct {
	Rules []Rule `json:"rules"`
	// Categories are the lowest scores of A and of B; lower scores are C.
	Categories map[Category]int `json:"categories"`
	// Approve and Refer are the lowest scores to approve and to refer; lower scores are declined.
	Approve int `json:"approve"`
	Refer   int `json:"refer"`
	// LeastMonths is the number of months of statements below which the deal is referred.
	LeastMonths int         `json:"leastMonths"`
	Flags       []FlagRule  `json:"flags"`
	Offer       OfferLimits `json:"offer"`
}

// Rule gives the points of a metric: those of the first band that matches, or none.
type Rule struct {
	Metric Metric `json:"metric"`
	Max    int    `json:"max"`
	Bands  []Band `json:"bands"`
}

// Band gives points from AtLeast up, or down from AtMost; exactly one of the two is set.
type Band struct {
	AtLeast *decimal.Decimal `json:"atLeast,omitempty"`
	AtMost  *decimal.Decimal `json:"atMost,omitempty"`
	Points  int              `json:"points"`
}

// Severity is the effect of a flag on the recommendation.
type Severity string

// A knock-out declines, a soft flag refers.
const (
	KnockOut Severity = "KNOCK_OUT"
	Soft     Severity = "SOFT"
)

// FlagRule raises a flag if the metric is above or below the threshold. A rule without a metric is raised by
// statements that appear to be altered.
type FlagRule struct {
	Code     string           `json:"code"`
	Severity Severity         `json:"severity"`
	Metric   Metric           `json:"metric,omitempty"`
	Above    *decimal.Decimal `json:"above,omitempty"`
	Below    *decimal.Decimal `json:"below,omitempty"`
	Message  string           `json:"message"`
}

// OfferLimits limit what can be offered; the lowest limit applies.
type OfferLimits struct {
	// RevenueMultiples are the maximum advances by category, as multiples of the monthly revenue.
	RevenueMultiples map[Category]money.Rate `json:"revenueMultiples"`
	// Cap is the maximum advance.
	Cap money.Amount `json:"cap"`
	// HoldbackPct is the maximum percentage of revenue for all advances together.
	HoldbackPct money.Rate `json:"holdbackPct"`
}

// ParsePolicy parses a stored policy.
func ParsePolicy(raw json.RawMessage) (Policy, error) {
	var p Policy
	if err := json.Unmarshal(raw, &p); err != nil {
		return Policy{}, fmt.Errorf("underwriting policy: %w", err)
	}
	return p, nil
}

// DefaultPolicy is the policy of a new tenant.
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
			{Code: "ALTERED", Severity: KnockOut, Message: "The statements appear to be altered."},
			{Code: "STACKING", Severity: Soft, Metric: Positions, Above: whole(2), Message: "There are many open positions."},
			{
				Code: "NSF_HIGH", Severity: Soft, Metric: NSFPerMonth, Above: whole(3),
				Message: "Many items were returned for insufficient funds.",
			},
			{
				Code: "LOW_ADB", Severity: Soft, Metric: BalanceDays, Below: whole(1),
				Message: "The average balance is less than one day's revenue.",
			},
			{
				Code: "DECLINING_REVENUE", Severity: Soft, Metric: Trend, Below: whole(-15),
				Message: "Revenue declined over the statement months.",
			},
			{
				Code: "CONCENTRATION", Severity: Soft, Metric: LargestDepositor, Above: whole(50),
				Message: "One depositor accounts for more than half of the revenue.",
			},
			{
				Code: "GAP_IN_MONTHS", Severity: Soft, Metric: MonthsMissing, Above: whole(0),
				Message: "A month is missing within the statement period.",
			},
		},
		Offer: OfferLimits{
			RevenueMultiples: map[Category]money.Rate{
				A: money.MustRate("1.2"), B: money.MustRate("0.9"), C: money.MustRate("0.6"),
			},
			Cap: money.Must("500000.00"), HoldbackPct: money.MustRate("25"),
		},
	}
}

func whole(n int64) *decimal.Decimal { return new(decimal.NewFromInt(n)) }

// at is a bound with the points for a figure within it.
type at struct {
	bound  int64
	points int
}

// atLeast and atMost return bands, best first.
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
