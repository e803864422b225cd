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
	// SessionLife is the maximum duration of a session.
	SessionLife = 7 * 24 * time.Hour
	// SecondStep is the time that a member has for the second factor after the password.
	SecondStep = 5 * time.Minute

	// touchEvery is the interval at which a session's use is stored.
	touchEvery = time.Minute

	staffSize = 10_000
	staffMark = "staff"
)

// StaffRateLimit is a member's limit in requests per minute, over all sessions.
const StaffRateLimit = 1200

// staff caches recently used sessions with their members and permissions. See markedCache for how long entries are
// valid.
type staff struct {
	markedCache
	sessions *lru.Cache[string, *sessionEntry] // by token hash
}

// sessionEntry is a cached session.
type sessionEntry struct {
	*ent.Session
	user        *ent.User
	member      *ent.User // who signed in: the user or, in a sandbox, the live company's member behind the guest
	permissions auth.Permissions
	scopes      auth.Scopes
	idleUntil   atomic.Int64 // idle expiry that this process knows, in Unix milliseconds
}

func newStaff() *staff {
	sessions, _ := lru.New[string, *sessionEntry](staffSize) // fails only if the size is below 1
	return &staff{markedCache: markedCache{empty: sessions.Purge}, sessions: sessions}
}

// staffChanged signals every process, including this one, that sessions, members of staff or roles have
// changed.
func staffChanged(ctx context.Context, t *unit.Tx) error {
	return t.SignalMark(ctx, staffMark)
}

var errSession = fault.New(fault.Unauthorized, "You are not signed in, or your session has ended. Sign in again.")

// Known reports whether this process has the token's session in its cache. The session may no longer be
// valid. An unknown token costs a database query.
func (s Sessions) Known(token string) bool {
	return auth.IsSecretToken(token) && s.access.staff.sessions.Contains(string(auth.HashToken(token)))
}

// Authenticate returns the member of staff who is signed in with a token at a tenant's host. A token that is
// missing, unknown, of another tenant, expired, ended, or valid only for the second step gets the same error,
// and so does the token of a disabled member.
func (s Sessions) Authenticate(
	ctx context.Context, host *TenantEntry, token string, via auth.Surface, requestID string,
) (*auth.Actor, error) {
	entry, err := s.validEntry(ctx, host, token)
	if err != nil {
		return nil, err
	}
	s.touch(entry)
	return entry.actor(host, via, requestID), nil
}

// Caller is Authenticate without marking the session as used, for checking a caller again during a long
// request: the session still expires when idle.
func (s Sessions) Caller(
	ctx context.Context, host *TenantEntry, token string, via auth.Surface, requestID string,
) (*auth.Actor, error) {
	entry, err := s.validEntry(ctx, host, token)
	if err != nil {
		return nil, err
	}
	return entry.actor(host, via, requestID), nil
}

// validEntry returns the valid session of a token.
func (s Sessions) validEntry(ctx context.Context, host *TenantEntry, token string) (*sessionEntry, error) {
	entry, err := s.entry(ctx, host, token)
	if err == nil && (entry == nil || entry.AwaitsSecondFactor || !entry.active()) {
		err = errSession
	}
	return entry, err
}

