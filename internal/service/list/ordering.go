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

// PlacesApart is how far apart the positions of records are that follow each other, so that there is room in between.
const PlacesApart = 10

// placeColumn is the column that holds a record's place in such an order.
const placeColumn = "position"

// PlaceAfter is the position behind the last record, as the query for that one answered.
func PlaceAfter[E any](last *E, err error) (int, error) {
	if ent.IsNotFound(err) {
		return PlacesApart, nil
	}
	if err != nil {
		return 0, err
	}
	return input.ColumnValue(last, placeColumn).(int) + PlacesApart, nil
}

// TakenCode is what a caller is told where another record of the kind has the code already; other errors stay as they
// are.
func TakenCode(err error) error {
	if store.IsDuplicate(err) {
		return fault.Conflictf("There is one with this code already.").With("code", "is taken").Because(err)
	}
	return err
}

// Reorder puts the records, which are locked, into the order of the ids, which must name each of them once, and returns
// them in it. update makes the record's own update builder, and hands out what is in it.
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

// inOrder are the records in the order of the ids, which must name each of them once.
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
