package identity

import (
	"context"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/role"
	"paydown/ent/tenant"
	"paydown/ent/user"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// A sandbox has no staff of its own. Members of its company sign in at the sandbox's host with their usual
// credentials and have the permissions of their role at the company. A member who is disabled at the company
// cannot use the sandbox either. Their actions affect and are recorded in the sandbox only. So each member
// has a user in the sandbox to act as, the guest, which the sandbox's records refer to. A guest is identified
// by the member's email address and has no password; each sign-in copies the member's name and role to it.
// The permissions of a session come from the member, not from the guest.

// home returns the tenant whose members sign in at a host.
func (e *TenantEntry) home() *TenantEntry {
	if e.Live != nil {
		return e.Live
	}
	return e
}

// refuseSandbox refuses to manage staff in a sandbox.
func refuseSandbox(company *ent.Tenant) error {
	if company.SandboxOfID == nil {
		return nil
	}
	return fault.Conflictf("A sandbox uses the staff of its company. " +
		"Manage members, roles and your account on the company's own host.")
}

// actInTenant runs part of a write in another tenant, as an actor of that tenant. Its audit entries and events
// belong to that tenant.
func actInTenant(ctx context.Context, t *unit.Tx, actor *auth.Actor, work func(context.Context, *unit.Tx) error) error {
	ctx = auth.With(ctx, actor)
	inner := &unit.Tx{Tx: t.Tx, Core: t.Core, Actor: actor}
	if err := work(ctx, inner); err != nil {
		return err
	}
	return inner.Flush(ctx)
}

// signInActor is the system actor that works inside a tenant on behalf of a person who signs in.
func signInActor(tenantID int, zone *time.Location, requestID string) *auth.Actor {
	return auth.From(auth.AsSystem(context.Background(), tenantID, zone, requestID))
}

// beginAt begins a session at a host. At a sandbox's host the session is that of the member's guest.
func beginAt(
	ctx context.Context, t *unit.Tx, host *TenantEntry, member *ent.User, s newSession, previousToken string, from Origin,
) (in *SignedIn, err error) {
	if host.Live == nil {
		return begin(ctx, t, member, s, previousToken, from)
	}
	var as *ent.Role
	var guest *ent.User
	product := signInActor(host.ID, host.Zone, from.RequestID)
	err = actInTenant(ctx, t, product, func(ctx context.Context, t *unit.Tx) error {
		as, err = guestRole(ctx, t, member.Edges.Role)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = actInTenant(ctx, t, product, func(ctx context.Context, t *unit.Tx) error {
		guest, err = findGuest(ctx, t, member, as)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = actInTenant(ctx, t, actorOf(guest, host.Zone, from), func(ctx context.Context, t *unit.Tx) error {
		in, err = begin(ctx, t, guest, s, previousToken, from)
		return err
	})
	return in, err
}

// findGuest returns the user that a member of the company acts as in the sandbox. It updates the existing
// guest or creates one. The member must be locked, so that two concurrent sign-ins do not create two guests.
func findGuest(ctx context.Context, t *unit.Tx, member *ent.User, as *ent.Role) (*ent.User, error) {
	before, err := t.User.Query().Where(user.Email(member.Email), unit.Locked).Only(ctx)
	switch {
	case ent.IsNotFound(err):
		made, err := t.User.Create().SetEmail(member.Email).SetName(member.Name).SetRoleID(as.ID).Save(ctx)
		if err != nil {
			return nil, err
		}
		t.Record("user.create", "user", made.ID, nil, nil, made)
		made.Edges.Role = as
		return made, nil
	case err != nil:
		return nil, err
	}
	var changes []input.Change
	for _, c := range []input.Change{
		input.Set(user.FieldName, member.Name), input.Set(user.FieldRoleID, as.ID), input.Set(user.FieldIsActive, true),
	} {
		if !input.SameColumn(before, c.Column, c.Value) {
			changes = append(changes, c)
		}
	}
	if len(changes) == 0 {
		before.Edges.Role = as
		return before, nil
	}
	return changeMember(ctx, t, "user.update", before, changes)
}

// guestRole returns the sandbox's role that matches a role of the company by code or, for a role that the
// company created, by name. It has the same permissions.
func guestRole(ctx context.Context, t *unit.Tx, like *ent.Role) (*ent.Role, error) {
	where := role.And(role.Name(like.Name), role.CodeIsNil())
	if like.Code != nil {
		where = role.Code(*like.Code)
	}
	found, err := t.Role.Query().Where(where, unit.Locked).Only(ctx)
	switch {
	case ent.IsNotFound(err):
		made, err := t.Role.Create().SetName(like.Name).SetPermissions(like.Permissions).Save(ctx)
		if err == nil {
			t.Record("role.create", "role", made.ID, nil, nil, made)
		}
		return made, duplicateRole(err)
	case err != nil || slices.Equal(found.Permissions, like.Permissions):
		return found, err
	}
	update := t.Role.Update().Where(role.ID(found.ID))
	after, err := unit.Store(ctx, t, found, []input.Change{input.Set(role.FieldPermissions, like.Permissions)},
		update.Mutation(), update.Save)
	if err == nil {
		t.Record("role.update", "role", found.ID, nil, found, after)
	}
	return after, err
}

// endGuestSessions ends a member's sessions at the company's sandbox.
func endGuestSessions(ctx context.Context, t *unit.Tx, userID int) error {
	sandbox, err := t.Tenant.Query().Where(tenant.SandboxOfID(t.Actor.TenantID)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	member, err := t.User.Get(ctx, userID)
	if err != nil {
		return err
	}
	return actInTenant(ctx, t, signInActor(sandbox.ID, t.Zone(), t.Actor.RequestID), func(
		ctx context.Context, t *unit.Tx,
	) error {
		guest, err := t.User.Query().Where(user.Email(member.Email)).Only(ctx)
		if ent.IsNotFound(err) {
			return nil
		}
		if err != nil {
			return err
		}
		open, err := t.Session.Query().Where(openSessions(guest.ID, t.At())...).Exist(ctx)
		if err != nil || !open {
			return err
		}
		t.Record("user.end_sessions", "user", guest.ID, nil, nil, nil)
		return endSessions(ctx, t, guest.ID, 0)
	})
}
