package list

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
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

// The bounds of a page.
const (
	DefaultLimit = 50
	MaxLimit     = 200
	MaxIDs       = 200
)

// Query is a parsed request for a page of a list.
type Query[E any] struct {
	Limit  int
	Expand []string
	sort   Sort
	// nullable says that the sort field may be null.
	nullable   bool
	desc       bool
	after      *position
	conditions []func(*sql.Selector)
	binding    []byte // what a cursor is bound to: tenant, resource, sort and filters
}

// Wants reports whether the relation is to be included.
func (q *Query[E]) Wants(relation string) bool { return slices.Contains(q.Expand, relation) }

// CommonParameters are the parameters that every list takes.
var CommonParameters = []string{
	"limit", "cursor", "sort", "expand", "ids", "q", "createdSince", "createdBefore", "updatedSince",
}

// Parse reads the parameters of a list request. It reports one code per request, in the contract's order of codes
// where several are wrong, and of plain validation errors all at once.
func (l *Listing[E]) Parse(ctx context.Context, c *unit.Core, params map[string]string) (*Query[E], error) {
	actor, err := unit.RequireScope(ctx, l.Scope)
	if err != nil {
		return nil, err
	}
	return l.Read(c, actor, params)
}

// Read is parse for an actor who has been let in already.
func (l *Listing[E]) Read(c *unit.Core, actor *auth.Actor, params map[string]string) (*Query[E], error) {
	q := &Query[E]{Limit: DefaultLimit, sort: Sort{"id", "id", IsID}}
	p := parser{params: params, zone: unit.ZoneOf(actor)}
	p.refuseUnknown(l.knows)
	if text, ok := params["limit"]; ok {
		q.Limit = p.integer("limit", text, 1, MaxLimit)
	}
	q.conditions = append(q.conditions, p.windows(cmp.Or(l.Created, "created_at"), l.has("updated_at"))...)
	for _, f := range l.Filters {
		if text, ok := params[f.Name]; ok {
			q.conditions = append(q.conditions, p.filter(f, text)...)
		}
	}
	if text, ok := params["q"]; ok {
		q.conditions = append(q.conditions, p.search(l.Search, text)...)
	}
	if text, ok := params["ids"]; ok {
		q.conditions = append(q.conditions, p.ids(text)...)
	}
	if err := q.parseSort(l, params); err != nil {
		p.refuse(err)
	}
	if err := q.parseExpand(actor, l, params); err != nil {
		p.refuse(err)
	}
	if err := p.err(); err != nil {
		return nil, err
	}
	q.binding = bindingOf(actor.TenantID, l.Resource, params)
	if text, ok := params["cursor"]; ok {
		var err error
		if q.after, err = parsePosition(c, q, text); err != nil {
			return nil, err
		}
	}
	return q, nil
}

func (l *Listing[E]) knows(name string) bool {
	return slices.Contains(CommonParameters, name) ||
		slices.ContainsFunc(l.Filters, func(f Filter) bool { return f.Name == name })
}

func (q *Query[E]) parseSort(l *Listing[E], params map[string]string) *fault.Error {
	text, ok := params["sort"]
	if !ok {
		return nil
	}
	name, direction, _ := strings.Cut(text, ":")
	sort, known := l.sort(name)
	if !known {
		return fault.New(fault.InvalidSort, "This list sorts by %s.", strings.Join(l.SortNames(), ", ")).
			With("sort", "names a field this list does not sort by")
	}
	if strings.Contains(text, ":") && direction != "asc" && direction != "desc" {
		return fault.New(fault.InvalidSort, "The direction of a sort is asc or desc.").
			With("sort", "must be FIELD:asc or FIELD:desc")
	}
	q.sort, q.desc, q.nullable = sort, direction == "desc", l.nullable(sort.Column)
	return nil
}

func (q *Query[E]) parseExpand(actor *auth.Actor, l *Listing[E], params map[string]string) *fault.Error {
	text, ok := params["expand"]
	if !ok {
		return nil
	}
	expands, err := Expandable(actor, l.Expands, strings.Split(text, ","))
	q.Expand = expands
	return err
}

// Expandable are the relations that are named, each once; all must be known, and the actor allowed to read them.
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

// parser collects what is wrong with the parameters of one request.
type parser struct {
	params   map[string]string
	zone     *time.Location
	problems []fault.Detail
	first    *fault.Error // of the problems that have a code of their own
}

func (p *parser) problem(name, format string, args ...any) {
	p.problems = append(p.problems, fault.Detail{Path: name, Message: fmt.Sprintf(format, args...)})
}

func (p *parser) refuse(f *fault.Error) {
	if p.first == nil {
		p.first = f
	}
}

func (p *parser) err() error {
	if p.first != nil {
		return p.first
	}
	if len(p.problems) > 0 {
		return fault.Invalid(p.problems...)
	}
	return nil
}

