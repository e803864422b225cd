package engine

import (
	"context"
	"errors"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

var errNoIntrospection = errors.New("introspection disabled")

// Schema executes operations. It implements graphql.ExecutableSchema.
type Schema struct {
	Config

	schema                *ast.Schema
	types                 map[string]*Type
	resolvers, directives any
	plans                 plans
}

// Config configures a schema.
type Config struct {
	// Saving is the least time that resolving fields of an object concurrently must be expected to save: handing work to
	// other goroutines has a cost too.
	Saving time.Duration
	// Loaded reports whether a field of an object is already loaded, so that it does not wait. It may be nil. It may be
	// wrong: it decides only which fields are resolved concurrently.
	Loaded func(ctx context.Context, obj any, field string) bool
}

// New returns the schema with these types.
func New(schema *ast.Schema, types []*Type, resolvers, directives any, cfg Config) *Schema {
	s := &Schema{
		Config: cfg, schema: schema, types: make(map[string]*Type, len(types)), resolvers: resolvers, directives: directives,
	}
	for _, t := range types {
		s.types[t.Name] = t
	}
	return s
}

// Schema implements graphql.ExecutableSchema.
func (s *Schema) Schema() *ast.Schema { return s.schema }

// Complexity implements graphql.ExecutableSchema; package graph limits operations itself.
func (s *Schema) Complexity(context.Context, string, string, int, map[string]any) (int, bool) {
	return 0, false
}

// Exec implements graphql.ExecutableSchema.
func (s *Schema) Exec(ctx context.Context) graphql.ResponseHandler {
	oc := graphql.GetOperationContext(ctx)
	plan := s.plan(oc)
	if oc.Operation.Operation == ast.Subscription {
		return s.subscribe(ctx, oc, plan)
	}
	object := "Query"
	if oc.Operation.Operation == ast.Mutation {
		object = "Mutation"
	}
	done := false
	return func(ctx context.Context) *graphql.Response {
		if done {
			return nil
		}
		done = true
		at := &Place{buffer: &buffer{text: make([]byte, 0, 2048)}, run: s.run(ctx, oc, object)}
		if !at.object(plan, nil) {
			return &graphql.Response{Data: []byte("null")}
		}
		return &graphql.Response{Data: at.text}
	}
}

// subscribe starts a subscription. If that fails, the errors are in the context.
func (s *Schema) subscribe(ctx context.Context, oc *graphql.OperationContext, plan *selection) graphql.ResponseHandler {
	run := s.run(ctx, oc, "Subscription")
	if len(plan.steps) != 1 {
		graphql.AddErrorf(run.ctx, "must subscribe to exactly one stream")
		return nil
	}
	only := &plan.steps[0]
	events := (&Place{buffer: &buffer{}, run: run, step: only}).events()
	return func(ctx context.Context) *graphql.Response {
		at := &Place{buffer: &buffer{text: []byte("{")}, run: s.run(ctx, oc, "Subscription"), step: only}
		at.text = append(at.text, only.key...)
		more, written := events(ctx, at)
		if !more {
			return nil
		}
		if !written {
			at.text = append(at.text, "null"...)
		}
		return &graphql.Response{Data: append(at.text, '}')}
	}
}

func (p *Place) events() (events Events) {
	defer func() {
		if r := recover(); r != nil {
			p.recovered(r)
		}
	}()
	c, ok := p.call()
	if !ok {
		return nil
	}
	events, err := p.step.Stream(c)
	if err != nil {
		graphql.AddError(c.Ctx, graphql.AddFieldLocationToError(c.Ctx, err))
	}
	return events
}
