package pricing

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"paydown/internal/fault"
	"paydown/internal/money"
)

// CommissionRule prices the commission of a broker's deals. It is the broker's commissionRule in version 1 of our own form:
//
//	{"version": 1,
//	 "rules": [
//	   {"basis": "PERCENT_OF_FUNDED", "value": "8.00", "maxTermDays": 120},
//	   {"basis": "PERCENT_OF_FUNDED", "value": "10.00", "minFundedAmount": "100000.00"},
//	   {"basis": "POINTS", "value": "9.00"}],
//	 "renewals": [{"basis": "FLAT", "value": "750.00"}]}
//
// The first tier of a list whose bounds hold the deal prices it; bounds are inclusive, and each of them may be left out.
// Renewals have a list of their own. Where that is absent, they are priced as new deals are; where it is empty, no rule
// prices them. An object of any other form or version is somebody else's: it is kept and prices nothing.
type CommissionRule struct {
	rules, renewals []CommissionTier
}

// CommissionTier is one line of a rule: what is earned on deals within its bounds. Nil is no bound.
type CommissionTier struct {
	Basis           Basis
	Value           money.Rate
	MinTermDays     *int
	MaxTermDays     *int
	MinFundedAmount *money.Amount
	MaxFundedAmount *money.Amount
}

// The bounds of a rule.
const (
	commissionVersion  = 1
	maxCommissionTiers = 100
)

// NewCommissionRule is a rule of one commission for every deal.
func NewCommissionRule(basis Basis, value money.Rate) *CommissionRule {
	tiers := []CommissionTier{{Basis: basis, Value: value}}
	return &CommissionRule{rules: tiers, renewals: tiers}
}

// ParseCommissionRule reads a broker's rule. It is nil without problems where the object is not in our form; an object that
// claims to be, by its version, and is not, has problems, each under its path below path.
func ParseCommissionRule(raw json.RawMessage, path string) (*CommissionRule, []fault.Detail) {
	var object map[string]json.RawMessage
	var version int
	if json.Unmarshal(raw, &object) != nil || json.Unmarshal(object["version"], &version) != nil || version != commissionVersion {
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

// ruleParser collects what is wrong with a rule.
type ruleParser struct{ problems []fault.Detail }

func (p *ruleParser) refuse(path, format string, args ...any) {
	p.problems = append(p.problems, fault.Detail{Path: path, Message: fmt.Sprintf(format, args...)})
}

// unknown refuses the fields of an object that have no meaning in it.
func (p *ruleParser) unknown(path string, object map[string]json.RawMessage, known ...string) {
	var names []string
	for name := range object {
		if !slices.Contains(known, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		p.refuse(path, "has unknown fields: it takes %s", strings.Join(known, ", "))
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
		p.refuse(path+".maxTermDays", "must not be less than minTermDays")
	}
	if tier.MinFundedAmount != nil && tier.MaxFundedAmount != nil && tier.MaxFundedAmount.Less(*tier.MinFundedAmount) {
		p.refuse(path+".maxFundedAmount", "must not be less than minFundedAmount")
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

// value reads the value of a tier under the limits that a deal's own commission has.
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
		p.refuse(path, "must be a whole number from 1 to %d", MaxTermDays)
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

// tierFor is the tier that prices a deal of these terms; nil where none does, and where it cannot be told yet because a
// bound is on a term that is not known.
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

// holds reports whether terms that are known are within the bounds.
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

// solveCommission prices a commission that was not given, by the broker's rule. One in POINTS is at most what lies between
// the buy rate and the factor rate, and waits until both are known.
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
