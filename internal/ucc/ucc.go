// Package ucc defines filings under Article 9 of the Uniform Commercial Code: the financing statement, which
// makes a funder's claim on receivables public, and its amendments. It reads no clock and no database.
package ucc

import (
	"time"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/status"
)

// Type is the type of a filing.
type Type string

// The financing statement and its amendments.
const (
	Statement    Type = "UCC1"
	Continuation Type = "UCC3_CONTINUATION"
	Termination  Type = "UCC3_TERMINATION"
	Amendment    Type = "UCC3_AMENDMENT"
	Assignment   Type = "UCC3_ASSIGNMENT"
)

// Amends reports whether the type amends an earlier financing statement.
func (t Type) Amends() bool { return t != Statement }

// Status is the status of a filing.
type Status string

// The statuses in the API.
const (
	Draft      Status = "DRAFT"
	Submitted  Status = "SUBMITTED"
	Accepted   Status = "ACCEPTED"
	Rejected   Status = "REJECTED"
	Lapsed     Status = "LAPSED"
	Terminated Status = "TERMINATED"
)

// moves is the table of allowed status changes. A rejected filing is drafted again as a new one.
var moves = status.Table[Status]{
	Draft:     {Submitted},
	Submitted: {Accepted, Rejected},
	Accepted:  {Terminated, Lapsed},
}

// Check returns a conflict unless a filing of the type may change from one status to the other. Only a
// financing statement lapses or is terminated; an amendment is final once it is accepted.
func Check(of Type, from, to Status) error {
	if of.Amends() && from == Accepted {
		return fault.Conflictf("The UCC filing is an accepted amendment, which is final.").
			With("status", "cannot change once an amendment is ACCEPTED")
	}
	return moves.Check("UCC filing", from, to)
}

// Periods of UCC section 9-515: a financing statement is effective for five years, and can be continued for
// another five years in the last six months.
const (
	yearsGood      = 5
	monthsToExtend = 6
)

// Lapses returns the last day of a financing statement that was filed, or continued, as of a day.
func Lapses(from civil.Date) civil.Date { return months(from, 12*yearsGood) }

// CheckContinuation returns a conflict, with the allowed period, unless a continuation of a financing
// statement with this lapse date may be filed on the day.
func CheckContinuation(lapses *civil.Date, on civil.Date) error {
	if lapses == nil {
		return fault.Conflictf("The lapse date of the financing statement is unknown, so it cannot be continued.")
	}
	opens := months(*lapses, -monthsToExtend)
	if on.Before(opens) || on.After(*lapses) {
		return fault.Conflictf("A continuation can be filed from %s to %s, the last six months of the financing statement.",
			opens, *lapses).
			With("type", "can be UCC3_CONTINUATION from %s to %s", opens, *lapses)
	}
	return nil
}

// CheckLapse returns a conflict unless a financing statement with this lapse date has lapsed by the day.
func CheckLapse(lapses *civil.Date, on civil.Date) error {
	switch {
	case lapses == nil:
		return fault.Conflictf("The lapse date of the financing statement is unknown.")
	case !on.After(*lapses):
		return fault.Conflictf("The financing statement is effective until %s.", *lapses).
			With("status", "can become LAPSED after %s", *lapses)
	default:
		return nil
	}
}

// months returns the same day n months later, or the last day of a month without that day.
func months(d civil.Date, n int) civil.Date {
	first := civil.Of(d.Year(), d.Month()+time.Month(n), 1)
	last := civil.Of(first.Year(), first.Month()+1, 1).AddDays(-1)
	return civil.Of(first.Year(), first.Month(), min(d.Day(), last.Day()))
}
