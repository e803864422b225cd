package service

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"entgo.io/ent"
)

// made stores a new record from an input and notes it for the audit trail. m and save are those of the record's own
// create builder.
func made[E any](
	ctx context.Context, t *tx, entity string, in any,
	m ent.Mutation, save func(context.Context) (*E, error),
) (*E, error) {
	if err := setColumns(m, columnsOf(in, nil, t.zone())); err != nil {
		return nil, err
	}
	row, err := save(ctx)
	if err != nil {
		return nil, err
	}
	t.record(entity+".create", entity, columnValue(row, "id").(int), nil, nil, row)
	return row, nil
}

// changed stores what an input changes of a record that is locked, and notes it for the audit trail. It returns before
// itself where nothing changes. m and save are those of the record's own update builder, which names its id.
func changed[E any](
	ctx context.Context, t *tx, entity string, id int, before *E, in any,
	m ent.Mutation, save func(context.Context) (int, error), also ...columnChange,
) (*E, error) {
	changes := columnsOf(in, before, t.zone())
	if len(changes) == 0 {
		return before, nil
	}
	after, err := stored(ctx, t, before, append(changes, also...), m, save)
	if err != nil {
		return nil, err
	}
	t.record(entity+".update", entity, id, nil, before, after)
	return after, nil
}

// stored writes columns of a record and returns the record as it is then, without reading it again.
func stored[E any](
	ctx context.Context, t *tx, before *E, changes []columnChange,
	m ent.Mutation, save func(context.Context) (int, error),
) (*E, error) {
	if err := setColumns(m, changes); err != nil {
		return nil, err
	}
	n, err := save(ctx)
	if err != nil {
		return nil, err
	}
	if n != 1 {
		return nil, fmt.Errorf("an update of one %T changed %d", before, n)
	}
	return changedCopy(t, before, changes), nil
}

// changedCopy is the record as it is once the changes are stored.
func changedCopy[E any](t *tx, before *E, changes []columnChange) *E {
	after := *before
	assign(&after, changes)
	if _, ok := columnsIn(reflect.TypeFor[E]())["updated_at"]; ok {
		assign(&after, []columnChange{{"updated_at", t.At()}})
	}
	return &after
}

// allStored writes the same columns of several records, which are locked, and notes each of them for the audit trail as
// a consequence of the write. update makes the record's own update builder, of the ids, and hands out what is in it.
func allStored[E any](
	ctx context.Context, t *tx, entity string, rows []*E, changes []columnChange,
	update func(ids []int) (ent.Mutation, func(context.Context) (int, error)),
) error {
	for part := range slices.Chunk(rows, rowsAtOnce) {
		ids := make([]int, len(part))
		for i, row := range part {
			ids[i] = columnValue(row, "id").(int)
		}
		m, save := update(ids)
		if err := setColumns(m, changes); err != nil {
			return err
		}
		n, err := save(ctx)
		if err != nil {
			return err
		}
		if n != len(part) {
			return fmt.Errorf("an update of %d %Ts changed %d", len(part), part[0], n)
		}
		for _, before := range part {
			alsoChanged(t, entity, before, changedCopy(t, before, changes))
		}
	}
	return nil
}
