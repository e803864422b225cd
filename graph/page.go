package graph

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/go-openapi/inflect"

	"paydown/graph/model"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// pageArgs are the arguments of every list.
type pageArgs struct {
	first        *int
	after        *string
	filter, sort model.Input
}

// parameters are those of the service's lists that are called otherwise here.
var parameters = map[string]string{"limit": "first", "cursor": "after"}

// params are the arguments as the parameters that the service's lists take, and judge.
func params[E any](l *service.Listing[E], args pageArgs) (map[string]string, error) {
	p := map[string]string{}
	for name, value := range args.filter {
		if value == nil {
			continue // a filter that is null narrows nothing
		}
		p[name] = filterText(value)
	}
	if args.first != nil {
		p["limit"] = strconv.Itoa(*args.first)
	}
	if args.after != nil {
		p["cursor"] = *args.after
	}
	if args.sort != nil {
		name, known := sortName(l.SortNames(), fmt.Sprint(args.sort["field"]))
		if !known {
			return nil, fault.Field("sort.field", "names a field this list does not sort by")
		}
		p["sort"] = name + ":asc"
		if direction := args.sort["direction"]; direction != nil {
			p["sort"] = name + ":" + strings.ToLower(fmt.Sprint(direction))
		}
	}
	return p, nil
}

// filterText is the value of a filter as a parameter has it: of a list its entries, with commas between.
func filterText(value any) string {
	if list, ok := value.([]any); ok {
		texts := make([]string, len(list))
		for i, entry := range list {
			texts[i] = filterText(entry)
		}
		return strings.Join(texts, ",")
	}
	if text, ok := value.(string); ok {
		return text
	}
	raw, _ := json.Marshal(value) // it came as JSON
	return string(raw)
}

// sortName is the sort that a value of a list's SortField stands for.
func sortName(names []string, value string) (string, bool) {
	for _, name := range names {
		if SortField(name) == value {
			return name, true
		}
	}
	return "", false
}

// SortField is what the schema calls a sort: createdAt is CREATED_AT.
func SortField(sort string) string { return strings.ToUpper(inflect.Underscore(sort)) }

// fingerprint is equal for equal parameters.
func fingerprint(params map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(params)) {
		fmt.Fprintf(&b, "%q=%q ", name, params[name])
	}
	return b.String()
}

// renamed is an error of a list, with the graph's names for what it is about.
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

// list reads a page of a list of the company's.
func list[E any](
	ctx context.Context, l *service.Listing[E], args pageArgs,
	fetch func(context.Context, map[string]string) (*service.Page[E], error),
) (*model.Connection[E], error) {
	p, err := params(l, args)
	if err != nil {
		return nil, err
	}
	page, err := fetch(ctx, p)
	if err != nil {
		return nil, renamed(err)
	}
	joined(ctx, page.Records)
	return model.NewConnection(page), nil
}

// all reads a list that is short and has no pages.
func all[E any](ctx context.Context, fetch func(context.Context) ([]*E, error)) ([]*E, error) {
	records, err := fetch(ctx)
	if err != nil {
		return nil, err
	}
	return joined(ctx, records), nil
}

// pointers are those to the rows of a table.
func pointers[E any](table []E) []*E {
	rows := make([]*E, len(table))
	for i := range table {
		rows[i] = &table[i]
	}
	return rows
}

// found is the record of an id in a list, for a resource whose records are read by list alone.
func found[E any](
	ctx context.Context, id int, noun string, fetch func(context.Context, map[string]string) (*service.Page[E], error),
) (*E, error) {
	page, err := fetch(ctx, map[string]string{"ids": strconv.Itoa(id)})
	if err != nil {
		return nil, err
	}
	if len(page.Records) == 0 {
		return nil, fault.Missing(noun)
	}
	return page.Records[0], nil
}

// connected is a page that belongs to a record, as a connection.
func connected[E any](page *service.Page[E], err error) (*model.Connection[E], error) {
	if err != nil {
		return nil, err
	}
	return model.NewConnection(page), nil
}
