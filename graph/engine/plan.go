package engine

import (
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// selection is what is asked of an object of one type: its steps are in the order of the response.
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
	object string // the type that has the field
	asked  graphql.CollectedField
	inner  *selection // of the objects that the field leads to
	// took is how long the field takes to be resolved, in nanoseconds.
	took atomic.Int64
}

// plans keeps the plans of operations for as long as their documents are cached elsewhere.
type plans struct {
	kept sync.Map // weak.Pointer[ast.OperationDefinition] → *planned
}

// planned are the plans of one operation: one for each combination of values of the variables that decide about
// @skip and @include.
type planned struct {
	deciding []string
	plans    sync.Map // string → *selection
}

// maxDeciding limits how many variables may decide for plans to be kept.
const maxDeciding = 3

func (s *Schema) plan(oc *graphql.OperationContext) *selection {
	key := weak.Make(oc.Operation)
	found, ok := s.plans.kept.Load(key)
	if !ok {
		d := deciding{fragments: map[string]bool{}}
		d.in(oc.Operation.SelectionSet)
		var loaded bool
		if found, loaded = s.plans.kept.LoadOrStore(key, &planned{deciding: d.variables}); !loaded {
			runtime.AddCleanup(oc.Operation, func(key weak.Pointer[ast.OperationDefinition]) { s.plans.kept.Delete(key) }, key)
		}
	}
	p := found.(*planned)
	if len(p.deciding) > maxDeciding {
		return s.planOf(oc)
	}
	values := make([]byte, 0, maxDeciding)
	for _, name := range p.deciding {
		value := byte('0')
		if oc.Variables[name] == true {
			value = '1'
		}
		values = append(values, value)
	}
	if kept, ok := p.plans.Load(string(values)); ok {
		return kept.(*selection)
	}
	made, _ := p.plans.LoadOrStore(string(values), s.planOf(oc))
	return made.(*selection)
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
	made := &selection{steps: make([]step, len(fields))}
	for i, asked := range fields {
		at := &made.steps[i]
		if i > 0 {
			at.key = append(at.key, ',')
		}
		at.key = append(AppendString(at.key, asked.Alias), ':')
		at.object, at.asked = t.Name, asked
		if asked.Name == "__typename" {
			at.typename = AppendString(nil, t.Name)
			continue
		}
		at.Field = t.field(asked.Name)
		if at.Of != "" {
			at.inner = s.selection(oc, s.types[at.Of], asked.Selections)
		}
		if at.Waits {
			made.waits++
		}
	}
	return made
}

// deciding finds the variables that decide about @skip and @include.
type deciding struct {
	variables []string
	seen      map[string]bool
	fragments map[string]bool
}

func (d *deciding) in(set ast.SelectionSet) {
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

func (d *deciding) of(directives ast.DirectiveList) {
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
