package pricing_test

import (
	"slices"
	"testing"

	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
)

func TestAFeeIsAPartOfWhatItsBasisNames(t *testing.T) {
	for name, c := range map[string]struct {
		basis pricing.Basis
		value string
		want  string
	}{
		"per cent of the advance":       {pricing.PercentOfFunded, "3", "1500.00"},
		"per cent of the payback":       {pricing.PercentOfPayback, "3", "1950.00"},
		"points, of the advance":        {pricing.Points, "3.5", "1750.00"},
		"flat":                          {pricing.Flat, "1500", "1500.00"},
		"half a cent, rounded up":       {pricing.PercentOfFunded, "0.00001", "0.01"},
		"less than half a cent, nought": {pricing.PercentOfFunded, "0.000009", "0.00"},
	} {
		t.Run(name, func(t *testing.T) {
			terms := pricing.Terms{
				FundedAmount: amount("50000"), PaybackAmount: amount("65000"),
				BankFeeBasis: &c.basis, BankFeeValue: rate(c.value), CommissionBasis: &c.basis, CommissionValue: rate(c.value),
			}
			if fee, commission := terms.BankFee().String(), terms.Commission().String(); fee != c.want || commission != c.want {
				t.Errorf("bank fee %s, commission %s, want %s", fee, commission, c.want)
			}
		})
	}
}

func TestAFeeOfWhatIsNotKnownIsNothing(t *testing.T) {
	for _, basis := range []pricing.Basis{pricing.PercentOfFunded, pricing.PercentOfPayback, pricing.Points} {
		terms := pricing.Terms{BankFeeBasis: &basis, BankFeeValue: rate("3")}
		if fee := terms.BankFee(); !fee.IsZero() {
			t.Errorf("%s: %s", basis, fee)
		}
	}
	if fee := (pricing.Terms{}).Commission(); !fee.IsZero() {
		t.Errorf("no commission: %s", fee)
	}
}

func TestNetDisbursement(t *testing.T) {
	advance := pricing.Terms{
		FundedAmount: amount("50000"), BankFeeBasis: new(pricing.PercentOfFunded), BankFeeValue: rate("3"),
		WireFee: amount("50"),
	}
	renewal := pricing.Terms{FundedAmount: amount("80000"), ApplicationFee: amount("2400")}
	for name, c := range map[string]struct {
		terms        pricing.Terms
		payoff, want string
	}{
		"is the advance less its fees":                 {advance, "0", "48450.00"},
		"of a renewal is less the prior deal's payoff": {renewal, "30000", "47600.00"},
		"may be nothing":                               {renewal, "77600", "0.00"},
	} {
		t.Run(name, func(t *testing.T) {
			if net, err := c.terms.NetDisbursement(money.Must(c.payoff)); err != nil || net.String() != c.want {
				t.Errorf("%s, %v; want %s", net, err, c.want)
			}
		})
	}
	for name, terms := range map[string]pricing.Terms{"is never negative": renewal, "needs a funded amount": {}} {
		t.Run(name, func(t *testing.T) {
			if _, err := terms.NetDisbursement(money.Must("77600.01")); !fault.Is(err, fault.Conflict) {
				t.Errorf("%v, want a conflict", err)
			}
		})
	}
}

