package graph

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator"

	"paydown/internal/fault"
)

// explainVariables replaces errors about variables. The library stops at the first variable with a wrong value;
// this reports the problems of all variables in one fault, as for a REST body.
func (s *Server) explainVariables(
	operation *graphql.OperationContext, given map[string]any, problems gqlerror.List,
) gqlerror.List {
	if len(problems) != 1 || !onVariable(problems[0]) {
		return problems[:min(len(problems), maxProblems)]
	}
	v := variables{schema: s.schema}
	v.checkAll(operation.Operation.VariableDefinitions, given)
	if len(v.problems) == 0 { // the library has a rule that is not implemented here
		v.add(strings.TrimPrefix(problems[0].Path.String(), "variable."), "is not valid")
	}
	return gqlerror.List{gqlerror.Wrap(fault.Invalid(v.problems...))}
}

// onVariable reports an error about the value of a variable.
func onVariable(of *gqlerror.Error) bool {
	return of.Err == nil && len(of.Path) > 1 && of.Path[0] == ast.PathName("variable")
}

// variables collects problems of variables' values, at most maxProblems. It never repeats a value.
type variables struct {
	schema   *ast.Schema
	problems []fault.Detail
}

func (v *variables) add(path, message string) {
	if len(v.problems) < maxProblems {
		v.problems = append(v.problems, fault.Detail{Path: path, Message: message})
	}
}

// checkAll checks every variable of an operation. If one variable is an input, {"input": {"email": 5}} is
// reported as email, like a body; if several are, as input.email.
func (v *variables) checkAll(all ast.VariableDefinitionList, given map[string]any) {
	inputs := 0
	for _, d := range all {
		if d.Definition.Kind == ast.InputObject && d.Type.Elem == nil {
			inputs++
		}
	}
	for _, d := range all {
		value, there := given[d.Variable]
		fields, isInput := value.(map[string]any)
		switch {
		case !there && d.Type.NonNull && d.DefaultValue == nil:
			v.add(d.Variable, "is required")
		case !there:
		case isInput && inputs == 1 && d.Definition.Kind == ast.InputObject:
			v.object("", d.Definition, fields)
		default:
			v.check(d.Variable, d.Type, value)
		}
	}
}

// check checks a value that is present.
func (v *variables) check(path string, t *ast.Type, value any) {
	entries, isList := value.([]any)
	definition := v.schema.Types[t.Name()]
	switch fields, isObject := value.(map[string]any); {
	case value == nil:
		if t.NonNull {
			v.add(path, "must not be null")
		}
	case t.Elem != nil && isList:
		for i, entry := range entries {
			v.check(path+"."+strconv.Itoa(i), t.Elem, entry)
		}
	case t.Elem != nil: // a single value is accepted as a list of it
		v.check(path, t.Elem, value)
	case definition.Kind == ast.InputObject && isObject:
		v.object(path+".", definition, fields)
	case !v.takes(definition, value):
		v.add(path, wanted(definition))
	}
}

// object checks the fields of an input.
func (v *variables) object(prefix string, definition *ast.Definition, fields map[string]any) {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if definition.Fields.ForName(name) == nil && name != "__typename" {
			v.add(prefix+name, "unknown field")
		}
	}
	for _, f := range definition.Fields {
		value, there := fields[f.Name]
		switch {
		case there:
			v.check(prefix+f.Name, f.Type, value)
		case f.Type.NonNull && f.DefaultValue == nil:
			v.add(prefix+f.Name, "is required")
		}
	}
}

// takes reports whether a type without fields accepts a value, according to the library.
func (v *variables) takes(definition *ast.Definition, value any) bool {
	alone := &ast.OperationDefinition{VariableDefinitions: ast.VariableDefinitionList{{
		Variable: "alone", Type: ast.NamedType(definition.Name, nil), Definition: definition,
	}}}
	_, err := validator.VariableValues(v.schema, alone, map[string]any{"alone": value})
	return err == nil
}

// wanted describes the values that a type accepts.
func wanted(definition *ast.Definition) string {
	if definition.Kind == ast.InputObject {
		return "must be an object"
	}
	if definition.Kind == ast.Enum {
		values := make([]string, len(definition.EnumValues))
		for i, value := range definition.EnumValues {
			values[i] = value.Name
		}
		return "must be one of " + strings.Join(values, ", ")
	}
	switch definition.Name {
	case "Int":
		return "must be an integer"
	case "Float":
		return "must be a number"
	case "Boolean":
		return "must be true or false"
	case "ID":
		return "must be a positive integer"
	default:
		return "must be a string"
	}
}
