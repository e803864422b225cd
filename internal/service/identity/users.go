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

// Assignable refuses members of staff who are disabled.
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
	refused := fault.Conflictf("Work goes to active members of staff only.")
	for _, r := range members {
		if r.ID != nil && slices.Contains(disabled, *r.ID) {
			refused = refused.With(r.Path, "is a member of staff who is disabled")
		}
	}
	return refused
}

// Users are the members of a tenant's staff. Whoever looks after them can give nobody what they do not have themselves,
// and touch nobody who has more; and some active member can always look after users and settings.
type Users struct {
	core   *unit.Core
	access *access
}

// UserInput is what a member of staff is made of.
type UserInput struct {
	Email  input.Opt[string] `json:"email" check:"email" need:"create" column:"-" doc:"Kept in lower case; no other member of the company has it" example:"dana.whitfield@northline.example"`
	Name   input.Opt[string] `json:"name" check:"name" need:"value" doc:"The address unless given" example:"Dana Whitfield"`
	RoleID input.Opt[int]    `json:"roleId" check:"gte=1" need:"create"`
}

// UserUpdate is what changes of a member of staff.
type UserUpdate struct {
	Name   input.Opt[string] `json:"name" check:"name" need:"value"`
	RoleID input.Opt[int]    `json:"roleId" check:"gte=1" need:"value"`
}

// UserListing describes the list of members of staff. Who may read it is a matter of a permission, not of a scope.
var UserListing = &list.Listing[ent.User]{
	Resource: "users",
	Sorts:    []list.Sort{{Name: "name", Column: user.FieldName, Kind: list.IsText}, {Name: "email", Column: user.FieldEmail, Kind: list.IsText}},
	Filters: []list.Filter{
		{Name: "roleId", Column: user.FieldRoleID, Kind: list.IsID, Doc: "Only members with this role"},
	},
	Search: []string{user.FieldName, user.FieldEmail},
}

// NewMember is a member who was made. Reset lets them choose a password; it is nil where they were given one.
type NewMember struct {
	User  *ent.User
	Reset *Reset
}

// Hashed is how many passwords this process has hashed, to set or to check one.
func (s Users) Hashed() int64 { return s.access.passwords.Made() }

// List returns a page of the members, each with the role.
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

// Get returns one member with the role. A member of staff may read their own.
func (s Users) Get(ctx context.Context, id int) (*ent.User, error) {
	if actor := auth.From(ctx); actor == nil || !actor.IsUser() || actor.ID != id {
		if _, err := unit.RequirePermission(ctx, auth.ManageUsers); err != nil {
			return nil, err
		}
	}
	row, err := s.core.Store.Reader().User.Query().Where(user.ID(id)).WithRole().Only(ctx)
	return row, unit.NotFound(err, "user")
}

// Find is Get by the id or the address of a member, as people name one.
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

// ByIDs returns those of the members that there are, by id, for who holds the scope that leads to them: members of staff
// are named where they did something. What else is known of them is for who looks after them.
func (s Users) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.User, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().User.Query())
}

// Colleagues lists the active members of the staff by name: those whom work can be given to. Any member may ask.
func (s Users) Colleagues(ctx context.Context) ([]*ent.User, error) {
	if _, err := workspace.Member(ctx); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().User.Query().Where(user.IsActive(true)).Order(user.ByName(), user.ByID()).All(ctx)
}

// Create makes a member of staff. Without a password the member chooses one by a reset: see openReset for whom its token
// reaches. Only an operator may give one, so that no administrator knows it.
func (s Users) Create(ctx context.Context, in UserInput, password string) (*NewMember, error) {
	actor, err := unit.RequirePermission(ctx, auth.ManageUsers)
	if err != nil {
		return nil, err
	}
	if password != "" && actor.Kind != auth.ByOperator {
		return nil, fault.Field("password", "is for the member alone to choose")
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
		if err := mayGive(ctx, t, in.RoleID.Or(0)); err != nil {
			return nil, err
		}
		create := t.User.Create().SetEmail(email).SetNillablePasswordHash(hash)
		if hash != nil {
			create.SetPasswordChangedAt(t.At())
		}
		row, err := unit.Create(ctx, t, "user", in, create.Mutation(), create.Save)
		if store.IsDuplicate(err) {
			return nil, fault.Conflictf("Another member of the company has this e-mail address.").With("email", "is taken")
		}
		if err != nil {
			return nil, err
		}
		if err := noteAccess(ctx, t, row.ID, accountaccess.KindCREATED); err != nil || hash != nil {
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

// firstPassword is the hash of a password that an operator gives; nil where there is none.
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

// Update changes a member's name or role. What the role allows holds from the next request on, everywhere within a
// second.
func (s Users) Update(ctx context.Context, id int, in UserUpdate) (*ent.User, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.manage(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.User) (*ent.User, error) {
		if roleID, ok := in.RoleID.Get(); ok && roleID != before.RoleID {
			if err := mayGive(ctx, t, roleID); err != nil {
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
		if err := noteAccess(ctx, t, id, accountaccess.KindCHANGED); err != nil {
			return nil, err
		}
		return after, tellMember(ctx, t, after, roleNotice(t, after.Edges.Role.Name))
	})
}

// Disable ends all sessions of a member and lets them sign in no more, until Enable.
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
		if err := noteAccess(ctx, t, id, accountaccess.KindCHANGED); err != nil {
			return nil, err
		}
		return after, tellMember(ctx, t, after, enabledNotice(t))
	})
}

// Reset lets a member choose a new password, by a token that reaches the member alone where it can: see openReset. What
// the member has signs in until then.
func (s Users) Reset(ctx context.Context, id int) (*Reset, error) {
	var reset *Reset
	_, err := s.manage(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.User) (*ent.User, error) {
		if !before.IsActive {
			return nil, fault.Conflictf("The member is disabled; enable them first.")
		}
		t.Record("user.open_reset", "user", id, nil, nil, nil)
		n := resetNotice(t)
		var err error
		if reset, err = openReset(ctx, t, before, n); err != nil || reset.MailedTo != nil {
			return before, err // the mail says it
		}
		return before, tellMember(ctx, t, before, n)
	})
	return reset, err
}

