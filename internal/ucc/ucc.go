// Package ucc is the life of filings under article 9 of the Uniform Commercial Code: the financing statement by which a
// funder's claim on receivables is made public, and what is filed about it later. It reads no clock and no database.
package ucc

import (
	"time"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/status"
)

// Type is what is filed.
type Type string

// A financing statement, and the amendments of one.
const (
	Statement    Type = "UCC1"
	Continuation Type = "UCC3_CONTINUATION"
	Termination  Type = "UCC3_TERMINATION"
	Amendment    Type = "UCC3_AMENDMENT"
	Assignment   Type = "UCC3_ASSIGNMENT"
)

// Amends reports whether the type is about a financing statement that was filed before.
func (t Type) Amends() bool { return t != Statement }

// Status is where a filing stands.
type Status string

// The statuses of the public contract.
const (
	Draft      Status = "DRAFT"
	Submitted  Status = "SUBMITTED"
	Accepted   Status = "ACCEPTED"
	Rejected   Status = "REJECTED"
	Lapsed     Status = "LAPSED"
	Terminated Status = "TERMINATED"
)

// moves is the table of status changes. What an office has rejected is drafted anew.
var moves = status.Table[Status]{
	Draft:     {Submitted},
	Submitted: {Accepted, Rejected},
	Accepted:  {Terminated, Lapsed},
}

// Check is nil where a filing of the type may move so, and otherwise a conflict. Only a financing statement lapses or is
// terminated; an amendment has done its work once it is accepted.
func Check(of Type, from, to Status) error {
	if of.Amends() && from == Accepted {
		return fault.Conflictf("The UCC filing is an amendment that was accepted, from where it does not move.").
			With("status", "cannot change once an amendment is ACCEPTED")
	}
	return moves.Check("UCC filing", from, to)
}

// The times of section 9-515: a financing statement is good for five years, and can be continued for as long in the last
// six months of them.
const (
	yearsGood      = 5
	monthsToExtend = 6
)

// Lapses is the last day of a financing statement that was filed, or would have lapsed and was continued, on a day.
func Lapses(from civil.Date) civil.Date { return months(from, 12*yearsGood) }

// CheckContinuation is nil where a continuation may be filed on a day for a financing statement that is good until
// lapses, and otherwise a conflict that says from when to when.
func CheckContinuation(lapses *civil.Date, on civil.Date) error {
	if lapses == nil {
		return fault.Conflictf("It is not known when the financing statement lapses, so it cannot be continued.")
	}
	opens := months(*lapses, -monthsToExtend)
	if on.Before(opens) || on.After(*lapses) {
		return fault.Conflictf("A continuation is filed from %s to %s, the last six months of the financing statement.", opens, *lapses).
			With("type", "can be UCC3_CONTINUATION from %s to %s", opens, *lapses)
	}
	return nil
}

// CheckLapse is nil where a financing statement that is good until lapses has run out by a day, and otherwise a conflict.
func CheckLapse(lapses *civil.Date, on civil.Date) error {
	switch {
	case lapses == nil:
		return fault.Conflictf("It is not known when the financing statement lapses.")
	case !on.After(*lapses):
		return fault.Conflictf("The financing statement is good until %s.", *lapses).
			With("status", "can become LAPSED after %s", *lapses)
	default:
		return nil
	}
}

// months is the same day of a month so many months away; the last day of one that has no such day.
func months(d civil.Date, n int) civil.Date {
	first := civil.Of(d.Year(), d.Month()+time.Month(n), 1)
	last := civil.Of(first.Year(), first.Month()+1, 1).AddDays(-1)
	return civil.Of(first.Year(), first.Month(), min(d.Day(), last.Day()))
}
