package payment

import (
	"errors"

	"paydown/internal/civil"
)

// What keeps money that a debit did not bring from being asked for by another debit. The texts may be shown to the caller.
var (
	ErrRetryLimit  = errors.New("the money was asked for by ACH twice more already; it has to come in another way")
	ErrRetryWindow = errors.New("the first debit was more than 180 days before; the money has to come in another way")
)

// CheckRetry is nil where money may be asked for by another ACH debit on a day: it was first asked for on another, and by so
// many further debits since. Else it is ErrRetryLimit or ErrRetryWindow.
func CheckRetry(first, on civil.Date, furtherDebits int) error {
	switch {
	case furtherDebits >= MaxRetries:
		return ErrRetryLimit
	case on.After(LastRetry(first)):
		return ErrRetryWindow
	}
	return nil
}

// LastRetry is the last day for which money may be asked for by ACH that was first asked for on another.
func LastRetry(first civil.Date) civil.Date { return first.AddDays(RetryWindowDays) }
