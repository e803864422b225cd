// Package status judges moves between statuses by tables of what may follow what.
package status

import (
	"slices"
	"strings"

	"paydown/internal/fault"
)

// Table lists the statuses that each status may move to. One that is not in it is where things end.
type Table[S ~string] map[S][]S

// Check is nil where a record may move from one status to another, and otherwise a conflict that names where it stands and
// what is possible from there. what is the record as people call it ("UCC filing"). The status that a record has already is
// no move: callers leave such a record alone.
func (t Table[S]) Check(what string, from, to S) error { return t.CheckField(what, "status", from, to) }

// CheckField is Check for a record whose status has another name.
func (t Table[S]) CheckField(what, field string, from, to S) error {
	next := t[from]
	if slices.Contains(next, to) {
		return nil
	}
	if len(next) == 0 {
		return fault.Conflictf("The %s is %s, from where it does not move.", what, from).
			With(field, "cannot change once it is %s", from)
	}
	return fault.Conflictf("The %s is %s and cannot become %s.", what, from, to).
		With(field, "can become %s while it is %s", OneOf(next), from)
}

// OneOf names values, of which there is at least one, as alternatives: "A, B or C".
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
