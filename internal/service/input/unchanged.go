package input

import (
	"time"
)

// Unchanged is embedded in inputs for records that two people may edit at the same time, so that the second
// does not overwrite the first one's change unseen. It is not an API field: a surface sets it if its caller
// says which version it read.
type Unchanged struct {
	// UnchangedSince is the record's updatedAt when the caller read it. If the record was changed since, the
	// update is a conflict that says by whom and when. If nil, the last change wins.
	UnchangedSince *time.Time `json:"-"`
}
