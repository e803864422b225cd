package engine

import (
	"context"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/introspection"
)

// Call is a field that is being resolved.
type Call struct {
	Ctx  context.Context
	Args map[string]any

	at *Place
}

// Resolvers returns the schema's resolvers.
func (c *Call) Resolvers() any { return c.at.run.resolvers }

// Directives returns the schema's directives.
func (c *Call) Directives() any { return c.at.run.directives }

// resolve writes a field that is resolved.
func (p *Place) resolve(obj any) (written bool) {
	start := len(p.text)
	defer func() {
		if r := recover(); r != nil {
			p.text, written = p.text[:start], false
			p.recovered(r)
		}
	}()
	c, ok := p.call()
	if !ok {
		return false
	}
	if p.timed && p.step.Waits && (p.step.Absent == nil || !p.step.Absent(obj)) {
		defer p.step.timing(time.Now())
	}
	return p.step.Resolve(c, obj)
}

// call prepares a field: it reads the arguments and runs the guard. It returns false if either fails.
func (p *Place) call() (*Call, bool) {
	ctx, field := p.context()
	c := &Call{Ctx: ctx, at: p}
	if p.step.Args != nil {
		var err error
		if c.Args, err = p.step.Args(ctx, field.Field.ArgumentMap(p.run.oc.Variables)); err != nil {
			graphql.AddError(ctx, err)
			return nil, false
		}
		field.Args = c.Args
	}
	if p.step.Guard != nil {
		if err := p.step.Guard(c); err != nil {
			graphql.AddError(ctx, graphql.AddFieldLocationToError(ctx, err))
			return nil, false
		}
	}
	return c, true
}

// Done writes the value, or records the error, that a resolver returned.
func Done[T any](c *Call, value T, err error, write func(*Place, T) bool) bool {
	if err != nil {
		graphql.AddError(c.Ctx, graphql.AddFieldLocationToError(c.Ctx, err))
		return false
	}
	return write(c.at, value)
}

func (p *Place) recovered(r any) {
	p.here = nil // it may belong to another field
	ctx, _ := p.context()
	graphql.AddError(ctx, p.run.oc.Recover(ctx, r))
}

// IntrospectSchema resolves __schema.
func (c *Call) IntrospectSchema() (*introspection.Schema, error) {
	if c.at.run.oc.DisableIntrospection {
		return nil, errNoIntrospection
	}
	return introspection.WrapSchema(c.at.run.schema), nil
}

// IntrospectType resolves __type.
func (c *Call) IntrospectType(name string) (*introspection.Type, error) {
	if c.at.run.oc.DisableIntrospection {
		return nil, errNoIntrospection
	}
	return introspection.WrapTypeFromDef(c.at.run.schema, c.at.run.schema.Types[name]), nil
}
