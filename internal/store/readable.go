package store

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"paydown/ent"
)

// readAtOnce limits how many rows ReadableRows holds in memory.
const readAtOnce = 200

// ReadableRows verifies that every row of every record can be loaded: its JSON, amounts, dates and times
// decode, and its enumerations have valid values.
func ReadableRows() Walk {
	return Walk{
		Name: "rows_readable", About: "every row can be read", Noun: "rows",
		Run: func(ctx context.Context, view *Snapshot, found *Finding) error {
			for _, name := range slices.Sorted(maps.Keys(ent.Records)) {
				if err := view.readAll(ctx, ent.Records[name], found); err != nil {
					return fmt.Errorf("%s: %w", ent.Records[name].Table, err)
				}
			}
			for _, name := range slices.Sorted(maps.Keys(ent.Records)) {
				if err := view.checkEnums(ctx, ent.Records[name], found); err != nil {
					return fmt.Errorf("%s: %w", ent.Records[name].Table, err)
				}
			}
			return nil
		},
	}
}

func (v *Snapshot) readAll(ctx context.Context, record ent.Record, found *Finding) error {
	above := 0
	for {
		ids, err := v.ids(ctx, record.Table, above)
		if err != nil || len(ids) == 0 {
			return err
		}
		upTo := ids[len(ids)-1]
		if record.Read(ctx, v.client, above, upTo) != nil {
			for _, id := range ids {
				if err := record.Read(ctx, v.client, id-1, id); err != nil {
					found.Violate(fmt.Sprintf("%s %d: %s", record.Table, id, unreadable(err)))
				}
			}
		}
		found.Looked += len(ids)
		above = upTo
	}
}

// ids lists the next rows of a table. It fails only if the database does, not because of a row.
func (v *Snapshot) ids(ctx context.Context, table string, above int) ([]int, error) {
	ids := make([]int, 0, readAtOnce)
	err := v.each(ctx, fmt.Sprintf(`SELECT id FROM %s WHERE id > $1 ORDER BY id LIMIT %d`, table, readAtOnce),
		func(id int) { ids = append(ids, id) }, above)
	return ids, err
}

// badColumn finds the column in the errors of database/sql and of Ent's decoding.
var badColumn = regexp.MustCompile(`Scan error on column index \d+, name "(\w+)"|unmarshal field (\w+)|for field (\w+)`)

// unreadable names the column that cannot be read, but not its content, which may be confidential.
func unreadable(err error) string {
	if found := badColumn.FindStringSubmatch(err.Error()); found != nil {
		return strings.Join(found[1:], "") + " cannot be read"
	}
	return "cannot be read"
}

// checkEnums looks for invalid enumeration values, which Ent loads without an error.
func (v *Snapshot) checkEnums(ctx context.Context, record ent.Record, found *Finding) error {
	for _, column := range slices.Sorted(maps.Keys(record.Enums)) {
		values := make([]string, len(record.Enums[column]))
		for i, e := range record.Enums[column] {
			values[i] = "'" + strings.ReplaceAll(e, "'", "''") + "'"
		}
		err := v.each(ctx, fmt.Sprintf(`SELECT id FROM %s WHERE %[2]s NOT IN (%[3]s) ORDER BY id`,
			record.Table, column, strings.Join(values, ", ")), func(id int) {
			found.Violate(fmt.Sprintf("%s %d: %s has an invalid enumeration value", record.Table, id, column))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// each calls f with the ids of a query.
func (v *Snapshot) each(ctx context.Context, query string, f func(id int), args ...any) error {
	rows, err := v.tx.QueryContext(ctx, bind(v.dialect, query), args...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return err
		}
		f(id)
	}
	return rows.Err()
}
