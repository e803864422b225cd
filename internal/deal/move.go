package deal

import (
	"paydown/internal/fault"
	"paydown/internal/status"
)

// AllowedMove returns nil if a caller may request the move, and otherwise a conflict with the deal's state
// and the states that it can move to.
func AllowedMove(from, to State) error {
	if from.MayBeAsked(to) {
		return nil
	}
	next := names(from.Moves())
	if len(next) == 0 {
		return fault.Conflictf("The deal is %s, which is final.", from).
			With("state", "cannot change while the deal is %s", from)
	}
	return fault.Conflictf("The deal is %s and cannot move to %s.", from, to).
		With("state", "must be %s while the deal is %s", status.OneOf(next), from)
}
