package deal

import (
	"fmt"
	"slices"

	"paydown/internal/fault"
)

// Policy says which funding blocks are on. The zero value has none on. It never changes once made.
type Policy struct{ on map[BlockCode]bool }

// The profiles that come with the product.
const (
	// Integrator lets an API key alone take a sound deal to FUNDED: what only staff can settle does not block.
	Integrator = "integrator"
	// Full has every block on.
	Full = "full"
)

// ProfileNames lists the profiles; the first is that of a new tenant.
var ProfileNames = []string{Integrator, Full}

var profiles = map[string][]BlockCode{
	Integrator: {
		EconomicsIncomplete, EconomicsInconsistent, TermsDifferFromApproval, StatementAltered, MerchantDefaulted,
		OpenPosition, ParticipationInvalid,
	},
	Full: BlockCodes(),
}

// BlockCodes lists the codes of all blocks, in the order of the table.
func BlockCodes() []BlockCode {
	codes := make([]BlockCode, len(BlockRules))
	for i, rule := range BlockRules {
		codes[i] = rule.Code
	}
	return codes
}

// Profile is the policy of that name.
func Profile(name string) (Policy, bool) {
	codes, ok := profiles[name]
	return policyOf(codes), ok
}

// ParsePolicy reads a stored policy. Its error is for the log: what staff send is checked by PolicyProblems first.
func ParsePolicy(stored []string) (Policy, error) {
	codes := make([]BlockCode, len(stored))
	for i, s := range stored {
		codes[i] = BlockCode(s)
		if _, ok := RuleOf(codes[i]); !ok {
			return Policy{}, fmt.Errorf("parse funding policy: no funding block %q", s)
		}
	}
	return policyOf(codes), nil
}

// PolicyProblems says what keeps the codes from being a policy; path is the field they came in.
func PolicyProblems(path string, codes []string) []fault.Detail {
	var problems []fault.Detail
	for i, s := range codes {
		at := fmt.Sprintf("%s.%d", path, i)
		if _, ok := RuleOf(BlockCode(s)); !ok {
			problems = append(problems, fault.Detail{Path: at, Message: "is not the code of a funding block"})
		} else if slices.Index(codes, s) < i {
			problems = append(problems, fault.Detail{Path: at, Message: "is listed twice"})
		}
	}
	return problems
}

// policyOf has the given blocks on. A policy that demands disclosures demands the merchant's state too, by which they are
// required: so DISCLOSURE_STATE_UNKNOWN is on with any of the others, whether it is listed or not.
func policyOf(codes []BlockCode) Policy {
	p := Policy{on: make(map[BlockCode]bool, len(codes)+1)}
	for _, c := range codes {
		p.on[c] = true
	}
	if p.on[DisclosureUndelivered] || p.on[DisclosureUnsigned] || p.on[DisclosureStale] {
		p.on[DisclosureStateUnknown] = true
	}
	return p
}

// Has reports whether the block is on.
func (p Policy) Has(code BlockCode) bool { return p.on[code] }

// Codes lists the blocks that are on, in the order of the table, for storage and to be shown.
func (p Policy) Codes() []string {
	codes := make([]string, 0, len(p.on))
	for _, rule := range BlockRules {
		if p.Has(rule.Code) {
			codes = append(codes, string(rule.Code))
		}
	}
	return codes
}

// Needs are the groups of facts by which the blocks that are on judge a move to the state. It is empty where the state
// has none to check.
func (p Policy) Needs(to State) FactGroups {
	var groups FactGroups
	for _, rule := range BlockRules {
		if p.checks(rule, to) {
			groups |= rule.Needs
		}
	}
	return groups
}

func (p Policy) checks(rule BlockRule, to State) bool {
	return p.Has(rule.Code) && slices.Contains(rule.At, to)
}
