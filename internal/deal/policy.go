package deal

import (
	"fmt"
	"slices"

	"paydown/internal/fault"
)

// Policy is the set of active funding blocks. The zero value has none. A policy is immutable.
type Policy struct{ on map[BlockCode]bool }

// The built-in profiles.
const (
	// Integrator lets an API key alone move a deal without problems to FUNDED: blocks that only staff can
	// resolve are off.
	Integrator = "integrator"
	// Full has every block on.
	Full = "full"
)

// ProfileNames lists the profiles; the first is the default of a new tenant.
var ProfileNames = []string{Integrator, Full}

var profiles = map[string][]BlockCode{
	Integrator: {
		EconomicsIncomplete, EconomicsInconsistent, TermsDifferFromApproval, StatementAltered, MerchantDefaulted,
		OpenPosition, ParticipationInvalid,
	},
	Full: BlockCodes(),
}

// BlockCodes lists the codes of all blocks in the order of the table.
func BlockCodes() []BlockCode {
	codes := make([]BlockCode, len(BlockRules))
	for i, rule := range BlockRules {
		codes[i] = rule.Code
	}
	return codes
}

// Profile returns the policy of that name.
func Profile(name string) (Policy, bool) {
	codes, ok := profiles[name]
	return policyOf(codes), ok
}

// ParsePolicy parses a stored policy. Its error is for the log: PolicyProblems checks input from staff first.
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

// PolicyProblems returns why the codes are not a valid policy; path is the input field that holds them.
func PolicyProblems(path string, codes []string) []fault.Detail {
	var problems []fault.Detail
	for i, s := range codes {
		at := fmt.Sprintf("%s.%d", path, i)
		if _, ok := RuleOf(BlockCode(s)); !ok {
			problems = append(problems, fault.Detail{Path: at, Message: "must be the code of a funding block"})
		} else if slices.Index(codes, s) < i {
			problems = append(problems, fault.Detail{Path: at, Message: "must be listed only once"})
		}
	}
	return problems
}

// policyOf returns a policy with the given blocks on. DISCLOSURE_STATE_UNKNOWN is always on together with any
// other disclosure block, because the merchant's state determines which disclosures are required.
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

// Codes lists the active blocks in the order of the table, for storage and display.
func (p Policy) Codes() []string {
	codes := make([]string, 0, len(p.on))
	for _, rule := range BlockRules {
		if p.Has(rule.Code) {
			codes = append(codes, string(rule.Code))
		}
	}
	return codes
}

// Needs returns the groups of facts that the active blocks check on a move to the state. It is empty if the
// move checks no blocks.
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
