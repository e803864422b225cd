package identity

import (
	"context"
	"net/netip"
	"strings"
	"sync/atomic"
	"time"

	entgo "entgo.io/ent"
	lru "github.com/hashicorp/golang-lru/v2"

	"paydown/ent"
	"paydown/ent/predicate"
	"paydown/ent/session"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/ratelimit"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// Sessions are the signed-in browsers of members of staff.
type Sessions struct {
	core   *unit.Core
	access *access
}

const (
	// SessionIdle is how long a session lasts without a request.
	SessionIdle = 12 * time.Hour
	// SessionLife is how long a session lasts at the most.
	SessionLife = 7 * 24 * time.Hour
	// SecondStep is how long a member may take for the second factor once the password was right.
	SecondStep = 5 * time.Minute

	// touchEvery is how often it is stored that a session is in use.
	touchEvery = time.Minute

	staffSize = 10_000
	staffMark = "staff"
)

// StaffRateLimit is how many requests a member of staff may make in a minute, in all sessions together.
const StaffRateLimit = 1200

// staff holds the sessions that were lately in use, with their members and what these may do. See memory for how far it
// is trusted.
type staff struct {
	memory
	sessions *lru.Cache[string, *sessionEntry] // by token hash
}

// sessionEntry is a session as requests need it.
type sessionEntry struct {
	*ent.Session
	user        *ent.User
	member      *ent.User // who signed in: the user or, in a sandbox, the live company's member whom that one stands for
	permissions auth.Permissions
	scopes      auth.Scopes
	idleUntil   atomic.Int64 // when it ends of idleness, as far as this process knows; in milliseconds
}

func newStaff() *staff {
	sessions, _ := lru.New[string, *sessionEntry](staffSize) // fails only for a size below 1
	return &staff{memory: memory{empty: sessions.Purge}, sessions: sessions}
}

// staffChanged tells every process, this one among them, that sessions, members of staff or roles have changed.
func staffChanged(ctx context.Context, t *unit.Tx) error {
	return t.SignalMark(ctx, staffMark)
}

var errSession = fault.New(fault.Unauthorized, "You are not signed in, or your session has ended. Please sign in.")

// Known reports whether a token is that of a session which this process knows: not whether the session is good. What is
// not known costs a statement to find out about.
func (s Sessions) Known(token string) bool {
	return auth.IsSecretToken(token) && s.access.staff.sessions.Contains(string(auth.HashToken(token)))
}

// Authenticate finds the member of staff who is signed in by a token at a tenant's host. A token that is missing,
// unknown, of another tenant, expired, ended, or good for the second step alone is one and the same error, and so is that
// of a member who was disabled.
func (s Sessions) Authenticate(
	ctx context.Context, host *TenantEntry, token string, via auth.Surface, requestID string,
) (*auth.Actor, error) {
	entry, err := s.good(ctx, host, token)
	if err != nil {
		return nil, err
	}
	s.touch(entry)
	return entry.actor(host, via, requestID), nil
}

// Caller is Authenticate for who has been let in, and goes on: the session ends of idleness all the same.
func (s Sessions) Caller(
	ctx context.Context, host *TenantEntry, token string, via auth.Surface, requestID string,
) (*auth.Actor, error) {
	entry, err := s.good(ctx, host, token)
	if err != nil {
		return nil, err
	}
	return entry.actor(host, via, requestID), nil
}

// good finds the session of a member of staff who is signed in by a token.
func (s Sessions) good(ctx context.Context, host *TenantEntry, token string) (*sessionEntry, error) {
	entry, err := s.entry(ctx, host, token)
	if err == nil && (entry == nil || entry.AwaitsSecondFactor || !entry.active()) {
		err = errSession
	}
	return entry, err
}

// entry finds the session that a token is of and that has not ended; nil where there is none.
func (s Sessions) entry(ctx context.Context, host *TenantEntry, token string) (*sessionEntry, error) {
	if !auth.IsSecretToken(token) {
		return nil, nil
	}
	hash := auth.HashToken(token)
	fresh, generation := s.access.staff.fresh()
	if fresh {
		if entry, ok := s.access.staff.sessions.Get(string(hash)); ok && entry.TenantID == host.ID && entry.openAt(s.core.Store.Now()) {
			return entry, nil
		}
		// Where it seems to have idled too long, another process may know better, and the database does.
	}
	// The tenant is known by its host, and nobody else yet: the session is looked up inside it.
	scoped := auth.With(ctx, &auth.Actor{TenantID: host.ID})
	row, err := s.core.Store.Reader().Session.Query().Where(session.TokenHash(hash)).
		WithUser(func(q *ent.UserQuery) { q.WithRole() }).Only(scoped)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	member := row.Edges.User
	if host.Live != nil {
		if member, err = s.memberAt(ctx, host.Live, member.Email); member == nil || err != nil {
			return nil, err
		}
	}
	entry := newSessionEntry(row, member)
	if !entry.openAt(s.core.Store.Now()) {
		return nil, nil
	}
	s.access.staff.add(generation, func() { s.access.staff.sessions.Add(string(hash), entry) })
	return entry, nil
}

// newSessionEntry is of a session that was loaded with its user, and of the member who signed in, loaded with the role.
func newSessionEntry(row *ent.Session, member *ent.User) *sessionEntry {
	permissions := auth.PermissionsOf(member.Edges.Role.Permissions)
	entry := &sessionEntry{Session: row, user: row.Edges.User, member: member, permissions: permissions, scopes: permissions.Scopes()}
	entry.idleUntil.Store(row.IdleExpiresAt.UnixMilli())
	return entry
}

// openAt reports whether the session has not ended.
func (e *sessionEntry) openAt(now time.Time) bool {
	return e.RevokedAt == nil && now.Before(e.ExpiresAt) && now.UnixMilli() < e.idleUntil.Load()
}

// active reports whether the member may be signed in at all.
func (e *sessionEntry) active() bool { return e.user.IsActive && e.member.IsActive }

// touch moves on when the session ends of idleness, once in a while.
func (s Sessions) touch(e *sessionEntry) {
	until := s.core.Store.Now().Add(SessionIdle)
	if until.After(e.ExpiresAt) {
		until = e.ExpiresAt
	}
	known := e.idleUntil.Load()
	if until.UnixMilli()-known >= touchEvery.Milliseconds() && e.idleUntil.CompareAndSwap(known, until.UnixMilli()) {
		s.access.usage.noteSession(e.ID, until)
	}
}

func (e *sessionEntry) actor(host *TenantEntry, via auth.Surface, requestID string) *auth.Actor {
	return &auth.Actor{
		Kind: auth.ByUser, ID: e.user.ID, Name: e.user.Name, TenantID: host.ID, Zone: host.Zone, Lineage: e.user.ID,
		Scopes: e.scopes, Permissions: e.permissions, Session: e.ID, Surface: via, RequestID: requestID,
	}
}

// actorOf is a member, loaded with the role, who has proven who they are and has no session yet.
func actorOf(member *ent.User, zone *time.Location, from Origin) *auth.Actor {
	permissions := auth.PermissionsOf(member.Edges.Role.Permissions)
	return &auth.Actor{
		Kind: auth.ByUser, ID: member.ID, Name: member.Name, TenantID: member.TenantID, Zone: zone, Lineage: member.ID,
		Scopes: permissions.Scopes(), Permissions: permissions, Surface: from.Surface, RequestID: from.RequestID,
	}
}

// Origin is where somebody signs in from.
type Origin struct {
	Address   string // of the caller
	Network   string // that the address is in, as ratelimit.Network names it
	UserAgent string // the browser's own word; cut where it is long
	Surface   auth.Surface
	RequestID string
}

// NewOrigin is of a request; Network is worked out.
func NewOrigin(address netip.Addr, userAgent string, via auth.Surface, requestID string) Origin {
	userAgent = strings.ToValidUTF8(strings.ReplaceAll(userAgent, "\x00", ""), "")
	if runes := []rune(userAgent); len(runes) > input.MaxText {
		userAgent = string(runes[:input.MaxText])
	}
	return Origin{
		Address: address.String(), Network: ratelimit.Network(address), UserAgent: userAgent, Surface: via,
		RequestID: requestID,
	}
}

// openSession makes a session of a member, under a fresh token: nothing that a browser brought along is ever made good.
func openSession(ctx context.Context, t *unit.Tx, member *ent.User, from Origin, s newSession) (*ent.Session, string, error) {
	token := auth.NewSecretToken()
	create := t.Session.Create().SetUserID(member.ID).SetTokenHash(auth.HashToken(token)).
		SetAwaitsSecondFactor(s.awaitsSecondFactor).SetNillableSecondFactorAt(s.secondFactorAt).
		SetIdleExpiresAt(earlier(t.At().Add(SessionIdle), s.expires)).SetExpiresAt(s.expires).SetAddress(from.Address)
	if from.UserAgent != "" {
		create.SetUserAgent(from.UserAgent)
	}
	row, err := create.Save(ctx)
	return row, token, err
}

// newSession is what a session differs in.
type newSession struct {
	awaitsSecondFactor bool
	secondFactorAt     *time.Time
	expires            time.Time
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// openSessions are those of a member that have neither been ended nor lasted as long as they may.
func openSessions(userID int, now time.Time) []predicate.Session {
	return []predicate.Session{session.UserID(userID), session.RevokedAtIsNil(), session.ExpiresAtGT(now)}
}

// endSessions ends the sessions of a member that have not ended, but for one (0: for none), and those at the company's
// sandbox.
func endSessions(ctx context.Context, t *unit.Tx, userID, but int) error {
	if err := endGuestSessions(ctx, t, userID); err != nil {
		return err
	}
	rows, err := t.Session.Query().Where(openSessions(userID, t.At())...).Where(session.IDNEQ(but), unit.Locked).
		Order(session.ByID()).All(ctx)
	if err != nil || len(rows) == 0 {
		return err
	}
	changes := []input.Change{input.Set(session.FieldRevokedAt, t.At())}
	err = unit.StoreAll(ctx, t, "session", rows, changes, func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
		update := t.Session.Update().Where(session.IDIn(ids...))
		return update.Mutation(), update.Save
	})
	if err != nil {
		return err
	}
	return staffChanged(ctx, t)
}

// SignOut ends the session that a token is of, if it is one that has not ended.
func (s Sessions) SignOut(ctx context.Context, host *TenantEntry, token string, from Origin) error {
	entry, err := s.entry(ctx, host, token)
	if err != nil || entry == nil {
		return err
	}
	actor := entry.actor(host, from.Surface, from.RequestID)
	_, err = unit.Transact(auth.With(ctx, actor), s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.Session, error) {
		return endSession(ctx, t, entry.ID, "session.end")
	})
	return err
}

// endSession ends one session and puts it into the audit trail; nil where it has ended already.
func endSession(ctx context.Context, t *unit.Tx, id int, action string) (*ent.Session, error) {
	before, err := t.Session.Query().Where(session.ID(id), session.RevokedAtIsNil(), unit.Locked).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // there is nothing to end
	}
	if err != nil {
		return nil, err
	}
	update := t.Session.Update().Where(session.ID(id))
	after, err := unit.Store(ctx, t, before, []input.Change{input.Set(session.FieldRevokedAt, t.At())}, update.Mutation(), update.Save)
	if err != nil {
		return nil, err
	}
	t.Record(action, "session", id, nil, before, after)
	return after, staffChanged(ctx, t)
}
