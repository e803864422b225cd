package unit

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"entgo.io/ent"

	"paydown/internal/service/input"
)

// RowsAtOnce keeps a statement below the arguments that either database takes.
const RowsAtOnce = 500

// Create stores a new record from an input and notes it for the audit trail. m and save are those of the record's own
// create builder.
func Create[E any](
	ctx context.Context, t *Tx, entity string, in any,
	m ent.Mutation, save func(context.Context) (*E, error),
) (*E, error) {
	if err := input.SetColumns(m, input.ChangesOf(in, nil, t.Zone())); err != nil {
		return nil, err
	}
	row, err := save(ctx)
	if err != nil {
		return nil, err
	}
	t.Record(entity+".create", entity, input.ColumnValue(row, "id").(int), nil, nil, row)
	return row, nil
}

// Update stores what an input changes of a record that is locked, and notes it for the audit trail. It returns before
// itself where nothing changes. m and save are those of the record's own update builder, which names its id.
func Update[E any](
	ctx context.Context, t *Tx, entity string, id int, before *E, in any,
	m ent.Mutation, save func(context.Context) (int, error), also ...input.Change,
) (*E, error) {
	changes := input.ChangesOf(in, before, t.Zone())
	if len(changes) == 0 {
		return before, nil
	}
	after, err := Store(ctx, t, before, append(changes, also...), m, save)
	if err != nil {
		return nil, err
	}
	t.Record(entity+".update", entity, id, nil, before, after)
	return after, nil
}

// Store writes columns of a record and returns the record as it is then, without reading it again.
func Store[E any](
	ctx context.Context, t *Tx, before *E, changes []input.Change,
	m ent.Mutation, save func(context.Context) (int, error),
) (*E, error) {
	if err := input.SetColumns(m, changes); err != nil {
		return nil, err
	}
	n, err := save(ctx)
	if err != nil {
		return nil, err
	}
	if n != 1 {
		return nil, fmt.Errorf("an update of one %T changed %d", before, n)
	}
	return WithChanges(t, before, changes), nil
}

// WithChanges is the record as it is once the changes are stored.
func WithChanges[E any](t *Tx, before *E, changes []input.Change) *E {
	after := *before
	input.Apply(&after, changes)
	if _, ok := input.ColumnsIn(reflect.TypeFor[E]())["updated_at"]; ok {
		input.Apply(&after, []input.Change{input.Set("updated_at", t.At())})
	}
	return &after
}

// StoreAll writes the same columns of several records, which are locked, and notes each of them for the audit trail as
// a side effect of the write. update makes the record's own update builder, of the ids, and hands out what is in it.
func StoreAll[E any](
	ctx context.Context, t *Tx, entity string, rows []*E, changes []input.Change,
	update func(ids []int) (ent.Mutation, func(context.Context) (int, error)),
) error {
	for part := range slices.Chunk(rows, RowsAtOnce) {
		ids := make([]int, len(part))
		for i, row := range part {
			ids[i] = input.ColumnValue(row, "id").(int)
		}
		m, save := update(ids)
		if err := input.SetColumns(m, changes); err != nil {
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
			AlsoUpdated(t, entity, before, WithChanges(t, before, changes))
		}
	}
	return nil
}
