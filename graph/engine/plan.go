package engine

import (
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// selection is the selected fields of one object type, in the order of the response.
type selection struct {
	steps []step
	// waits counts the steps that may wait for a database.
	waits int
	// serial says that the steps run one after the other: mutations.
	serial bool
}

// step is one field of a selection.
type step struct {
	// key is `"name":`, after the first step with a comma before it.
	key []byte
	// typename is the value of __typename, which has no field.
	typename []byte
	*Field
	object   string // the type that has the field
	selected graphql.CollectedField
	inner    *selection // of the objects that the field leads to
	// took is the average time of Resolve, in nanoseconds.
	took atomic.Int64
}

// plans keeps the plans of operations for as long as their documents are cached elsewhere.
type plans struct {
	kept sync.Map // weak.Pointer[ast.OperationDefinition] → *planned
}

// planned is the plans of one operation, one for each combination of the values of conditions: the variables that
// @skip and @include use.
type planned struct {
	conditions []string
	plans      sync.Map // string → *selection
}

// maxConditions limits the conditions of operations whose plans are kept.
const maxConditions = 3

func (s *Schema) plan(oc *graphql.OperationContext) *selection {
	key := weak.Make(oc.Operation)
	found, ok := s.plans.kept.Load(key)
	if !ok {
		d := conditionFinder{fragments: map[string]bool{}}
		d.in(oc.Operation.SelectionSet)
		var loaded bool
		if found, loaded = s.plans.kept.LoadOrStore(key, &planned{conditions: d.variables}); !loaded {
			runtime.AddCleanup(oc.Operation, func(key weak.Pointer[ast.OperationDefinition]) { s.plans.kept.Delete(key) }, key)
		}
	}
	p := found.(*planned)
	if len(p.conditions) > maxConditions {
		return s.planOf(oc)
	}
	values := make([]byte, 0, maxConditions)
	for _, name := range p.conditions {
		value := byte('0')
		if oc.Variables[name] == true {
			value = '1'
		}
		values = append(values, value)
	}
	if kept, ok := p.plans.Load(string(values)); ok {
		return kept.(*selection)
	}
	added, _ := p.plans.LoadOrStore(string(values), s.planOf(oc))
	return added.(*selection)
}

func (s *Schema) planOf(oc *graphql.OperationContext) *selection {
	root := s.types[map[ast.Operation]string{
		ast.Query: "Query", ast.Mutation: "Mutation", ast.Subscription: "Subscription",
	}[oc.Operation.Operation]]
	whole := s.selection(oc, root, oc.Operation.SelectionSet)
	whole.serial = oc.Operation.Operation == ast.Mutation
	return whole
}

func (s *Schema) selection(oc *graphql.OperationContext, t *Type, set ast.SelectionSet) *selection {
	fields := graphql.CollectFields(oc, set, []string{t.Name})
	sel := &selection{steps: make([]step, len(fields))}
	for i, selected := range fields {
		at := &sel.steps[i]
		if i > 0 {
			at.key = append(at.key, ',')
		}
		at.key = append(AppendString(at.key, selected.Alias), ':')
		at.object, at.selected = t.Name, selected
		if selected.Name == "__typename" {
			at.typename = AppendString(nil, t.Name)
			continue
		}
		at.Field = t.field(selected.Name)
		if at.Of != "" {
			at.inner = s.selection(oc, s.types[at.Of], selected.Selections)
		}
		if at.Waits {
			sel.waits++
		}
	}
	return sel
}

// conditionFinder finds the variables that @skip and @include use.
type conditionFinder struct {
	variables []string
	seen      map[string]bool
	fragments map[string]bool
}

func (d *conditionFinder) in(set ast.SelectionSet) {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			d.of(s.Directives)
			d.in(s.SelectionSet)
		case *ast.InlineFragment:
			d.of(s.Directives)
			d.in(s.SelectionSet)
		case *ast.FragmentSpread:
			d.of(s.Directives)
			if !d.fragments[s.Name] {
				d.fragments[s.Name] = true
				d.in(s.Definition.SelectionSet)
			}
		}
	}
}

func (d *conditionFinder) of(directives ast.DirectiveList) {
	for _, directive := range directives {
		for _, argument := range directive.Arguments {
			if argument.Value.Kind != ast.Variable || d.seen[argument.Value.Raw] {
				continue
			}
			if d.seen == nil {
				d.seen = map[string]bool{}
			}
			d.seen[argument.Value.Raw] = true
			d.variables = append(d.variables, argument.Value.Raw)
		}
	}
}
