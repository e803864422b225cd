package disclosure_test

import (
	"strings"
	"testing"

	"paydown/internal/disclosure"
	"paydown/internal/money"
)

var products = strings.Fields("MCA FACTORING TERM_LOAN LOC SBA EQUIPMENT")

func TestDisclosureLimits(t *testing.T) {
	for _, c := range []struct {
		state, last, first string // the largest amount that needs one, the smallest that does not
		salesBased         bool
	}{
		{"CA", "500000.00", "500000.01", false},
		{"CT", "250000.00", "250000.01", true},
		{"FL", "500000.00", "500000.01", false},
		{"GA", "500000.00", "500000.01", false},
		{"KS", "500000.00", "500000.01", false},
		{"LA", "999999999999.99", "", true},
		{"MO", "500000.00", "500000.01", false},
		{"NY", "2500000.00", "2500000.01", false},
		{"TX", "999999.99", "1000000.00", true},
		{"UT", "1000000.00", "1000000.01", false},
		{"VA", "500000.00", "500000.01", true},
	} {
		for _, product := range products {
			covered := product == "MCA" || !c.salesBased
			rule, ok := disclosure.Required(c.state, product, money.Must(c.last))
			if ok != covered || ok && rule.State != c.state {
				t.Errorf("%s %s %s: required is %t by %+v", c.state, product, c.last, ok, rule)
			}
			if c.first == "" {
				continue
			}
			if rule, ok := disclosure.Required(c.state, product, money.Must(c.first)); ok || rule != (disclosure.Rule{}) {
				t.Errorf("%s %s %s: required by %+v", c.state, product, c.first, rule)
			}
		}
	}
}

func TestDisclosureRulesByState(t *testing.T) {
	var signed, apr []string
	for _, r := range disclosure.Rules {
		if r.Signed {
			signed = append(signed, r.State)
		}
		if r.APR {
			apr = append(apr, r.State)
		}
		if r.Law == "" {
			t.Errorf("%s has no citation", r.State)
		}
	}
	if got := strings.Join(signed, " "); got != "CA CT NY TX VA" {
		t.Errorf("signed in %s", got)
	}
	if got := strings.Join(apr, " "); got != "CA NY" {
		t.Errorf("an APR in %s", got)
	}
}

func TestOtherStatesRequireNone(t *testing.T) {
	for _, state := range []string{"", "NJ", "WA", "ca", "PR", "California"} {
		if rule, ok := disclosure.Required(state, "MCA", money.Must("1000")); ok {
			t.Errorf("%q: required by %+v", state, rule)
		}
	}
	if len(disclosure.Rules) != 11 {
		t.Errorf("%d states have a law", len(disclosure.Rules))
	}
}
