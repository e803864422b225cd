package service

import (
	"context"
	"fmt"

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
	after := *before
	assign(&after, changes)
	assign(&after, []columnChange{{"updated_at", t.At()}})
	return &after, nil
}