// entry returns a token's session if it has not ended; nil if there is none.
func (s Sessions) entry(ctx context.Context, host *TenantEntry, token string) (*sessionEntry, error) {
	if !auth.IsSecretToken(token) {
		return nil, nil
	}
	hash := auth.HashToken(token)
	fresh, generation := s.access.staff.fresh()
	if fresh {
		if entry, ok := s.access.staff.sessions.Get(string(hash)); ok && entry.TenantID == host.ID &&
			entry.openAt(s.core.Store.Now()) {
			return entry, nil
		}
		// If the session seems idle for too long, another process may have seen later use: ask the database.
	}
	// At this point only the tenant is known, by the host: the lookup is limited to it.
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

// newSessionEntry needs the session with its user, and the member who signed in with the role.
func newSessionEntry(row *ent.Session, member *ent.User) *sessionEntry {
	permissions := auth.PermissionsOf(member.Edges.Role.Permissions)
	entry := &sessionEntry{
		Session: row, user: row.Edges.User, member: member, permissions: permissions, scopes: permissions.Scopes(),
	}
	entry.idleUntil.Store(row.IdleExpiresAt.UnixMilli())
	return entry
}

// openAt reports whether the session has not ended.
func (e *sessionEntry) openAt(now time.Time) bool {
	return e.RevokedAt == nil && now.Before(e.ExpiresAt) && now.UnixMilli() < e.idleUntil.Load()
}

// active reports whether the member and, in a sandbox, the guest are enabled.
func (e *sessionEntry) active() bool { return e.user.IsActive && e.member.IsActive }

// touch extends the idle expiry, at most once per touchEvery.
func (s Sessions) touch(e *sessionEntry) {
	until := s.core.Store.Now().Add(SessionIdle)
	if until.After(e.ExpiresAt) {
		until = e.ExpiresAt
	}
	known := e.idleUntil.Load()
	if until.UnixMilli()-known >= touchEvery.Milliseconds() && e.idleUntil.CompareAndSwap(known, until.UnixMilli()) {
		s.access.usage.recordSession(e.ID, until)
	}
}

func (e *sessionEntry) actor(host *TenantEntry, via auth.Surface, requestID string) *auth.Actor {
	return &auth.Actor{
		Kind: auth.ByUser, ID: e.user.ID, Name: e.user.Name, TenantID: host.ID, Zone: host.Zone, Lineage: e.user.ID,
		Scopes: e.scopes, Permissions: e.permissions, Session: e.ID, Surface: via, RequestID: requestID,
	}
}

// actorOf returns the actor for a member, loaded with the role, who has proven their identity but has no
// session yet.
func actorOf(member *ent.User, zone *time.Location, from Origin) *auth.Actor {
	permissions := auth.PermissionsOf(member.Edges.Role.Permissions)
	return &auth.Actor{
		Kind: auth.ByUser, ID: member.ID, Name: member.Name, TenantID: member.TenantID, Zone: zone, Lineage: member.ID,
		Scopes: permissions.Scopes(), Permissions: permissions, Surface: from.Surface, RequestID: from.RequestID,
	}
}

// Origin describes where a sign-in comes from.
type Origin struct {
	Address   string // IP address of the caller
	Network   string // network of the address, as ratelimit.Network returns it
	UserAgent string // as the browser sent it, truncated
	Surface   auth.Surface
	RequestID string
}

// NewOrigin returns the origin of a request.
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

// openSession creates a session for a member under a new token. It never reuses a token that the browser
// sent.
func openSession(
	ctx context.Context, t *unit.Tx, member *ent.User, from Origin, s newSession,
) (*ent.Session, string, error) {
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

// newSession holds the properties of a session to create.
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

// openSessions selects a member's sessions that have neither ended nor expired.
func openSessions(userID int, now time.Time) []predicate.Session {
	return []predicate.Session{session.UserID(userID), session.RevokedAtIsNil(), session.ExpiresAtGT(now)}
}

// endSessions ends a member's open sessions, including those at the company's sandbox, except for one session
// (0: no exception).
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
	err = unit.StoreAll(ctx, t, "session", rows, changes, func(
		ids []int,
	) (entgo.Mutation, func(context.Context) (int, error)) {
		update := t.Session.Update().Where(session.IDIn(ids...))
		return update.Mutation(), update.Save
	})
	if err != nil {
		return err
	}
	return staffChanged(ctx, t)
}

// SignOut ends the token's session, if it is still open.
func (s Sessions) SignOut(ctx context.Context, host *TenantEntry, token string, from Origin) error {
	entry, err := s.entry(ctx, host, token)
	if err != nil || entry == nil {
		return err
	}
	actor := entry.actor(host, from.Surface, from.RequestID)
	_, err = unit.Transact(auth.With(ctx, actor), s.core, actor, func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Session, error) {
		return endSession(ctx, t, entry.ID, "session.end")
	})
	return err
}

// endSession ends one session and records it in the audit trail. It returns nil if the session has already
// ended.
func endSession(ctx context.Context, t *unit.Tx, id int, action string) (*ent.Session, error) {
	before, err := t.Session.Query().Where(session.ID(id), session.RevokedAtIsNil(), unit.Locked).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // the session has already ended
	}
	if err != nil {
		return nil, err
	}
	update := t.Session.Update().Where(session.ID(id))
	after, err := unit.Store(ctx, t, before, []input.Change{input.Set(session.FieldRevokedAt, t.At())},
		update.Mutation(), update.Save)
	if err != nil {
		return nil, err
	}
	t.Record(action, "session", id, nil, before, after)
	return after, staffChanged(ctx, t)
}
