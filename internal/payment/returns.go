package payment

import (
	"errors"
	"slices"

	"paydown/internal/money"
)

// ErrReturnCode is the error for a code that is not in the catalogue; callers may see it.
var ErrReturnCode = errors.New("must be an active Nacha return reason code from R01 to R85")

// ReturnClass says which of Nacha's return rates a return counts towards, in addition to the overall rate.
type ReturnClass string

// The classes. Nacha Operating Rules: the administrative return rate counts R02, R03 and R04; the
// unauthorized entry return rate counts R05, R07, R10, R11, R29 and R51.
const (
	AdministrativeReturn ReturnClass = "ADMINISTRATIVE"
	UnauthorizedReturn   ReturnClass = "UNAUTHORIZED"
	OtherReturn          ReturnClass = "OTHER"
)

// Values lists the classes, for the schema and for error messages.
func (ReturnClass) Values() []string {
	return []string{string(AdministrativeReturn), string(UnauthorizedReturn), string(OtherReturn)}
}

// ReturnAction is the consequence of a return for collection.
type ReturnAction string

// The actions. All except Retry and Review put the deal on hold, see ReturnAction.Hold.
const (
	// Retry debits again, within MaxRetries and RetryWindowDays.
	Retry ReturnAction = "RETRY"
	// Pause waits until staff have talked to the merchant, who stopped this one payment.
	Pause ReturnAction = "PAUSE"
	// NewAccount stops debits until the merchant provides another bank account.
	NewAccount ReturnAction = "NEW_ACCOUNT"
	// Collections stops debits: the merchant disputes or has revoked the authorization.
	Collections ReturnAction = "COLLECTIONS"
	// Legal stops debits: the account holder has died, or the account is frozen.
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

// Limits of retries. Nacha Operating Rules on reinitiation: at most twice after the first return, within 180
// days of the original entry's settlement date. The earlier pause is a product decision.
const (
	MaxRetries      = 2
	RetryWindowDays = 180
	// PauseAfterInARow returns in a row, or PauseAfterInWindow returns within PauseWindowDays, pause a deal.
	PauseAfterInARow   = 3
	PauseAfterInWindow = 5
	PauseWindowDays    = 30
)

// Return is a Nacha return reason code with its default consequences, which a tenant may change.
type Return struct {
	Code   string
	Title  string
	Class  ReturnClass
	Action ReturnAction
	// BounceFee is true if the merchant owes a fee for the return.
	BounceFee bool
}

// Retryable reports whether the payment may be retried.
func (r Return) Retryable() bool { return r.Action == Retry }

// Fee is the fee that the merchant owes for the return; nil if none.
func (r Return) Fee() *money.Amount {
	if !r.BounceFee {
		return nil
	}
	fee := money.Must("35.00")
	return &fee
}

// Lookup returns the return code's entry; the error is ErrReturnCode.
func Lookup(code string) (Return, error) {
	i := slices.IndexFunc(Returns, func(r Return) bool { return r.Code == code })
	if i < 0 {
		return Return{}, ErrReturnCode
	}
	return Returns[i], nil
}

// Returns is the catalogue of active return reason codes in order, with the titles of the Nacha Operating
// Rules (Appendix Four). Missing codes are reserved or retired. Codes from R61 on are exchanged between banks
// about a return; if one arrives here, staff have to review it.
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
