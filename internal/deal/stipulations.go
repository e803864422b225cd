package deal

import (
	"slices"

	"paydown/internal/status"
)

// Requirement says how firmly a stipulation is asked for.
type Requirement string

// The requirements.
const (
	// Required cannot be waived.
	Required Requirement = "REQUIRED"
	// Waivable is required as well, unless somebody who may waives it and says why.
	Waivable Requirement = "WAIVABLE"
	// NotUsed is for a tenant's own template: the stipulation is not asked for.
	NotUsed Requirement = "NOT_USED"
)

// Values lists the requirements, for the schema and for error messages.
func (Requirement) Values() []string {
	return []string{string(Required), string(Waivable), string(NotUsed)}
}

// The codes of the stipulations of the matrix. A tenant may add its own.
const (
	StipApplication         = "APPLICATION"
	StipOwnerID             = "OWNER_ID"
	StipFormation           = "FORMATION"
	StipBankStatements      = "BANK_STATEMENTS"
	StipVoidedCheck         = "VOIDED_CHECK"
	StipLease               = "LEASE"
	StipProofOfOwnership    = "PROOF_OF_OWNERSHIP"
	StipProcessorStatements = "PROCESSOR_STATEMENTS"
	StipPayoffLetters       = "PAYOFF_LETTERS"
	StipTaxReturn           = "TAX_RETURN"
	StipReceivablesAgeing   = "RECEIVABLES_AGEING"
	StipInvoices            = "INVOICES"
	StipProfitAndLoss       = "PROFIT_AND_LOSS"
	StipBalanceSheet        = "BALANCE_SHEET"
	StipEquipmentQuote      = "EQUIPMENT_QUOTE"
	StipInsurance           = "INSURANCE"
	StipSignedContract      = "SIGNED_CONTRACT"
	StipGuaranty            = "GUARANTY"
	StipFundingCall         = "FUNDING_CALL"
)

// Stipulation is a paper or a proof that a deal needs before it is funded.
type Stipulation struct {
	Code        string
	Title       string
	Requirement Requirement
	// Months is how many months of bank statements are asked for; 0 for everything else.
	Months int
	// Position orders the stipulations of a deal.
	Position int
}

// matrix is the stipulations by product. A row has a letter for each product, in the order of Products: R required,
// w waivable, - not used.
var matrix = []struct {
	code, title, products string
}{
	{StipApplication, "Signed application", "RRRRRR"},
	{StipOwnerID, "Government ID of each owner", "RRRRRR"},
	{StipFormation, "EIN letter or formation papers", "RRRRRR"},
	{StipBankStatements, "Bank statements", "RRRRRR"},
	{StipVoidedCheck, "Voided check or bank verification", "RRRRRR"},
	{StipLease, "Lease or letter of the landlord", "wwwwRw"},
	{StipProofOfOwnership, "Proof of ownership", "wwwwRw"},
	{StipProcessorStatements, "Card processor statements", "w-ww--"},
	{StipPayoffLetters, "Payoff letters of other funders", "w-ww--"},
	{StipTaxReturn, "Business tax return", "wwwwRw"},
	{StipReceivablesAgeing, "Receivables ageing", "-R-w--"},
	{StipInvoices, "Invoices", "-R-w--"},
	{StipProfitAndLoss, "Profit and loss statement", "-wwwRw"},
	{StipBalanceSheet, "Balance sheet", "-wwwRw"},
	{StipEquipmentQuote, "Equipment quote", "-----R"},
	{StipInsurance, "Proof of insurance", "-----R"},
	{StipSignedContract, "Signed contract", "RRRRRR"},
	{StipGuaranty, "Personal guaranty", "RRRRRR"},
	{StipFundingCall, "Funding call", "RRRRRR"},
}

// statementMonths is how many months of bank statements each product asks for.
var statementMonths = map[Product]int{MCA: 3, Factoring: 3, TermLoan: 6, LOC: 6, SBA: 12, Equipment: 3}

// Matrix lists what a new deal of the product is asked for, in order, before a tenant makes the template its own. What
// the product does not use is left out.
func Matrix(product Product) []Stipulation {
	column := slices.Index(Products, product)
	if column < 0 {
		return nil
	}
	var asked []Stipulation
	for i, row := range matrix {
		s := Stipulation{Code: row.code, Title: row.title, Requirement: Required, Position: 10 * (i + 1)}
		switch row.products[column] {
		case '-':
			continue
		case 'w':
			s.Requirement = Waivable
		}
		if row.code == StipBankStatements {
			s.Months = statementMonths[product]
		}
		asked = append(asked, s)
	}
	return asked
}

// StipulationStatus is where a stipulation stands.
type StipulationStatus string

// The statuses.
const (
	StipRequested     StipulationStatus = "REQUESTED"
	StipReceived      StipulationStatus = "RECEIVED"
	StipApproved      StipulationStatus = "APPROVED"
	StipRejected      StipulationStatus = "REJECTED"
	StipWaived        StipulationStatus = "WAIVED"
	StipNotApplicable StipulationStatus = "NOT_APPLICABLE"
)

// Values lists the statuses.
func (StipulationStatus) Values() []string {
	return []string{
		string(StipRequested), string(StipReceived), string(StipApproved), string(StipRejected),
		string(StipWaived), string(StipNotApplicable),
	}
}

// stipulationMoves is the table of allowed status changes. Whatever is outstanding may be waived or found not to
// apply, and both can be taken back. That only a Waivable one is waived, by whom and why, the caller checks.
var stipulationMoves = status.Table[StipulationStatus]{
	StipRequested:     {StipReceived, StipWaived, StipNotApplicable},
	StipReceived:      {StipApproved, StipRejected, StipWaived, StipNotApplicable},
	StipRejected:      {StipRequested, StipWaived, StipNotApplicable},
	StipWaived:        {StipRequested},
	StipNotApplicable: {StipRequested},
}

// CanBecome reports whether a stipulation may move from s to next. The status it has already is not a move.
func (s StipulationStatus) CanBecome(next StipulationStatus) bool {
	return slices.Contains(stipulationMoves[s], next)
}

// AllowedStipulationMove is nil where a stipulation may move from one status to another, and otherwise a conflict that
// names both and what would be possible.
func AllowedStipulationMove(from, to StipulationStatus) error {
	return stipulationMoves.Check("stipulation", from, to)
}

// Next lists the statuses that s may move to.
func (s StipulationStatus) Next() []StipulationStatus { return stipulationMoves[s] }

// Outstanding reports whether a stipulation in this status still holds up the funding.
func (s StipulationStatus) Outstanding() bool {
	return s == StipRequested || s == StipReceived || s == StipRejected
}
