package graph

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"

	"paydown/internal/fault"
	"paydown/internal/service"
)

// The bounds of one operation. They are judged in this order, each before the work that it bounds, and what a fragment
// costs is worked out once, however often it is spread.
const (
	// maxTokens bounds the document.
	maxTokens = 5_000
	// maxDepth is how deep fields may be nested; the query by which tools read a schema has 15 levels.
	maxDepth = 20
	// maxFields is how many fields a document may select, once its fragments are spread.
	maxFields = 2_000
	// maxRepeats is how many of them may repeat a name in the place where it was selected before, as fragments do of one
	// record: validation compares each with each.
	maxRepeats = 100
	// maxLookups is how many of them may each need a look-up of their own.
	maxLookups = 100
	// maxValues is how many values an operation may answer with, if all of its lists are as long as they may be.
	maxValues = 100_000
	// unpaged is how long a list without `first` is taken to be.
	unpaged = 10
)

// limits refuses what costs too much.
type limits struct {
	known         *queryCache
	introspection bool
}

// ExtensionName implements graphql.HandlerExtension.
func (limits) ExtensionName() string { return "limits" }

// Validate implements graphql.HandlerExtension.
func (limits) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters judges the document by its form, before it is held against the schema.
func (l limits) MutateOperationParameters(ctx context.Context, params *graphql.RawParams) *gqlerror.Error {
	if _, ok := l.known.Get(ctx, params.Query); ok {
		return nil
	}
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: params.Query}, maxTokens)
	if err != nil {
		return asRequestError(err)
	}
	whole, ok := formOf(doc)
	switch {
	case !ok:
		return refused("The document spreads a fragment within itself.")
	case whole.depth > maxDepth:
		return refused("Fields are nested deeper than %d levels.", maxDepth)
	case whole.fields > maxFields:
		return refused("The document selects more than %d fields.", maxFields)
	case whole.repeats > maxRepeats:
		return refused("The document selects the same fields more than %d times over.", maxRepeats)
	}
	return nil
}

// MutateOperationContext judges the operation by what it would answer with.
func (l limits) MutateOperationContext(ctx context.Context, operation *graphql.OperationContext) *gqlerror.Error {
	if introspects(operation.Operation.SelectionSet) {
		if !l.introspection && !mayIntrospect(ctx) {
			return present(fault.New(fault.Forbidden, "The schema is not for this caller to read."))
		}
		operation.DisableIntrospection = false
	}
	w := weight{variables: operation.Variables, costs: map[*ast.FragmentDefinition]cost{}}
	c := w.of(operation.Operation.SelectionSet)
	switch {
	case c.lookups > maxLookups:
		return refused("The operation needs %d look-ups, more than %d: ask for less at once.", c.lookups, maxLookups)
	case c.values > maxValues:
		return refused("The operation may answer with %d values, more than %d: ask for shorter pages or fewer fields.",
			c.values, maxValues)
	}
	return nil
}

func refused(format string, args ...any) *gqlerror.Error {
	return present(fault.New(fault.BadRequest, format, args...))
}

func present(f *fault.Error) *gqlerror.Error { return &gqlerror.Error{Err: f, Message: f.Message} }

// asRequestError is an error of the parser, which tells of the document only.
func asRequestError(err error) *gqlerror.Error {
	if of, ok := err.(*gqlerror.Error); ok { //nolint:errorlint // the parser returns it bare
		return of
	}
	return refused("The document cannot be read.")
}

// size is how much a selection spans once its fragments are spread.
type size struct {
	depth, fields, repeats int
	// names are those that the selection's own fields answer under, as long as it may be one of several of one object.
	names []string
}

// close is called once all selections of an object are together.
func (s *size) close() {
	distinct := make(map[string]struct{}, len(s.names))
	for _, name := range s.names {
		distinct[name] = struct{}{}
	}
	s.repeats += len(s.names) - len(distinct)
	s.names = nil
}

// formOf measures all operations of a document together, and the fragments that none of them spreads: validation looks
// at those too. It is not ok where a fragment is spread within itself.
func formOf(doc *ast.QueryDocument) (size, bool) {
	f := form{fragments: doc.Fragments, sizes: map[string]size{}}
	var whole size
	add := func(part size) {
		part.close()
		whole.depth = max(whole.depth, part.depth)
		whole.fields = min(whole.fields+part.fields, maxFields+1)
		whole.repeats = min(whole.repeats+part.repeats, maxRepeats+1)
	}
	for _, operation := range doc.Operations {
		part, ok := f.of(operation.SelectionSet, 0)
		if !ok {
			return size{}, false
		}
		add(part)
	}
	for _, fragment := range doc.Fragments {
		if _, spread := f.sizes[fragment.Name]; spread {
			continue
		}
		part, ok := f.fragment(fragment.Name)
		if !ok {
			return size{}, false
		}
		add(part)
	}
	return whole, true
}

