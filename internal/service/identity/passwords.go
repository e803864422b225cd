package identity

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/passwordreset"
	"paydown/ent/session"
	"paydown/ent/user"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// ResetWindow is how long a reset's token is valid.
const ResetWindow = 24 * time.Hour

// ownAccount returns the actor, who must be a member of staff with a session, for changes to how they sign
// in. A sandbox refuses: these changes belong on the company's own host.
func (s Sessions) ownAccount(ctx context.Context) (*auth.Actor, error) {
	actor := auth.From(ctx)
	if actor == nil || actor.Kind != auth.ByUser || actor.Session == 0 {
		return nil, errSession
	}
	company, err := s.core.Store.Reader().Tenant.Get(ctx, actor.TenantID)
	if err == nil {
		err = refuseSandbox(company)
	}
	return actor, err
}

// provePassword verifies the acting member's password; path is the input field that holds it. Attempts count
// like sign-in attempts.
func (s Sessions) provePassword(
	ctx context.Context, host *TenantEntry, actor *auth.Actor, path, password string, from Origin,
) error {
	member, err := s.core.Store.Reader().User.Get(ctx, actor.ID)
	if err != nil {
		return err
	}
	a, err := beginAttempt(ctx, s.core, actor.TenantID, byPassword, member.Email, from, isFamiliar(member, from))
	if err != nil {
		return err
	}
	hash := ""
	if a.allowed && member.PasswordHash != nil {
		hash = *member.PasswordHash
	}
	normal, _ := auth.NormalPassword(password)
	ok, _, err := s.access.passwords.Check(ctx, normal, hash)
	if err != nil {
		return err
	}
	if !ok {
		if err := refused(ctx, s.core, a, member, host, from); err != nil {
			return err
		}
		return fault.Field(path, "is wrong, or there were too many attempts; wait a few minutes before you try again")
	}
	_, err = unit.Transact(ctx, s.core, actor,
		func(ctx context.Context, t *unit.Tx) (int, error) { return 0, recordSuccess(ctx, t, a) })
	return err
}

// ChangePassword changes the acting member's password. It ends all other sessions of the member; this session
// continues under a new token.
func (s Sessions) ChangePassword(
	ctx context.Context, host *TenantEntry, current, next string, from Origin,
) (*SignedIn, error) {
	actor, err := s.ownAccount(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.provePassword(ctx, host, actor, "currentPassword", current, from); err != nil {
		return nil, err
	}
	member, err := s.core.Store.Reader().User.Get(ctx, actor.ID)
	if err != nil {
		return nil, err
	}
	hash, err := s.access.newPassword(ctx, "newPassword", next, member, host.Name)
	if err != nil {
		return nil, err
	}
	if next == current {
		return nil, fault.Field("newPassword", "must differ from the current one")
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*SignedIn, error) {
		before, err := lockMember(ctx, t, actor.ID)
		if err != nil {
			return nil, err
		}
		if before.PasswordHash == nil || *before.PasswordHash != *member.PasswordHash {
			return nil, fault.Conflictf("The password was just changed elsewhere.")
		}
		after, err := setPassword(ctx, t, "user.change_password", before, hash)
		if err != nil {
			return nil, err
		}
		return renew(ctx, t, after, nil, from)
	})
}

// newPassword checks a new password and returns its hash; path is the input field that holds it.
func (a *access) newPassword(
	ctx context.Context, path, password string, member *ent.User, company string,
) (string, error) {
	if problem := auth.CheckPassword(password, member.Email, member.Name, company); problem != "" {
		return "", fault.Field(path, "%s", problem)
	}
	normal, _ := auth.NormalPassword(password)
	return a.passwords.Hash(ctx, normal)
}

// setPassword stores a locked member's new password and ends the member's open resets.
func setPassword(ctx context.Context, t *unit.Tx, action string, before *ent.User, hash string) (*ent.User, error) {
	if err := endResets(ctx, t, before.ID); err != nil {
		return nil, err
	}
	return changeMember(ctx, t, action, before,
		[]input.Change{input.Set(user.FieldPasswordHash, hash), input.Set(user.FieldPasswordChangedAt, t.At())})
}

