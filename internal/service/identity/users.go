package identity

import (
	"context"
	"slices"
	"strconv"

	"paydown/ent"
	"paydown/ent/accountaccess"
	"paydown/ent/tenant"
	"paydown/ent/user"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
	"paydown/internal/store"
)

// Assignable refuses disabled members of staff.
func Assignable(ctx context.Context, t *unit.Tx, members ...unit.Reference) error {
	var ids []int
	for _, r := range members {
		if r.ID != nil {
			ids = append(ids, *r.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	disabled, err := t.User.Query().Where(user.IDIn(ids...), user.IsActive(false)).IDs(ctx)
	if err != nil || len(disabled) == 0 {
		return err
	}
	refused := fault.Conflictf("Work can only be assigned to active members of staff.")
	for _, r := range members {
		if r.ID != nil && slices.Contains(disabled, *r.ID) {
			refused = refused.With(r.Path, "must be an active member of staff")
		}
	}
	return refused
}

// Users are the members of a tenant's staff. A member who manages users cannot grant permissions that they do
// not have, and cannot change a member with more permissions. At least one active member can always manage
// users and settings.
type Users struct {
	core   *unit.Core
	access *access
}

// UserInput describes a member of staff to create.
type UserInput struct {
	Email  input.Opt[string] `json:"email" check:"email" need:"create" column:"-" doc:"Kept in lower case; no other member of the company has it" example:"dana.whitfield@northline.example"`
	Name   input.Opt[string] `json:"name" check:"name" need:"value" doc:"Default: the email address" example:"Dana Whitfield"`
	RoleID input.Opt[int]    `json:"roleId" check:"gte=1" need:"create"`
}

// UserUpdate holds the changes to a member of staff.
type UserUpdate struct {
	Name   input.Opt[string] `json:"name" check:"name" need:"value"`
	RoleID input.Opt[int]    `json:"roleId" check:"gte=1" need:"value"`
}

// UserListing describes the list of members of staff. Reading it requires a permission, not a scope.
var UserListing = &list.Listing[ent.User]{
	Resource: "users",
	Sorts: []list.Sort{
		{Name: "name", Column: user.FieldName, Kind: list.IsText},
		{Name: "email", Column: user.FieldEmail, Kind: list.IsText},
	},
	Filters: []list.Filter{
		{Name: "roleId", Column: user.FieldRoleID, Kind: list.IsID, Doc: "Only members with this role"},
	},
	Search: []string{user.FieldName, user.FieldEmail},
}

// NewMember is a new member. Reset lets them choose a password; it is nil if the operator set one.
type NewMember struct {
	User  *ent.User
	Reset *Reset
}

// Hashed returns how many passwords this process has hashed, to set or to check one.
func (s Users) Hashed() int64 { return s.access.passwords.Made() }

// List returns a page of members, each with the role.
func (s Users) List(ctx context.Context, req list.Request) (*list.Page[ent.User], error) {
	actor, err := unit.RequirePermission(ctx, auth.ManageUsers)
	if err != nil {
		return nil, err
	}
	q, err := UserListing.Query(s.core, actor, req)
	if err != nil {
		return nil, err
	}
	return list.FetchPage(ctx, s.core, q, s.core.Store.Reader().User.Query().WithRole())
}

// Get returns one member with the role. Members of staff may read their own record without the permission.
func (s Users) Get(ctx context.Context, id int) (*ent.User, error) {
	if actor := auth.From(ctx); actor == nil || !actor.IsUser() || actor.ID != id {
		if _, err := unit.RequirePermission(ctx, auth.ManageUsers); err != nil {
			return nil, err
		}
	}
	row, err := s.core.Store.Reader().User.Query().Where(user.ID(id)).WithRole().Only(ctx)
	return row, unit.NotFound(err, "user")
}

// Find is Get by a member's id or email address.
func (s Users) Find(ctx context.Context, idOrEmail string) (*ent.User, error) {
	if id, err := strconv.Atoi(idOrEmail); err == nil {
		return s.Get(ctx, id)
	}
	if _, err := unit.RequirePermission(ctx, auth.ManageUsers); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().User.Query().Where(user.Email(foldEmail(idOrEmail))).WithRole().Only(ctx)
	return row, unit.NotFound(err, "user")
}

// ByIDs returns the existing members among ids, by id, to a caller with the scope of the referring record.
// The names of members are visible where a record shows who acted; other data requires the permission to
// manage users.
func (s Users) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.User, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().User.Query())
}

// Colleagues lists the active members of staff by name, for assigning work. Any member may call it.
func (s Users) Colleagues(ctx context.Context) ([]*ent.User, error) {
	if _, err := workspace.Member(ctx); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().User.Query().Where(user.IsActive(true)).Order(user.ByName(), user.ByID()).All(ctx)
}

// Create creates a member of staff. Without a password, the member chooses one through a reset: see openReset
// for who gets the token. Only an operator may set a password, so that no administrator knows it.
func (s Users) Create(ctx context.Context, in UserInput, password string) (*NewMember, error) {
	actor, err := unit.RequirePermission(ctx, auth.ManageUsers)
	if err != nil {
		return nil, err
	}
	if password != "" && actor.Kind != auth.ByOperator {
		return nil, fault.Field("password", "can only be chosen by the member")
	}
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	email := foldEmail(in.Email.Or(""))
	if !in.Name.Given() {
		in.Name = input.Some(input.Truncate(email, input.MaxName))
	}
	hash, err := s.access.firstPassword(ctx, actor, email, in.Name.Or(""), password)
	if err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*NewMember, error) {
		if err := lockStaff(ctx, t); err != nil {
			return nil, err
		}
		if err := checkAssignable(ctx, t, in.RoleID.Or(0)); err != nil {
			return nil, err
		}
		create := t.User.Create().SetEmail(email).SetNillablePasswordHash(hash)
		if hash != nil {
			create.SetPasswordChangedAt(t.At())
		}
		row, err := unit.Create(ctx, t, "user", in, create.Mutation(), create.Save)
		if store.IsDuplicate(err) {
			return nil, fault.Conflictf("Another member of the company has this email address.").With("email", "is taken")
		}
		if err != nil {
			return nil, err
		}
		if err := recordAccess(ctx, t, row.ID, accountaccess.KindCREATED); err != nil || hash != nil {
			return &NewMember{User: row}, err
		}
		invited, err := invitedNotice(ctx, t)
		if err != nil {
			return nil, err
		}
		reset, err := openReset(ctx, t, row, invited)
		return &NewMember{User: row, Reset: reset}, err
	})
}

