package list

import (
	"fmt"
	"slices"

	"paydown/internal/fault"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// PlaceAfter is a place behind the last one, with room in between; that may be nil.
func PlaceAfter[E any](last *E, position func(*E) int) int {
	if last == nil {
		return PlacesApart
	}
	return position(last) + PlacesApart
}

const PlacesApart = 10

func TakenCode(err error) error {
	if store.IsDuplicate(err) {
		return fault.Conflictf("There is one with this code already.").With("code", "is taken").Because(err)
	}
	return err
}

// NoteReordered notes that the write put records into another order, if it did.
func NoteReordered(t *unit.Tx, entity string) {
	if len(t.Effects) > 0 {
		t.Record(entity+".reorder", "tenant", t.Actor.TenantID, nil, nil, nil)
	}
}

// Reorder are the records in the order of the ids, which must name each of them once.
func Reorder[E any](all []*E, ids []int, id func(*E) int) ([]*E, error) {
	ordered := make([]*E, 0, len(all))
	for i, want := range ids {
		at := slices.IndexFunc(all, func(r *E) bool { return id(r) == want })
		if at < 0 {
			return nil, fault.UnknownReference(fault.Detail{Path: fmt.Sprintf("ids.%d", i), Message: "no such record"})
		}
		if slices.Contains(ids[:i], want) {
			return nil, fault.Field("ids", "must name each of the %d records once", len(all))
		}
		ordered = append(ordered, all[at])
	}
	if len(ordered) != len(all) {
		return nil, fault.Field("ids", "must name each of the %d records once", len(all))
	}
	return ordered, nil
}
