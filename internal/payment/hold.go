package payment

// HoldReason says why no ACH debit of a deal may be made for the time being, and so what cures it.
type HoldReason string

// The reasons for a collection hold.
const (
	// HoldAccount stands until another bank account of the merchant is verified (R02, R03, R04, R13, R20).
	HoldAccount HoldReason = "ACCOUNT"
	// HoldAuthorization stands until a new authorization is recorded (R05, R07, R10, R11, R29).
	HoldAuthorization HoldReason = "AUTHORIZATION"
	// HoldLegal stands until the legal question is settled (R14, R15, R16).
	HoldLegal HoldReason = "LEGAL"
	// HoldConsent stands until the merchant, who stopped a payment, consents to further ones (R08).
	HoldConsent HoldReason = "CONSENT"
	// HoldReturns stands until staff resume, after too many returns for want of money.
	HoldReturns HoldReason = "RETURNS"
	// HoldStaff was placed by a member of staff.
	HoldStaff HoldReason = "STAFF"
)

// Values lists the reasons, for the schema and for error messages.
func (HoldReason) Values() []string {
	return []string{
		string(HoldAccount), string(HoldAuthorization), string(HoldLegal), string(HoldConsent), string(HoldReturns),
		string(HoldStaff),
	}
}
