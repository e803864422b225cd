package deal

import (
	"slices"

	"paydown/internal/status"
)

// Requirement says whether a stipulation is required.
type Requirement string

// The requirements.
const (
	// Required cannot be waived.
	Required Requirement = "REQUIRED"
	// Waivable is required unless staff with the permission waive it with a reason.
	Waivable Requirement = "WAIVABLE"
	// NotUsed is for a tenant's own template: the stipulation is not requested.
	NotUsed Requirement = "NOT_USED"
)

// Values lists the requirements, for the schema and for error messages.
func (Requirement) Values() []string {
	return []string{string(Required), string(Waivable), string(NotUsed)}
}

// The codes of the default stipulations. A tenant may add its own.
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

// Stipulation is a document or proof that a deal needs before it funds.
type Stipulation struct {
	Code        string
	Title       string
	Requirement Requirement
	// Months is the number of months of bank statements; 0 for other stipulations.
	Months int
	// Position orders the stipulations of a deal.
	Position int
}

// matrix has the stipulations by product. A row has a letter for each product, in the order of Products: R
// required, w waivable, - not used.
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

// statementMonths is the number of months of bank statements that each product requires.
var statementMonths = map[Product]int{MCA: 3, Factoring: 3, TermLoan: 6, LOC: 6, SBA: 12, Equipment: 3}

// Matrix lists a new deal's stipulations for the product in order: the defaults, before a tenant edits its
// template. It omits stipulations that the product does not use.
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

// StipulationStatus is the status of a stipulation.
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

// stipulationMoves is the table of allowed status changes. An outstanding stipulation can be waived or marked
// not applicable, and both can be reverted. The caller checks that only a Waivable stipulation is waived, by
// whom and with which reason.
var stipulationMoves = status.Table[StipulationStatus]{
	StipRequested:     {StipReceived, StipWaived, StipNotApplicable},
	StipReceived:      {StipApproved, StipRejected, StipWaived, StipNotApplicable},
	StipRejected:      {StipRequested, StipWaived, StipNotApplicable},
	StipWaived:        {StipRequested},
	StipNotApplicable: {StipRequested},
}

// CanBecome reports whether a stipulation may move from s to next. A move to the same status is not a move.
func (s StipulationStatus) CanBecome(next StipulationStatus) bool {
	return slices.Contains(stipulationMoves[s], next)
}

// AllowedStipulationMove returns nil if a stipulation may move between the statuses, and otherwise a conflict
// with both and the possible statuses.
func AllowedStipulationMove(from, to StipulationStatus) error {
	return stipulationMoves.Check("stipulation", from, to)
}

// Next lists the statuses that s may move to.
func (s StipulationStatus) Next() []StipulationStatus { return stipulationMoves[s] }

// Outstanding reports whether a stipulation in this status still prevents funding.
func (s StipulationStatus) Outstanding() bool {
	return s == StipRequested || s == StipReceived || s == StipRejected
}
