package store

import (
	"context"
	"maps"
	"slices"
	"strings"

	"paydown/ent"
)

// Dependents are the records of one table that refer to a record.
type Dependents struct {
	Table string
	Count int
}

// Dependents counts the records of the actor's tenant that refer to a record, by table and in order of table
// names. It omits tables without such records, and those in but. record is the name of the Go type in package
// ent. The tables come from the schema, so that none can be forgotten.
func (tx *Tx) Dependents(ctx context.Context, record string, id int, but ...string) ([]Dependents, error) {
	tenant, err := tenantOf(ctx)
	if err != nil {
		return nil, err
	}
	// Table and column names come from the schema, never from a caller.
	var counts []string
	for table, columns := range referrers(record) {
		if slices.Contains(but, table) {
			continue
		}
		conditions := make([]string, len(columns))
		for i, column := range columns {
			conditions[i] = column + ` = $2`
		}
		counts = append(counts, `SELECT '`+table+`', COUNT(*) FROM `+table+
			` WHERE tenant_id = $1 AND (`+strings.Join(conditions, ` OR `)+`)`)
	}
	if len(counts) == 0 {
		return nil, nil
	}
	slices.Sort(counts)
	rows, err := tx.query(ctx, strings.Join(counts, ` UNION ALL `)+` ORDER BY 1`, tenant, id)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var found []Dependents
	for rows.Next() {
		var d Dependents
		if err := rows.Scan(&d.Table, &d.Count); err != nil {
			return nil, err
		}
		if d.Count > 0 {
			found = append(found, d)
		}
	}
	return found, rows.Err()
}

// referrers returns the tables and columns that may hold the id of a record of the kind.
func referrers(record string) map[string][]string {
	tables := map[string][]string{}
	for _, from := range ent.Records {
		if !from.Owned {
			continue
		}
		for _, edge := range slices.Sorted(maps.Keys(from.Columns)) {
			if from.Targets[edge] == record {
				tables[from.Table] = append(tables[from.Table], from.Columns[edge])
			}
		}
	}
	return tables
}