// firstPassword returns the hash of a password that an operator sets; nil if there is none.
func (a *access) firstPassword(ctx context.Context, actor *auth.Actor, email, name, password string) (*string, error) {
	if password == "" {
		return nil, nil //nolint:nilnil // the member will choose one
	}
	company, err := a.core.Store.Reader().Tenant.Get(ctx, actor.TenantID)
	if err != nil {
		return nil, err
	}
	hash, err := a.newPassword(ctx, "password", password, &ent.User{Email: email, Name: name}, company.Name)
	return &hash, err
}

// Update changes a member's name or role. The new role's permissions apply from the next request on, in every
// process within a second.
func (s Users) Update(ctx context.Context, id int, in UserUpdate) (*ent.User, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.manage(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.User) (*ent.User, error) {
		if roleID, ok := in.RoleID.Get(); ok && roleID != before.RoleID {
			if err := checkAssignable(ctx, t, roleID); err != nil {
				return nil, err
			}
		}
		changes := input.ChangesOf(in, before, t.Zone())
		if len(changes) == 0 {
			return before, nil
		}
		after, err := changeMember(ctx, t, "user.update", before, changes)
		if err != nil || after.RoleID == before.RoleID {
			return after, err
		}
		if err := recordAccess(ctx, t, id, accountaccess.KindCHANGED); err != nil {
			return nil, err
		}
		return after, notifyMember(ctx, t, after, roleNotice(t, after.Edges.Role.Name))
	})
}

