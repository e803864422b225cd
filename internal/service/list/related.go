package list

import (
	"context"
	"reflect"
	"slices"
	"sync"

	"entgo.io/ent/dialect/sql"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// This file reads the related records of many records in one statement.

// fetcher is the part of a generated query that finds records by id.
type fetcher[E any, P ~func(*sql.Selector), Q any] interface {
	Where(...P) Q
	All(context.Context) ([]*E, error)
}

// ByIDs returns the records with these ids by id, for an actor with the scope. Ids without a record are left out.
func ByIDs[E any, P ~func(*sql.Selector), Q fetcher[E, P, Q]](
	ctx context.Context, through auth.Scope, ids []int, query Q,
) (map[int]*E, error) {
	if _, err := unit.RequireScope(ctx, through); err != nil {
		return nil, err
	}
	return FoundByID(ctx, ids, query)
}

// FoundByID is ByIDs for an actor whose rights were checked.
func FoundByID[E any, P ~func(*sql.Selector), Q fetcher[E, P, Q]](
	ctx context.Context, ids []int, query Q,
) (map[int]*E, error) {
	rows, err := query.Where(func(s *sql.Selector) { s.Where(sql.InInts(s.C("id"), ids...)) }).All(ctx)
	found := make(map[int]*E, len(rows))
	for _, row := range rows {
		found[input.ColumnValue(row, "id").(int)] = row
	}
	return found, err
}

// ReadOfEach returns all records of each owner, sorted by id. column holds the owner's id.
func ReadOfEach[E any, P ~func(*sql.Selector), Q fetcher[E, P, Q]](
	ctx context.Context, through auth.Scope, column string, owners []int, query Q,
) (map[int][]*E, error) {
	if _, err := unit.RequireScope(ctx, through); err != nil {
		return nil, err
	}
	rows, err := query.Where(func(s *sql.Selector) {
		s.Where(sql.InInts(s.C(column), owners...)).OrderBy(s.C("id"))
	}).All(ctx)
	return GroupByOwner(rows, column), err
}

// GroupByOwner groups rows by the owner's id in column, keeping their order.
func GroupByOwner[E any](rows []*E, column string) map[int][]*E {
	of := map[int][]*E{}
	for _, row := range rows {
		if owner, ok := input.ColumnValue(row, column).(int); ok {
			of[owner] = append(of[owner], row)
		}
	}
	return of
}

// Belonging says how the records of a list belong to an owner: the filter that selects the records of one owner,
// and its column. If the list has no such filter, the name only binds cursors.
type Belonging struct{ Filter, Column string }

// PageOfEach returns the first page of a list for each owner, all with the same request, in one statement. A
// following page is read for one owner at a time, with the cursor that the list itself gives for the filter.
func PageOfEach[E any, P, O ~func(*sql.Selector), Q lister[E, P, O, Q]](
	ctx context.Context, c *unit.Core, l *Listing[E], to Belonging, owners []int, req Request, base Q,
) (map[int]*Page[E], error) {
	actor, err := unit.RequireScope(ctx, l.Scope)
	if err != nil {
		return nil, err
	}
	return PagesFor(ctx, c, actor, l, to, owners, req, base)
}

// PagesFor is PageOfEach for an actor whose rights were checked.
func PagesFor[E any, P, O ~func(*sql.Selector), Q lister[E, P, O, Q]](
	ctx context.Context, c *unit.Core, actor *auth.Actor, l *Listing[E], to Belonging, owners []int, req Request, base Q,
) (map[int]*Page[E], error) {
	if _, given := req.Filters[to.Filter]; given {
		return nil, fault.Field(to.Filter, "is given by the record that the list belongs to")
	}
	if len(owners) == 1 {
		return pageOfOne(ctx, c, actor, l, to, owners[0], req, base)
	}
	q, err := l.Query(c, actor, req)
	if err != nil {
		return nil, err
	}
	order := store.Order{Column: q.sort.Column, Desc: q.desc, Nullable: q.nullable}
	lead := store.LeadersOfEach(actor.TenantID, to.Column, owners, q.Limit+1, q.Filter, order)
	rows, err := base.Clone().Where(P(lead)).Order(O(order.By)).All(ctx)
	if err != nil {
		return nil, err
	}
	counts := sync.OnceValues(func() (map[int]int, error) {
		table := ent.Records[reflect.TypeFor[E]().Name()].Table
		return c.Store.CountOfEach(ctx, actor.TenantID, table, to.Column, owners, q.Filter)
	})
	of, pages := GroupByOwner(rows, to.Column), make(map[int]*Page[E], len(owners))
	for _, owner := range owners {
		own := *q
		own.binding = bindingOf(actor.TenantID, l.Resource, req.with(to.Filter, ID(owner)))
		p := paged(c, &own, of[owner])
		p.Count = func(context.Context) (int, error) {
			all, err := counts()
			return all[owner], err
		}
		pages[owner] = p
	}
	return pages, nil
}

// pageOfOne is PageOfEach for one owner, where an index on the sort field applies.
func pageOfOne[E any, P, O ~func(*sql.Selector), Q lister[E, P, O, Q]](
	ctx context.Context, c *unit.Core, actor *auth.Actor, l *Listing[E], to Belonging, owner int, req Request, base Q,
) (map[int]*Page[E], error) {
	own, req := *l, req.with(to.Filter, ID(owner))
	if _, known := l.filter(to.Filter); !known {
		own.Filters = append(slices.Clone(l.Filters), Filter{Name: to.Filter, Column: to.Column, Kind: IsID})
	}
	q, err := own.Query(c, actor, req)
	if err != nil {
		return nil, err
	}
	p, err := FetchPage(ctx, c, q, base)
	return map[int]*Page[E]{owner: p}, err
}
