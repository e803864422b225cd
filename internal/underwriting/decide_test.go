package underwriting_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"paydown/internal/money"
	"paydown/internal/schedule"
	"paydown/internal/underwriting"
)

// goodCase returns a case that earns every point of the default policy.
func goodCase() underwriting.Case {
	return underwriting.Case{
		MonthlyRevenue: new(money.Must("120000.00")), DailyBalance: new(money.Must("20000.00")), MonthsCovered: new(3),
		NSFCount: new(0), NegativeDays: new(0), Positions: new(0), TrendPct: new(money.MustRate("1.5")), MonthsOpen: new(60),
		Offer: underwriting.Offer{
			FactorRate: money.MustRate("1.20"), Payments: 126, Payment: money.Must("476.20"), TermDays: new(181),
			Plan: schedule.Plan{Frequency: schedule.Daily, Rule: schedule.BankingDays},
		},
	}
}

func TestStrongCaseGetsFullScore(t *testing.T) {
	d := underwriting.DefaultPolicy().Decide(goodCase())
	if d.Score != 100 || d.Category != underwriting.A || d.Recommendation != underwriting.Approve || len(d.Flags) != 0 {
		t.Errorf("%d %s %s with flags %v", d.Score, d.Category, d.Recommendation, d.Flags)
	}
	// 120,000 × 1.2 is 144,000; 25 % of it pays 30,000 a month over 6 months, which at 1.20 is 150,000.
	if o := d.MaxOffer; o == nil || o.FundedAmount.String() != "144000.00" || o.LimitedBy != "REVENUE" ||
		o.PaymentAmount.String() != "1371.43" || o.SpecifiedPercentage.String() != "24.00" {
		t.Errorf("the maximum offer is %+v", o)
	}
	raw, err := json.Marshal(d.Metrics)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"avgMonthlyTrueRevenue":"120000.00","balanceDays":"5.07","holdbackPct":"8.33","monthsInBusiness":60,` +
		`"negativeDaysPerMonth":"0.00","nsfPerMonth":"0.00","positionCount":0,"trendPct":"1.50"}`
	if string(raw) != want {
		t.Errorf("the metrics are %s", raw)
	}
}

func TestBandScores(t *testing.T) {
	for _, c := range []struct {
		metric underwriting.Metric
		points int
		change func(*underwriting.Case)
	}{
		{underwriting.Revenue, 20, func(c *underwriting.Case) { c.MonthlyRevenue = new(money.Must("100000.00")) }},
		{underwriting.Revenue, 16, func(c *underwriting.Case) { c.MonthlyRevenue = new(money.Must("99999.99")) }},
		{underwriting.Revenue, 11, func(c *underwriting.Case) { c.MonthlyRevenue = new(money.Must("25000.00")) }},
		{underwriting.Revenue, 6, func(c *underwriting.Case) { c.MonthlyRevenue = new(money.Must("15000.00")) }},
		{underwriting.Revenue, 0, func(c *underwriting.Case) { c.MonthlyRevenue = new(money.Must("14999.99")) }},
		{underwriting.BalanceDays, 10, func(c *underwriting.Case) { c.DailyBalance = new(money.Must("12000.00")) }},
		{underwriting.BalanceDays, 0, func(c *underwriting.Case) { c.DailyBalance = new(money.Must("-1.00")) }},
		{underwriting.BalanceDays, 0, func(c *underwriting.Case) { c.DailyBalance = nil }},
		{underwriting.NSFPerMonth, 11, func(c *underwriting.Case) { c.NSFCount = new(3) }},
		{underwriting.NSFPerMonth, 6, func(c *underwriting.Case) { c.NSFCount = new(4) }},
		{underwriting.NSFPerMonth, 0, func(c *underwriting.Case) { c.NSFCount = new(10) }},
		{underwriting.NegativePerMonth, 10, func(c *underwriting.Case) { c.NegativeDays = new(6) }},
		{underwriting.NegativePerMonth, 5, func(c *underwriting.Case) { c.NegativeDays = new(15) }},
		{underwriting.NegativePerMonth, 0, func(c *underwriting.Case) { c.NegativeDays = new(16) }},
		{underwriting.Positions, 11, func(c *underwriting.Case) { c.Positions = new(1) }},
		{underwriting.Positions, 2, func(c *underwriting.Case) { c.Positions = new(3) }},
		{underwriting.Positions, 0, func(c *underwriting.Case) { c.Positions = new(4) }},
		{underwriting.Holdback, 7, func(c *underwriting.Case) { c.TakenMonthly = new(money.Must("6000.00")) }},
		{underwriting.Holdback, 3, func(c *underwriting.Case) { c.TakenMonthly = new(money.Must("18000.00")) }},
		{underwriting.Holdback, 0, func(c *underwriting.Case) { c.TakenMonthly = new(money.Must("21000.00")) }},
		{underwriting.Trend, 2, func(c *underwriting.Case) { c.TrendPct = new(money.MustRate("-15")) }},
		{underwriting.Trend, 0, func(c *underwriting.Case) { c.TrendPct = new(money.MustRate("-15.01")) }},
		{underwriting.MonthsInBusiness, 3, func(c *underwriting.Case) { c.MonthsOpen = new(23) }},
		{underwriting.MonthsInBusiness, 0, func(c *underwriting.Case) { c.MonthsOpen = new(5) }},
	} {
		given := goodCase()
		c.change(&given)
		d := underwriting.DefaultPolicy().Decide(given)
		sum := 0
		for _, part := range d.Contributions {
			sum += part.Points
			if part.Metric == c.metric && part.Points != c.points {
				t.Errorf("%s of %v is worth %d, want %d", c.metric, part.Value, part.Points, c.points)
			}
		}
		if sum != d.Score {
			t.Errorf("%s: the rules add %d to a score of %d", c.metric, sum, d.Score)
		}
	}
}

func TestNotApproved(t *testing.T) {
	for _, c := range []struct {
		name   string
		advice underwriting.Recommendation
		flags  string
		change func(*underwriting.Case)
	}{
		{"altered statements", underwriting.Decline, "ALTERED", func(c *underwriting.Case) { c.Altered = true }},
		{"four positions", underwriting.Refer, "STACKING", func(c *underwriting.Case) { c.Positions = new(4) }},
		{"many returned items", underwriting.Refer, "NSF_HIGH", func(c *underwriting.Case) { c.NSFCount = new(10) }},
		{"an empty account", underwriting.Refer, "LOW_ADB", func(c *underwriting.Case) { c.DailyBalance = new(money.Zero) }},
		{
			"falling revenue", underwriting.Refer, "DECLINING_REVENUE",
			func(c *underwriting.Case) { c.TrendPct = new(money.MustRate("-20")) },
		},
		{"one depositor for more than half", underwriting.Refer, "CONCENTRATION", func(c *underwriting.Case) {
			c.TopDeposits, c.PeriodRevenue = new(money.Must("180018.00")), new(money.Must("360000.00"))
		}},
		{
			"a month without a statement", underwriting.Refer, "GAP_IN_MONTHS",
			func(c *underwriting.Case) { c.MonthsMissing = new(1) },
		},
		{"two months of statements", underwriting.Refer, "", func(c *underwriting.Case) { c.MonthsCovered = new(2) }},
		{"nothing known", underwriting.Decline, "", func(c *underwriting.Case) { *c = underwriting.Case{Offer: c.Offer} }},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := goodCase()
			c.change(&given)
			d := underwriting.DefaultPolicy().Decide(given)
			var flags []string
			for code := range d.Flags {
				flags = append(flags, code)
			}
			if d.Recommendation != c.advice || strings.Join(flags, " ") != c.flags {
				t.Errorf("%s with flags %v", d.Recommendation, flags)
			}
			if (d.MaxOffer == nil) != (d.Recommendation == underwriting.Decline) {
				t.Errorf("%s with the offer %+v", d.Recommendation, d.MaxOffer)
			}
		})
	}
}

func TestFiguresWithinTheirThresholdsRaiseNoFlag(t *testing.T) {
	given := goodCase()
	given.TopDeposits, given.PeriodRevenue, given.MonthsMissing = new(money.Must("180000.00")),
		new(money.Must("360000.00")), new(0)
	d := underwriting.DefaultPolicy().Decide(given)
	if d.Recommendation != underwriting.Approve || len(d.Flags) != 0 {
		t.Errorf("%s with flags %v", d.Recommendation, d.Flags)
	}
	if d.Metrics[underwriting.LargestDepositor].String() != "50" || !d.Metrics[underwriting.MonthsMissing].IsZero() {
		t.Errorf("the metrics are %v", d.Metrics)
	}
	given.PeriodRevenue = new(money.Zero)
	if _, known := underwriting.DefaultPolicy().Decide(given).Metrics[underwriting.LargestDepositor]; known {
		t.Error("a percentage without revenue")
	}
}

func TestAnOfferIsLimitedByWhatCanBeServiced(t *testing.T) {
	given := goodCase()
	given.TakenMonthly = new(money.Must("24000.00")) // of the 30,000 that 25 % are
	d := underwriting.DefaultPolicy().Decide(given)
	// 6,000 a month over 6 months at 1.20
	if o := d.MaxOffer; o == nil || o.FundedAmount.String() != "30000.00" || o.LimitedBy != "HOLDBACK" {
		t.Errorf("the maximum offer is %+v", o)
	}
	given.TakenMonthly = new(money.Must("30000.00"))
	if o := underwriting.DefaultPolicy().Decide(given).MaxOffer; o != nil {
		t.Errorf("with nothing left, %+v is offered", o)
	}
}

func TestPolicyRoundTrip(t *testing.T) {
	raw, err := json.Marshal(underwriting.DefaultPolicy())
	if err != nil {
		t.Fatal(err)
	}
	policy, err := underwriting.ParsePolicy(raw)
	if err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(policy)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(raw, again) || policy.Decide(goodCase()).Score != 100 {
		t.Errorf("%s is parsed as %s", raw, again)
	}
	if _, err := underwriting.ParsePolicy([]byte(`{"rules": 1}`)); err == nil {
		t.Error("an invalid policy is parsed")
	}
}