// Disable ends all sessions of a member and prevents sign-in until Enable.
func (s Users) Disable(ctx context.Context, id int) (*ent.User, error) {
	if actor := auth.From(ctx); actor != nil && actor.IsUser() && actor.ID == id {
		return nil, fault.Conflictf("You cannot disable yourself.")
	}
	return s.manage(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.User) (*ent.User, error) {
		if !before.IsActive {
			return before, nil
		}
		after, err := changeMember(ctx, t, "user.disable", before, []input.Change{input.Set(user.FieldIsActive, false)})
		if err != nil {
			return nil, err
		}
		if err := endResets(ctx, t, id); err != nil {
			return nil, err
		}
		return after, endSessions(ctx, t, id, 0)
	})
}

// Enable lets a member sign in again.
func (s Users) Enable(ctx context.Context, id int) (*ent.User, error) {
	return s.manage(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.User) (*ent.User, error) {
		if before.IsActive {
			return before, nil
		}
		after, err := changeMember(ctx, t, "user.enable", before, []input.Change{input.Set(user.FieldIsActive, true)})
		if err != nil {
			return nil, err
		}
		if err := recordAccess(ctx, t, id, accountaccess.KindCHANGED); err != nil {
			return nil, err
		}
		return after, notifyMember(ctx, t, after, enabledNotice(t))
	})
}

// Reset lets a member choose a new password with a token; see openReset for who gets it. The old password and
// sessions stay valid until then.
func (s Users) Reset(ctx context.Context, id int) (*Reset, error) {
	var reset *Reset
	_, err := s.manage(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.User) (*ent.User, error) {
		if !before.IsActive {
			return nil, fault.Conflictf("The member is disabled. Enable the member first.")
		}
		t.Record("user.open_reset", "user", id, nil, nil, nil)
		n := resetNotice(t)
		var err error
		if reset, err = openReset(ctx, t, before, n); err != nil || reset.MailedTo != nil {
			return before, err // the mail with the link already notifies the member
		}
		return before, notifyMember(ctx, t, before, n)
	})
	return reset, err
}

// SetPassword sets a member's password and ends all of the member's sessions. Only an operator may do this,
// so that no administrator knows a member's password.
func (s Users) SetPassword(ctx context.Context, id int, password string) (*ent.User, error) {
	actor, err := unit.RequirePermission(ctx, auth.ManageUsers)
	if err != nil {
		return nil, err
	}
	if actor.Kind != auth.ByOperator {
		return nil, fault.New(fault.Forbidden, "Only the member can choose a password. Create a password reset instead.")
	}
	member, err := s.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	hash, err := s.access.firstPassword(ctx, actor, member.Email, member.Name, password)
	if err != nil {
		return nil, err
	}
	if hash == nil {
		return nil, fault.Field("password", "is required")
	}
	return s.manage(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.User) (*ent.User, error) {
		after, err := setPassword(ctx, t, "user.set_password", before, *hash)
		if err != nil {
			return nil, err
		}
		if err := notifyMember(ctx, t, after, passwordNotice(t)); err != nil {
			return nil, err
		}
		return after, endSessions(ctx, t, id, 0)
	})
}

// DropSecondFactor removes a member's second factor and recovery codes, for a member who has lost them.
func (s Users) DropSecondFactor(ctx context.Context, id int) (*ent.User, error) {
	return s.manage(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.User) (*ent.User, error) {
		if len(before.TotpSecret) == 0 {
			return before, nil
		}
		after, err := dropSecondFactor(ctx, t, before)
		if err != nil {
			return nil, err
		}
		if err := recordAccess(ctx, t, id, accountaccess.KindCHANGED); err != nil {
			return nil, err
		}
		if err := notifyMember(ctx, t, after, secondFactorNotice(t)); err != nil {
			return nil, err
		}
		return after, endSessions(ctx, t, id, 0)
	})
}

