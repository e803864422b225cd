package disclosure

import "paydown/internal/status"

// Status is the status of a disclosure.
type Status string

// The statuses in the API.
const (
	Draft      Status = "DRAFT"
	Delivered  Status = "DELIVERED"
	Signed     Status = "SIGNED"
	Superseded Status = "SUPERSEDED"
)

// moves is the table of allowed status changes. A current disclosure ends as soon as the deal's terms
// change.
var moves = status.Table[Status]{
	Draft:     {Delivered, Superseded},
	Delivered: {Signed, Superseded},
	Signed:    {Superseded},
}

// Check returns a conflict unless a disclosure may change from one status to the other.
func Check(from, to Status) error { return moves.Check("disclosure", from, to) }