// changeMember stores changes to a locked member under the audit action and signals every process.
func changeMember(
	ctx context.Context, t *unit.Tx, action string, before *ent.User, changes []input.Change,
) (*ent.User, error) {
	update := t.User.Update().Where(user.ID(before.ID))
	if err := input.SetColumns(update.Mutation(), changes); err != nil {
		return nil, err
	}
	if err := update.Exec(ctx); err != nil {
		return nil, err
	}
	after, err := t.User.Query().Where(user.ID(before.ID)).WithRole().Only(ctx)
	if err != nil {
		return nil, err
	}
	t.Record(action, "user", before.ID, nil, before, after)
	return after, staffChanged(ctx, t)
}

// renew ends every session of the acting member and replaces the current one with a session under a new
// token. The new session has the same expiry, and the second factor that the old one had or that the member
// has just proven.
func renew(
	ctx context.Context, t *unit.Tx, member *ent.User, secondFactorAt *time.Time, from Origin,
) (*SignedIn, error) {
	old, err := t.Session.Query().Where(session.ID(t.Actor.Session), session.RevokedAtIsNil(), unit.Locked).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, errSession
	}
	if err != nil {
		return nil, err
	}
	if secondFactorAt == nil {
		secondFactorAt = old.SecondFactorAt
	}
	row, token, err := openSession(ctx, t, member, from,
		newSession{secondFactorAt: secondFactorAt, expires: old.ExpiresAt})
	if err != nil {
		return nil, err
	}
	unit.AlsoCreated(t, "session", row)
	if err := endSessions(ctx, t, member.ID, row.ID); err != nil {
		return nil, err
	}
	actor := actorOf(member, t.Zone(), from)
	actor.Session = row.ID
	return &SignedIn{Token: token, Lasts: row.ExpiresAt.Sub(t.At()), Actor: actor, Member: member}, nil
}

var errReset = fault.Field("token", "is invalid or has expired; ask an administrator for a new link")

// ResetPassword sets the password of the member that a reset was created for, and ends all of the member's
// sessions. It does not sign the member in: a second factor is still required.
func (s Sessions) ResetPassword(ctx context.Context, host *TenantEntry, token, password string, from Origin) error {
	if !auth.IsSecretToken(token) {
		return errReset
	}
	scoped := auth.With(ctx, &auth.Actor{TenantID: host.ID})
	reset, err := s.core.Store.Reader().PasswordReset.Query().Where(passwordreset.TokenHash(auth.HashToken(token))).
		WithUser(func(q *ent.UserQuery) { q.WithRole() }).Only(scoped)
	if ent.IsNotFound(err) {
		return errReset
	}
	if err != nil {
		return err
	}
	member := reset.Edges.User
	if reset.EndedAt != nil || !s.core.Store.Now().Before(reset.ExpiresAt) || !member.IsActive {
		return errReset
	}
	hash, err := s.access.newPassword(ctx, "password", password, member, host.Name)
	if err != nil {
		return err
	}
	actor := actorOf(member, host.Zone, from)
	_, err = unit.Transact(auth.With(ctx, actor), s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.User, error) {
		before, err := lockMember(ctx, t, member.ID)
		if err != nil {
			return nil, err
		}
		open, err := t.PasswordReset.Query().Where(passwordreset.ID(reset.ID), passwordreset.EndedAtIsNil(), unit.Locked).
			Exist(ctx)
		if err != nil {
			return nil, err
		}
		if !open || !before.IsActive {
			return nil, errReset
		}
		after, err := setPassword(ctx, t, "user.reset_password", before, hash)
		if err != nil {
			return nil, err
		}
		return after, endSessions(ctx, t, member.ID, 0)
	})
	return err
}

// endResets ends a member's open resets.
func endResets(ctx context.Context, t *unit.Tx, userID int) error {
	return t.PasswordReset.Update().Where(passwordreset.UserID(userID), passwordreset.EndedAtIsNil()).
		SetEndedAt(t.At()).Exec(ctx)
}