func (p *parser) refuseUnknown(known func(string) bool) {
	var unknown []string
	for name := range p.params {
		if !known(name) {
			unknown = append(unknown, name)
		}
	}
	slices.Sort(unknown)
	for _, name := range unknown {
		p.problem(name, "is not a parameter of this list")
	}
}

func (p *parser) integer(name, text string, low, high int) int {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high || strings.HasPrefix(text, "+") {
		p.problem(name, "must be an integer from %d to %d", low, high)
	}
	return n
}

// windows reads the date windows: createdSince and updatedSince inclusive, createdBefore exclusive.
func (p *parser) windows(created string, updates bool) []func(*sql.Selector) {
	var where []func(*sql.Selector)
	for _, w := range []struct {
		name, column string
		compare      func(string, any) *sql.Predicate
	}{
		{"createdSince", created, sql.GTE},
		{"createdBefore", created, sql.LT},
		{"updatedSince", "updated_at", sql.GTE},
	} {
		text, ok := p.params[w.name]
		if !ok {
			continue
		}
		if !updates && w.column == "updated_at" {
			w.column = created // a record that never changes was last changed when it was made
		}
		m, err := civil.ParseMoment(text)
		if err != nil {
			p.problem(w.name, "%s", err)
			continue
		}
		at := m.At(p.zone)
		where = append(where, func(s *sql.Selector) { s.Where(w.compare(s.C(w.column), at)) })
	}
	return where
}

func (p *parser) filter(f Filter, text string) []func(*sql.Selector) {
	var value any = text
	switch f.Kind {
	case IsEnum:
		if !slices.Contains(f.Values, text) {
			p.problem(f.Name, "must be one of %s", strings.Join(f.Values, ", "))
			return nil
		}
	case IsID:
		id, ok := ParseID(text)
		if !ok {
			p.refuse(badID(f.Name))
			return nil
		}
		if f.Through != nil {
			return []func(*sql.Selector){f.Through(f.Column, id)}
		}
		value = id
	case IsEmpty:
		holds, ok := map[string]func(string) *sql.Predicate{"true": sql.IsNull, "false": sql.NotNull}[text]
		if !ok {
			p.problem(f.Name, "must be true or false")
			return nil
		}
		return []func(*sql.Selector){func(s *sql.Selector) { s.Where(holds(s.C(f.Column))) }}
	case IsBool:
		if text != "true" && text != "false" {
			p.problem(f.Name, "must be true or false")
			return nil
		}
		value = text == "true"
	case IsDate:
		day, err := p.day(text)
		if err != nil {
			p.problem(f.Name, "%s", err)
			return nil
		}
		value = day
	default:
		if message := input.Violation(text, "text"); message != "" {
			p.problem(f.Name, "%s", message)
			return nil
		}
	}
	compare := sql.EQ
	if f.Since {
		compare = sql.GTE
	}
	return []func(*sql.Selector){func(s *sql.Selector) { s.Where(compare(s.C(f.Column), value)) }}
}

// day reads a date, or the day of a timestamp in the tenant's zone.
func (p *parser) day(text string) (civil.Date, error) {
	m, err := civil.ParseMoment(text)
	if err != nil {
		return civil.Date{}, err
	}
	return civil.On(m.At(p.zone), p.zone), nil
}

// search matches q in any of the columns, without regard to case; % and _ stand for themselves.
func (p *parser) search(columns []string, text string) []func(*sql.Selector) {
	if len(columns) == 0 {
		p.problem("q", "is not supported by this list")
		return nil
	}
	if message := input.Violation(text, "text"); message != "" {
		p.problem("q", "%s", message)
		return nil
	}
	return []func(*sql.Selector){func(s *sql.Selector) {
		matches := make([]*sql.Predicate, len(columns))
		for i, column := range columns {
			matches[i] = store.Contains(s, column, text)
		}
		s.Where(sql.Or(matches...))
	}}
}

func (p *parser) ids(text string) []func(*sql.Selector) {
	parts := strings.Split(text, ",")
	if len(parts) > MaxIDs {
		p.problem("ids", "takes at most %d ids", MaxIDs)
		return nil
	}
	ids := make([]any, len(parts))
	for i, part := range parts {
		id, ok := ParseID(part)
		if !ok {
			p.refuse(badID("ids"))
			return nil
		}
		ids[i] = id
	}
	return []func(*sql.Selector){func(s *sql.Selector) { s.Where(sql.In(s.C("id"), ids...)) }}
}

// ParseID reads a positive 64-bit integer in its one spelling: decimal digits without a sign or a leading zero.
func ParseID(text string) (int, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return int(n), err == nil && n > 0 && strconv.FormatInt(n, 10) == text
}

func badID(path string) *fault.Error {
	return fault.New(fault.InvalidID, "An id is a positive integer.").With(path, "must be a positive integer")
}
