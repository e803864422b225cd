package list

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"entgo.io/ent/dialect/sql"

	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// Query is a request that its list has checked.
type Query[E any] struct {
	Limit  int
	Expand []string
	sort   Sort
	// nullable is set if the sort field may be null.
	nullable   bool
	desc       bool
	after      *position
	conditions []func(*sql.Selector)
	binding    []byte // what a cursor is bound to: tenant, resource, sort and filters
}

// Wants reports whether the request expands the relation.
func (q *Query[E]) Wants(relation string) bool { return slices.Contains(q.Expand, relation) }

// Authorize is Query after a check of the list's scope.
func (l *Listing[E]) Authorize(ctx context.Context, c *unit.Core, req Request) (*Query[E], error) {
	actor, err := unit.RequireScope(ctx, l.Scope)
	if err != nil {
		return nil, err
	}
	return l.Query(c, actor, req)
}

// Query checks the request of an actor who may read the list. Several validation problems are reported together; a
// problem with a code of its own (invalid_id, invalid_sort, invalid_expand, forbidden, and last invalid_cursor) is
// reported alone.
func (l *Listing[E]) Query(c *unit.Core, actor *auth.Actor, req Request) (*Query[E], error) {
	q, err := l.check(actor, req)
	if err != nil {
		return nil, err
	}
	q.binding = bindingOf(actor.TenantID, l.Resource, req)
	if req.Cursor != nil {
		if q.after, err = parsePosition(c, q, *req.Cursor); err != nil {
			return nil, err
		}
	}
	return q, nil
}

// Check reports what is wrong with the request, apart from its cursor. Surfaces call it to report problems of their own
// together with these.
func (l *Listing[E]) Check(actor *auth.Actor, req Request) error {
	_, err := l.check(actor, req)
	return err
}

func (l *Listing[E]) check(actor *auth.Actor, req Request) (*Query[E], error) {
	q := &Query[E]{Limit: DefaultLimit, sort: Sort{"id", "id", IsID}}
	r := reader{zone: unit.ZoneOf(actor)}
	r.unknown(req.Filters, l.filter)
	if req.Limit != nil {
		if q.Limit = *req.Limit; q.Limit < 1 || q.Limit > MaxLimit {
			r.Add("limit", "must be an integer from 1 to %d", MaxLimit)
		}
	}
	r.windows(req, cmp.Or(l.Created, "created_at"), l.has("updated_at"))
	for _, f := range l.Filters {
		if value, ok := req.Filters[f.Name]; ok {
			r.filter(f, value)
		}
	}
	if req.Search != nil {
		r.search(l.Search, *req.Search)
	}
	if req.IDs != nil {
		r.ids(req.IDs)
	}
	if err := q.orderBy(l, req.Sort); err != nil {
		r.Refuse(err)
	}
	expands, refused := Expandable(actor, l.Expands, req.Expand)
	if refused != nil {
		r.Refuse(refused)
	}
	q.Expand, q.conditions = expands, r.conditions
	return q, r.Err()
}

// filter returns the list's filter with the name.
func (l *Listing[E]) filter(name string) (Filter, bool) {
	i := slices.IndexFunc(l.Filters, func(f Filter) bool { return f.Name == name })
	if i < 0 {
		return Filter{}, false
	}
	return l.Filters[i], true
}

func (q *Query[E]) orderBy(l *Listing[E], by *SortBy) *fault.Error {
	if by == nil {
		return nil
	}
	sort, known := l.sort(by.Field)
	if !known {
		return fault.New(fault.InvalidSort, "This list sorts by %s.", strings.Join(l.SortNames(), ", ")).
			With("sort", "names a field this list does not sort by")
	}
	q.sort, q.desc, q.nullable = sort, by.Desc, l.nullable(sort.Column)
	return nil
}

