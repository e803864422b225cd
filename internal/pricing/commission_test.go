package pricing_test

import (
	"encoding/json"
	"slices"
	"testing"

	"paydown/internal/pricing"
)

func rule(t *testing.T, text string) *pricing.CommissionRule {
	t.Helper()
	r, problems := pricing.ParseCommissionRule(json.RawMessage(text), "commissionRule")
	if r == nil || problems != nil {
		t.Fatalf("%s: %v", text, problems)
	}
	return r
}

const tiers = `{"version": 1,
	"rules": [
		{"basis": "PERCENT_OF_FUNDED", "value": "12", "maxTermDays": 120},
		{"basis": "PERCENT_OF_PAYBACK", "value": 8.5, "minFundedAmount": "100000.00"},
		{"basis": "FLAT", "value": "750.00", "minTermDays": 121, "maxTermDays": 200,
		 "minFundedAmount": "10000", "maxFundedAmount": "60000"}],
	"renewals": [{"basis": "PERCENT_OF_FUNDED", "value": "5"}]}`

func TestARuleIsPricedByTheFirstTierThatHoldsTheDeal(t *testing.T) {
	for name, c := range map[string]struct {
		funded  string
		days    int
		renewal bool
		want    string
	}{
		"a short term":                  {"50000", 120, false, "PERCENT_OF_FUNDED 12.00 6000.00"},
		"a short term of a large deal":  {"100000", 90, false, "PERCENT_OF_FUNDED 12.00 12000.00"},
		"a large deal":                  {"100000", 182, false, "PERCENT_OF_PAYBACK 8.50 11050.00"},
		"a deal in between":             {"60000", 182, false, "FLAT 750.00 750.00"},
		"at the lower end":              {"10000", 121, false, "FLAT 750.00 750.00"},
		"a cent less":                   {"9999.99", 121, false, ""},
		"a cent more":                   {"60000.01", 200, false, ""},
		"a day more":                    {"50000", 201, false, ""},
		"a renewal, by its own list":    {"50000", 182, true, "PERCENT_OF_FUNDED 5.00 2500.00"},
		"a renewal of any size or term": {"500", 300, true, "PERCENT_OF_FUNDED 5.00 25.00"},
	} {
		t.Run(name, func(t *testing.T) {
			in := monday
			in.CommissionRule, in.Renewal = rule(t, tiers), c.renewal
			given := pricing.Terms{FundedAmount: amount(c.funded), FactorRate: rate("1.3"), TermDays: &c.days}
			full, derived := mustDerive(t, given, in)
			got := ""
			if full.CommissionBasis != nil {
				got = string(*full.CommissionBasis) + " " + full.CommissionValue.String() + " " + full.Commission().String()
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
			both := slices.Contains(derived, pricing.CommissionBasis) && slices.Contains(derived, pricing.CommissionValue)
			if both != (c.want != "") {
				t.Errorf("derived %v", derived)
			}
			again, _ := mustDerive(t, full.Without(derived...), in)
			if encoded(t, again) != encoded(t, full) {
				t.Error("deriving from the given terms again differs")
			}
			// Derived values are accepted when they are sent back as given.
			if _, _, problems := pricing.Derive(full, in); problems != nil {
				t.Errorf("sent back: %v", problems)
			}
		})
	}
}

func TestATierWithUnknownTermsPricesNothing(t *testing.T) {
	in := monday
	in.CommissionRule = rule(t,
		`{"version": 1, "rules": [{"basis": "FLAT", "value": "1", "maxTermDays": 30}, {"basis": "FLAT", "value": "2"}]}`)
	if full, _ := mustDerive(t, pricing.Terms{FundedAmount: amount("1000")}, in); full.CommissionValue != nil {
		t.Errorf("without a term: %s", full.CommissionValue)
	}
	in.CommissionRule = rule(t, `{"version": 1, "rules": [{"basis": "FLAT", "value": "1", "minFundedAmount": "5"}]}`)
	if full, _ := mustDerive(t, pricing.Terms{TermDays: new(10)}, in); full.CommissionValue != nil {
		t.Errorf("without an amount: %s", full.CommissionValue)
	}
}

func TestRenewalsWithoutAListArePricedAsNewDealsAre(t *testing.T) {
	for text, want := range map[string]string{
		`{"version": 1, "rules": [{"basis": "FLAT", "value": "2"}]}`:                 "2.00",
		`{"version": 1, "rules": [{"basis": "FLAT", "value": "2"}], "renewals": []}`: "",
	} {
		in := monday
		in.CommissionRule, in.Renewal = rule(t, text), true
		full, _ := mustDerive(t, validTerms(), in)
		got := ""
		if full.CommissionValue != nil {
			got = full.CommissionValue.String()
		}
		if got != want {
			t.Errorf("%s: %q", text, got)
		}
	}
}

func TestADealsOwnCommissionComesBeforeTheRule(t *testing.T) {
	in := monday
	in.CommissionRule = rule(t, `{"version": 1, "rules": [{"basis": "PERCENT_OF_FUNDED", "value": "10"}]}`)
	given := with(func(t *pricing.Terms) { t.CommissionBasis, t.CommissionValue = new(pricing.Flat), rate("0") })
	full, derived := mustDerive(t, given, in)
	if *full.CommissionBasis != pricing.Flat || !full.Commission().IsZero() ||
		slices.Contains(derived, pricing.CommissionValue) {
		t.Errorf("%s %s, derived %v", *full.CommissionBasis, full.CommissionValue, derived)
	}
	given.CommissionValue = nil
	if _, _, problems := pricing.Derive(given, in); !slices.Equal(paths(problems), []string{"commissionValue"}) {
		t.Errorf("half a commission: %v", problems)
	}
}

func TestPointsOfARuleAreThoseBetweenTheFactors(t *testing.T) {
	in := monday
	in.CommissionRule = rule(t, `{"version": 1, "rules": [{"basis": "POINTS", "value": "12"}]}`)
	for buy, want := range map[string]string{
		"": "", "1.15": "12.00", "1.18": "12.00", "1.2": "10.00", "1.2345": "6.55", "1.3": "0.00",
	} {
		given := validTerms()
		given.BuyRate = nil
		if buy != "" {
			given.BuyRate = rate(buy)
		}
		full, _ := mustDerive(t, given, in)
		got := ""
		if full.CommissionValue != nil {
			got = full.CommissionValue.String()
		}
		if got != want {
			t.Errorf("bought at %s: %q, want %q", buy, got, want)
		}
	}
	given := validTerms()
	given.BuyRate = nil
	in.BuyRate = rate("1.22")
	full, derived := mustDerive(t, given, in)
	if full.BuyRate.String() != "1.22" || full.CommissionValue.String() != "8.00" ||
		!slices.Contains(derived, pricing.BuyRate) {
		t.Errorf("bought as agreed: %v", derived)
	}
	if _, _, problems := pricing.Derive(full, pricing.Context{Today: in.Today}); problems != nil {
		t.Errorf("sent back: %v", problems)
	}
	in.BuyRate = rate("1.4")
	if full, _ = mustDerive(t, given, in); full.BuyRate != nil || full.CommissionValue != nil {
		t.Errorf("bought above the factor: %s %s", full.BuyRate, full.CommissionValue)
	}
}

func TestForeignRulesPriceNothing(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"basis": "POINTS", "value": "10"}`, `{"version": 2, "rules": 7}`, `{"version": "1", "rules": 7}`,
		`{"Version": 1}`, `null`, ``,
		`{"version": 1.5}`, `{"version": null}`,
	} {
		r, problems := pricing.ParseCommissionRule(json.RawMessage(text), "commissionRule")
		if r != nil || problems != nil {
			t.Errorf("%s: %v %v", text, r, problems)
		}
	}
}

func TestARuleThatIsMalformedSaysWhere(t *testing.T) {
	const good = `"basis": "FLAT", "value": "1"`
	for text, want := range map[string]string{
		`{"version": 1}`:                                      "commissionRule.rules",
		`{"version": 1, "rules": null}`:                       "commissionRule.rules",
		`{"version": 1, "rules": {}}`:                         "commissionRule.rules",
		`{"version": 1, "rules": [7]}`:                        "commissionRule.rules",
		`{"version": 1, "rules": [], "tiers": []}`:            "commissionRule",
		`{"version": 1, "rules": [], "renewals": 1}`:          "commissionRule.renewals",
		`{"version": 1, "rules": [{"basis": "FLAT"}]}`:        "commissionRule.rules.0.value",
		`{"version": 1, "rules": [{"value": "1"}]}`:           "commissionRule.rules.0.basis",
		`{"version": 1, "rules": [{` + good + `, "max": 1}]}`: "commissionRule.rules.0",
		`{"version": 1, "rules": [{` + good + `}], "renewals": [{` + good + `}, {"basis": "PERCENT", "value": "1"}]}`: "" +
			"commissionRule.renewals.1.basis",
		`{"version": 1, "rules": [{"basis": "FLAT", "value": "1e3"}]}`:   "commissionRule.rules.0.value",
		`{"version": 1, "rules": [{"basis": "FLAT", "value": "1.001"}]}`: "commissionRule.rules.0.value",
		`{"version": 1, "rules": [{"basis": "FLAT", "value": "-1"}]}`:    "commissionRule.rules.0.value",
		`{"version": 1, "rules": [{"basis": "POINTS", "value": "101"}]}`: "commissionRule.rules.0.value",
		`{"version": 1, "rules": [{` + good + `, "minTermDays": 0}]}`:    "commissionRule.rules.0.minTermDays",
		`{"version": 1, "rules": [{` + good + `, "maxTermDays": 1.5}]}`:  "commissionRule.rules.0.maxTermDays",
		`{"version": 1, "rules": [{` + good + `, "minTermDays": 9, "maxTermDays": 8}]}`: "" +
			"commissionRule.rules.0.maxTermDays",
		`{"version": 1, "rules": [{` + good + `, "minFundedAmount": "-1"}]}`: "commissionRule.rules.0.minFundedAmount",
		`{"version": 1, "rules": [{` + good + `, "maxFundedAmount": true}]}`: "commissionRule.rules.0.maxFundedAmount",
		`{"version": 1, "rules": [{` + good + `, "minFundedAmount": "2", "maxFundedAmount": "1"}]}`: "" +
			"commissionRule.rules.0.maxFundedAmount",
	} {
		r, problems := pricing.ParseCommissionRule(json.RawMessage(text), "commissionRule")
		if r != nil || !slices.Equal(paths(problems), []string{want}) {
			t.Errorf("%s: %v, want %s", text, problems, want)
		}
	}
}
