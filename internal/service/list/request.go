package list

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"paydown/internal/civil"
	"paydown/internal/fault"
)

// The bounds of a page.
const (
	DefaultLimit = 50
	MaxLimit     = 200
	MaxIDs       = 200
)

// Request asks for one page of a list, on every surface. The zero value asks for the first page, sorted by id.
type Request struct {
	// Limit is the number of records on a page, from 1 to MaxLimit; nil means DefaultLimit.
	Limit *int
	// Cursor continues a list: NextCursor of the page before, or the Cursor of a record; nil starts at the beginning.
	Cursor *string
	// Sort is the order; nil orders by id, ascending.
	Sort *SortBy
	// Expand names the relations to include.
	Expand []string
	// IDs keeps only these records, from 1 to MaxIDs of them; nil keeps all.
	IDs []int
	// Search keeps only records with this text in a searchable column, without regard to case; nil keeps all.
	Search *string
	// CreatedSince and UpdatedSince are inclusive, CreatedBefore is exclusive; nil leaves that end open.
	CreatedSince, CreatedBefore, UpdatedSince *civil.Moment
	// Filters are values by the name of a filter of the list.
	Filters map[string]Value
}

// SortBy is the order of a list.
type SortBy struct {
	Field string // a name of Listing.SortNames
	Desc  bool
}

// Value is the value of a filter. Its kind must be that of the filter.
type Value struct {
	kind   valueType
	text   string
	id     int
	yes    bool
	moment civil.Moment
}

type valueType int

const (
	textValue valueType = iota
	idValue
	boolValue
	momentValue
)

// Text is the value of a filter of the kinds IsText and IsEnum.
func Text(s string) Value { return Value{kind: textValue, text: s} }

// ID is the value of a filter of the kind IsID.
func ID(id int) Value { return Value{kind: idValue, id: id} }

// Bool is the value of a filter of the kinds IsBool and IsEmpty.
func Bool(yes bool) Value { return Value{kind: boolValue, yes: yes} }

// Moment is the value of a filter of the kind IsDate: a date, or a time that stands for its date in the tenant's
// time zone.
func Moment(m civil.Moment) Value { return Value{kind: momentValue, moment: m} }

// String is the value as REST writes it.
func (v Value) String() string {
	switch v.kind {
	case idValue:
		return strconv.Itoa(v.id)
	case boolValue:
		return strconv.FormatBool(v.yes)
	case momentValue:
		return v.moment.String()
	default:
		return v.text
	}
}

// typeOf is the type of value that a filter of the kind takes.
func typeOf(kind ValueKind) valueType {
	switch kind {
	case IsID:
		return idValue
	case IsBool, IsEmpty:
		return boolValue
	case IsDate:
		return momentValue
	default:
		return textValue
	}
}

// Key returns equal strings for requests for the same page.
func (r Request) Key() string {
	b := r.narrowing()
	if r.Limit != nil {
		b = fmt.Appendf(b, " limit=%d", *r.Limit)
	}
	if r.Cursor != nil {
		b = fmt.Appendf(b, " cursor=%q", *r.Cursor)
	}
	return string(fmt.Appendf(b, " expand=%q", r.Expand))
}

// narrowing formats the sort and every filter the way REST writes them, sorted by name. Requests that differ in
// any of these have different results.
func (r Request) narrowing() []byte {
	texts := map[string]string{}
	if r.Sort != nil {
		texts["sort"] = r.Sort.Field + ":asc"
		if r.Sort.Desc {
			texts["sort"] = r.Sort.Field + ":desc"
		}
	}
	if r.IDs != nil {
		ids := make([]string, len(r.IDs))
		for i, id := range r.IDs {
			ids[i] = strconv.Itoa(id)
		}
		texts["ids"] = strings.Join(ids, ",")
	}
	if r.Search != nil {
		texts["q"] = *r.Search
	}
	for name, m := range map[string]*civil.Moment{
		"createdSince": r.CreatedSince, "createdBefore": r.CreatedBefore, "updatedSince": r.UpdatedSince,
	} {
		if m != nil {
			texts[name] = m.String()
		}
	}
	for name, value := range r.Filters {
		texts[name] = value.String()
	}
	var b []byte
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		b = fmt.Appendf(b, " %q=%q", name, texts[name])
	}
	return b
}

// with returns the request with one more filter.
func (r Request) with(name string, value Value) Request {
	filters := maps.Clone(r.Filters)
	if filters == nil {
		filters = map[string]Value{}
	}
	filters[name] = value
	r.Filters = filters
	return r
}

// Problems collects the problems of one request. The zero value is empty.
type Problems struct {
	details []fault.Detail
	first   error // of the problems with a code of their own
}

// Add adds a validation problem of a parameter.
func (p *Problems) Add(name, format string, args ...any) {
	p.details = append(p.details, fault.Detail{Path: name, Message: fmt.Sprintf(format, args...)})
}

// Refuse adds a problem with an error code of its own. Err returns the first of these instead of the validation
// problems.
func (p *Problems) Refuse(f *fault.Error) {
	if p.first == nil {
		p.first = f
	}
}

// Merge adds the problems that another check returned.
func (p *Problems) Merge(err error) {
	switch f := fault.As(err); {
	case f != nil && f.Code == fault.Validation:
		p.details = append(p.details, f.Details...)
	case p.first == nil:
		p.first = err
	}
}

// Err returns the error of the request, or nil if it has no problems.
func (p *Problems) Err() error {
	if p.first != nil {
		return p.first
	}
	if len(p.details) > 0 {
		return fault.Invalid(p.details...)
	}
	return nil
}

// ParseID parses a positive 64-bit integer in decimal digits, without a sign or leading zeros.
func ParseID(text string) (int, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return int(n), err == nil && n > 0 && strconv.FormatInt(n, 10) == text
}

// InvalidID is the invalid_id error of a parameter.
func InvalidID(path string) *fault.Error {
	return fault.New(fault.InvalidID, "An id is a positive integer.").With(path, "must be a positive integer")
}
