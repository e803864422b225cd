package payment

import (
	"errors"
	"slices"

	"paydown/internal/money"
)

// ErrReturnCode is the problem of a code that is not in the catalogue; it may be shown to the caller.
var ErrReturnCode = errors.New("must be a NACHA return reason code in use, written as R01 to R85")

// ReturnClass says which of NACHA's return rates a return counts towards, besides the overall rate.
type ReturnClass string

// The classes. NACHA Operating Rules: the administrative return rate counts R02, R03 and R04, the unauthorized entry
// return rate R05, R07, R10, R11, R29 and R51.
const (
	AdministrativeReturn ReturnClass = "ADMINISTRATIVE"
	UnauthorizedReturn   ReturnClass = "UNAUTHORIZED"
	OtherReturn          ReturnClass = "OTHER"
)

// Values lists the classes, for the schema and for error messages.
func (ReturnClass) Values() []string {
	return []string{string(AdministrativeReturn), string(UnauthorizedReturn), string(OtherReturn)}
}

// ReturnAction is what follows from a return for further collection.
type ReturnAction string

// The actions. Every one but Retry and Review puts the deal on a hold, see ReturnAction.Hold.
const (
	// Retry presents the payment again, within MaxRetries and RetryWindowDays.
	Retry ReturnAction = "RETRY"
	// Pause waits until staff have spoken to the merchant, who stopped the one payment.
	Pause ReturnAction = "PAUSE"
	// NewAccount stops until the merchant names another bank account.
	NewAccount ReturnAction = "NEW_ACCOUNT"
	// Collections stops: the merchant disputes or has revoked the authorization to debit.
	Collections ReturnAction = "COLLECTIONS"
	// Legal stops: the account holder has died, or the account is frozen.
	Legal ReturnAction = "LEGAL"
	// Review leaves it to staff.
	Review ReturnAction = "REVIEW"
)

// Values lists the actions.
func (ReturnAction) Values() []string {
	return []string{
		string(Retry), string(Pause), string(NewAccount), string(Collections), string(Legal), string(Review),
	}
}

// The limits of presenting a payment again. NACHA Operating Rules on reinitiation: at most twice after the first
// return, within 180 days of the original entry's settlement. Pausing earlier is our own caution.
const (
	MaxRetries      = 2
	RetryWindowDays = 180
	// PauseAfterInARow and PauseAfterInWindow returns pause a deal, the latter within PauseWindowDays.
	PauseAfterInARow   = 3
	PauseAfterInWindow = 5
	PauseWindowDays    = 30
)

// Return is a NACHA return reason code and what the product does about it unless a tenant says otherwise.
type Return struct {
	Code   string
	Title  string
	Class  ReturnClass
	Action ReturnAction
	// BounceFee is true where the merchant owes a fee for the return.
	BounceFee bool
}

// Retryable reports whether the payment may be presented again.
func (r Return) Retryable() bool { return r.Action == Retry }

// Fee is what the merchant owes for the return; nil where that is nothing.
func (r Return) Fee() *money.Amount {
	if !r.BounceFee {
		return nil
	}
	fee := money.Must("35.00")
	return &fee
}

// Lookup finds a return code; the error is ErrReturnCode.
func Lookup(code string) (Return, error) {
	i := slices.IndexFunc(Returns, func(r Return) bool { return r.Code == code })
	if i < 0 {
		return Return{}, ErrReturnCode
	}
	return Returns[i], nil
}

