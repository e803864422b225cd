package store

import (
	"context"
	"errors"
	"fmt"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// SealedColumn is a column with values sealed under a secret key. Table, column and conditions are constants of
// the program.
type SealedColumn struct {
	Table, Column string
	// Where selects the rows with sealed values; empty means all that are not null.
	Where string
	// Claim is another column, of bytes, that the value is sealed for; empty means none.
	Claim string
	// Document is true if sealed values are inside a text, such as JSON, so that SQL cannot read their keys.
	Document bool
}

// SealedRow is a row of such a column.
type SealedRow struct {
	ID    int
	Value []byte
	Claim []byte
}

// KeyCount is the number of values of a column under the key with an id. The id is "" for values that are too
// short to be sealed.
type KeyCount struct {
	KeyID string
	Count int
}

// SealedReader reads sealed columns across tenants, in a snapshot, in a transaction or outside of both.
type SealedReader struct {
	dialect string
	query   func(ctx context.Context, query string, args []any) (entsql.ColumnScanner, error)
}

// Sealed reads the columns in the snapshot.
func (v *Snapshot) Sealed() SealedReader {
	return SealedReader{v.dialect, func(ctx context.Context, query string, args []any) (entsql.ColumnScanner, error) {
		return v.tx.QueryContext(ctx, query, args...) //nolint:rowserrcheck // the caller checks and closes
	}}
}

// Sealed reads the current columns.
func (s *Store) Sealed() SealedReader {
	return SealedReader{s.dialect, func(ctx context.Context, query string, args []any) (entsql.ColumnScanner, error) {
		return s.pools.reader.QueryContext(ctx, query, args...) //nolint:rowserrcheck // the caller checks and closes
	}}
}

// Sealed reads the columns as the transaction sees them.
func (tx *Tx) Sealed() SealedReader {
	return SealedReader{tx.dialect, func(ctx context.Context, query string, args []any) (entsql.ColumnScanner, error) {
		rows := &entsql.Rows{}
		return rows, tx.sql.Query(ctx, query, args, rows)
	}}
}

func (r SealedReader) each(
	ctx context.Context, query string, scan func(entsql.ColumnScanner) error, args ...any,
) error {
	rows, err := r.query(ctx, bind(r.dialect, query), args)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// keyID is the SQL expression for the key's id, the first four bytes of a sealed value, in hexadecimal.
func (r SealedReader) keyID(column string) string {
	id := `lower(hex(substr(` + column + `, 1, 4)))`
	if r.dialect == dialect.Postgres {
		id = `encode(substring(` + column + ` from 1 for 4), 'hex')`
	}
	return fmt.Sprintf(`CASE WHEN length(%s) < 4 THEN '' ELSE %s END`, column, id)
}

func (c SealedColumn) where() string {
	if c.Where == "" {
		return c.Column + ` IS NOT NULL`
	}
	return c.Column + ` IS NOT NULL AND (` + c.Where + `)`
}

// Count counts the values of a column by key. It does not support documents; see Rows.
func (r SealedReader) Count(ctx context.Context, c SealedColumn) ([]KeyCount, error) {
	if c.Document {
		return nil, errors.New("store: sealed values of a document cannot be counted in SQL")
	}
	var counts []KeyCount
	err := r.each(ctx, fmt.Sprintf(`SELECT key_id, COUNT(*) FROM (SELECT %s AS key_id FROM %s WHERE %s) k
		GROUP BY key_id ORDER BY key_id`, r.keyID(c.Column), c.Table, c.where()), func(rows entsql.ColumnScanner) error {
		var n KeyCount
		err := rows.Scan(&n.KeyID, &n.Count)
		counts = append(counts, n)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("count %s.%s: %w", c.Table, c.Column, err)
	}
	return counts, nil
}

// Page selects rows of a column, by id.
type Page struct {
	Above, Limit int
	// Under selects values under this key only, Except those under any other; neither works for documents.
	Under, Except string
}

// Rows reads the next rows of a column.
func (r SealedReader) Rows(ctx context.Context, c SealedColumn, p Page) ([]SealedRow, error) {
	claim, where, args := `NULL`, c.where(), []any{p.Above}
	if c.Claim != "" {
		claim = c.Claim
	}
	if p.Under != "" {
		args = append(args, p.Under)
		where += fmt.Sprintf(` AND %s = $%d`, r.keyID(c.Column), len(args))
	}
	if p.Except != "" && !c.Document {
		args = append(args, p.Except)
		where += fmt.Sprintf(` AND %s <> $%d`, r.keyID(c.Column), len(args))
	}
	var found []SealedRow
	err := r.each(ctx, fmt.Sprintf(`SELECT id, %s, %s FROM %s WHERE id > $1 AND %s ORDER BY id LIMIT %d`,
		c.Column, claim, c.Table, where, p.Limit), func(rows entsql.ColumnScanner) error {
		var row SealedRow
		err := rows.Scan(&row.ID, &row.Value, &row.Claim)
		found = append(found, row)
		return err
	}, args...)
	if err != nil {
		return nil, fmt.Errorf("read %s.%s: %w", c.Table, c.Column, err)
	}
	return found, nil
}

// ReplaceSealed replaces the value that was read, and returns false if it was changed meanwhile. It does not
// change updated_at, because the plain value is the same.
func (tx *Tx) ReplaceSealed(ctx context.Context, c SealedColumn, row SealedRow, value []byte) (bool, error) {
	var before, after any = row.Value, value
	if c.Document { // a text column: in SQLite a text never equals bytes
		before, after = string(row.Value), string(value)
	}
	rows, err := tx.query(
		ctx, fmt.Sprintf(`UPDATE %s SET %[2]s = $1 WHERE id = $2 AND %[2]s = $3 RETURNING id`, c.Table, c.Column), after,
		row.ID, before,
	)
	if err != nil {
		return false, fmt.Errorf("replace %s.%s of %d: %w", c.Table, c.Column, row.ID, err)
	}
	defer func() { _ = rows.Close() }()
	replaced := rows.Next()
	return replaced, rows.Err()
}
