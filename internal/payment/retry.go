package payment

import (
	"errors"

	"paydown/internal/civil"
)

// Reasons against another ACH debit for the same money. Callers see these messages.
var (
	ErrRetryLimit  = errors.New("the ACH retry limit of two is reached; collect the money in another way")
	ErrRetryWindow = errors.New("the ACH retry window of 180 days has passed; collect the money in another way")
)

// CheckRetry returns nil if another ACH debit is allowed on a day, given the day of the first debit and the
// number of further debits since; otherwise ErrRetryLimit or ErrRetryWindow.
func CheckRetry(first, on civil.Date, furtherDebits int) error {
	switch {
	case furtherDebits >= MaxRetries:
		return ErrRetryLimit
	case on.After(LastRetry(first)):
		return ErrRetryWindow
	}
	return nil
}

// LastRetry returns the last day for another ACH debit after a first debit on the given day.
func LastRetry(first civil.Date) civil.Date { return first.AddDays(RetryWindowDays) }
