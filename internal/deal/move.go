package deal

import (
	"paydown/internal/fault"
	"paydown/internal/status"
)

// AllowedMove is nil where a caller may ask for the move, and otherwise a conflict that names the state the deal is in
// and the states it could move to.
func AllowedMove(from, to State) error {
	if from.MayBeAsked(to) {
		return nil
	}
	next := names(from.Moves())
	if len(next) == 0 {
		return fault.Conflictf("The deal is %s, from where it cannot be moved.", from).
			With("state", "cannot change while the deal is %s", from)
	}
	return fault.Conflictf("The deal is %s and cannot be moved to %s.", from, to).
		With("state", "must be %s while the deal is %s", status.OneOf(next), from)
}
