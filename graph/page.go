package graph

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-openapi/inflect"

	"paydown/graph/model"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// pageArgs are the arguments of every list.
type pageArgs struct {
	first        *int
	after        *string
	filter, sort model.Input
}

// parameters are the parameters of a request whose names differ in the schema.
var parameters = map[string]string{"limit": "first", "cursor": "after"}

// request builds the service's request from the arguments. The schema has checked the filter's fields and their
// types. It reports every problem at once.
func request[E any](ctx context.Context, l *service.Listing[E], args pageArgs) (service.ListRequest, error) {
	req := service.ListRequest{Limit: args.first, Cursor: args.after}
	var problems service.ListProblems
	for name, value := range args.filter {
		if value != nil { // null does not narrow the list
			readFilter(&req, &problems, l.Filters, name, value)
		}
	}
	if args.sort != nil {
		name, known := sortName(l.SortNames(), fmt.Sprint(args.sort["field"]))
		if !known {
			return req, fault.Field("sort.field", "names a field this list does not sort by")
		}
		req.Sort = &service.SortBy{Field: name, Desc: args.sort["direction"] == "DESC"}
	}
	if problems.Err() != nil {
		problems.Merge(l.Check(auth.From(ctx), req))
	}
	return req, problems.Err()
}

// readFilter adds one field of a filter to the request.
func readFilter(
	req *service.ListRequest, problems *service.ListProblems, filters []service.Filter, name string, value any,
) {
	switch name {
	case "ids":
		req.IDs = []int{}
		entries, several := value.([]any)
		if !several { // GraphQL takes a single value for a list of one
			entries = []any{value}
		}
		for _, entry := range entries {
			req.IDs = append(req.IDs, idOf(problems, name, entry))
		}
	case "q":
		req.Search = new(fmt.Sprint(value))
	case "createdSince":
		req.CreatedSince = momentOf(problems, name, value)
	case "createdBefore":
		req.CreatedBefore = momentOf(problems, name, value)
	case "updatedSince":
		req.UpdatedSince = momentOf(problems, name, value)
	default:
		i := slices.IndexFunc(filters, func(f service.Filter) bool { return f.Name == name })
		if i < 0 {
			problems.Add(name, "is not a parameter of this list")
			return
		}
		if req.Filters == nil {
			req.Filters = map[string]service.FilterValue{}
		}
		req.Filters[name] = filterValue(problems, filters[i], value)
	}
}

func filterValue(problems *service.ListProblems, f service.Filter, value any) service.FilterValue {
	switch f.Kind {
	case service.IsID:
		return service.IDFilter(idOf(problems, f.Name, value))
	case service.IsBool, service.IsEmpty:
		return service.BoolFilter(value == true)
	case service.IsDate:
		if m := momentOf(problems, f.Name, value); m != nil {
			return service.MomentFilter(*m)
		}
		return service.FilterValue{}
	default:
		return service.TextFilter(fmt.Sprint(value))
	}
}

// idOf reads the scalar ID, which arrives as a string or a number.
func idOf(problems *service.ListProblems, name string, value any) int {
	id, ok := service.ParseID(fmt.Sprint(value))
	if !ok {
		problems.Refuse(service.InvalidID(name))
	}
	return id
}

// momentOf reads the scalars Date and DateTime.
func momentOf(problems *service.ListProblems, name string, value any) *civil.Moment {
	m, err := civil.ParseMoment(fmt.Sprint(value))
	if err != nil {
		problems.Add(name, "%s", err)
		return nil
	}
	return &m
}

// sortName returns the sort field of a SortField enum value.
func sortName(names []string, value string) (string, bool) {
	for _, name := range names {
		if SortField(name) == value {
			return name, true
		}
	}
	return "", false
}

// SortField returns the enum value of a sort field: CREATED_AT for createdAt.
func SortField(sort string) string { return strings.ToUpper(inflect.Underscore(sort)) }

// renamed returns an error of a list with the schema's argument names as paths.
func renamed(err error) error {
	f := fault.As(err)
	if f == nil || len(f.Details) == 0 {
		return err
	}
	details := slices.Clone(f.Details)
	for i, d := range details {
		if name, ok := parameters[d.Path]; ok {
			details[i].Path = name
		}
	}
	if f.Code == fault.Validation {
		return fault.Invalid(details...) // whose message names a single one
	}
	other := *f
	other.Details = details
	return &other
}

// list returns a page of a tenant's records.
func list[E any](
	ctx context.Context, l *service.Listing[E], args pageArgs,
	fetch func(context.Context, service.ListRequest) (*service.Page[E], error),
) (*model.Connection[E], error) {
	req, err := request(ctx, l, args)
	if err != nil {
		return nil, renamed(err)
	}
	page, err := fetch(ctx, req)
	if err != nil {
		return nil, renamed(err)
	}
	joined(ctx, page.Records)
	return model.NewConnection(page), nil
}

// all returns a short list without pages.
func all[E any](ctx context.Context, fetch func(context.Context) ([]*E, error)) ([]*E, error) {
	records, err := fetch(ctx)
	if err != nil {
		return nil, err
	}
	return joined(ctx, records), nil
}

// pointers returns pointers to the rows of a table.
func pointers[E any](table []E) []*E {
	rows := make([]*E, len(table))
	for i := range table {
		rows[i] = &table[i]
	}
	return rows
}

// found returns the record with an id, for resources that can only be listed.
func found[E any](
	ctx context.Context, id int, noun string, fetch func(context.Context, service.ListRequest) (*service.Page[E], error),
) (*E, error) {
	page, err := fetch(ctx, service.ListRequest{IDs: []int{id}})
	if err != nil {
		return nil, err
	}
	if len(page.Records) == 0 {
		return nil, fault.Missing(noun)
	}
	return page.Records[0], nil
}

// connected returns a page of a record's relation as a connection.
func connected[E any](page *service.Page[E], err error) (*model.Connection[E], error) {
	if err != nil {
		return nil, err
	}
	return model.NewConnection(page), nil
}
