package identity

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"paydown/ent"
	"paydown/ent/accountaccess"
	"paydown/ent/role"
	"paydown/ent/user"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// Roles are a tenant's named sets of permissions for members of staff.
type Roles struct{ core *unit.Core }

// RoleInput holds what a caller sets on a role.
type RoleInput struct {
	Name        input.Opt[string]   `json:"name" check:"name" need:"create" example:"Closing desk"`
	Permissions input.Opt[[]string] `json:"permissions" check:"text" need:"create" doc:"Scopes, such as deals:write or *:read, and staff permissions" example:"[\"deals:write\", \"stipulations.approve\"]"`
}

// List returns the tenant's roles, the default roles first.
func (s Roles) List(ctx context.Context) ([]*ent.Role, error) {
	if _, err := unit.RequirePermission(ctx, auth.ManageUsers); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().Role.Query().Order(role.ByID()).All(ctx)
}

// Get returns a role. Errors: forbidden, not found.
func (s Roles) Get(ctx context.Context, id int) (*ent.Role, error) {
	if _, err := unit.RequirePermission(ctx, auth.ManageUsers); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().Role.Get(ctx, id)
	return row, unit.NotFound(err, "role")
}

// ByIDs returns the existing roles among ids, by id, for callers who may manage users.
func (s Roles) ByIDs(ctx context.Context, _ auth.Scope, ids []int) (map[int]*ent.Role, error) {
	if _, err := unit.RequirePermission(ctx, auth.ManageUsers); err != nil {
		return nil, err
	}
	return list.FoundByID(ctx, ids, s.core.Store.Reader().Role.Query())
}

// Named finds a role by its code, else by its name.
func (s Roles) Named(ctx context.Context, name string) (*ent.Role, error) {
	rows, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, row := range rows {
		if row.Code != nil && strings.EqualFold(*row.Code, name) {
			return row, nil
		}
		names = append(names, nameOf(row))
	}
	if i := slices.IndexFunc(rows, func(r *ent.Role) bool { return strings.EqualFold(r.Name, name) }); i >= 0 {
		return rows[i], nil
	}
	return nil, fault.Field("role", "must be one of %s", strings.Join(names, ", "))
}

// nameOf returns a role's name on the command line.
func nameOf(row *ent.Role) string {
	if row.Code != nil {
		return *row.Code
	}
	return row.Name
}

