package list

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"entgo.io/ent/dialect/sql"

	"paydown/ent"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// This file reads lists and records as rows, for surfaces that answer with the columns themselves.

// Projection reads some columns of the records of a list.
type Projection[E any] struct {
	*store.Projection
	list    *Listing[E]
	columns []string
}

// Project returns the projection of the list's records to the columns, which must include its sort fields.
func (l *Listing[E]) Project(columns []string) *Projection[E] {
	for _, s := range l.AllSorts() {
		if !slices.Contains(columns, s.Column) {
			panic(fmt.Sprintf("list: a projection of %s without %s", l.Resource, s.Column)) // found when the surface starts
		}
	}
	table := ent.Records[reflect.TypeFor[E]().Name()].Table
	return &Projection[E]{store.NewProjection(table, columns), l, columns}
}

// RowPage describes a page whose rows were visited.
type RowPage struct {
	Count      int
	HasMore    bool
	NextCursor string
}

// VisitOne visits the row with the id. noun names the record in a not_found error.
func (p *Projection[E]) VisitOne(
	ctx context.Context, c *unit.Core, noun string, id int, visit func(store.Row) error,
) error {
	if _, err := unit.RequireScope(ctx, p.list.Scope); err != nil {
		return err
	}
	found, err := c.Store.VisitByID(ctx, p.Projection, id, visit)
	if err == nil && !found {
		err = fault.Missing(noun)
	}
	return err
}

// VisitPage visits the rows of the requested page. It checks the list's scope and the request, like Read, and selects
// the same records.
func (p *Projection[E]) VisitPage(
	ctx context.Context, c *unit.Core, req Request, visit func(store.Row) error,
) (RowPage, error) {
	var page RowPage
	q, err := p.list.Authorize(ctx, c, req)
	if err != nil {
		return page, err
	}
	sort, id := slices.Index(p.columns, q.sort.Column), slices.Index(p.columns, "id")
	var last position
	err = q.eachRange(func(where, order func(*sql.Selector), limit int) (int, error) {
		n := 0
		narrow := func(s *sql.Selector) {
			where(s)
			order(s)
			s.Limit(limit)
		}
		err := c.Store.Visit(ctx, p.Projection, narrow, func(row store.Row) error {
			n++
			if page.HasMore = page.Count == q.Limit; page.HasMore {
				return nil // the record after the page
			}
			if page.Count++; page.Count == q.Limit {
				var err error
				if last, err = p.position(q.sort, row[sort], row[id]); err != nil {
					return err
				}
			}
			return visit(row)
		})
		return n, err
	})
	if err == nil && page.HasMore {
		page.NextCursor = formatCursor(c, q, last)
	}
	return page, err
}

// scanner is a type that reads itself from what a driver returns.
type scanner interface{ Scan(value any) error }

// position is positionOf for a row.
func (p *Projection[E]) position(sort Sort, value, id any) (position, error) {
	at := position{ID: int(id.(int64))}
	switch {
	case sort.Kind == IsID:
	case value == nil:
		at.Null = true
	default:
		field := reflect.TypeFor[E]().FieldByIndex(input.ColumnsIn(reflect.TypeFor[E]())[sort.Column]).Type
		if field.Kind() == reflect.Pointer {
			field = field.Elem()
		}
		if scanner, ok := reflect.TypeAssert[scanner](reflect.New(field)); ok {
			if err := scanner.Scan(value); err != nil {
				return at, err
			}
			value = reflect.ValueOf(scanner).Elem().Interface()
		}
		if text, ok := value.([]byte); ok {
			value = string(text)
		}
		at.Value = WireValue(value)
	}
	return at, nil
}
