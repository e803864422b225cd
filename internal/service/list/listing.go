package list

import (
	"context"
	"reflect"

	"entgo.io/ent/dialect/sql"

	"paydown/internal/auth"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// Listing describes the list of a resource for all surfaces: its sort fields, filters, searchable columns and
// relations. E is the record, an Ent entity.
type Listing[E any] struct {
	Resource string // plural name on the wire: "deals"
	Scope    auth.Scope
	Sorts    []Sort // besides id, createdAt and updatedAt
	Filters  []Filter
	Search   []string // columns that q looks in; none: the list has no q
	Expands  []Expand
	// NoUpdatedAt removes the sort by updatedAt, for records without one.
	NoUpdatedAt bool
	// ByIDOnly removes every sort except by id, for tables without other indexes.
	ByIDOnly bool
	// Created is the column with the time of creation if that is not created_at.
	Created string
}

// Sort is a sortable field.
type Sort struct {
	Name, Column string
	Kind         ValueKind
}

// Filter is a field that a list can be filtered by.
type Filter struct {
	Name, Column string
	Kind         ValueKind
	Values       []string // of an enumeration
	Since        bool     // at or after the value, instead of equal to it
	// Through filters by a column of a related record; nil: by Column of the record itself.
	Through func(column string, id int) func(*sql.Selector)
	Doc     string
}

// Expand is a relation that a list can include, and the scope it needs.
type Expand struct {
	Name  string
	Scope auth.Scope
}

// ValueKind is the type of a filter or sort field.
type ValueKind int

// The types of filters and sort fields.
const (
	IsText ValueKind = iota
	IsID
	IsInteger
	IsEnum
	IsBool
	IsDecimal
	IsDate
	IsTime
	// IsEmpty is for filters only: whether the column is null, as true or false.
	IsEmpty
)

// AllSorts returns every sort field of the list.
func (l *Listing[E]) AllSorts() []Sort {
	common := []Sort{{"id", "id", IsID}, {"createdAt", "created_at", IsTime}, {"updatedAt", "updated_at", IsTime}}
	switch {
	case l.ByIDOnly:
		common = common[:1]
	case l.NoUpdatedAt:
		common = common[:2]
	}
	return append(common, l.Sorts...)
}

func (l *Listing[E]) sort(name string) (Sort, bool) {
	for _, s := range l.AllSorts() {
		if s.Name == name {
			return s, true
		}
	}
	return Sort{}, false
}

// SortNames returns the names of AllSorts.
func (l *Listing[E]) SortNames() []string {
	var names []string
	for _, s := range l.AllSorts() {
		names = append(names, s.Name)
	}
	return names
}

// has reports whether the record has the column.
func (l *Listing[E]) has(column string) bool {
	_, ok := input.ColumnsIn(reflect.TypeFor[E]())[column]
	return ok
}

// nullable reports whether the column may be null.
func (l *Listing[E]) nullable(column string) bool {
	return reflect.TypeFor[E]().FieldByIndex(input.ColumnsIn(reflect.TypeFor[E]())[column]).Type.Kind() == reflect.Pointer
}

// Page is one page of a list.
type Page[E any] struct {
	Records    []*E
	HasMore    bool
	NextCursor string
	// Continued is set if the request had a cursor.
	Continued bool
	cursor    func(*E) string
	Count     func(context.Context) (int, error)
}

// Cursor returns the cursor that continues the list after a record of the page.
func (p *Page[E]) Cursor(record *E) string { return p.cursor(record) }

// Total counts the records of all pages.
func (p *Page[E]) Total(ctx context.Context) (int, error) { return p.Count(ctx) }

// lister is the part of a generated query that lists use; Q is the query's own type.
type lister[E any, P, O ~func(*sql.Selector), Q any] interface {
	Where(...P) Q
	Order(...O) Q
	Limit(int) Q
	Clone() Q
	Count(context.Context) (int, error)
	All(context.Context) ([]*E, error)
}

// Read returns the requested page of base. It checks the list's scope and the request.
func Read[E any, P, O ~func(*sql.Selector), Q lister[E, P, O, Q]](
	ctx context.Context, c *unit.Core, l *Listing[E], req Request, base Q,
) (*Page[E], error) {
	q, err := l.Authorize(ctx, c, req)
	if err != nil {
		return nil, err
	}
	return FetchPage(ctx, c, q, base)
}

// FetchPage returns the page of base after the query's position.
func FetchPage[E any, P, O ~func(*sql.Selector), Q lister[E, P, O, Q]](
	ctx context.Context, c *unit.Core, q *Query[E], base Q,
) (*Page[E], error) {
	var rows []*E
	err := q.eachRange(func(where, order func(*sql.Selector), limit int) (int, error) {
		more, err := base.Clone().Where(P(where)).Order(O(order)).Limit(limit).All(ctx)
		if rows == nil {
			rows = more
		} else {
			rows = append(rows, more...)
		}
		return len(more), err
	})
	if err != nil {
		return nil, err
	}
	p := paged(c, q, rows)
	p.Count = func(ctx context.Context) (int, error) { return base.Clone().Where(P(q.Filter)).Count(ctx) }
	return p, nil
}

// eachRange reads a page and one record more. A nullable sort field is read in two ranges, values first and nulls
// last, so that an index serves both; the second is read only if the first does not fill the page. read returns how
// many records it has read.
func (q *Query[E]) eachRange(read func(where, order func(*sql.Selector), limit int) (int, error)) error {
	want := q.Limit + 1
	inNulls := q.after != nil && q.after.Null
	if !inNulls {
		n, err := read(q.where(q.after, false), q.order(false), want)
		if err != nil {
			return err
		}
		want -= n
	}
	if !q.nullable || want == 0 {
		return nil
	}
	after := q.after
	if !inNulls {
		after = nil // the nulls begin at their first
	}
	_, err := read(q.where(after, true), q.order(true), want)
	return err
}

// paged returns the page that starts with rows, which may hold one record more than a page.
func paged[E any](c *unit.Core, q *Query[E], rows []*E) *Page[E] {
	p := &Page[E]{
		Records: rows, Continued: q.after != nil,
		cursor: func(record *E) string { return formatCursor(c, q, positionOf(q.sort, record)) },
	}
	if len(rows) > q.Limit {
		p.Records, p.HasMore = rows[:q.Limit], true
		p.NextCursor = p.Cursor(p.Records[q.Limit-1])
	}
	return p
}

func positionOf(s Sort, record any) position {
	p := position{ID: input.ColumnValue(record, "id").(int)}
	switch value := input.ColumnValue(record, s.Column); {
	case s.Kind == IsID:
	case value == nil:
		p.Null = true
	default:
		p.Value = WireValue(value)
	}
	return p
}
