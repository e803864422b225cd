package deal

import "paydown/internal/civil"

// FactGroups is a set of groups of facts. Each block needs one group; Policy.Needs returns the groups to
// load.
type FactGroups uint16

// The groups of facts. Each corresponds to one or two fields of Facts.
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

// Facts is what the funding blocks check. Fields of a group that no active block needs may be left empty.
type Facts struct {
	// Today is the current day in the tenant's time zone, for FactsStatement.
	Today civil.Date

	// MissingTerms are the public names of the terms without a value (FactsEconomics).
	MissingTerms []string
	// Inconsistency describes a contradiction among the terms, as a clause without a period; "" if there is
	// none.
	Inconsistency string

	Approval  ApprovalFacts
	Statement StatementFacts

	// Recommendation is the latest decision's: approve, refer or decline; "" without a decision (FactsDecision).
	Recommendation string
	// Defaulted are the numbers of other deals in default, of the merchant or of a merchant with its EIN
	// (FactsDefaults).
	Defaulted []string
	// OpenPositions are the numbers of the merchant's other funded deals, except the one that this deal renews
	// (FactsPositions).
	OpenPositions []string

	ISO ISOFacts

	// Stipulations are the titles of the outstanding stipulations (FactsStipulations).
	Stipulations []string

	Disclosure DisclosureFacts

	// ContractSigned is true once every party has signed (FactsContract).
	ContractSigned bool
	// BankVerified is true if the merchant has a verified bank account for this deal (FactsBank).
	BankVerified bool
	// UCCConflicts are short descriptions of conflicting filings by other parties (FactsUCC).
	UCCConflicts []string
	// ParticipationProblems are clauses without a period (FactsParticipations).
	ParticipationProblems []string
}

// ApprovalFacts are about the offers for a deal (FactsApproval).
type ApprovalFacts struct {
	// Accepted is true if the merchant has accepted an offer.
	Accepted bool
	// Expired is true if the accepted offer or, without one, the newest offer is past its date.
	Expired bool
	// Differing are the public names of the deal's terms that differ from the accepted offer.
	Differing []string
}

// StatementFacts are about the newest analysis of the merchant's bank statements (FactsStatement).
type StatementFacts struct {
	Present bool
	Altered bool
	// PeriodEnd is the last day of the analysis; nil if unknown.
	PeriodEnd *civil.Date
}

// ISOFacts are about the broker who brought the deal (FactsISO).
type ISOFacts struct {
	Present         bool // whether the deal has an ISO
	Active          bool
	AgreementSigned bool
}

// DisclosureFacts are about the current disclosure of the deal (FactsDisclosure).
type DisclosureFacts struct {
	// StateUnknown is true if the merchant has no valid state, so that no law can be looked up.
	StateUnknown bool
	// Required is true if the law of the merchant's state requires a disclosure, SignatureRequired if it must be
	// signed.
	Required          bool
	SignatureRequired bool
	Delivered         bool
	Signed            bool
	// Stale is true if its terms differ from the deal's current terms.
	Stale bool
}
