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

// Limits of one operation. They are checked in this order, each before the work that it limits. The cost of a
// fragment is computed once, however often it is spread.
const (
	// maxTokens limits the document.
	maxTokens = 5_000
	// maxDepth limits the nesting of fields; the introspection query of common tools has 15 levels.
	maxDepth = 20
	// maxFields limits the selected fields, after fragments are spread.
	maxFields = 2_000
	// maxRepeats limits how many fields may repeat a name in the same object, as fragments of one record do:
	// validation compares each with each.
	maxRepeats = 100
	// maxLookups limits how many fields may each need a lookup of their own.
	maxLookups = 100
	// maxValues limits the values of a response, if all lists have their maximum length.
	maxValues = 100_000
	// unpaged is the assumed length of a list without `first`.
	unpaged = 10
)

// limits refuses operations that cost too much.
type limits struct {
	known         *queryCache
	introspection bool
}

// ExtensionName implements graphql.HandlerExtension.
func (limits) ExtensionName() string { return "limits" }

// Validate implements graphql.HandlerExtension.
func (limits) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters checks the form of the document, before validation.
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
		return refused("The document must not spread a fragment within itself.")
	case whole.depth > maxDepth:
		return refused("Fields are nested deeper than %d levels.", maxDepth)
	case whole.fields > maxFields:
		return refused("The document selects more than %d fields.", maxFields)
	case whole.repeats > maxRepeats:
		return refused("The document selects the same fields more than %d times.", maxRepeats)
	}
	return nil
}

// MutateOperationContext checks the size of the response.
func (l limits) MutateOperationContext(ctx context.Context, operation *graphql.OperationContext) *gqlerror.Error {
	if introspects(operation.Operation.SelectionSet) {
		if !l.introspection && !mayIntrospect(ctx) {
			return present(fault.New(fault.Forbidden, "You may not read the schema."))
		}
		operation.DisableIntrospection = false
	}
	w := weight{variables: operation.Variables, costs: map[*ast.FragmentDefinition]cost{}}
	c := w.of(operation.Operation.SelectionSet)
	switch {
	case c.lookups > maxLookups:
		return refused("The operation needs %d lookups, more than %d: request less at once.", c.lookups, maxLookups)
	case c.values > maxValues:
		return refused("The operation may return %d values, more than %d: request shorter pages or fewer fields.",
			c.values, maxValues)
	}
	return nil
}

func refused(format string, args ...any) *gqlerror.Error {
	return present(fault.New(fault.BadRequest, format, args...))
}

func present(f *fault.Error) *gqlerror.Error { return &gqlerror.Error{Err: f, Message: f.Message} }

// asRequestError converts an error of the parser, which only concerns the document.
func asRequestError(err error) *gqlerror.Error {
	if of, ok := err.(*gqlerror.Error); ok { //nolint:errorlint // the parser returns it bare
		return of
	}
	return refused("The document cannot be read.")
}

// size is the size of a selection after fragments are spread.
type size struct {
	depth, fields, repeats int
	// names are the response names of the selection's own fields, until all selections of the object are merged.
	names []string
}

// close is called once all selections of an object are merged.
func (s *size) close() {
	distinct := make(map[string]struct{}, len(s.names))
	for _, name := range s.names {
		distinct[name] = struct{}{}
	}
	s.repeats += len(s.names) - len(distinct)
	s.names = nil
}

// formOf measures all operations of a document together, and the unused fragments, because validation examines
// those too. ok is false if a fragment is spread within itself.
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

// form measures a document before validation.
type form struct {
	fragments ast.FragmentDefinitionList
	sizes     map[string]size // of fragments; a negative depth marks one in progress
}

// of measures a selection. ok is false if a fragment is spread within itself. Sizes far beyond the limits are
// not measured completely.
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
		return size{}, true // validation reports it
	}
	f.sizes[name] = size{depth: -1}
	whole, ok := f.of(definition.SelectionSet, 0)
	if ok {
		f.sizes[name] = whole
	}
	return whole, ok
}

// cost is the cost of a selection for one record.
type cost struct{ lookups, values int }

// weight computes the cost of a valid operation.
type weight struct {
	variables map[string]any
	costs     map[*ast.FragmentDefinition]cost
}

// of returns the cost of a selection.
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
	case strings.HasSuffix(f.ObjectDefinition.Name, "Connection"): // its length is already counted
	case f.Definition.Type.Elem != nil && len(f.SelectionSet) > 0:
		times = unpaged
	}
	c := cost{lookups: inner.lookups, values: capped(1 + times*inner.values)}
	if guarded(f.Definition) {
		c.lookups++
	}
	return c
}

// guarded reports a field with restricted access: such a field leads to a lookup.
func guarded(f *ast.FieldDefinition) bool {
	return slices.ContainsFunc(
		[]string{"scope", "permission", "staff"}, func(name string) bool { return f.Directives.ForName(name) != nil },
	)
}

// first returns the maximum number of records of a page.
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

// queryCache caches small valid documents: portals send the same few over and over.
type queryCache struct {
	*lru.LRU[*ast.QueryDocument]
}

const (
	cachedQueries = 500
	cachedBytes   = 8 << 10
)

func newQueryCache() *queryCache { return &queryCache{lru.New[*ast.QueryDocument](cachedQueries)} }

// Add caches a document.
func (c *queryCache) Add(ctx context.Context, query string, doc *ast.QueryDocument) {
	if len(query) <= cachedBytes {
		c.LRU.Add(ctx, query, doc)
	}
}
