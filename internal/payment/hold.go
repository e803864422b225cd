package payment

import (
	"slices"

	"paydown/internal/civil"
	"paydown/internal/money"
)

// HoldReason says why a deal must not be debited by ACH, and therefore what ends the hold.
type HoldReason string

// The reasons for a collection hold.
const (
	// HoldAccount lasts until another bank account of the merchant is verified (R02, R03, R04, R13, R20).
	HoldAccount HoldReason = "ACCOUNT"
	// HoldAuthorization lasts until a new authorization is recorded (R05, R07, R10, R11, R29).
	HoldAuthorization HoldReason = "AUTHORIZATION"
	// HoldLegal lasts until the legal question is resolved (R14, R15, R16).
	HoldLegal HoldReason = "LEGAL"
	// HoldConsent lasts until the merchant, who stopped a payment, consents to further debits (R08).
	HoldConsent HoldReason = "CONSENT"
	// HoldReturns lasts until staff resume, after too many returns for insufficient funds.
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

// Hold returns the hold that a return with the action causes; ok is false if it causes none.
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

// Cure describes how to end a hold.
func (r HoldReason) Cure() string {
	switch r {
	case HoldAccount:
		return "verify another bank account of the merchant, or release the hold"
	case HoldAuthorization:
		return "record a new authorization from the merchant by releasing the hold"
	case HoldLegal:
		return "release the hold once the legal question is resolved"
	case HoldConsent:
		return "record the merchant's consent to further debits by releasing the hold"
	case HoldReturns:
		return "release the hold to resume debits"
	case HoldStaff:
		return "release the hold"
	}
	return ""
}

// Debits reports whether a payment of this type, amount and method is, in this status, an ACH debit that is
// scheduled or in progress. A submitted payment without a method counts as an ACH debit. A scheduled one
// without a method does not, because it may still be paid in any way.
func Debits(s Status, t Type, amount money.Amount, m *Method) bool {
	if DirectionOf(t) != In || t == EPODiscount || amount.Sign() <= 0 {
		return false
	}
	switch s { //nolint:exhaustive // the other statuses are final or not submitted
	case Pending:
		return m != nil && *m == ACH
	case Submitted:
		return m == nil || *m == ACH
	}
	return false
}

// Presentation is the outcome of an ACH debit of a deal.
type Presentation struct {
	// Cleared is true if the money came in and stayed. Otherwise the debit was returned on the day.
	Cleared    bool
	ReturnedOn civil.Date
	// Retryable is true if it was returned with a code that allows a retry.
	Retryable bool
}

// TooManyReturns reports whether a retryable return of the latest debit pauses the deal. debits are in the
// order of presentment. The deal is paused after PauseAfterInARow returns without a cleared debit in between,
// or PauseAfterInWindow returns within PauseWindowDays.
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
