package deal

import (
	"fmt"
	"slices"
	"strings"

	"paydown/internal/fault"
)

// BlockCode names a funding block: a reason not to fund a deal, or not yet.
type BlockCode string

// The funding blocks. BlockRules says of each where it is checked and how firmly it holds.
const (
	EconomicsIncomplete     BlockCode = "ECONOMICS_INCOMPLETE"
	EconomicsInconsistent   BlockCode = "ECONOMICS_INCONSISTENT"
	NoAcceptedApproval      BlockCode = "NO_ACCEPTED_APPROVAL"
	OfferExpired            BlockCode = "OFFER_EXPIRED"
	TermsDifferFromApproval BlockCode = "TERMS_DIFFER_FROM_APPROVAL"
	StatementAltered        BlockCode = "STATEMENT_ALTERED"
	StatementMissingOrStale BlockCode = "STATEMENT_MISSING_OR_STALE"
	DecisionDeclined        BlockCode = "DECISION_DECLINED"
	MerchantDefaulted       BlockCode = "MERCHANT_DEFAULTED"
	OpenPosition            BlockCode = "OPEN_POSITION"
	ISONotEligible          BlockCode = "ISO_NOT_ELIGIBLE"
	StipsOutstanding        BlockCode = "STIPS_OUTSTANDING"
	DisclosureStateUnknown  BlockCode = "DISCLOSURE_STATE_UNKNOWN"
	DisclosureUndelivered   BlockCode = "DISCLOSURE_UNDELIVERED"
	DisclosureUnsigned      BlockCode = "DISCLOSURE_UNSIGNED"
	DisclosureStale         BlockCode = "DISCLOSURE_STALE"
	ContractUnsigned        BlockCode = "CONTRACT_UNSIGNED"
	BankUnverified          BlockCode = "BANK_UNVERIFIED"
	UCCConflict             BlockCode = "UCC_CONFLICT"
	ParticipationInvalid    BlockCode = "PARTICIPATION_INVALID"
)

// BlockRule is a row of the table of funding blocks.
type BlockRule struct {
	Code BlockCode
	// At are the states on the way into which the block is checked.
	At []State
	// Hard blocks hold for everybody. A soft one lets a deal pass once somebody who may has overridden it.
	Hard bool
	// Title is what the block is about, in a line, for documentation.
	Title string
	// Needs are the facts that it is judged by.
	Needs FactGroups

	judge func(Facts) finding
}

var (
	atApproval = []State{Prefunded}
	atFunding  = []State{Funded}
	atBoth     = []State{Prefunded, Funded}
)

const (
	hard = true
	soft = false
)

// BlockRules is the table of funding blocks, in the order in which they are reported.
var BlockRules = []BlockRule{
	{
		EconomicsIncomplete, atApproval, hard,
		"A term that the funding needs has no value", FactsEconomics, economicsIncomplete,
	},
	{
		EconomicsInconsistent, atApproval, hard,
		"The terms contradict each other", FactsEconomics, economicsInconsistent,
	},
	{
		NoAcceptedApproval, atApproval, soft,
		"The merchant has accepted no offer", FactsApproval, noAcceptedApproval,
	},
	{
		OfferExpired, atApproval, soft,
		"The offer is past its date", FactsApproval, offerExpired,
	},
	{
		TermsDifferFromApproval, atBoth, hard,
		"The terms are not those of the accepted offer", FactsApproval, termsDiffer,
	},
	{
		StatementAltered, atBoth, hard,
		"The latest statement analysis says that the bank statements were tampered with", FactsStatement, statementAltered,
	},
	{
		StatementMissingOrStale, atApproval, soft,
		"There is no recent statement analysis", FactsStatement, statementMissingOrStale,
	},
	{
		DecisionDeclined, atApproval, soft,
		"The latest underwriting decision is to decline", FactsDecision, decisionDeclined,
	},
	{
		MerchantDefaulted, atApproval, soft,
		"The merchant, or one with the same EIN, is in default on another deal", FactsDefaults, merchantDefaulted,
	},
	{
		OpenPosition, atApproval, soft,
		"The merchant has another funded deal, which this one does not renew", FactsPositions, openPosition,
	},
	{
		ISONotEligible, atApproval, soft,
		"The ISO is inactive or has not signed its agreement", FactsISO, isoNotEligible,
	},
	{
		StipsOutstanding, atFunding, hard,
		"A stipulation is neither approved nor waived", FactsStipulations, stipsOutstanding,
	},
	{
		DisclosureStateUnknown, atFunding, hard,
		"The merchant's state is not known; on wherever another disclosure block is", FactsDisclosure, disclosureStateUnknown,
	},
	{
		DisclosureUndelivered, atFunding, hard,
		"The disclosure that the merchant's state requires was not delivered", FactsDisclosure, disclosureUndelivered,
	},
	{
		DisclosureUnsigned, atFunding, hard,
		"The disclosure is not signed, though the merchant's state requires it", FactsDisclosure, disclosureUnsigned,
	},
	{
		DisclosureStale, atFunding, hard,
		"The terms have changed since the disclosure was made", FactsDisclosure, disclosureStale,
	},
	{
		ContractUnsigned, atFunding, hard,
		"The contract is not signed by everybody", FactsContract, contractUnsigned,
	},
	{
		BankUnverified, atFunding, hard,
		"No bank account of the merchant is verified", FactsBank, bankUnverified,
	},
	{
		UCCConflict, atFunding, soft,
		"Somebody else has filed on the merchant's receivables", FactsUCC, uccConflict,
	},
	{
		ParticipationInvalid, atFunding, hard,
		"The syndicators' participations cannot be carried out", FactsParticipations, participationInvalid,
	},
}

