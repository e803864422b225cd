package list

import (
	"context"
	"reflect"

	"entgo.io/ent/dialect/sql"

	"paydown/internal/auth"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// Listing describes the list of a resource: what it can be sorted and filtered by, searched in and expanded with. It
// serves every surface alike. E is the record, an Ent entity.
type Listing[E any] struct {
	Resource string // plural name on the wire: "deals"
	Scope    auth.Scope
	Sorts    []Sort // besides id, createdAt and updatedAt
	Filters  []Filter
	Search   []string // columns that q looks in; none: the list has no q
	Expands  []Expand
	// NoUpdatedAt leaves updatedAt out: the record does not show it.
	NoUpdatedAt bool
	// ByIDOnly leaves all orders but that by id out, which no other index serves.
	ByIDOnly bool
	// Created is the column that says when a record came to be, where it has no created_at.
	Created string
}

// Sort is a sortable field.
type Sort struct {
	Name, Column string
	Kind         ValueKind
}

// Filter is a field that a list can be narrowed by.
type Filter struct {
	Name, Column string
	Kind         ValueKind
	Values       []string // of an enumeration
	Since        bool     // at or after the value, instead of equal to it
	// Through narrows by a column of another record that belongs to those of the list; nil where it is their own.
	Through func(column string, id int) func(*sql.Selector)
	Doc     string
}

// Expand is a relation that a list can include, and what may be read to do so.
type Expand struct {
	Name  string
	Scope auth.Scope
}

// ValueKind says how a value is written and compared.
type ValueKind int

// The kinds.
const (
	IsText ValueKind = iota
	IsID
	IsInteger
	IsEnum
	IsBool
	IsDecimal
	IsDate
	IsTime
	// IsEmpty is for filters alone: whether the column holds nothing, as true or false.
	IsEmpty
)

// AllSorts are all that the list can be sorted by.
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

// SortNames lists what can be sorted by, for documentation.
func (l *Listing[E]) SortNames() []string {
	var names []string
	for _, s := range l.AllSorts() {
		names = append(names, s.Name)
	}
	return names
}

// has reports whether the record has the column, nullable whether it may be null.
func (l *Listing[E]) has(column string) bool {
	_, ok := input.ColumnsIn(reflect.TypeFor[E]())[column]
	return ok
}

func (l *Listing[E]) nullable(column string) bool {
	return reflect.TypeFor[E]().FieldByIndex(input.ColumnsIn(reflect.TypeFor[E]())[column]).Type.Kind() == reflect.Pointer
}

// Page is one page of a list.
type Page[E any] struct {
	Records    []*E
	HasMore    bool
	NextCursor string
	// Continued says that the page was asked for with a cursor.
	Continued bool
	cursor    func(*E) string
	Count     func(context.Context) (int, error)
}

// Cursor is where the list goes on after one of the page's records.
func (p *Page[E]) Cursor(record *E) string { return p.cursor(record) }

// Total counts the records of all pages.
func (p *Page[E]) Total(ctx context.Context) (int, error) { return p.Count(ctx) }

// lister is what every generated query offers; Q is the query's own type.
type lister[E any, P, O ~func(*sql.Selector), Q any] interface {
	Where(...P) Q
	Order(...O) Q
	Limit(int) Q
	Clone() Q
	Count(context.Context) (int, error)
	All(context.Context) ([]*E, error)
}

// Read answers a request: it checks the list's scope and the request, and narrows base, which says what a record always
// includes, to one page.
func Read[E any, P, O ~func(*sql.Selector), Q lister[E, P, O, Q]](
	ctx context.Context, c *unit.Core, l *Listing[E], req Request, base Q,
) (*Page[E], error) {
	q, err := l.Authorize(ctx, c, req)
	if err != nil {
		return nil, err
	}
	return FetchPage(ctx, c, q, base)
}

// FetchPage reads one page: the rows after the query's position, in its order. A field that can be null is walked in two
// ranges, values first and nulls last, so that an index serves either; the second range is asked only where the first
// does not fill the page.
func FetchPage[E any, P, O ~func(*sql.Selector), Q lister[E, P, O, Q]](
	ctx context.Context, c *unit.Core, q *Query[E], base Q,
) (*Page[E], error) {
	want := q.Limit + 1
	var rows []*E
	inNulls := q.after != nil && q.after.Null
	if !inNulls {
		var err error
		rows, err = base.Clone().Where(P(q.where(q.after, false))).Order(O(q.order(false))).Limit(want).All(ctx)
		if err != nil {
			return nil, err
		}
	}
	if q.nullable && len(rows) < want {
		after := q.after
		if !inNulls {
			after = nil // the nulls begin at their first
		}
		more, err := base.Clone().Where(P(q.where(after, true))).Order(O(q.order(true))).Limit(want - len(rows)).All(ctx)
		if err != nil {
			return nil, err
		}
		rows = append(rows, more...)
	}
	p := paged(c, q, rows)
	p.Count = func(ctx context.Context) (int, error) { return base.Clone().Where(P(q.Filter)).Count(ctx) }
	return p, nil
}

// paged is the page that begins with the rows, of which there may be one more than it holds.
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
