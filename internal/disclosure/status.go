package disclosure

import "paydown/internal/status"

// Status is where a disclosure stands.
type Status string

// The statuses of the public contract.
const (
	Draft      Status = "DRAFT"
	Delivered  Status = "DELIVERED"
	Signed     Status = "SIGNED"
	Superseded Status = "SUPERSEDED"
)

// moves is the table of what becomes of a disclosure. Whatever is in force ends as soon as the deal's terms change.
var moves = status.Table[Status]{
	Draft:     {Delivered, Superseded},
	Delivered: {Signed, Superseded},
	Signed:    {Superseded},
}

// Check is nil where a disclosure may move so, and otherwise a conflict.
func Check(from, to Status) error { return moves.Check("disclosure", from, to) }