// Create creates a role. It may allow only what the actor may do.
func (s Roles) Create(ctx context.Context, in RoleInput) (*ent.Role, error) {
	if err := checkedRole(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.manage(ctx, func(ctx context.Context, t *unit.Tx) (*ent.Role, error) {
		if err := checkGrantable(t, in); err != nil {
			return nil, err
		}
		create := t.Role.Create()
		row, err := unit.Create(ctx, t, "role", in, create.Mutation(), create.Save)
		return row, duplicateRole(err)
	})
}

// Update changes a role. New permissions apply from the next request on, in every process within a second.
// The administrators' role always keeps the indispensable permissions.
func (s Roles) Update(ctx context.Context, id int, in RoleInput) (*ent.Role, error) {
	if err := checkedRole(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.manage(ctx, func(ctx context.Context, t *unit.Tx) (*ent.Role, error) {
		before, err := lockRole(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if err := checkGrantable(t, in); err != nil {
			return nil, err
		}
		next, given := in.Permissions.Get()
		if given && before.Code != nil && *before.Code == auth.Admin &&
			!auth.PermissionsOf(next).Covers(auth.RequiredPermissions) {
			return nil, fault.Field("permissions", "must include %s, so that the company cannot lock itself out",
				strings.Join(auth.RequiredPermissions.Strings(), " and "))
		}
		var after *ent.Role
		_, err = keepAdministrator(ctx, t, func() (*ent.User, error) {
			update := t.Role.Update().Where(role.ID(id))
			after, err = unit.Update(ctx, t, "role", id, before, in, update.Mutation(), update.Save)
			return nil, duplicateRole(err)
		})
		if err != nil || after == before {
			return after, err
		}
		if given {
			if err := recordRoleAccess(ctx, t, id); err != nil {
				return nil, err
			}
		}
		return after, staffChanged(ctx, t)
	})
}

// recordRoleAccess records that the actor changed what the members with a role may do.
func recordRoleAccess(ctx context.Context, t *unit.Tx, roleID int) error {
	members, err := t.User.Query().Where(user.RoleID(roleID)).Order(user.ByID()).IDs(ctx)
	if err != nil {
		return err
	}
	for _, id := range members {
		if err := recordAccess(ctx, t, id, accountaccess.KindCHANGED); err != nil {
			return err
		}
	}
	return nil
}

// Delete deletes a role that the tenant created and that no member has.
func (s Roles) Delete(ctx context.Context, id int) (int, error) {
	row, err := s.manage(ctx, func(ctx context.Context, t *unit.Tx) (*ent.Role, error) {
		before, err := lockRole(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if before.Code != nil {
			return nil, fault.Conflictf("A default role cannot be deleted. You can change its permissions.")
		}
		if err := t.Unreferenced(ctx, "role", ent.TypeRole, id); err != nil {
			return nil, err
		}
		if err := t.Role.DeleteOneID(id).Exec(ctx); err != nil {
			return nil, unit.InUse(err, "role")
		}
		t.Record("role.delete", "role", id, nil, before, nil)
		return before, nil
	})
	if err != nil {
		return 0, err
	}
	return row.ID, nil
}

// manage runs a change of roles by an actor who may manage users.
func (s Roles) manage(
	ctx context.Context, change func(context.Context, *unit.Tx) (*ent.Role, error),
) (*ent.Role, error) {
	actor, err := unit.RequirePermission(ctx, auth.ManageUsers)
	if err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.Role, error) {
		if err := lockStaff(ctx, t); err != nil {
			return nil, err
		}
		return change(ctx, t)
	})
}

// lockRole locks a role. It refuses a role that allows more than the actor may do.
func lockRole(ctx context.Context, t *unit.Tx, id int) (*ent.Role, error) {
	row, err := t.Role.Query().Where(role.ID(id), unit.LockedToDelete).Only(ctx)
	if err != nil {
		return nil, unit.NotFound(err, "role")
	}
	if !t.Actor.Permissions.Covers(auth.PermissionsOf(row.Permissions)) {
		return nil, fault.New(fault.Forbidden, "This role has permissions that you do not have. Ask a member who has them.")
	}
	return row, nil
}

// checkGrantable refuses permissions that the actor does not have.
func checkGrantable(t *unit.Tx, in RoleInput) error {
	var beyond []fault.Detail
	for i, p := range in.Permissions.Or(nil) {
		if !t.Actor.Permissions.Covers(auth.Permissions{auth.Permission(p)}) {
			beyond = append(beyond, fault.Detail{
				Path: fmt.Sprintf("permissions.%d", i), Message: "must be a permission that you have yourself",
			})
		}
	}
	if len(beyond) == 0 {
		return nil
	}
	refused := fault.New(fault.Forbidden, "You cannot grant permissions that you do not have.")
	refused.Details = beyond
	return refused
}

// checkedRole checks an input and each of its permissions. It refuses a role without permissions, which is
// most likely a mistake; to block a member, disable the member.
func checkedRole(in RoleInput, mode input.Mode) error {
	problems := input.Check(in, mode)
	if in.Permissions.Given() && len(in.Permissions.Or(nil)) == 0 {
		problems = append(problems, fault.Detail{Path: "permissions", Message: "must have at least one permission"})
	}
	for i, text := range in.Permissions.Or(nil) {
		path := fmt.Sprintf("permissions.%d", i)
		if slices.ContainsFunc(problems, func(d fault.Detail) bool { return d.Path == path }) {
			continue
		}
		if _, err := auth.ParsePermission(text); err != nil {
			problems = append(problems, fault.Detail{Path: path, Message: err.Error()})
		}
	}
	if len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	return nil
}

func duplicateRole(err error) error {
	if store.IsDuplicate(err) {
		return fault.Conflictf("Another role of the company has this name.").With("name", "is taken")
	}
	return err
}

// createRoles creates the tenant's default roles.
func createRoles(ctx context.Context, t *unit.Tx) error {
	rows := make([]*ent.RoleCreate, len(auth.Roles))
	for i, r := range auth.Roles {
		rows[i] = t.Role.Create().SetCode(r.Code).SetName(r.Name).SetPermissions(r.Permissions.Strings())
	}
	return createRows(ctx, t, "role", t.Role.CreateBulk(rows...).Save)
}
