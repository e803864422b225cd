package pricing

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paydown/internal/fault"
	"paydown/internal/money"
)

// CommissionRule prices the commission of an ISO's deals. It is the ISO's commissionRule in version 1 of this
// format:
//
//	{"version": 1,
//	 "rules": [
//	   {"basis": "PERCENT_OF_FUNDED", "value": "8.00", "maxTermDays": 120},
//	   {"basis": "PERCENT_OF_FUNDED", "value": "10.00", "minFundedAmount": "100000.00"},
//	   {"basis": "POINTS", "value": "9.00"}],
//	 "renewals": [{"basis": "FLAT", "value": "750.00"}]}
//
// The first tier whose bounds include the deal applies; bounds are inclusive and optional. Renewals have
// their own list: if it is absent, they are priced like new deals; if it is empty, no rule prices them. An
// object in any other format or version is foreign data: it is stored and prices nothing.
type CommissionRule struct {
	rules, renewals []CommissionTier
}

// CommissionTier is one line of a rule: the commission on deals within its bounds. A nil bound is open.
type CommissionTier struct {
	Basis           Basis
	Value           money.Rate
	MinTermDays     *int
	MaxTermDays     *int
	MinFundedAmount *money.Amount
	MaxFundedAmount *money.Amount
}

// Limits of a rule.
const (
	commissionVersion  = 1
	maxCommissionTiers = 100
)

// NewCommissionRule returns a rule with the same commission for every deal.
func NewCommissionRule(basis Basis, value money.Rate) *CommissionRule {
	tiers := []CommissionTier{{Basis: basis, Value: value}}
	return &CommissionRule{rules: tiers, renewals: tiers}
}

// ParseCommissionRule parses an ISO's rule. It returns nil without problems if the object is in another
// format. An object with this format's version that is invalid has problems, each under its path below path.
func ParseCommissionRule(raw json.RawMessage, path string) (*CommissionRule, []fault.Detail) {
	var object map[string]json.RawMessage
	var version int
	if json.Unmarshal(raw, &object) != nil || json.Unmarshal(object["version"], &version) != nil ||
		version != commissionVersion {
		return nil, nil
	}
	p := &ruleParser{}
	p.unknown(path, object, "version", "rules", "renewals")
	rule := &CommissionRule{}
	rule.rules = p.tiers(path+".rules", object["rules"])
	rule.renewals = rule.rules
	if raw, given := object["renewals"]; given {
		rule.renewals = p.tiers(path+".renewals", raw)
	}
	if len(p.problems) > 0 {
		return nil, p.problems
	}
	return rule, nil
}

// ruleParser collects the problems of a rule.
type ruleParser struct{ problems []fault.Detail }

func (p *ruleParser) refuse(path, format string, args ...any) {
	p.problems = append(p.problems, fault.Detail{Path: path, Message: fmt.Sprintf(format, args...)})
}

