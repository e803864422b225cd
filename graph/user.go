package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// User implements exec.QueryResolver.
func (r queryResolver) User(ctx context.Context, id int) (*ent.User, error) {
	return r.s.Users.Get(ctx, id)
}

// Users implements exec.QueryResolver.
func (r queryResolver) Users(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.User], error) {
	return list(ctx, service.UserListing, pageArgs{first, after, filter, sort}, r.s.Users.List)
}

// Colleagues implements exec.QueryResolver.
func (r queryResolver) Colleagues(ctx context.Context) ([]*ent.User, error) {
	return all(ctx, r.s.Users.Colleagues)
}

// Role implements exec.QueryResolver.
func (r queryResolver) Role(ctx context.Context, id int) (*ent.Role, error) {
	return r.s.Roles.Get(ctx, id)
}

// Roles implements exec.QueryResolver.
func (r queryResolver) Roles(ctx context.Context) ([]*ent.Role, error) {
	return all(ctx, r.s.Roles.List)
}

// StaffPermissions implements exec.QueryResolver.
func (queryResolver) StaffPermissions(context.Context) ([]*auth.StaffPermission, error) {
	return pointers(auth.StaffPermissions), nil
}

// CreateUser implements exec.MutationResolver.
func (r mutationResolver) CreateUser(ctx context.Context, input model.Input) (*service.NewMember, error) {
	return create(ctx, r.resolver, input, func(ctx context.Context, in service.UserInput) (*service.NewMember, error) {
		return r.s.Users.Create(ctx, in, "")
	})
}

// UpdateUser implements exec.MutationResolver.
func (r mutationResolver) UpdateUser(ctx context.Context, id int, input model.Input) (*ent.User, error) {
	return update(ctx, r.resolver, id, input, r.s.Users.Update)
}

// DisableUser implements exec.MutationResolver.
func (r mutationResolver) DisableUser(ctx context.Context, id int) (*ent.User, error) {
	return r.s.Users.Disable(ctx, id)
}

// EnableUser implements exec.MutationResolver.
func (r mutationResolver) EnableUser(ctx context.Context, id int) (*ent.User, error) {
	return r.s.Users.Enable(ctx, id)
}

// ResetUserPassword implements exec.MutationResolver.
func (r mutationResolver) ResetUserPassword(ctx context.Context, id int) (*service.Reset, error) {
	return r.s.Users.Reset(ctx, id)
}

// DropUserSecondFactor implements exec.MutationResolver.
func (r mutationResolver) DropUserSecondFactor(ctx context.Context, id int) (*ent.User, error) {
	return r.s.Users.DropSecondFactor(ctx, id)
}

// EndUserSessions implements exec.MutationResolver.
func (r mutationResolver) EndUserSessions(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.Users.EndSessions)
}

// CreateRole implements exec.MutationResolver.
func (r mutationResolver) CreateRole(ctx context.Context, input model.Input) (*ent.Role, error) {
	return create(ctx, r.resolver, input, r.s.Roles.Create)
}

// UpdateRole implements exec.MutationResolver.
func (r mutationResolver) UpdateRole(ctx context.Context, id int, input model.Input) (*ent.Role, error) {
	return update(ctx, r.resolver, id, input, r.s.Roles.Update)
}

// DeleteRole implements exec.MutationResolver.
func (r mutationResolver) DeleteRole(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.Roles.Delete)
}

type userResolver struct{ *resolver }

// Role implements exec.UserResolver.
func (r userResolver) Role(ctx context.Context, x *ent.User) (*ent.Role, error) {
	if role, err := x.Edges.RoleOrErr(); err == nil {
		return role, nil
	}
	return one(ctx, x, func(x *ent.User) *int { return &x.RoleID }, r.s.Roles.ByIDs)
}

// SecondFactor implements exec.UserResolver.
func (userResolver) SecondFactor(_ context.Context, x *ent.User) (*bool, error) {
	has := x.TotpConfirmedAt != nil
	return &has, nil
}

type staffPermissionResolver struct{ *resolver }

// Permission implements exec.StaffPermissionResolver.
func (staffPermissionResolver) Permission(_ context.Context, x *auth.StaffPermission) (string, error) {
	return string(x.Permission), nil
}
