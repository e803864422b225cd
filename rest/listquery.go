package rest

import (
	"slices"
	"strconv"
	"strings"

	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// listRequest parses the query parameters of a list into a request and the columns to return (nil: all). It
// reports every problem at once, as list.Query does.
func listRequest[E any](
	actor *auth.Actor, l *service.Listing[E], columns []string, params map[string]string,
) (service.ListRequest, []string, error) {
	q := listQuery{filters: l.Filters}
	for _, name := range sortedNames(params) {
		if !q.read(name, params[name]) {
			q.Add(name, "is not a parameter of this list")
		}
	}
	fields, err := fieldsOf(params, columns)
	q.Merge(err)
	if q.Err() != nil {
		q.Merge(l.Check(actor, q.ListRequest))
	}
	return q.ListRequest, fields, q.Err()
}

// listQuery is a request while it is parsed, with its problems.
type listQuery struct {
	service.ListRequest
	service.ListProblems
	filters []service.Filter
}

// read parses one parameter. It reports whether the list has it.
func (q *listQuery) read(name, text string) bool {
	switch name {
	case "fields": // see fieldsOf
	case "limit":
		q.limit(text)
	case "cursor":
		q.Cursor = &text
	case "sort":
		q.sort(text)
	case "expand":
		q.Expand = strings.Split(text, ",")
	case "ids":
		q.ids(text)
	case "q":
		q.Search = &text
	case "createdSince":
		q.CreatedSince = q.moment(name, text)
	case "createdBefore":
		q.CreatedBefore = q.moment(name, text)
	case "updatedSince":
		q.UpdatedSince = q.moment(name, text)
	default:
		i := slices.IndexFunc(q.filters, func(f service.Filter) bool { return f.Name == name })
		if i < 0 {
			return false
		}
		q.filter(q.filters[i], text)
	}
	return true
}

// limit parses decimal digits. The service checks the range.
func (q *listQuery) limit(text string) {
	n, err := strconv.Atoi(text)
	if err != nil || strings.HasPrefix(text, "+") {
		n = 0 // which is out of bounds
	}
	q.Limit = &n
}

// sort parses FIELD or FIELD:DIRECTION.
func (q *listQuery) sort(text string) {
	field, direction, given := strings.Cut(text, ":")
	if given && direction != "asc" && direction != "desc" {
		q.Refuse(fault.New(fault.InvalidSort, "The direction of a sort is asc or desc.").
			With("sort", "must be FIELD:asc or FIELD:desc"))
		return
	}
	q.Sort = &service.SortBy{Field: field, Desc: direction == "desc"}
}

// ids parses ids separated by commas.
func (q *listQuery) ids(text string) {
	q.IDs = []int{}
	for part := range strings.SplitSeq(text, ",") {
		id, ok := service.ParseID(part)
		if !ok && len(q.IDs) <= service.MaxIDs {
			q.Refuse(service.InvalidID("ids"))
			return
		}
		q.IDs = append(q.IDs, id)
	}
}

func (q *listQuery) moment(name, text string) *civil.Moment {
	m, err := civil.ParseMoment(text)
	if err != nil {
		q.Add(name, "%s", err)
		return nil
	}
	return &m
}

// filter parses a value of the filter's type.
func (q *listQuery) filter(f service.Filter, text string) {
	var value service.FilterValue
	switch f.Kind {
	case service.IsID:
		id, ok := service.ParseID(text)
		if !ok {
			q.Refuse(service.InvalidID(f.Name))
			return
		}
		value = service.IDFilter(id)
	case service.IsBool, service.IsEmpty:
		if text != "true" && text != "false" {
			q.Add(f.Name, "must be true or false")
			return
		}
		value = service.BoolFilter(text == "true")
	case service.IsDate:
		m := q.moment(f.Name, text)
		if m == nil {
			return
		}
		value = service.MomentFilter(*m)
	default:
		value = service.TextFilter(text)
	}
	if q.Filters == nil {
		q.Filters = map[string]service.FilterValue{}
	}
	q.Filters[f.Name] = value
}
