// Package status checks moves between statuses against tables of allowed moves.
package status

import (
	"slices"
	"strings"

	"paydown/internal/fault"
)

// Table lists the statuses that each status may move to. A status without an entry is final.
type Table[S ~string] map[S][]S

// Check returns nil if a record may move from one status to the other, and otherwise a conflict with the
// current status and the possible moves. what is the record's name for people ("UCC filing"). A move to the
// current status is refused: callers leave such a record alone.
func (t Table[S]) Check(what string, from, to S) error { return t.CheckField(what, "status", from, to) }

// CheckField is Check for a record whose status field has another name.
func (t Table[S]) CheckField(what, field string, from, to S) error {
	next := t[from]
	if slices.Contains(next, to) {
		return nil
	}
	if len(next) == 0 {
		return fault.Conflictf("The %s is %s, which is final.", what, from).
			With(field, "cannot change once it is %s", from)
	}
	return fault.Conflictf("The %s is %s and cannot become %s.", what, from, to).
		With(field, "can become %s while it is %s", OneOf(next), from)
}

// OneOf joins one or more values as alternatives: "A, B or C".
func OneOf[S ~string](values []S) string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = string(v)
	}
	last := len(names) - 1
	if last == 0 {
		return names[0]
	}
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
