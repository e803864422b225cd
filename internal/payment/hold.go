package payment

import (
	"slices"

	"paydown/internal/civil"
	"paydown/internal/money"
)

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

// Hold is the hold that a return with the action puts its deal on; ok is false where it is put on none.
func (a ReturnAction) Hold() (reason HoldReason, ok bool) {
	switch a {
	case NewAccount:
		return HoldAccount, true
	case Collections:
		return HoldAuthorization, true
	case Legal:
		return HoldLegal, true
	case Pause:
		return HoldConsent, true
	case Retry, Review:
	}
	return "", false
}

// Cure says what ends a hold.
func (r HoldReason) Cure() string {
	switch r {
	case HoldAccount:
		return "verify another bank account of the merchant, or release the hold"
	case HoldAuthorization:
		return "record a new authorization from the merchant by releasing the hold"
	case HoldLegal:
		return "release the hold once the legal question is settled"
	case HoldConsent:
		return "record the merchant's consent to further debits by releasing the hold"
	case HoldReturns:
		return "release the hold to resume debits"
	case HoldStaff:
		return "release the hold"
	}
	return ""
}

// Debits reports whether a payment of the type, amount and method, in the status, asks the merchant's bank for money or is
// about to: an ACH debit that is scheduled or under way. One that was submitted without a method counts as one; one that is
// merely scheduled without a method does not, since it may still come in any way.
func Debits(s Status, t Type, amount money.Amount, m *Method) bool {
	if DirectionOf(t) != In || t == EPODiscount || amount.Sign() <= 0 {
		return false
	}
	switch s { //nolint:exhaustive // the others are over, or never were
	case Pending:
		return m != nil && *m == ACH
	case Submitted:
		return m == nil || *m == ACH
	}
	return false
}

// Presentation is how an ACH debit of a deal ended.
type Presentation struct {
	// Cleared is true where the money came in and stayed. Else the debit was returned on the day.
	Cleared    bool
	ReturnedOn civil.Date
	// Retryable is true where it was returned with a code that lets it be presented again.
	Retryable bool
}

// TooManyReturns reports whether the retryable return of the latest of the debits, which are in the order in which they were
// presented, pauses the deal: it is one of PauseAfterInARow without a debit between them that cleared, or the last of
// PauseAfterInWindow within PauseWindowDays.
func TooManyReturns(debits []Presentation, latest int) bool {
	at := debits[latest]
	if at.Cleared || !at.Retryable {
		return false
	}
	row := 0
	for _, part := range [][]Presentation{reversed(debits[:latest]), debits[latest:]} {
		for _, d := range part {
			if d.Cleared {
				break
			}
			if d.Retryable {
				row++
			}
		}
	}
	since, lately := at.ReturnedOn.AddDays(1-PauseWindowDays), 0
	for _, d := range debits {
		if !d.Cleared && d.Retryable && !d.ReturnedOn.Before(since) && !d.ReturnedOn.After(at.ReturnedOn) {
			lately++
		}
	}
	return row >= PauseAfterInARow || lately >= PauseAfterInWindow
}

func reversed(debits []Presentation) []Presentation {
	back := slices.Clone(debits)
	slices.Reverse(back)
	return back
}