// RuleOf is the row of the table for a code.
func RuleOf(code BlockCode) (BlockRule, bool) {
	i := slices.IndexFunc(BlockRules, func(r BlockRule) bool { return r.Code == code })
	if i < 0 {
		return BlockRule{}, false
	}
	return BlockRules[i], true
}

// MayBeOverridden reports whether there is such a block and it is a soft one.
func MayBeOverridden(code BlockCode) bool {
	rule, ok := RuleOf(code)
	return ok && !rule.Hard
}

// Guarded reports whether funding blocks are checked on a move: on the approval for funding and on the funding. The
// return of a deal to FUNDED, out of default or after a payoff that bounced, is neither.
func Guarded(from, to State) bool {
	return from == Submitted && to == Prefunded || from == Prefunded && to == Funded
}

// Block is a funding block that applies to a deal.
type Block struct {
	Code BlockCode
	Hard bool
	// Message says in a sentence what is wrong and what to do about it; Problem and Remedy are the two in sentences of
	// their own.
	Message, Problem, Remedy string
	// Overridden is true of a soft block that somebody who may has overridden, so that it holds nothing up.
	Overridden bool
}

// Assess lists, in the order of the table, every block that the policy has on and that applies to a Guarded move to the
// state, those that were overridden too. An override counts for a soft block only.
func Assess(move State, policy Policy, facts Facts, overridden map[BlockCode]bool) []Block {
	var blocks []Block
	for _, rule := range BlockRules {
		if !policy.checks(rule, move) {
			continue
		}
		if f := rule.judge(facts); f != nothing {
			blocks = append(blocks, Block{
				Code: rule.Code, Hard: rule.Hard, Message: f.message(), Problem: f.problem + ".", Remedy: sentence(f.remedy),
				Overridden: !rule.Hard && overridden[rule.Code],
			})
		}
	}
	return blocks
}

// sentence makes a sentence of a clause.
func sentence(clause string) string { return strings.ToUpper(clause[:1]) + clause[1:] + "." }

// Evaluate lists those blocks of Assess that stand in the way.
func Evaluate(move State, policy Policy, facts Facts, overridden map[BlockCode]bool) []Block {
	return slices.DeleteFunc(Assess(move, policy, facts, overridden), func(b Block) bool { return b.Overridden })
}

// Fault is the conflict that tells a caller of the blocks, each under the path blocks.CODE; nil where there are none.
func Fault(blocks []Block) *fault.Error {
	if len(blocks) == 0 {
		return nil
	}
	open := 0
	for _, b := range blocks {
		if !b.Hard {
			open++
		}
	}
	refused := fault.Conflictf("%s.%s", standing(len(blocks)), overridable(open, len(blocks)))
	for _, b := range blocks {
		refused = refused.With("blocks."+string(b.Code), "%s", b.Message)
	}
	return refused
}

func standing(n int) string {
	if n == 1 {
		return "A funding block stands in the way of this move"
	}
	return fmt.Sprintf("%d funding blocks stand in the way of this move", n)
}

func overridable(open, all int) string {
	switch {
	case open == 0:
		return ""
	case all == 1:
		return " Staff with the permission may override it."
	case open == all:
		return " Staff with the permission may override them."
	default:
		return fmt.Sprintf(" Staff with the permission may override %d of them.", open)
	}
}
