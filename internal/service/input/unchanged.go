package input

import (
	"time"
)

// Unchanged is for inputs by which two people may change one record, so that the one who comes later does not undo unseen
// what the other did. It is no field of theirs: a surface sets it, where its caller has said what was read.
type Unchanged struct {
	// UnchangedSince is the updatedAt of the record as the caller read it: where it was changed after that, the update is a
	// conflict, which says by whom and when. With nil the last change wins.
	UnchangedSince *time.Time `json:"-"`
}
