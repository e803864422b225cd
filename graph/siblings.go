package graph

import (
	"context"
	"errors"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// Records loaded by one statement are siblings. A field requested of one of them is loaded for all at once: a list
// of deals with their merchants takes two statements, whatever its length, and no resolver waits to form a batch.

// siblings holds the groups of one operation's records, by record.
type siblings struct {
	groups sync.Map
	// explain turns an error into a fault, so that an internal error is logged once for all siblings.
	explain func(context.Context, error) *fault.Error
}

type siblingsKey struct{}

func withSiblings(ctx context.Context, explain func(context.Context, error) *fault.Error) context.Context {
	return context.WithValue(ctx, siblingsKey{}, &siblings{explain: explain})
}

func siblingsOf(ctx context.Context) *siblings {
	s, _ := ctx.Value(siblingsKey{}).(*siblings)
	return s
}

// group is a set of siblings, and the fields already loaded for them.
type group[E any] struct {
	records []*E
	asked   sync.Map // question → *answer[T]
	fields  sync.Map // the names of those fields, unless the record is alone
}

func (g *group[E]) has(field string) bool {
	_, ok := g.fields.Load(field)
	return ok
}

// loaded reports whether a field of a record was loaded with that of a sibling, perhaps with other arguments.
func loaded(ctx context.Context, record any, field string) bool {
	g, ok := siblingsOf(ctx).groups.Load(record)
	return ok && g.(interface{ has(field string) bool }).has(field)
}

// question is a field with its arguments.
type question struct{ object, field, arguments string }

type answer[T any] struct {
	once sync.Once
	got  T
	err  error
}

// joined makes records that were loaded together siblings, and returns them.
func joined[E any](ctx context.Context, records []*E) []*E {
	g := &group[E]{records: records}
	for _, r := range records {
		siblingsOf(ctx).groups.Store(r, g)
	}
	return records
}

// groupOf returns the siblings of a record. A record that was loaded alone has none.
func groupOf[E any](ctx context.Context, record *E) *group[E] {
	found, _ := siblingsOf(ctx).groups.LoadOrStore(record, &group[E]{records: []*E{record}})
	return found.(*group[E])
}

// ask loads the current field for all siblings of a record, once.
func ask[E, T any](ctx context.Context, record *E, arguments string, load func(all []*E) (T, error)) (T, error) {
	g := groupOf(ctx, record)
	field := graphql.GetFieldContext(ctx).Field
	asked := question{field.ObjectDefinition.Name, field.Name, arguments}
	kept, _ := g.asked.LoadOrStore(asked, &answer[T]{err: errPanicked})
	a := kept.(*answer[T])
	a.once.Do(func() {
		if a.got, a.err = load(g.records); a.err != nil {
			a.err = siblingsOf(ctx).explain(ctx, a.err)
		}
		if len(g.records) > 1 {
			g.fields.Store(field.Name, nil)
		}
	})
	return a.got, a.err
}

// errPanicked is the error of a record whose siblings' load panicked.
var errPanicked = errors.New("graph: loading for a sibling panicked")

// one loads the record that a reference points to, or nil.
func one[E, T any](
	ctx context.Context, record *E, reference func(*E) *int,
	load func(ctx context.Context, through auth.Scope, ids []int) (map[int]*T, error),
) (*T, error) {
	if reference(record) == nil {
		return nil, nil
	}
	found, err := ask(ctx, record, "", func(all []*E) (map[int]*T, error) {
		seen := map[int]bool{}
		var ids []int
		for _, r := range all {
			if id := reference(r); id != nil && !seen[*id] {
				seen[*id] = true
				ids = append(ids, *id)
			}
		}
		found, err := load(ctx, neededScope(ctx), ids)
		if err != nil {
			return nil, err
		}
		targets := make([]*T, 0, len(found))
		for _, target := range found {
			targets = append(targets, target)
		}
		joined(ctx, targets)
		return found, nil
	})
	return found[*reference(record)], err
}

// several loads all records that belong to the record.
func several[E, T any](
	ctx context.Context, record *E, key func(*E) int,
	load func(ctx context.Context, through auth.Scope, ids []int) (map[int][]*T, error),
) ([]*T, error) {
	found, err := ask(ctx, record, "", func(all []*E) (map[int][]*T, error) {
		found, err := load(ctx, neededScope(ctx), keys(all, key))
		var targets []*T
		for _, some := range found {
			targets = append(targets, some...)
		}
		joined(ctx, targets)
		return found, err
	})
	if of := found[key(record)]; of != nil || err != nil {
		return of, err
	}
	return []*T{}, nil
}

// figure loads a value derived from other records; the zero value if there is none.
func figure[E, T any](
	ctx context.Context, record *E, key func(*E) int,
	load func(ctx context.Context, through auth.Scope, ids []int) (map[int]T, error),
) (T, error) {
	found, err := ask(ctx, record, "", func(all []*E) (map[int]T, error) {
		return load(ctx, neededScope(ctx), keys(all, key))
	})
	return found[key(record)], err
}

// pageOf loads a page of the records that belong to the record.
func pageOf[E, T any](
	ctx context.Context, record *E, key func(*E) int, l *service.Listing[T], args pageArgs,
	load func(ctx context.Context, ids []int, req service.ListRequest) (map[int]*service.Page[T], error),
) (*service.Page[T], error) {
	req, err := request(ctx, l, args)
	if err != nil {
		return nil, renamed(err)
	}
	read := func(of []*E) (map[int]*service.Page[T], error) {
		pages, err := load(ctx, keys(of, key), req)
		var records []*T
		for _, p := range pages {
			records = append(records, p.Records...)
		}
		joined(ctx, records)
		return pages, renamed(err)
	}
	if args.after != nil { // a cursor belongs to one record's list
		pages, err := read([]*E{record})
		return pages[key(record)], err
	}
	pages, err := ask(ctx, record, req.Key(), read)
	return pages[key(record)], err
}

func keys[E any](records []*E, key func(*E) int) []int {
	ids := make([]int, len(records))
	for i, r := range records {
		ids[i] = key(r)
	}
	return ids
}
