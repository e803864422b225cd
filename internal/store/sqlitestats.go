package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
)

// Without statistics SQLite assumes that the first column of any index narrows a search to some ten rows. Our
// indexes start with tenant_id, which often narrows nothing, so SQLite would walk all payments of a tenant in
// the requested order rather than sort the twenty of a deal. Statistics gathered by ANALYZE describe the rows
// of that day: few or none in a new database. So the statistics state how columns divide the records of a large
// tenant; plans then stay the same as data grows (https://www.sqlite.org/optoverview.html, "Manual control of
// query plans using SQLITE_STAT tables").

// The assumed number of rows of a table, and of rows with equal values in a column of a kind.
const (
	assumedRows     = 1_000_000
	assumedInPart   = 1000 // rows in a partial index: waiting ones, active ones
	alikeInID       = 50
	alikeInInstant  = 10
	alikeInDay      = 1000
	alikeInNothing  = 1000 // for an optional column that is otherwise unique
	kindsOfAnything = 10   // statuses, types, names
)

// stateStatistics replaces the statistics of all tables, in a migration that changes them.
func stateStatistics(ctx context.Context, tx *sql.Tx) error {
	// Any ANALYZE creates the statistics table if necessary.
	if _, err := tx.ExecContext(ctx, `ANALYZE schema_migrations; DELETE FROM sqlite_stat1`); err != nil {
		return err
	}
	indexes, err := indexesOf(ctx, tx)
	if err != nil {
		return err
	}
	for _, i := range indexes {
		_, err := tx.ExecContext(
			ctx, `INSERT INTO sqlite_stat1 (tbl, idx, stat) VALUES (?, ?, ?)`, i.table, i.name, i.statistic(),
		)
		if err != nil {
			return fmt.Errorf("statistics of %s: %w", i.name, err)
		}
	}
	return nil
}

type index struct {
	table, name string
	unique      bool
	partial     bool // covers only some of the rows
	optional    bool // its last column may be null
	columns     []string
}

func indexesOf(ctx context.Context, tx *sql.Tx) ([]index, error) {
	rows, err := tx.QueryContext(ctx, `SELECT t.name, i.name, i."unique", i.partial,
		(SELECT group_concat(COALESCE(c.name, '')) FROM (SELECT name FROM pragma_index_info(i.name) ORDER BY seqno) c),
		COALESCE((SELECT NOT c."notnull" FROM pragma_index_info(i.name) x, pragma_table_info(t.name) c
		  WHERE c.cid = x.cid ORDER BY x.seqno DESC LIMIT 1), 0)
		FROM sqlite_master t, pragma_index_list(t.name) i WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite\_%' ESCAPE '\'`)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var all []index
	for rows.Next() {
		var i index
		var columns string
		if err := rows.Scan(&i.table, &i.name, &i.unique, &i.partial, &columns, &i.optional); err != nil {
			return nil, err
		}
		i.columns = strings.Split(columns, ",")
		all = append(all, i)
	}
	return all, rows.Err()
}

// statistic returns the number of rows, and of rows that are equal in the first column, the first two, and so
// on.
func (i index) statistic() string {
	alike := assumedRows
	if i.partial {
		alike = assumedInPart
	}
	counts := []string{strconv.Itoa(alike)}
	for n, column := range i.columns {
		switch {
		case column == "id" || (i.unique && !i.optional && n == len(i.columns)-1):
			alike = 1
		case i.unique && n == len(i.columns)-1:
			alike = min(alike, alikeInNothing)
		case column == tenantColumn: // all may belong to one tenant
		case strings.HasSuffix(column, "_id"):
			alike = min(alike, alikeInID)
		case strings.HasSuffix(column, "_at"):
			alike = min(alike, alikeInInstant)
		case strings.HasSuffix(column, "_date") || strings.HasSuffix(column, "_on"):
			alike = min(alike, alikeInDay)
		default:
			alike = max(1, alike/kindsOfAnything)
		}
		counts = append(counts, strconv.Itoa(alike))
	}
	return strings.Join(counts, " ")
}