func TestPayoff(t *testing.T) {
	terms := pricing.Terms{
		FundedAmount: amount("50000"), PaybackAmount: amount("65000"), FundedOn: day("2026-01-05"),
		EPOFactorRate: rate("1.2"), EPOWindowDays: new(60),
	}
	at := func(collected, outstanding, fees string) pricing.Position {
		return pricing.Position{
			Collected: money.Must(collected), Outstanding: money.Must(outstanding), Fees: money.Must(fees),
		}
	}
	defaulted := at("25000", "40000", "0")
	defaulted.Defaulted = true
	for name, c := range map[string]struct {
		on               string
		at               pricing.Position
		amount, discount string
	}{
		"within the window is at the early factor":  {"2026-02-01", at("25000", "40000", "0"), "35000.00", "5000.00"},
		"on the window's last day still is":         {"2026-03-06", at("25000", "40000", "0"), "35000.00", "5000.00"},
		"the day after is all that is outstanding":  {"2026-03-07", at("25000", "40000", "0"), "40000.00", "0.00"},
		"in default is all that is outstanding":     {"2026-02-01", defaulted, "40000.00", "0.00"},
		"includes unpaid fees without discount":     {"2026-02-01", at("25000", "40000", "70"), "35070.00", "5000.00"},
		"above the early price is nothing":          {"2026-02-01", at("61000", "4000", "35"), "35.00", "4000.00"},
		"never is more than what is outstanding":    {"2026-02-01", at("0", "10000", "0"), "10000.00", "0.00"},
		"before anything is collected is the price": {"2026-01-05", at("0", "65000", "0"), "60000.00", "5000.00"},
	} {
		t.Run(name, func(t *testing.T) {
			got := terms.PayoffOn(*day(c.on), c.at)
			if got.Amount.String() != c.amount || got.Discount.String() != c.discount {
				t.Errorf("%+v, want %s, discount %s", got, c.amount, c.discount)
			}
		})
	}
	t.Run("without an early price is all that is outstanding", func(t *testing.T) {
		plain := pricing.Terms{FundedAmount: amount("50000"), FundedOn: day("2026-01-05")}
		got := plain.PayoffOn(*day("2026-01-06"), at("0", "65000", "10"))
		if got.Amount.String() != "65010.00" || !got.Discount.IsZero() {
			t.Errorf("%+v", got)
		}
	})
}

func TestPercentageOfRevenue(t *testing.T) {
	five := 5
	weekly := schedule.Plan{Frequency: schedule.Weekly, Rule: schedule.BankingDays, CollectionDay: &five}
	if p, ok := pricing.PercentageOfRevenue(money.Must("1000"), weekly, money.Must("30000")); !ok ||
		p.String() != "14.444444" {
		t.Errorf("weekly: %s", p)
	}
	monthly := schedule.Plan{Frequency: schedule.Monthly, Rule: schedule.BankingDays, CollectionDay: &five}
	if p, ok := pricing.PercentageOfRevenue(money.Must("40000"), monthly, money.Must("30000")); !ok ||
		p.String() != "133.333333" {
		t.Errorf("more than the revenue: %s", p)
	}
	if _, ok := pricing.PercentageOfRevenue(money.Must("1000"), weekly, money.Zero); ok {
		t.Error("a percentage without revenue")
	}
	if _, ok := pricing.PercentageOfRevenue(money.Must("1000"), schedule.Plan{}, money.Must("30000")); ok {
		t.Error("a percentage of an invalid plan")
	}
}

func TestMissingTerms(t *testing.T) {
	all := []pricing.Field{
		pricing.FundedAmount, pricing.PaybackAmount, pricing.FactorRate,
		pricing.NumberOfPayments, pricing.PaymentAmount, pricing.CollectionFrequency,
	}
	if got := (pricing.Terms{}).Missing(); !slices.Equal(got, all) {
		t.Errorf("without terms: %v", got)
	}
	full, _ := mustDerive(t, validTerms(), monday)
	if got := full.Missing(); got != nil {
		t.Errorf("with all terms: %v", got)
	}
}

func TestWithoutTakesDerivedFieldsOnly(t *testing.T) {
	in := monday
	in.MonthlyRevenue = amount("100000")
	given := with(func(t *pricing.Terms) { t.FundedOn = day("2026-01-05") })
	full, derived := mustDerive(t, given, in)
	if len(derived) != 5 || encoded(t, full.Without(derived...)) != encoded(t, given) {
		t.Errorf("derived %v leave %s", derived, encoded(t, full.Without(derived...)))
	}
	if got := full.Without(pricing.CollectionFrequency, pricing.WireFee); encoded(t, got) != encoded(t, full) {
		t.Error("a field that is never derived was removed")
	}
	if got := full.Without(pricing.FundedAmount, pricing.FactorRate, pricing.NumberOfPayments); len(got.Missing()) != 3 {
		t.Errorf("missing %v", got.Missing())
	}
}

func TestEveryTermFreezesOnce(t *testing.T) {
	seen := map[pricing.Field]bool{}
	for _, f := range slices.Concat(pricing.FrozenOncePrefunded(), pricing.FrozenOnceFunded()) {
		if seen[f] {
			t.Errorf("%s freezes twice", f)
		}
		seen[f] = true
	}
	for _, f := range termFields(t) {
		if !seen[f] {
			t.Errorf("%s never freezes", f)
		}
	}
	if !seen[pricing.ISOID] || len(seen) != len(termFields(t))+1 {
		t.Errorf("%d fields freeze", len(seen))
	}
}