// form measures a document that has not been held against the schema yet.
type form struct {
	fragments ast.FragmentDefinitionList
	sizes     map[string]size // of fragments; of one under way a negative depth
}

// of measures a selection. It is not ok where a fragment is spread within itself. What is far beyond the bounds is not
// measured to its end.
func (f *form) of(set ast.SelectionSet, level int) (size, bool) {
	var whole size
	if level > maxDepth {
		return size{depth: maxDepth + 1}, true
	}
	for _, selection := range set {
		var part size
		ok := true
		switch s := selection.(type) {
		case *ast.Field:
			part, ok = f.of(s.SelectionSet, level+1)
			part.close()
			part.depth++
			part.fields++
			part.names = []string{s.Alias}
		case *ast.InlineFragment:
			part, ok = f.of(s.SelectionSet, level+1)
		case *ast.FragmentSpread:
			part, ok = f.fragment(s.Name)
		}
		if !ok {
			return size{}, false
		}
		whole.depth = max(whole.depth, part.depth)
		whole.fields = min(whole.fields+part.fields, maxFields+1)
		whole.repeats = min(whole.repeats+part.repeats, maxRepeats+1)
		if len(whole.names) <= maxFields {
			whole.names = append(whole.names, part.names...)
		}
	}
	return whole, true
}

func (f *form) fragment(name string) (size, bool) {
	if known, ok := f.sizes[name]; ok {
		return known, known.depth >= 0
	}
	definition := f.fragments.ForName(name)
	if definition == nil {
		return size{}, true // validation says so
	}
	f.sizes[name] = size{depth: -1}
	whole, ok := f.of(definition.SelectionSet, 0)
	if ok {
		f.sizes[name] = whole
	}
	return whole, ok
}

// cost is what a selection takes, for one record.
type cost struct{ lookups, values int }

// weight works out what a valid operation costs.
type weight struct {
	variables map[string]any
	costs     map[*ast.FragmentDefinition]cost
}

// of is the cost of a selection.
func (w *weight) of(set ast.SelectionSet) cost {
	var whole cost
	for _, selection := range set {
		var part cost
		switch s := selection.(type) {
		case *ast.Field:
			part = w.field(s)
		case *ast.InlineFragment:
			part = w.of(s.SelectionSet)
		case *ast.FragmentSpread:
			known, ok := w.costs[s.Definition]
			if !ok {
				known = w.of(s.Definition.SelectionSet)
				w.costs[s.Definition] = known
			}
			part = known
		}
		whole.lookups = capped(whole.lookups + part.lookups)
		whole.values = capped(whole.values + part.values)
	}
	return whole
}

func (w *weight) field(f *ast.Field) cost {
	inner := w.of(f.SelectionSet)
	times := 1
	switch {
	case f.Definition.Arguments.ForName("first") != nil:
		times = w.first(f)
	case strings.HasSuffix(f.ObjectDefinition.Name, "Connection"): // its length is counted by then
	case f.Definition.Type.Elem != nil && len(f.SelectionSet) > 0:
		times = unpaged
	}
	c := cost{lookups: inner.lookups, values: capped(1 + times*inner.values)}
	if guarded(f.Definition) {
		c.lookups++
	}
	return c
}

// guarded reports a field that not everybody who is let in may see: it leads to a look-up.
func guarded(f *ast.FieldDefinition) bool {
	return slices.ContainsFunc([]string{"scope", "permission", "staff"}, func(name string) bool { return f.Directives.ForName(name) != nil })
}

// first is how many records a page may have.
func (w *weight) first(f *ast.Field) int {
	n, err := strconv.Atoi(text(f.ArgumentMap(w.variables)["first"]))
	if err != nil {
		return service.DefaultLimit
	}
	return min(max(n, 1), service.MaxLimit)
}

func text(value any) string {
	raw, _ := json.Marshal(value) // it came as JSON
	return string(raw)
}

// capped keeps sums and products of costs within an int.
func capped(n int) int { return min(n, 1<<40) }

// introspects reports whether the operation reads the schema.
func introspects(set ast.SelectionSet) bool {
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			if s.Name == "__schema" || s.Name == "__type" {
				return true
			}
		case *ast.InlineFragment:
			if introspects(s.SelectionSet) {
				return true
			}
		case *ast.FragmentSpread:
			if introspects(s.Definition.SelectionSet) {
				return true
			}
		}
	}
	return false
}

// queryCache keeps documents that were found valid, the small ones: portals send the same few over and over.
type queryCache struct {
	*lru.LRU[*ast.QueryDocument]
}

const (
	cachedQueries = 500
	cachedBytes   = 8 << 10
)

func newQueryCache() *queryCache { return &queryCache{lru.New[*ast.QueryDocument](cachedQueries)} }

// Add keeps a document.
func (c *queryCache) Add(ctx context.Context, query string, doc *ast.QueryDocument) {
	if len(query) <= cachedBytes {
		c.LRU.Add(ctx, query, doc)
	}
}