// EndSessions ends all sessions of a member, who may sign in again, and returns how many there were.
func (s Users) EndSessions(ctx context.Context, id int) (int, error) {
	ended := 0
	_, err := s.manage(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.User) (*ent.User, error) {
		open, err := t.Session.Query().Where(openSessions(id, t.At())...).Count(ctx)
		if ended = open; err != nil || open == 0 {
			return before, err
		}
		t.Record("user.end_sessions", "user", id, nil, nil, nil)
		return before, endSessions(ctx, t, id, 0)
	})
	return ended, err
}

// manage runs a change of a member by an actor who may manage users and has at least the member's
// permissions.
func (s Users) manage(
	ctx context.Context, id int, change func(context.Context, *unit.Tx, *ent.User) (*ent.User, error),
) (*ent.User, error) {
	actor, err := unit.RequirePermission(ctx, auth.ManageUsers)
	if err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.User, error) {
		if err := lockStaff(ctx, t); err != nil {
			return nil, err
		}
		before, err := lockMember(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if !actor.Permissions.Covers(auth.PermissionsOf(before.Edges.Role.Permissions)) {
			return nil, fault.New(fault.Forbidden,
				"This member has permissions that you do not have. Ask a member who has them.")
		}
		return keepAdministrator(ctx, t, func() (*ent.User, error) { return change(ctx, t, before) })
	})
}

// lockStaff serializes changes to a tenant's members and roles: they have to keep the last administrator,
// which depends on all of them. It refuses a sandbox, whose staff are managed at its company.
func lockStaff(ctx context.Context, t *unit.Tx) error {
	company, err := t.Tenant.Query().Where(tenant.ID(t.Actor.TenantID), unit.Locked).Only(ctx)
	if err != nil {
		return err
	}
	return refuseSandbox(company)
}

// checkAssignable refuses a role that does not exist or that allows more than the actor may do.
func checkAssignable(ctx context.Context, t *unit.Tx, roleID int) error {
	if err := t.Require(ctx, unit.Reference{Path: "roleId", Record: "Role", ID: &roleID}); err != nil {
		return err
	}
	given, err := t.Role.Get(ctx, roleID)
	if err != nil {
		return err
	}
	if !t.Actor.Permissions.Covers(auth.PermissionsOf(given.Permissions)) {
		return fault.New(fault.Forbidden, "You cannot assign a role with permissions that you do not have.").
			With("roleId", "must not have permissions that you do not have")
	}
	return nil
}

// keepAdministrator runs a change of members or roles, and refuses it if no member would be left who can
// manage users and settings. It does not check if there was none before.
func keepAdministrator(ctx context.Context, t *unit.Tx, change func() (*ent.User, error)) (*ent.User, error) {
	before, err := hasAdministrator(ctx, t)
	if err != nil {
		return nil, err
	}
	after, err := change()
	if err != nil || !before {
		return after, err
	}
	left, err := hasAdministrator(ctx, t)
	if err == nil && !left {
		err = fault.Conflictf("At least one active member must be able to manage users and settings. " +
			"Assign the role to another member first.")
	}
	return after, err
}

// hasAdministrator reports whether an active member has all indispensable permissions.
func hasAdministrator(ctx context.Context, t *unit.Tx) (bool, error) {
	roles, err := t.Role.Query().All(ctx)
	if err != nil {
		return false, err
	}
	var may []int
	for _, r := range roles {
		if auth.PermissionsOf(r.Permissions).Covers(auth.RequiredPermissions) {
			may = append(may, r.ID)
		}
	}
	return t.User.Query().Where(user.RoleIDIn(may...), user.IsActive(true)).Exist(ctx)
}
