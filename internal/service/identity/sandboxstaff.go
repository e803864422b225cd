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

// A sandbox has no staff of its own. The members of its company sign in at its host with what they sign in with at the
// company's, and may do there what their role at the company allows: whoever is disabled there is out of the sandbox too.
// What they do is done, and kept, inside the sandbox alone. So each has a user of the sandbox to act as, a guest, whom
// records of the sandbox refer to. A guest is known by the member's address, has no password, and gets name and role from
// the member with every sign-in; what a session allows is read from the member, not from the guest.

// home is the tenant whose members sign in at a host.
func (e *TenantEntry) home() *TenantEntry {
	if e.Live != nil {
		return e.Live
	}
	return e
}

// refuseSandbox refuses to look after the staff of a sandbox.
func refuseSandbox(company *ent.Tenant) error {
	if company.SandboxOfID == nil {
		return nil
	}
	return fault.Conflictf("The staff of a sandbox are those of its company. Look after members, roles and your own account at the company's own host.")
}

// inside runs part of a write in another tenant than the actor's, as an actor of that one. What it leaves behind is that
// tenant's.
func inside(ctx context.Context, t *unit.Tx, actor *auth.Actor, work func(context.Context, *unit.Tx) error) error {
	ctx = auth.With(ctx, actor)
	inner := &unit.Tx{Tx: t.Tx, Core: t.Core, Actor: actor}
	if err := work(ctx, inner); err != nil {
		return err
	}
	return inner.Flush(ctx)
}

// signerIn is the product acting inside a tenant for somebody who signs in.
func signerIn(tenantID int, zone *time.Location, requestID string) *auth.Actor {
	return auth.From(auth.AsSystem(context.Background(), tenantID, zone, requestID))
}

// beginAt is begin at a host: at a sandbox's the session is that of the guest whom the member is there.
func beginAt(
	ctx context.Context, t *unit.Tx, host *TenantEntry, member *ent.User, s newSession, had string, from Origin,
) (in *SignedIn, err error) {
	if host.Live == nil {
		return begin(ctx, t, member, s, had, from)
	}
	var as *ent.Role
	var guest *ent.User
	product := signerIn(host.ID, host.Zone, from.RequestID)
	err = inside(ctx, t, product, func(ctx context.Context, t *unit.Tx) error {
		as, err = guestRole(ctx, t, member.Edges.Role)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = inside(ctx, t, product, func(ctx context.Context, t *unit.Tx) error {
		guest, err = findGuest(ctx, t, member, as)
		return err
	})
	if err != nil {
		return nil, err
	}
	err = inside(ctx, t, actorOf(guest, host.Zone, from), func(ctx context.Context, t *unit.Tx) error {
		in, err = begin(ctx, t, guest, s, had, from)
		return err
	})
	return in, err
}

// findGuest is the user whom a member of the company acts as in the sandbox: the one there is, brought up to date, or a new one. The member is locked, so that two sign-ins at once do not make two.
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
	for _, c := range []input.Change{input.Set(user.FieldName, member.Name), input.Set(user.FieldRoleID, as.ID), input.Set(user.FieldIsActive, true)} {
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

// guestRole is the sandbox's role that allows what a role of the company does: the one of that code or, where the company made
// the role itself, of that name.
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
		return made, takenRole(err)
	case err != nil || slices.Equal(found.Permissions, like.Permissions):
		return found, err
	}
	update := t.Role.Update().Where(role.ID(found.ID))
	after, err := unit.Store(ctx, t, found, []input.Change{input.Set(role.FieldPermissions, like.Permissions)}, update.Mutation(), update.Save)
	if err == nil {
		t.Record("role.update", "role", found.ID, nil, found, after)
	}
	return after, err
}

// endGuestSessions ends the sessions that a member of a company has at its sandbox.
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
	return inside(ctx, t, signerIn(sandbox.ID, t.Zone(), t.Actor.RequestID), func(ctx context.Context, t *unit.Tx) error {
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
