package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"paydown/internal/auth"
)

// insertion is rows for one table, by hand: what every write stores takes too long to build with Ent. A test
// compares the rows with Ent's.
type insertion struct {
	table   string
	columns string // comma-separated; tenant_id is the first
	rows    [][]any
}

// insert runs an insertion, deferred on PostgreSQL.
func (tx *Tx) insert(ctx context.Context, in insertion) error {
	query, args := in.statement()
	return tx.exec(tx.Deferred(ctx), query, args...)
}

func (in insertion) statement() (query string, args []any) {
	var q strings.Builder
	q.WriteString("INSERT INTO " + in.table + " (" + in.columns + ") VALUES ")
	args = make([]any, 0, len(in.rows)*len(in.rows[0]))
	for i, row := range in.rows {
		if i > 0 {
			q.WriteString(", ")
		}
		for j, value := range row {
			if j == 0 {
				q.WriteByte('(')
			} else {
				q.WriteString(", ")
			}
			args = append(args, value)
			q.WriteByte('$')
			q.WriteString(strconv.Itoa(len(args)))
		}
		q.WriteByte(')')
	}
	return q.String(), args
}

// ownerOf returns the tenant of rows that are inserted by hand, as the hook does for Ent's.
func ownerOf(ctx context.Context, what string) (int, error) {
	if auth.SeesAllTenants(ctx) {
		return 0, fmt.Errorf("write of %s: the context is of no tenant", what)
	}
	tenant, err := tenantOf(ctx)
	if err != nil {
		return 0, fmt.Errorf("write of %s: %w", what, err)
	}
	return tenant, nil
}

// orNull returns nil for the zero value, for a column that may be null.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// orNullJSON is JSON for a column that may be null.
func orNullJSON(raw []byte) any {
	if raw == nil {
		return nil
	}
	return raw
}

func orNullInt(n *int) any {
	if n == nil {
		return nil
	}
	return *n
}
