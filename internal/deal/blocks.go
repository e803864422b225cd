package deal

import (
	"fmt"
	"slices"
	"strings"

	"paydown/internal/fault"
)

// BlockCode is the code of a funding block: a reason why a deal cannot fund, or cannot fund yet.
type BlockCode string

// The funding blocks. BlockRules has the moves that check each one, and whether it is hard or soft.
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
	// At are the target states of the moves that check the block.
	At []State
	// A hard block cannot be overridden. A soft one can be, by staff with the permission.
	Hard bool
	// Title describes the block in one line, for documentation.
	Title string
	// Needs are the groups of facts that the check reads.
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
		"A term required for funding has no value", FactsEconomics, economicsIncomplete,
	},
	{
		EconomicsInconsistent, atApproval, hard,
		"The terms contradict each other", FactsEconomics, economicsInconsistent,
	},
	{
		NoAcceptedApproval, atApproval, soft,
		"The merchant has not accepted an offer", FactsApproval, noAcceptedApproval,
	},
	{
		OfferExpired, atApproval, soft,
		"The offer has expired", FactsApproval, offerExpired,
	},
	{
		TermsDifferFromApproval, atBoth, hard,
		"The terms differ from the accepted offer", FactsApproval, termsDiffer,
	},
	{
		StatementAltered, atBoth, hard,
		"The latest statement analysis found altered bank statements", FactsStatement, statementAltered,
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
		"The merchant has another funded deal that this one does not renew", FactsPositions, openPosition,
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
		"The merchant's state is unknown; always on together with any other disclosure block", FactsDisclosure,
		disclosureStateUnknown,
	},
	{
		DisclosureUndelivered, atFunding, hard,
		"A disclosure required by the merchant's state was not delivered", FactsDisclosure, disclosureUndelivered,
	},
	{
		DisclosureUnsigned, atFunding, hard,
		"A disclosure that the merchant's state requires to be signed is not signed", FactsDisclosure, disclosureUnsigned,
	},
	{
		DisclosureStale, atFunding, hard,
		"The terms have changed since the disclosure was created", FactsDisclosure, disclosureStale,
	},
	{
		ContractUnsigned, atFunding, hard,
		"Not all parties have signed the contract", FactsContract, contractUnsigned,
	},
	{
		BankUnverified, atFunding, hard,
		"The merchant has no verified bank account", FactsBank, bankUnverified,
	},
	{
		UCCConflict, atFunding, soft,
		"Another party has a UCC filing on the merchant's receivables", FactsUCC, uccConflict,
	},
	{
		ParticipationInvalid, atFunding, hard,
		"The participations of syndicators are invalid", FactsParticipations, participationInvalid,
	},
}

// RuleOf returns the row of the table for a code.
func RuleOf(code BlockCode) (BlockRule, bool) {
	i := slices.IndexFunc(BlockRules, func(r BlockRule) bool { return r.Code == code })
	if i < 0 {
		return BlockRule{}, false
	}
	return BlockRules[i], true
}

// MayBeOverridden reports whether the code is that of a soft block.
func MayBeOverridden(code BlockCode) bool {
	rule, ok := RuleOf(code)
	return ok && !rule.Hard
}

// Guarded reports whether a move checks funding blocks: the approval for funding and the funding do. A deal's
// return to FUNDED, after a default or a returned payoff, does not.
func Guarded(from, to State) bool {
	return from == Submitted && to == Prefunded || from == Prefunded && to == Funded
}

// Block is a funding block that applies to a deal.
type Block struct {
	Code BlockCode
	Hard bool
	// Message says in one sentence what is wrong and how to fix it. Problem and Remedy are these two parts as
	// separate sentences.
	Message, Problem, Remedy string
	// Overridden means that a soft block was overridden, so it does not prevent the move.
	Overridden bool
}

// Assess lists, in the order of the table, every block that the policy has on and that applies to a Guarded
// move to the state, including overridden ones. Only soft blocks can be overridden.
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

// sentence turns a clause into a sentence.
func sentence(clause string) string { return strings.ToUpper(clause[:1]) + clause[1:] + "." }

// Evaluate lists the blocks of Assess that prevent the move.
func Evaluate(move State, policy Policy, facts Facts, overridden map[BlockCode]bool) []Block {
	return slices.DeleteFunc(Assess(move, policy, facts, overridden), func(b Block) bool { return b.Overridden })
}

// Fault returns a conflict that lists the blocks, each under the path blocks.CODE; nil if there are none.
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
		return "A funding block prevents this move"
	}
	return fmt.Sprintf("%d funding blocks prevent this move", n)
}

func overridable(open, all int) string {
	switch {
	case open == 0:
		return ""
	case all == 1:
		return " Staff with the permission can override it."
	case open == all:
		return " Staff with the permission can override them."
	default:
		return fmt.Sprintf(" Staff with the permission can override %d of them.", open)
	}
}
