package identity

import (
	"context"
	"strconv"
	"strings"
	"time"

	"paydown/ent"
	"paydown/ent/session"
	"paydown/ent/user"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// Credentials are what a member of staff signs in with.
type Credentials struct{ Email, Password string }

// SignedIn is a new session. Only the browser gets its token.
type SignedIn struct {
	Token string
	Lasts time.Duration // maximum
	// SecondFactor means that the session is valid only for the second step; Actor is nil then.
	SecondFactor bool
	Actor        *auth.Actor
	Member       *ent.User
}

var (
	errCredentials = fault.New(fault.Unauthorized, "The email address or password is wrong, or there were too many "+
		"attempts. Wait a few minutes before you try again.")
	errCode = fault.New(fault.Unauthorized, "The code is wrong or was used before, or there were too many attempts. "+
		"Wait a few minutes before you try again.")
)

// SignIn begins a session of the member of the host's tenant with this email address and password, and ends
// the browser's previous session. If the member has a second factor, the session is valid only for
// SecondFactor. An unknown address, a wrong password, a disabled member, a member without a password and an
// attempt that came too early get the same error after the same work. A different error tells a network with
// too many failures to wait; another one says that too many people are signing in.
func (s Sessions) SignIn(
	ctx context.Context, host *TenantEntry, in Credentials, previousToken string, from Origin,
) (*SignedIn, error) {
	email := foldEmail(in.Email)
	home := host.home()
	leave, err := s.access.turn(ctx, home.ID, from)
	if err != nil {
		return nil, err
	}
	defer leave()
	member, err := s.memberAt(ctx, home, email)
	if err != nil {
		return nil, err
	}
	a, err := beginAttempt(ctx, s.core, home.ID, byPassword, email, from, isFamiliar(member, from))
	if err != nil {
		return nil, err
	}
	hash := ""
	if a.allowed && member != nil && member.IsActive && member.PasswordHash != nil {
		hash = *member.PasswordHash
	}
	password, _ := auth.NormalPassword(in.Password) // "" for an impossible password, which matches nobody
	ok, stale, err := s.access.passwords.Check(ctx, password, hash)
	if err != nil {
		return nil, err
	}
	if !ok {
		if err := refused(ctx, s.core, a, member, home, from); err != nil {
			return nil, err
		}
		return nil, errCredentials
	}
	fresh := ""
	if stale {
		if fresh, err = s.access.passwords.Hash(ctx, password); err != nil {
			return nil, err
		}
	}
	actor := actorOf(member, home.Zone, from)
	return unit.Transact(auth.With(ctx, actor), s.core, actor, func(ctx context.Context, t *unit.Tx) (*SignedIn, error) {
		return signIn(ctx, t, host, member.ID, hash, fresh, previousToken, a, from)
	})
}

// memberAt returns the member with this email address, loaded with the role; nil if there is none.
func (s Sessions) memberAt(ctx context.Context, host *TenantEntry, email string) (*ent.User, error) {
	scoped := auth.With(ctx, &auth.Actor{TenantID: host.ID})
	row, err := s.core.Store.Reader().User.Query().Where(user.Email(email)).WithRole().Only(scoped)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // nobody has that address
	}
	return row, err
}

// foldEmail returns an email address as stored: in lower case, because addresses of a tenant's members must
// differ in more than case. An address that cannot be stored becomes "", which matches nobody.
func foldEmail(email string) string {
	if !input.IsLine(email) {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(email))
}

func isFamiliar(member *ent.User, from Origin) bool {
	return member != nil && member.LastLoginNetwork != nil && *member.LastLoginNetwork == from.Network
}

// signIn begins the session of a member who gave the right password, unless the member has changed since the
// check.
func signIn(
	ctx context.Context, t *unit.Tx, host *TenantEntry, id int, hash, fresh, previousToken string, a *attempt, from Origin,
) (*SignedIn, error) {
	member, err := lockMember(ctx, t, id)
	if err != nil {
		return nil, err
	}
	if !member.IsActive || member.PasswordHash == nil || *member.PasswordHash != hash {
		return nil, errCredentials
	}
	if err := recordSuccess(ctx, t, a); err != nil {
		return nil, err
	}
	if fresh != "" {
		if err := t.User.Update().Where(user.ID(id)).SetPasswordHash(fresh).Exec(ctx); err != nil {
			return nil, err
		}
	}
	s := newSession{expires: t.At().Add(SessionLife)}
	if member.TotpConfirmedAt != nil {
		s = newSession{expires: t.At().Add(SecondStep), awaitsSecondFactor: true}
	}
	return beginAt(ctx, t, host, member, s, previousToken, from)
}