// Expandable returns the named relations, each once; all must be known, and the actor allowed to read them.
func Expandable(actor *auth.Actor, known []Expand, named []string) ([]string, *fault.Error) {
	var wanted []string
	for _, name := range named {
		i := slices.IndexFunc(known, func(e Expand) bool { return e.Name == name })
		if i < 0 {
			f := fault.New(fault.InvalidExpand, "This resource has no relations to expand.")
			if len(known) > 0 {
				names := make([]string, len(known))
				for i, e := range known {
					names[i] = e.Name
				}
				f = fault.New(fault.InvalidExpand, "This resource expands %s.", strings.Join(names, ", "))
			}
			return nil, f.With("expand", "names a relation that cannot be expanded")
		}
		if !actor.May(known[i].Scope) {
			return nil, fault.New(fault.Forbidden, "Expanding %s needs the scope %s.", name, known[i].Scope)
		}
		if !slices.Contains(wanted, name) {
			wanted = append(wanted, name)
		}
	}
	return wanted, nil
}

// reader turns a request into conditions and collects its problems.
type reader struct {
	Problems
	zone       *time.Location
	conditions []func(*sql.Selector)
}

func (r *reader) where(condition func(*sql.Selector)) { r.conditions = append(r.conditions, condition) }

func (r *reader) unknown(filters map[string]Value, known func(string) (Filter, bool)) {
	var unknown []string
	for name := range filters {
		if _, ok := known(name); !ok {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		r.Add(name, "is not a parameter of this list")
	}
}

// windows filters by time. Records without updated_at count as updated when they were created.
func (r *reader) windows(req Request, created string, updates bool) {
	updated := "updated_at"
	if !updates {
		updated = created
	}
	for _, w := range []struct {
		moment  *civil.Moment
		column  string
		compare func(string, any) *sql.Predicate
	}{
		{req.CreatedSince, created, sql.GTE},
		{req.CreatedBefore, created, sql.LT},
		{req.UpdatedSince, updated, sql.GTE},
	} {
		if w.moment != nil {
			at := w.moment.At(r.zone)
			r.where(func(s *sql.Selector) { s.Where(w.compare(s.C(w.column), at)) })
		}
	}
}

func (r *reader) filter(f Filter, v Value) {
	if v.kind != typeOf(f.Kind) {
		r.Add(f.Name, "is a value of the wrong type")
		return
	}
	var value any
	switch f.Kind {
	case IsEnum:
		if !slices.Contains(f.Values, v.text) {
			r.Add(f.Name, "must be one of %s", strings.Join(f.Values, ", "))
			return
		}
		value = v.text
	case IsID:
		if v.id < 1 {
			r.Refuse(InvalidID(f.Name))
			return
		}
		if f.Through != nil {
			r.where(f.Through(f.Column, v.id))
			return
		}
		value = v.id
	case IsEmpty:
		holds := sql.NotNull
		if v.yes {
			holds = sql.IsNull
		}
		r.where(func(s *sql.Selector) { s.Where(holds(s.C(f.Column))) })
		return
	case IsBool:
		value = v.yes
	case IsDate:
		value = civil.On(v.moment.At(r.zone), r.zone)
	default:
		if message := input.Violation(v.text, "text"); message != "" {
			r.Add(f.Name, "%s", message)
			return
		}
		value = v.text
	}
	compare := sql.EQ
	if f.Since {
		compare = sql.GTE
	}
	r.where(func(s *sql.Selector) { s.Where(compare(s.C(f.Column), value)) })
}

// search matches the text in any of the columns, without regard to case; % and _ are literal.
func (r *reader) search(columns []string, text string) {
	if len(columns) == 0 {
		r.Add("q", "is not supported by this list")
		return
	}
	if message := input.Violation(text, "text"); message != "" {
		r.Add("q", "%s", message)
		return
	}
	r.where(func(s *sql.Selector) {
		matches := make([]*sql.Predicate, len(columns))
		for i, column := range columns {
			matches[i] = store.Contains(s, column, text)
		}
		s.Where(sql.Or(matches...))
	})
}

func (r *reader) ids(ids []int) {
	if len(ids) > MaxIDs {
		r.Add("ids", "takes at most %d ids", MaxIDs)
		return
	}
	if len(ids) == 0 || slices.ContainsFunc(ids, func(id int) bool { return id < 1 }) {
		r.Refuse(InvalidID("ids"))
		return
	}
	args := make([]any, len(ids))
	for i, id := range ids {
		args[i] = id
	}
	r.where(func(s *sql.Selector) { s.Where(sql.In(s.C("id"), args...)) })
}
