package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"paydown/internal/auth"
	"paydown/internal/fault"
)

// The functions of directives refuse a caller before anything of the field is read.

// scoped implements the directive @scope.
func scoped(ctx context.Context, needs string) error {
	if actor := auth.From(ctx); actor == nil || !actor.May(auth.Scope(needs)) {
		field := graphql.GetFieldContext(ctx).Field
		return fault.New(fault.Forbidden, "The field %s needs the scope %s.", field.Name, needs)
	}
	return nil
}

// permitted implements the directive @permission, for fields that only staff can see.
func permitted(ctx context.Context, needs string) error {
	if actor := auth.From(ctx); actor == nil || !actor.Has(auth.Permission(needs)) {
		field := graphql.GetFieldContext(ctx).Field
		return fault.New(fault.Forbidden, "The field %s needs the permission %s.", field.Name, needs)
	}
	return nil
}

// forStaff implements the directive @staff.
func forStaff(ctx context.Context) error {
	if actor := auth.From(ctx); actor == nil || !actor.IsUser() {
		return fault.New(
			fault.Forbidden, "The field %s is for members of staff.", graphql.GetFieldContext(ctx).Field.Name,
		)
	}
	return nil
}

// neededScope returns the scope of the current field or, if it has none, that of its object.
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

// mayIntrospect reports whether the caller may read the schema: staff who may edit company settings, because
// they connect other systems.
func mayIntrospect(ctx context.Context) bool {
	actor := auth.From(ctx)
	return actor != nil && actor.IsUser() && actor.Has(auth.EditCompanySettings)
}