// lockMember locks a member of the actor's tenant and loads the role.
func lockMember(ctx context.Context, t *unit.Tx, id int) (*ent.User, error) {
	row, err := t.User.Query().Where(user.ID(id), unit.Locked).WithRole().Only(ctx)
	return row, unit.NotFound(err, "user")
}

// begin creates a session for a locked member and ends the browser's previous session.
func begin(
	ctx context.Context, t *unit.Tx, member *ent.User, s newSession, previousToken string, from Origin,
) (*SignedIn, error) {
	row, token, err := openSession(ctx, t, member, from, s)
	if err != nil {
		return nil, err
	}
	t.Record("session.create", "session", row.ID, nil, nil, row)
	if !s.awaitsSecondFactor {
		err := t.User.Update().Where(user.ID(member.ID)).
			SetLastLoginAt(t.At()).SetLastLoginNetwork(from.Network).Exec(ctx)
		if err != nil {
			return nil, err
		}
	}
	if err := replaceSession(ctx, t, previousToken); err != nil {
		return nil, err
	}
	in := &SignedIn{Token: token, Lasts: row.ExpiresAt.Sub(t.At()), SecondFactor: s.awaitsSecondFactor, Member: member}
	if !in.SecondFactor {
		in.Actor = actorOf(member, t.Zone(), from)
		in.Actor.Session = row.ID
	}
	return in, nil
}

// replaceSession ends the session that the browser had before, even if it belongs to another member.
func replaceSession(ctx context.Context, t *unit.Tx, token string) error {
	if !auth.IsSecretToken(token) {
		return nil
	}
	before, err := t.Session.Query().
		Where(session.TokenHash(auth.HashToken(token)), session.RevokedAtIsNil(), unit.Locked).Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	update := t.Session.Update().Where(session.ID(before.ID))
	after, err := unit.Store(ctx, t, before, []input.Change{input.Set(session.FieldRevokedAt, t.At())},
		update.Mutation(), update.Save)
	if err != nil {
		return err
	}
	unit.AlsoUpdated(t, "session", before, after)
	return staffChanged(ctx, t)
}

// SecondFactor completes a sign-in: given the token of a session that SignIn began and an authenticator or
// recovery code, it begins a full session under a new token.
func (s Sessions) SecondFactor(
	ctx context.Context, host *TenantEntry, token, code string, from Origin,
) (*SignedIn, error) {
	entry, err := s.entry(ctx, host, token)
	if err != nil {
		return nil, err
	}
	if entry == nil || !entry.AwaitsSecondFactor || !entry.active() {
		return nil, errSession
	}
	home := host.home()
	a, err := beginAttempt(ctx, s.core, home.ID, byCode, strconv.Itoa(entry.member.ID), from,
		isFamiliar(entry.member, from))
	if err != nil {
		return nil, err
	}
	var in *SignedIn
	if a.allowed {
		actor := actorOf(entry.member, home.Zone, from)
		in, err = unit.Transact(auth.With(ctx, actor), s.core, actor, func(
			ctx context.Context, t *unit.Tx,
		) (*SignedIn, error) {
			return secondStep(ctx, t, host, entry, token, code, a, from)
		})
		if err != nil {
			return nil, err
		}
	}
	if in == nil {
		if err := refused(ctx, s.core, a, entry.member, home, from); err != nil {
			return nil, err
		}
		return nil, errCode
	}
	return in, nil
}

// secondStep begins the session if the code is valid; it returns nil otherwise.
func secondStep(
	ctx context.Context, t *unit.Tx, host *TenantEntry, e *sessionEntry, token, code string, a *attempt, from Origin,
) (*SignedIn, error) {
	member, err := lockMember(ctx, t, e.member.ID)
	if err != nil {
		return nil, err
	}
	// By now the session may have been used, or ended by a password change.
	at := auth.With(ctx, &auth.Actor{TenantID: host.ID})
	open, err := t.Session.Query().Where(session.ID(e.Session.ID), session.RevokedAtIsNil(), unit.Locked).Exist(at)
	if err != nil || !open || !member.IsActive {
		return nil, orErrSession(err)
	}
	good, err := useCode(ctx, t, member, code)
	if err != nil || !good {
		return nil, err
	}
	if err := recordSuccess(ctx, t, a); err != nil {
		return nil, err
	}
	now := t.At()
	return beginAt(ctx, t, host, member, newSession{expires: now.Add(SessionLife), secondFactorAt: &now}, token, from)
}

func orErrSession(err error) error {
	if err == nil {
		return errSession
	}
	return err
}
