package main

import (
	"cmp"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
)

// binding is what the templates are made from: gqlgen's model of the schema with its Go types.
type binding struct {
	*codegen.Data

	// Written are the types of values in responses, Read those of arguments.
	Written, Read []*config.TypeReference
	Guards        []*codegen.Directive
}

// bindingOf collects the types. It refuses what the engine has no way to execute.
func bindingOf(data *codegen.Data) (*binding, error) {
	b := &binding{Data: data}
	if len(data.Interfaces) > 0 {
		return nil, fmt.Errorf("interfaces and unions: %w", errUnsupported)
	}
	written, read := map[string]*config.TypeReference{}, map[string]*config.TypeReference{}
	guards := map[string]*codegen.Directive{}
	for _, object := range data.Objects {
		for _, f := range object.Fields {
			err := collect(written, f.TypeReference)
			for _, arg := range f.Args {
				if err == nil {
					err = collect(read, arg.TypeReference)
				}
				if err == nil && len(arg.ImplDirectives()) > 0 {
					err = errUnsupported
				}
			}
			for _, d := range f.ImplDirectives() {
				guards[d.Name] = d
			}
			if f.IsMap() || f.HasHaser || f.VOkFunc || f.IsBatch() || f.UsesSubscriptionContext() {
				err = errUnsupported
			}
			if err != nil {
				return nil, fmt.Errorf("%s.%s: %w", object.Name, f.Name, err)
			}
		}
	}
	b.Written, b.Read = sorted(written), sorted(read)
	for _, name := range slices.Sorted(maps.Keys(guards)) {
		b.Guards = append(b.Guards, guards[name])
	}
	return b, nil
}

// collect adds a type and those of its elements.
func collect(all map[string]*config.TypeReference, t *config.TypeReference) error {
	if t.IsPtrToSlice() || t.IsPtrToPtr() || t.IsPtrToIntf() || t.IsContext || t.HasEnumValues() || t.IsOmittable {
		return fmt.Errorf("the type %s: %w", t.GO, errUnsupported)
	}
	all[t.UniquenessKey()] = t
	if t.IsSlice() {
		return collect(all, t.Elem())
	}
	return nil
}

func sorted(all map[string]*config.TypeReference) []*config.TypeReference {
	return slices.SortedFunc(maps.Values(all), func(a, b *config.TypeReference) int {
		return cmp.Compare(a.UniquenessKey(), b.UniquenessKey())
	})
}

// functions are those of the templates. They name what other templates declare, and write calls.
var functions = template.FuncMap{
	"writes": func(t *config.TypeReference) string { return "write" + t.UniquenessKey() },
	"reads":  func(t *config.TypeReference) string { return "read" + t.UniquenessKey() },
	"argsOf": func(f *codegen.Field) string { return "args" + templates.UcFirst(f.Object.Name) + "ᐧ" + f.Name },
	"append": appends, "plain": plain, "callArgs": callArgs, "receiver": receiver, "guard": guard, "reference": reference,
}

// appends names the function that appends a scalar to a response: of those gqlgen brings, the engine has it, else it is
// beside the scalar's Marshal function.
func appends(marshal *types.Func) string {
	path := marshal.Pkg().Path()
	if path == "github.com/99designs/gqlgen/graphql" {
		path = "paydown/graph/engine"
	}
	return templates.CurrentImports.Lookup(path) + ".Append" + strings.TrimPrefix(marshal.Name(), "Marshal")
}

// plain reports a field whose value the object has.
func plain(f *codegen.Field) bool {
	return !f.IsResolver && len(f.Args) == 0 && !f.MethodHasContext && len(f.ImplDirectives()) == 0 &&
		f.GoReceiverName != "ec" && (f.IsVariable() || f.NoErr)
}

func receiver(f *codegen.Field) string {
	if f.GoReceiverName == "ec" {
		return "c" // introspection
	}
	return "o.(" + templates.CurrentImports.LookupType(f.Object.Reference()) + ")"
}

// callArgs are the arguments of the call of a resolver or method.
func callArgs(f *codegen.Field) string {
	var args []string
	if f.IsResolver || f.MethodHasContext {
		args = append(args, "c.Ctx")
	}
	if f.IsResolver && !f.Object.Root {
		args = append(args, receiver(f))
	}
	for _, arg := range f.Args {
		goType := templates.CurrentImports.LookupType(arg.TypeReference.GO)
		args = append(args, fmt.Sprintf("c.Args[%q].(%s)", arg.Name, goType))
	}
	return strings.Join(args, ", ")
}

// guard is the call of a field's directive, or "".
func guard(f *codegen.Field) (string, error) {
	all := f.ImplDirectives()
	if len(all) == 0 {
		return "", nil
	}
	if len(all) > 1 {
		return "", fmt.Errorf("%s has several directives: %w", f.Name, errUnsupported)
	}
	args := []string{"c.Ctx"}
	for _, arg := range all[0].Args {
		text, ok := arg.Value.(string)
		if !ok {
			return "", fmt.Errorf("the directive of %s takes no text: %w", f.Name, errUnsupported)
		}
		args = append(args, strconv.Quote(text))
	}
	return "directives(c)." + templates.UcFirst(all[0].Name) + "(" + strings.Join(args, ", ") + ")", nil
}

// reference names the Go field with the id of the one record that the field leads to, or "" if there is none that may
// be null: isoId beside iso.
func reference(f *codegen.Field) string {
	if !f.IsResolver || f.TypeReference.IsSlice() {
		return ""
	}
	for _, other := range f.Object.Fields {
		if other.Name == f.Name+"Id" && other.IsVariable() && other.TypeReference.IsPtr() {
			return other.GoFieldName
		}
	}
	return ""
}
