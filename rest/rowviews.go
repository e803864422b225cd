package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"paydown/internal/civil"
	"paydown/internal/middleware"
	"paydown/internal/money"
	"paydown/internal/service"
)

// A view whose fields are columns of its record can be written straight from a row: no record, no view, no reflection.
// What a row's field looks like follows from the types of the view's field and the record's, as in the functions that
// build views; a test compares the two for every such view.

// rowView writes the rows of a record E in the form of its view V.
type rowView[E, V any] struct {
	reader *service.RowReader[E]
	fields []rowField
}

// rowField writes one column: its name and colon, then the value.
type rowField struct {
	name   string
	prefix string // `"dealNumber":`
	value  func(out []byte, v any) ([]byte, error)
}

// rowsOf returns the row view of a list's records. It panics if a field of V is not a column of E.
func rowsOf[E, V any](a *API, l *service.Listing[E]) *rowView[E, V] {
	view := &rowView[E, V]{}
	columns := map[string]string{} // by name on the wire, without regard to case
	types := service.ColumnsOf[E]()
	for column := range types {
		columns[strings.ReplaceAll(column, "_", "")] = column
	}
	var names []string
	for _, f := range reflect.VisibleFields(reflect.TypeFor[V]()) {
		name, relation := nameOf(f)
		if name == "" || relation {
			continue
		}
		column, ok := columns[strings.ToLower(name)]
		if !ok {
			panic(fmt.Sprintf("rest: %s.%s is not a column", reflect.TypeFor[V](), f.Name)) // found when the server starts
		}
		view.fields = append(view.fields, rowField{name, `"` + name + `":`, valueWriter(f.Type, types[column])})
		names = append(names, column)
	}
	view.reader = service.NewRowReader(a.service, l, names)
	return view
}

// writePage answers with the requested page.
func (v *rowView[E, V]) writePage(
	w http.ResponseWriter, r *http.Request, plural string, query service.ListRequest, fields []string,
) error {
	return withBuffer(func(out []byte) ([]byte, error) {
		out = append(appendName(append(out, '{'), plural), '[')
		start := len(out)
		page, err := v.reader.Page(r.Context(), query, func(row service.Row) (err error) {
			if len(out) > start {
				out = append(out, ',')
			}
			out, err = v.append(out, row, fields)
			return err
		})
		if err != nil {
			return out, err
		}
		out = appendPageEnd(append(out, ']'), page.Count, page.HasMore, page.NextCursor)
		middleware.WriteBody(w, http.StatusOK, out)
		return out, nil
	})
}

// writeOne answers with one record.
func (v *rowView[E, V]) writeOne(
	w http.ResponseWriter, r *http.Request, singular, noun string, id int, fields []string,
) error {
	return withBuffer(func(out []byte) ([]byte, error) {
		out = appendName(append(out, '{'), singular)
		err := v.reader.One(r.Context(), noun, id, func(row service.Row) (err error) {
			out, err = v.append(out, row, fields)
			return err
		})
		if err != nil {
			return out, err
		}
		out = append(out, '}')
		middleware.WriteBody(w, http.StatusOK, out)
		return out, nil
	})
}

