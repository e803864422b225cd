package graph

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"paydown/graph/model"
	"paydown/graph/scalar"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// decode reads a service's input from the current field's argument: a field may be absent, null or set. It
// reports every problem of form and of values at once, as REST does for a body.
func decode[I any](ctx context.Context, schema *ast.Schema, given model.Input, mode service.Mode) (I, error) {
	var in I
	argument := graphql.GetFieldContext(ctx).Field.Definition.Arguments.ForName("input")
	types := schema.Types[argument.Type.Name()].Fields
	v := reflect.ValueOf(&in).Elem()
	fields := map[string]service.InputField{}
	for _, f := range service.InputFields(v.Type()) {
		fields[f.Name] = f
	}
	var problems []fault.Detail
	wrong := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		f, known := fields[name]
		message := "unknown field"
		if known {
			message = assign(v.FieldByIndex(f.Index), f, types.ForName(name).Type.Name(), given[name])
		}
		if message != "" {
			problems = append(problems, fault.Detail{Path: name, Message: message})
			wrong[name] = true
		}
	}
	if len(problems) == 0 {
		return in, nil
	}
	for _, p := range service.Check(in, mode) {
		if field, _, _ := strings.Cut(p.Path, "."); !wrong[field] {
			problems = append(problems, p)
		}
	}
	return in, fault.Invalid(problems...)
}

// assign sets an input's field to a value of a schema type; it returns what is wrong with the value, or "".
func assign(into reflect.Value, f service.InputField, typeName string, value any) string {
	if value != nil {
		switch typeName {
		case "ID":
			n, err := scalar.UnmarshalID(value)
			if err != nil {
				return "must be a positive integer"
			}
			value = n
		case "Money", "Rate": // most clients have converted a number to a float
			if _, ok := value.(string); !ok {
				return "must be a decimal string"
			}
		}
	}
	raw, err := json.Marshal(value)
	if err == nil && bytes.Contains(raw, []byte(`\u0000`)) &&
		bytes.Contains(bytes.ReplaceAll(raw, []byte(`\\`), nil), []byte(`\u0000`)) {
		return "must not contain NUL characters"
	}
	if err == nil {
		err = json.Unmarshal(raw, into.Addr().Interface())
	}
	if err != nil {
		return service.DecodeMessage(f.Type, err)
	}
	return ""
}

// create creates a record from the current field's input.
func create[E, I any](
	ctx context.Context, r *resolver, input model.Input, add func(context.Context, I) (*E, error),
) (*E, error) {
	in, err := decode[I](ctx, r.schema, input, service.ForCreate)
	if err != nil {
		return nil, err
	}
	return add(ctx, in)
}

// update changes a record from the current field's input.
func update[E, I any](
	ctx context.Context, r *resolver, id int, input model.Input, change func(context.Context, int, I) (*E, error),
) (*E, error) {
	return act(ctx, r, id, input, service.ForUpdate, change)
}

// act runs do on a record with the current field's input; mode determines which fields are required.
func act[R, I any](
	ctx context.Context,
	r *resolver,
	id int,
	input model.Input,
	mode service.Mode,
	do func(context.Context, int, I) (*R, error),
) (*R, error) {
	in, err := decode[I](ctx, r.schema, input, mode)
	if err != nil {
		return nil, err
	}
	return do(ctx, id, in)
}

// remove deletes a record and returns its id.
func remove(ctx context.Context, id int, del func(context.Context, int) (int, error)) (*int, error) {
	gone, err := del(ctx, id)
	if err != nil {
		return nil, err
	}
	return &gone, nil
}
