package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strings"

	entsql "entgo.io/ent/dialect/sql"
)

// Row is a row of a Projection as the driver returns it: each column is an int64, bool, string, []byte, time.Time or
// nil. It is valid only while its visitor runs.
type Row []driver.Value

// Projection reads some columns of a tenant's table without making records of them. It exists for answers that are the
// columns themselves: a row then costs a fraction of a record.
type Projection struct {
	table, columns, byID string
	width                int
}

// NewProjection returns the projection of the table to the columns, in that order. The table must have tenant_id and
// id.
func NewProjection(table string, columns []string) *Projection {
	list := `"` + strings.Join(columns, `", "`) + `"`
	return &Projection{
		table: table, columns: list, width: len(columns),
		byID: `SELECT ` + list + ` FROM "` + table + `" WHERE tenant_id = $1 AND id = $2`,
	}
}

// VisitByID visits the row of the actor's tenant with the id, and reports whether there is one. Reading one row by its
// key is too short to be worth canceling.
func (s *Store) VisitByID(ctx context.Context, p *Projection, id int, visit func(Row) error) (found bool, err error) {
	tenant, err := tenantOf(ctx)
	if err != nil {
		return false, fmt.Errorf("read %s: %w", p.table, err)
	}
	args := []driver.NamedValue{{Ordinal: 1, Value: int64(tenant)}, {Ordinal: 2, Value: int64(id)}}
	err = s.visit(context.WithoutCancel(ctx), s.bind(p.byID), args, p.width, func(row Row) error {
		found = true
		return visit(row)
	})
	return found, err
}

// Visit visits the rows of the actor's tenant that narrow selects, in its order. narrow may set conditions, an order
// and a limit.
func (s *Store) Visit(
	ctx context.Context, p *Projection, narrow func(*entsql.Selector), visit func(Row) error,
) error {
	tenant, err := tenantOf(ctx)
	if err != nil {
		return fmt.Errorf("read %s: %w", p.table, err)
	}
	d := entsql.Dialect(s.dialect)
	selector := d.Select().AppendSelectExpr(entsql.Raw(p.columns)).From(d.Table(p.table))
	selector.Where(entsql.EQ(selector.C(tenantColumn), tenant))
	narrow(selector)
	query, values := selector.Query()
	if err := selector.Err(); err != nil {
		return err
	}
	return s.visit(ctx, query, named(values), p.width, visit)
}

// named returns query arguments in the form of a driver.
func named(values []any) []driver.NamedValue {
	args := make([]driver.NamedValue, len(values))
	for i, v := range values {
		args[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return args
}

// visit runs a query below database/sql, which would start a goroutine for each query and convert each value by
// reflection. A connection that turns out to be closed is replaced, as database/sql does.
func (s *Store) visit(
	ctx context.Context, query string, args []driver.NamedValue, width int, visit func(Row) error,
) error {
	const tries = 3
	began := false
	each := func(row Row) error {
		began = true
		return visit(row)
	}
	for try := 1; ; try++ {
		conn, err := s.pools.reader.Conn(ctx)
		if err != nil {
			return err
		}
		err = conn.Raw(func(raw any) error { return raw.(*cachingConn).visit(ctx, query, args, width, each) })
		_ = conn.Close() // returns the connection to the pool
		if !errors.Is(err, driver.ErrBadConn) || began || try == tries {
			return err
		}
	}
}

// visit runs the query on this connection and visits its rows.
func (c *cachingConn) visit(
	ctx context.Context, query string, args []driver.NamedValue, width int, visit func(Row) error,
) (err error) {
	for i := range args {
		err := c.CheckNamedValue(&args[i])
		if errors.Is(err, driver.ErrSkip) {
			args[i].Value, err = driver.DefaultParameterConverter.ConvertValue(args[i].Value)
		}
		if err != nil {
			return err
		}
	}
	rows, err := c.QueryContext(ctx, query, args)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	row := make(Row, width)
	for {
		switch err := rows.Next(row); {
		case err == nil:
		case errors.Is(err, io.EOF):
			return nil
		default:
			return err
		}
		if err := visit(row); err != nil {
			return err
		}
	}
}