// Returns is the catalogue of the return reason codes in use, in order, with the titles of the NACHA Operating Rules
// (Appendix Four). The gaps are codes that are reserved or retired. Codes from R61 on pass between banks about a return
// rather than about a payment; one that reaches us all the same is for staff to read.
var Returns = []Return{
	{"R01", "Insufficient Funds", OtherReturn, Retry, true},
	{"R02", "Account Closed", AdministrativeReturn, NewAccount, false},
	{"R03", "No Account/Unable to Locate Account", AdministrativeReturn, NewAccount, false},
	{"R04", "Invalid Account Number Structure", AdministrativeReturn, NewAccount, false},
	{"R05", "Unauthorized Debit to Consumer Account Using Corporate SEC Code", UnauthorizedReturn, Collections, false},
	{"R06", "Returned per ODFI's Request", OtherReturn, Review, false},
	{"R07", "Authorization Revoked by Customer", UnauthorizedReturn, Collections, false},
	{"R08", "Payment Stopped", OtherReturn, Pause, false},
	{"R09", "Uncollected Funds", OtherReturn, Retry, true},
	{
		"R10", "Customer Advises Originator is Not Known to Receiver and/or Originator is Not Authorized by Receiver to " +
			"Debit Receiver's Account", UnauthorizedReturn, Collections, false,
	},
	{
		"R11", "Customer Advises Entry Not in Accordance with the Terms of the Authorization",
		UnauthorizedReturn, Collections, false,
	},
	{"R12", "Account Sold to Another DFI", OtherReturn, Review, false},
	{"R13", "Invalid ACH Routing Number", OtherReturn, NewAccount, false},
	{"R14", "Representative Payee Deceased or Unable to Continue in That Capacity", OtherReturn, Legal, false},
	{"R15", "Beneficiary or Account Holder (Other Than a Representative Payee) Deceased", OtherReturn, Legal, false},
	{"R16", "Account Frozen/Entry Returned per OFAC Instruction", OtherReturn, Legal, false},
	{
		"R17", "File Record Edit Criteria/Entry with Invalid Account Number Initiated Under Questionable Circumstances/" +
			"Return of Improperly-Initiated Reversal", OtherReturn, Review, false,
	},
	{"R18", "Improper Effective Entry Date", OtherReturn, Review, false},
	{"R19", "Amount Field Error", OtherReturn, Review, false},
	{"R20", "Non-Transaction Account", OtherReturn, NewAccount, false},
	{"R21", "Invalid Company Identification", OtherReturn, Review, false},
	{"R22", "Invalid Individual ID Number", OtherReturn, Review, false},
	{"R23", "Credit Entry Refused by Receiver", OtherReturn, Review, false},
	{"R24", "Duplicate Entry", OtherReturn, Review, false},
	{"R25", "Addenda Error", OtherReturn, Review, false},
	{"R26", "Mandatory Field Error", OtherReturn, Review, false},
	{"R27", "Trace Number Error", OtherReturn, Review, false},
	{"R28", "Routing Number Check Digit Error", OtherReturn, Review, false},
	{"R29", "Corporate Customer Advises Not Authorized", UnauthorizedReturn, Collections, false},
	{"R30", "RDFI Not Participant in Check Truncation Program", OtherReturn, Review, false},
	{"R31", "Permissible Return Entry (CCD and CTX only)", OtherReturn, Review, false},
	{"R32", "RDFI Non-Settlement", OtherReturn, Review, false},
	{"R33", "Return of XCK Entry", OtherReturn, Review, false},
	{"R34", "Limited Participation DFI", OtherReturn, Review, false},
	{"R35", "Return of Improper Debit Entry", OtherReturn, Review, false},
	{"R36", "Return of Improper Credit Entry", OtherReturn, Review, false},
	{"R37", "Source Document Presented for Payment", OtherReturn, Review, false},
	{"R38", "Stop Payment on Source Document", OtherReturn, Review, false},
	{"R39", "Improper Source Document/Source Document Presented for Payment", OtherReturn, Review, false},
	{"R40", "Return of ENR Entry by Federal Government Agency (ENR only)", OtherReturn, Review, false},
	{"R41", "Invalid Transaction Code (ENR only)", OtherReturn, Review, false},
	{"R42", "Routing Number/Check Digit Error (ENR only)", OtherReturn, Review, false},
	{"R43", "Invalid DFI Account Number (ENR only)", OtherReturn, Review, false},
	{"R44", "Invalid Individual ID Number/Identification Number (ENR only)", OtherReturn, Review, false},
	{"R45", "Invalid Individual Name/Company Name (ENR only)", OtherReturn, Review, false},
	{"R46", "Invalid Representative Payee Indicator (ENR only)", OtherReturn, Review, false},
	{"R47", "Duplicate Enrollment (ENR only)", OtherReturn, Review, false},
	{"R50", "State Law Affecting RCK Acceptance", OtherReturn, Review, false},
	{"R51", "Item Related to RCK Entry is Ineligible or RCK Entry is Improper", UnauthorizedReturn, Review, false},
	{"R52", "Stop Payment on Item Related to RCK Entry", OtherReturn, Review, false},
	{"R53", "Item and RCK Entry Presented for Payment", OtherReturn, Review, false},
	{"R61", "Misrouted Return", OtherReturn, Review, false},
	{"R62", "Return of Erroneous or Reversing Debit", OtherReturn, Review, false},
	{"R67", "Duplicate Return", OtherReturn, Review, false},
	{"R68", "Untimely Return", OtherReturn, Review, false},
	{"R69", "Field Error(s)", OtherReturn, Review, false},
	{"R70", "Permissible Return Entry Not Accepted/Return Not Requested by ODFI", OtherReturn, Review, false},
	{"R71", "Misrouted Dishonored Return", OtherReturn, Review, false},
	{"R72", "Untimely Dishonored Return", OtherReturn, Review, false},
	{"R73", "Timely Original Return", OtherReturn, Review, false},
	{"R74", "Corrected Return", OtherReturn, Review, false},
	{"R75", "Return Not a Duplicate", OtherReturn, Review, false},
	{"R76", "No Errors Found", OtherReturn, Review, false},
	{"R77", "Non-Acceptance of R62 Dishonored Return", OtherReturn, Review, false},
	{"R80", "IAT Entry Coding Error", OtherReturn, Review, false},
	{"R81", "Non-Participant in IAT Program", OtherReturn, Review, false},
	{"R82", "Invalid Foreign Receiving DFI Identification", OtherReturn, Review, false},
	{"R83", "Foreign Receiving DFI Unable to Settle", OtherReturn, Review, false},
	{"R84", "Entry Not Processed by Gateway", OtherReturn, Review, false},
	{"R85", "Incorrectly Coded Outbound International Payment", OtherReturn, Review, false},
}
