package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"paydown/internal/auth"
	"paydown/internal/fault"
)

// scoped is the directive @scope: who lacks the scope is refused before anything of the field is looked at.
func scoped(ctx context.Context, _ any, next graphql.Resolver, needs string) (any, error) {
	if actor := auth.From(ctx); actor == nil || !actor.May(auth.Scope(needs)) {
		field := graphql.GetFieldContext(ctx).Field
		return nil, fault.New(fault.Forbidden, "The field %s needs the scope %s.", field.Name, needs)
	}
	return next(ctx)
}

// permitted is the directive @permission, for what only staff see.
func permitted(ctx context.Context, _ any, next graphql.Resolver, needs string) (any, error) {
	if actor := auth.From(ctx); actor == nil || !actor.Has(auth.Permission(needs)) {
		field := graphql.GetFieldContext(ctx).Field
		return nil, fault.New(fault.Forbidden, "The field %s needs the permission %s.", field.Name, needs)
	}
	return next(ctx)
}

// forStaff is the directive @staff.
func forStaff(ctx context.Context, _ any, next graphql.Resolver) (any, error) {
	if actor := auth.From(ctx); actor == nil || !actor.IsUser() {
		return nil, fault.New(fault.Forbidden, "The field %s is for members of staff.", graphql.GetFieldContext(ctx).Field.Name)
	}
	return next(ctx)
}

// neededScope is the scope of the present field; where it has none, the one that its object was read with.
func neededScope(ctx context.Context) auth.Scope {
	for fc := graphql.GetFieldContext(ctx); fc != nil; fc = fc.Parent {
		if fc.Field.Field == nil || fc.Field.Definition == nil {
			continue
		}
		if d := fc.Field.Definition.Directives.ForName("scope"); d != nil {
			return auth.Scope(d.Arguments.ForName("needs").Value.Raw)
		}
	}
	return ""
}

// mayIntrospect reports whether the caller may read the schema: staff who look after the company's settings, since they
// are who connects other systems.
func mayIntrospect(ctx context.Context) bool {
	actor := auth.From(ctx)
	return actor != nil && actor.IsUser() && actor.Has(auth.EditCompanySettings)
}