// SetPassword gives a member another password, and ends all of the member's sessions. Only an operator may do that, so
// that no administrator knows a member's password.
func (s Users) SetPassword(ctx context.Context, id int, password string) (*ent.User, error) {
	actor, err := unit.RequirePermission(ctx, auth.ManageUsers)
	if err != nil {
		return nil, err
	}
	if actor.Kind != auth.ByOperator {
		return nil, fault.New(fault.Forbidden, "A password is for the member alone to choose; make a reset.")
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
		if err := tellMember(ctx, t, after, passwordNotice(t)); err != nil {
			return nil, err
		}
		return after, endSessions(ctx, t, id, 0)
	})
}

// DropSecondFactor takes the second factor from a member who has lost it, and the recovery codes too.
func (s Users) DropSecondFactor(ctx context.Context, id int) (*ent.User, error) {
	return s.manage(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.User) (*ent.User, error) {
		if len(before.TotpSecret) == 0 {
			return before, nil
		}
		after, err := dropSecondFactor(ctx, t, before)
		if err != nil {
			return nil, err
		}
		if err := noteAccess(ctx, t, id, accountaccess.KindCHANGED); err != nil {
			return nil, err
		}
		if err := tellMember(ctx, t, after, secondFactorNotice(t)); err != nil {
			return nil, err
		}
		return after, endSessions(ctx, t, id, 0)
	})
}

// EndSessions ends all sessions of a member, who may sign in anew, and returns how many there were.
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

// manage runs a change of a member by somebody who may look after members, this one among them.
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
			return nil, fault.New(fault.Forbidden, "This member may do more than you; somebody who may as much has to do it.")
		}
		return keepingAdministrator(ctx, t, func() (*ent.User, error) { return change(ctx, t, before) })
	})
}

// lockStaff makes changes of a tenant's members and roles happen one after the other: what they have to leave in place,
// the last administrator, is a matter of all of them. Those of a sandbox are looked after at its company.
func lockStaff(ctx context.Context, t *unit.Tx) error {
	company, err := t.Tenant.Query().Where(tenant.ID(t.Actor.TenantID), unit.Locked).Only(ctx)
	if err != nil {
		return err
	}
	return refuseSandbox(company)
}

// mayGive refuses to give a member a role that is not there, or that allows more than the actor may.
func mayGive(ctx context.Context, t *unit.Tx, roleID int) error {
	if err := t.Require(ctx, unit.Reference{Path: "roleId", Record: "Role", ID: &roleID}); err != nil {
		return err
	}
	given, err := t.Role.Get(ctx, roleID)
	if err != nil {
		return err
	}
	if !t.Actor.Permissions.Covers(auth.PermissionsOf(given.Permissions)) {
		return fault.New(fault.Forbidden, "You cannot give a role that allows more than you may.").
			With("roleId", "allows more than you may")
	}
	return nil
}

// keepingAdministrator runs a change of members or roles, and refuses it where nobody would be left who can look after
// users and settings. Where nobody could before, there is nobody to keep.
func keepingAdministrator(ctx context.Context, t *unit.Tx, change func() (*ent.User, error)) (*ent.User, error) {
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
		err = fault.Conflictf("Nobody would be left who can look after users and settings. Give somebody else the role first.")
	}
	return after, err
}

// hasAdministrator reports whether an active member has all that is indispensable.
func hasAdministrator(ctx context.Context, t *unit.Tx) (bool, error) {
	roles, err := t.Role.Query().All(ctx)
	if err != nil {
		return false, err
	}
	var may []int
	for _, r := range roles {
		if auth.PermissionsOf(r.Permissions).Covers(auth.Indispensable) {
			may = append(may, r.ID)
		}
	}
	return t.User.Query().Where(user.RoleIDIn(may...), user.IsActive(true)).Exist(ctx)
}
