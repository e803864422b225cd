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

// SignedIn is a new session. Its token is shown to nobody but the browser.
type SignedIn struct {
	Token string
	Lasts time.Duration // at the most
	// SecondFactor says that the session is good for the second step alone; Actor is nil then.
	SecondFactor bool
	Actor        *auth.Actor
	Member       *ent.User
}

var (
	errCredentials = fault.New(fault.Unauthorized, "The e-mail address or the password is wrong, or there were too many "+
		"attempts: then wait a few minutes before the next.")
	errCode = fault.New(fault.Unauthorized, "The code is wrong or was used before, or there were too many attempts: then "+
		"wait a few minutes before the next.")
)

// SignIn begins a session of the member of the host's tenant who has that address and password, and ends the one that
// the browser had before. Where the member has a second factor the session is good for SecondFactor alone. An address
// that nobody has, a wrong password, a member who is disabled or has no password yet, and an attempt that came too early
// are one and the same error, after the same work. Another error tells a network that it has failed too often.
func (s Sessions) SignIn(
	ctx context.Context, host *TenantEntry, in Credentials, had string, from Origin,
) (*SignedIn, error) {
	email := foldEmail(in.Email)
	home := host.home()
	member, err := s.memberAt(ctx, home, email)
	if err != nil {
		return nil, err
	}
	a, err := beginAttempt(ctx, s.core, home.ID, byPassword, email, from, isFamiliar(member, from))
	if err != nil {
		return nil, err
	}
	hash := ""
	if a.judged && member != nil && member.IsActive && member.PasswordHash != nil {
		hash = *member.PasswordHash
	}
	password, _ := auth.NormalPassword(in.Password) // what cannot be a password is nobody's
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
		return signIn(ctx, t, host, member.ID, hash, fresh, had, a, from)
	})
}

// memberAt is the member with that address, loaded with the role; nil where there is none.
func (s Sessions) memberAt(ctx context.Context, host *TenantEntry, email string) (*ent.User, error) {
	scoped := auth.With(ctx, &auth.Actor{TenantID: host.ID})
	row, err := s.core.Store.Reader().User.Query().Where(user.Email(email)).WithRole().Only(scoped)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // nobody has that address
	}
	return row, err
}

// foldEmail is an address as it is stored: two members of a tenant cannot differ in the case of their addresses. What
// cannot be stored is nobody's.
func foldEmail(email string) string {
	if !input.IsLine(email) {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(email))
}

func isFamiliar(member *ent.User, from Origin) bool {
	return member != nil && member.LastLoginNetwork != nil && *member.LastLoginNetwork == from.Network
}

// signIn begins the session of a member whose password was right, unless the member has changed since.
func signIn(
	ctx context.Context, t *unit.Tx, host *TenantEntry, id int, hash, fresh, had string, a *attempt, from Origin,
) (*SignedIn, error) {
	member, err := lockMember(ctx, t, id)
	if err != nil {
		return nil, err
	}
	if !member.IsActive || member.PasswordHash == nil || *member.PasswordHash != hash {
		return nil, errCredentials
	}
	if err := succeeded(ctx, t, a); err != nil {
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
	return beginAt(ctx, t, host, member, s, had, from)
}

// lockMember locks a member of the actor's tenant, loaded with the role.
func lockMember(ctx context.Context, t *unit.Tx, id int) (*ent.User, error) {
	row, err := t.User.Query().Where(user.ID(id), unit.Locked).WithRole().Only(ctx)
	return row, unit.NotFound(err, "user")
}

// begin makes a session of a member who is locked, in the place of the one that the browser had.
func begin(ctx context.Context, t *unit.Tx, member *ent.User, s newSession, had string, from Origin) (*SignedIn, error) {
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
	if err := replaceSession(ctx, t, had); err != nil {
		return nil, err
	}
	in := &SignedIn{Token: token, Lasts: row.ExpiresAt.Sub(t.At()), SecondFactor: s.awaitsSecondFactor, Member: member}
	if !in.SecondFactor {
		in.Actor = actorOf(member, t.Zone(), from)
		in.Actor.Session = row.ID
	}
	return in, nil
}

// replaceSession ends the session that a browser had before, whoever's it was.
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
	after, err := unit.Store(ctx, t, before, []input.Change{input.Set(session.FieldRevokedAt, t.At())}, update.Mutation(), update.Save)
	if err != nil {
		return err
	}
	unit.AlsoUpdated(t, "session", before, after)
	return staffChanged(ctx, t)
}

// SecondFactor is the second step: with the token of a session that SignIn has begun and a code of the member's
// authenticator, or one of the recovery codes, it begins a session that is good for everything, under a new token.
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
	a, err := beginAttempt(ctx, s.core, home.ID, byCode, strconv.Itoa(entry.member.ID), from, isFamiliar(entry.member, from))
	if err != nil {
		return nil, err
	}
	var in *SignedIn
	if a.judged {
		actor := actorOf(entry.member, home.Zone, from)
		in, err = unit.Transact(auth.With(ctx, actor), s.core, actor, func(ctx context.Context, t *unit.Tx) (*SignedIn, error) {
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

// secondStep begins the session if the code is good; nil where it is not.
func secondStep(
	ctx context.Context, t *unit.Tx, host *TenantEntry, e *sessionEntry, token, code string, a *attempt, from Origin,
) (*SignedIn, error) {
	member, err := lockMember(ctx, t, e.member.ID)
	if err != nil {
		return nil, err
	}
	// It may have been used, or ended with a change of the password, by now.
	at := auth.With(ctx, &auth.Actor{TenantID: host.ID})
	open, err := t.Session.Query().Where(session.ID(e.Session.ID), session.RevokedAtIsNil(), unit.Locked).Exist(at)
	if err != nil || !open || !member.IsActive {
		return nil, orSession(err)
	}
	good, err := spendCode(ctx, t, member, code)
	if err != nil || !good {
		return nil, err
	}
	if err := succeeded(ctx, t, a); err != nil {
		return nil, err
	}
	now := t.At()
	return beginAt(ctx, t, host, member, newSession{expires: now.Add(SessionLife), secondFactorAt: &now}, token, from)
}

func orSession(err error) error {
	if err == nil {
		return errSession
	}
	return err
}