// append writes a row as an object of the named fields, or of all if fields is nil.
func (v *rowView[E, V]) append(out []byte, row service.Row, fields []string) ([]byte, error) {
	out = append(out, '{')
	first := true
	for i := range v.fields {
		f := &v.fields[i]
		if fields != nil && !slices.Contains(fields, f.name) {
			continue
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(out, f.prefix...)
		if row[i] == nil {
			out = append(out, "null"...)
			continue
		}
		var err error
		if out, err = f.value(out, row[i]); err != nil {
			return out, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return append(out, '}'), nil
}

// valueWriter returns the writer of a column's values in the form of the view's field.
func valueWriter(view, stored reflect.Type) func([]byte, any) ([]byte, error) {
	for _, t := range []*reflect.Type{&view, &stored} {
		if (*t).Kind() == reflect.Pointer {
			*t = (*t).Elem()
		}
	}
	switch {
	case stored == reflect.TypeFor[time.Time]() && view.Kind() == reflect.String:
		return appendTime
	case stored == reflect.TypeFor[civil.Date]() && view.Kind() == reflect.String:
		return appendDate
	case stored == reflect.TypeFor[money.Amount]() && view.Kind() == reflect.String:
		return appendAmount
	case stored == reflect.TypeFor[money.Rate]() && view.Kind() == reflect.String:
		return appendRate
	case stored.Kind() == view.Kind() && view.Kind() == reflect.String:
		return appendText
	case stored.Kind() == view.Kind() && view.Kind() == reflect.Int:
		return appendInt
	case stored.Kind() == view.Kind() && view.Kind() == reflect.Bool:
		return appendBool
	}
	panic(fmt.Sprintf("rest: a column of type %s cannot be written as %s", stored, view)) // found when the server starts
}

func appendInt(out []byte, v any) ([]byte, error) {
	n, ok := v.(int64)
	if !ok {
		return out, unexpected(v)
	}
	return strconv.AppendInt(out, n, 10), nil
}

func appendBool(out []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case bool:
		return strconv.AppendBool(out, v), nil
	case int64:
		return strconv.AppendBool(out, v != 0), nil
	}
	return out, unexpected(v)
}

func appendText(out []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case string:
		return appendString(out, v), nil
	case []byte:
		return appendString(out, string(v)), nil
	}
	return out, unexpected(v)
}

// appendString writes a JSON string as encoding/json does.
func appendString(out []byte, s string) []byte {
	for i := range len(s) {
		if !verbatim[s[i]] {
			raw, _ := json.Marshal(s) // a string always marshals
			return append(out, raw...)
		}
	}
	out = append(append(out, '"'), s...)
	return append(out, '"')
}

// verbatim are the bytes that encoding/json leaves as they are in a string.
var verbatim = func() (set [256]bool) {
	for c := byte(' '); c < utf8.RuneSelf; c++ {
		set[c] = strings.IndexByte(`"\<>&`, c) < 0
	}
	return set
}()

// appendTime writes a time in the form of wireTime.
func appendTime(out []byte, v any) ([]byte, error) {
	t, ok := v.(time.Time)
	if !ok {
		return out, unexpected(v)
	}
	t = t.UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	out = appendDay(append(out, '"'), year, int(month), day)
	out = appendDigits(append(out, 'T'), hour, 2)
	out = appendDigits(append(out, ':'), minute, 2)
	out = appendDigits(append(out, ':'), second, 2)
	out = appendDigits(append(out, '.'), t.Nanosecond()/int(time.Millisecond), 3)
	return append(out, 'Z', '"'), nil
}

// appendDate writes a day as YYYY-MM-DD.
func appendDate(out []byte, v any) ([]byte, error) {
	if t, ok := v.(time.Time); ok {
		year, month, day := t.Date()
		return append(appendDay(append(out, '"'), year, int(month), day), '"'), nil
	}
	var d civil.Date
	if err := d.Scan(v); err != nil {
		return out, err
	}
	return appendString(out, d.String()), nil
}

func appendDay(out []byte, year, month, day int) []byte {
	out = appendDigits(out, year, 4)
	out = appendDigits(append(out, '-'), month, 2)
	return appendDigits(append(out, '-'), day, 2)
}

// appendDigits writes a number with leading zeros.
func appendDigits(out []byte, n, width int) []byte {
	var digits [20]byte
	for i := width - 1; i >= 0; i-- {
		digits[i] = byte('0' + n%10)
		n /= 10
	}
	return append(out, digits[:width]...)
}

func appendAmount(out []byte, v any) ([]byte, error) {
	out, err := money.AppendAmount(append(out, '"'), v)
	return append(out, '"'), err
}

func appendRate(out []byte, v any) ([]byte, error) {
	out, err := money.AppendRate(append(out, '"'), v)
	return append(out, '"'), err
}

func unexpected(v any) error { return fmt.Errorf("unexpected %T", v) }

// buffers are reused for answers that are written from rows.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// maxKeptBuffer keeps a rare large answer from staying in memory.
const maxKeptBuffer = 1 << 20

// withBuffer runs f with an empty buffer and keeps for reuse what f returns.
func withBuffer(f func(out []byte) ([]byte, error)) error {
	buffer := buffers.Get().(*[]byte)
	out, err := f((*buffer)[:0])
	if cap(out) <= maxKeptBuffer {
		*buffer = out
		buffers.Put(buffer)
	}
	return err
}
