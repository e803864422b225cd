package deal

import "paydown/internal/civil"

// FactGroups is a set of groups of facts. A block needs one group; Policy.Needs says which ones are worth gathering.
type FactGroups uint16

// The groups of facts, each a field or two of Facts.
const (
	FactsEconomics FactGroups = 1 << iota
	FactsApproval
	FactsStatement
	FactsDecision
	FactsDefaults
	FactsPositions
	FactsISO
	FactsStipulations
	FactsDisclosure
	FactsContract
	FactsBank
	FactsUCC
	FactsParticipations
)

// Has reports whether all of the given groups are in the set.
func (g FactGroups) Has(groups FactGroups) bool { return g&groups == groups }

// Facts is what is known of a deal when it is to be funded. Fields of a group that no block in force needs may be left
// as they are.
type Facts struct {
	// Today is the day in the tenant's time zone; FactsStatement needs it.
	Today civil.Date

	// MissingTerms are the public names of the terms without a value (FactsEconomics).
	MissingTerms []string
	// Inconsistency says what does not agree among the terms, as a clause without a full stop; "" where all of them do.
	Inconsistency string

	Approval  ApprovalFacts
	Statement StatementFacts

	// Recommendation is that of the latest decision, approve, refer or decline; "" where there is none (FactsDecision).
	Recommendation string
	// Defaulted are the numbers of the other deals in default, of the merchant or of one with its EIN (FactsDefaults).
	Defaulted []string
	// OpenPositions are the numbers of the merchant's other funded deals but the one that this deal renews
	// (FactsPositions).
	OpenPositions []string

	ISO ISOFacts

	// Stipulations are the titles of those outstanding (FactsStipulations).
	Stipulations []string

	Disclosure DisclosureFacts

	// ContractSigned is true once every party has signed (FactsContract).
	ContractSigned bool
	// BankVerified is true where the merchant has a verified bank account for this deal (FactsBank).
	BankVerified bool
	// UCCConflicts describe the filings of others that are in the way, each in a few words (FactsUCC).
	UCCConflicts []string
	// ParticipationProblems are clauses without a full stop (FactsParticipations).
	ParticipationProblems []string
}

// ApprovalFacts are about the offers made for a deal (FactsApproval).
type ApprovalFacts struct {
	// Accepted is true where the merchant has accepted one.
	Accepted bool
	// Expired is true where the accepted offer or, without one, the newest is past its date.
	Expired bool
	// Differing are the public names of the deal's terms that are not those of the accepted offer.
	Differing []string
}

// StatementFacts are about the newest analysis of the merchant's bank statements (FactsStatement).
type StatementFacts struct {
	Present bool
	Altered bool
	// PeriodEnd is the last day that it covers; nil where it does not say.
	PeriodEnd *civil.Date
}

// ISOFacts are about the broker who brought the deal (FactsISO).
type ISOFacts struct {
	Present         bool // whether there is one at all
	Active          bool
	AgreementSigned bool
}

// DisclosureFacts are about the disclosure in force for the deal (FactsDisclosure).
type DisclosureFacts struct {
	// StateUnknown is true where the merchant has no state, or none that there is: no law can be looked up then.
	StateUnknown bool
	// Required is true where the law of the merchant's state asks for one, SignatureRequired where it must be signed.
	Required          bool
	SignatureRequired bool
	Delivered         bool
	Signed            bool
	// Stale is true where it shows other terms than the deal now has.
	Stale bool
}
