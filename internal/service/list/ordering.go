package list

import (
	"context"
	"fmt"
	"slices"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// PlacesApart is the distance between the positions of consecutive records, to leave room for inserts.
const PlacesApart = 10

// placeColumn is the column of a record's position.
const placeColumn = "position"

// PlaceAfter returns the position after the last record. Pass the result of the query for that record.
func PlaceAfter[E any](last *E, err error) (int, error) {
	if ent.IsNotFound(err) {
		return PlacesApart, nil
	}
	if err != nil {
		return 0, err
	}
	return input.ColumnValue(last, placeColumn).(int) + PlacesApart, nil
}

// TakenCode turns a unique index violation into a conflict about the field code; other errors pass through.
func TakenCode(err error) error {
	if store.IsDuplicate(err) {
		return fault.Conflictf("Another record has this code.").With("code", "is taken").Because(err)
	}
	return err
}

// Reorder sorts the locked records by ids, which must contain each id once, and returns them in that order. update
// returns the update builder of a record.
func Reorder[E any](
	ctx context.Context, t *unit.Tx, entity string, all []*E, ids []int,
	update func(id int) (entgo.Mutation, func(context.Context) (int, error)),
) ([]*E, error) {
	ordered, err := inOrder(all, ids)
	if err != nil {
		return nil, err
	}
	for i, before := range ordered {
		place := PlacesApart * (i + 1)
		if input.ColumnValue(before, placeColumn) == place {
			continue
		}
		m, save := update(ids[i])
		ordered[i], err = unit.Store(ctx, t, before, []input.Change{input.Set(placeColumn, place)}, m, save)
		if err != nil {
			return nil, err
		}
		unit.AlsoUpdated(t, entity, before, ordered[i])
	}
	if t.HasEffects() {
		t.Record(entity+".reorder", "tenant", t.Actor.TenantID, nil, nil, nil)
	}
	return ordered, nil
}

// inOrder returns the records in the order of ids, which must contain each id once.
func inOrder[E any](all []*E, ids []int) ([]*E, error) {
	ordered := make([]*E, 0, len(all))
	for i, want := range ids {
		at := slices.IndexFunc(all, func(r *E) bool { return input.ColumnValue(r, "id") == want })
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