// unknown refuses an object's unknown fields.
func (p *ruleParser) unknown(path string, object map[string]json.RawMessage, known ...string) {
	var names []string
	for name := range object {
		if !slices.Contains(known, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		p.refuse(path, "must have only the fields %s", strings.Join(known, ", "))
	}
}

func (p *ruleParser) tiers(path string, raw json.RawMessage) []CommissionTier {
	var objects []map[string]json.RawMessage
	if raw == nil {
		p.refuse(path, "is required")
		return nil
	}
	if err := json.Unmarshal(raw, &objects); err != nil || objects == nil {
		p.refuse(path, "must be an array of objects")
		return nil
	}
	if len(objects) > maxCommissionTiers {
		p.refuse(path, "must have at most %d entries", maxCommissionTiers)
		return nil
	}
	tiers := make([]CommissionTier, len(objects))
	for i, object := range objects {
		tiers[i] = p.tier(fmt.Sprintf("%s.%d", path, i), object)
	}
	return tiers
}

func (p *ruleParser) tier(path string, object map[string]json.RawMessage) CommissionTier {
	p.unknown(path, object, "basis", "value", "minTermDays", "maxTermDays", "minFundedAmount", "maxFundedAmount")
	var tier CommissionTier
	tier.Basis = p.basis(path+".basis", object["basis"])
	tier.Value = p.value(path+".value", object["value"], tier.Basis)
	tier.MinTermDays = p.days(path+".minTermDays", object["minTermDays"])
	tier.MaxTermDays = p.days(path+".maxTermDays", object["maxTermDays"])
	tier.MinFundedAmount = p.amount(path+".minFundedAmount", object["minFundedAmount"])
	tier.MaxFundedAmount = p.amount(path+".maxFundedAmount", object["maxFundedAmount"])
	if tier.MinTermDays != nil && tier.MaxTermDays != nil && *tier.MaxTermDays < *tier.MinTermDays {
		p.refuse(path+".maxTermDays", "must be at least minTermDays")
	}
	if tier.MinFundedAmount != nil && tier.MaxFundedAmount != nil && tier.MaxFundedAmount.Less(*tier.MinFundedAmount) {
		p.refuse(path+".maxFundedAmount", "must be at least minFundedAmount")
	}
	return tier
}

func (p *ruleParser) basis(path string, raw json.RawMessage) Basis {
	var basis Basis
	if err := json.Unmarshal(raw, &basis); err != nil || !slices.Contains(basis.Values(), string(basis)) {
		p.refuse(path, "must be one of %s", strings.Join(basis.Values(), ", "))
		return ""
	}
	return basis
}

// value parses the value of a tier, with the limits of a deal's own commission.
func (p *ruleParser) value(path string, raw json.RawMessage, basis Basis) money.Rate {
	var value money.Rate
	if raw == nil || string(raw) == "null" {
		p.refuse(path, "is required")
		return value
	}
	if err := json.Unmarshal(raw, &value); err != nil {
		p.refuse(path, "%s", money.ErrRate.Error())
		return value
	}
	s := &solver{}
	slot := &value
	s.valueOn(basis, Field(path), &slot)
	p.problems = append(p.problems, s.problems...)
	return value
}

func (p *ruleParser) days(path string, raw json.RawMessage) *int {
	if raw == nil || string(raw) == "null" {
		return nil
	}
	var days int
	if err := json.Unmarshal(raw, &days); err != nil || days < 1 || days > MaxTermDays {
		p.refuse(path, "must be an integer from 1 to %d", MaxTermDays)
		return nil
	}
	return &days
}

func (p *ruleParser) amount(path string, raw json.RawMessage) *money.Amount {
	if raw == nil || string(raw) == "null" {
		return nil
	}
	var amount money.Amount
	if err := json.Unmarshal(raw, &amount); err != nil {
		p.refuse(path, "%s", money.ErrAmount.Error())
		return nil
	}
	if amount.Sign() < 0 {
		p.refuse(path, "must not be negative")
		return nil
	}
	return &amount
}

// tierFor returns the tier for a deal with these terms; nil if there is none, or if a bound applies to a term
// that is not known yet.
func (r *CommissionRule) tierFor(t Terms, renewal bool) *CommissionTier {
	tiers := r.rules
	if renewal {
		tiers = r.renewals
	}
	for i := range tiers {
		tier := &tiers[i]
		if (tier.MinTermDays != nil || tier.MaxTermDays != nil) && t.TermDays == nil ||
			(tier.MinFundedAmount != nil || tier.MaxFundedAmount != nil) && t.FundedAmount == nil {
			return nil
		}
		if tier.holds(t) {
			return tier
		}
	}
	return nil
}

// holds reports whether the known terms are within the bounds.
func (tier *CommissionTier) holds(t Terms) bool {
	switch {
	case tier.MinTermDays != nil && *t.TermDays < *tier.MinTermDays,
		tier.MaxTermDays != nil && *t.TermDays > *tier.MaxTermDays,
		tier.MinFundedAmount != nil && t.FundedAmount.Less(*tier.MinFundedAmount),
		tier.MaxFundedAmount != nil && tier.MaxFundedAmount.Less(*t.FundedAmount):
		return false
	default:
		return true
	}
}

// solveCommission derives a missing commission from the ISO's rule. A commission in POINTS is at most the
// margin between the buy rate and the factor rate, and is derived only when both are known.
func (s *solver) solveCommission() {
	t := &s.terms
	given := s.given.CommissionBasis != nil || s.given.CommissionValue != nil
	if s.in.CommissionRule == nil || given {
		return
	}
	tier := s.in.CommissionRule.tierFor(*t, s.in.Renewal)
	if tier == nil {
		return
	}
	value := tier.Value
	if tier.Basis == Points {
		if t.BuyRate == nil || t.FactorRate == nil {
			return
		}
		if most := t.margin(); value.Decimal().GreaterThan(most) {
			value = money.RoundRate(most)
		}
	}
	derive(s, CommissionBasis, &t.CommissionBasis, tier.Basis)
	derive(s, CommissionValue, &t.CommissionValue, value)
}
