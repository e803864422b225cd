package rest

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"paydown/internal/fault"
)

// columnsOf lists the column names of a view: its fields except the relations that expand adds.
func columnsOf(view reflect.Type) []string {
	var names []string
	for _, f := range reflect.VisibleFields(view) {
		if name, relation := nameOf(f); name != "" && !relation {
			names = append(names, name)
		}
	}
	return names
}

// nameOf returns a view field's name on the wire and whether it is a relation: relations are omitted unless
// expanded.
func nameOf(f reflect.StructField) (name string, relation bool) {
	name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name, options == "omitempty"
}

// fieldsOf reads the parameter fields: the columns to return, always with id; nil means all.
func fieldsOf(params map[string]string, columns []string) ([]string, error) {
	text, ok := params["fields"]
	if !ok {
		return nil, nil
	}
	wanted := []string{"id"}
	for name := range strings.SplitSeq(text, ",") {
		if !slices.Contains(columns, name) {
			return nil, fault.Field("fields", "must name columns of this resource")
		}
		wanted = append(wanted, name)
	}
	return wanted, nil
}

// marshalRecords writes an array of views.
func marshalRecords[V any](views []V, fields []string) ([]byte, error) {
	if fields == nil {
		return json.Marshal(views)
	}
	out := []byte{'['}
	for i := range views {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = marshalFields(out, reflect.ValueOf(views[i]), fields); err != nil {
			return nil, err
		}
	}
	return append(out, ']'), nil
}

// marshalFields appends a view without the columns that are not wanted. It keeps relations: they are there only
// if expanded.
func marshalFields(out []byte, view reflect.Value, fields []string) ([]byte, error) {
	out = append(out, '{')
	first := true
	for _, f := range reflect.VisibleFields(view.Type()) {
		name, relation := nameOf(f)
		value := view.FieldByIndex(f.Index)
		if (relation && value.IsZero()) || (!relation && !slices.Contains(fields, name)) {
			continue
		}
		raw, err := json.Marshal(value.Interface())
		if err != nil {
			return nil, err
		}
		if !first {
			out = append(out, ',')
		}
		first = false
		out = append(append(append(out, '"'), name...), `":`...)
		out = append(out, raw...)
	}
	return append(out, '}'), nil
}
