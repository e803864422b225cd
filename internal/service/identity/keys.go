package identity

import (
	"context"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/apikey"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// Keys are the API keys of integrators.
type Keys struct {
	core   *unit.Core
	access *access
}

// RotationOverlap is how long the old key stays valid after a rotation.
const RotationOverlap = 24 * time.Hour

// DefaultRateLimit is in requests per minute.
const DefaultRateLimit = 120

// ExpiryDays are the allowed lifetimes of a key in days. A key may also never expire.
var ExpiryDays = []int{30, 90, 365}

// Caller is the result of authentication.
type Caller struct {
	Actor *auth.Actor
	Key   *Key // nil for a caller with a session
	// Tenant is the tenant that the key acts in: the host's tenant or its sandbox.
	Tenant *TenantEntry
}

var errKey = fault.New(fault.Unauthorized, "The API key is missing, invalid or expired.")

// Authenticate identifies the bearer of a token. The returned actor may still lack every scope. A missing,
// malformed, unknown, expired, retired or revoked token gets the same error. The address is stored as the
// key's last one.
func (s Keys) Authenticate(
	ctx context.Context, host *TenantEntry, token string, address netip.Addr, via auth.Surface, requestID string,
) (*Caller, error) {
	caller, err := s.Caller(ctx, host, token, via, requestID)
	if err == nil {
		s.access.usage.note(caller.Key.ID, address)
	}
	return caller, err
}

// Caller is Authenticate without counting a call, for checking a caller again during a long request.
func (s Keys) Caller(
	ctx context.Context, host *TenantEntry, token string, via auth.Surface, requestID string,
) (*Caller, error) {
	if !auth.WellFormed(token) {
		return nil, errKey
	}
	key, err := s.access.directory.key(ctx, host.ID, auth.HashToken(token))
	if err != nil {
		return nil, err
	}
	if key == nil || !key.validAt(s.core.Store.Now()) {
		return nil, errKey
	}
	tenant := host
	readOnly := false
	if key.Kind == apikey.KindTEST {
		if host.Sandbox != nil {
			tenant = host.Sandbox
		} else {
			readOnly = true
		}
	}
	lineage := key.ID
	if key.LineageID != nil {
		lineage = *key.LineageID
	}
	actor := &auth.Actor{
		Kind: auth.ByKey, ID: key.ID, Name: key.Name, TenantID: tenant.ID, Zone: tenant.Zone, Lineage: lineage,
		Scopes: key.Scopes, ReadOnly: readOnly, Surface: via, RequestID: requestID,
	}
	return &Caller{Actor: actor, Key: key, Tenant: tenant}, nil
}

func (k *Key) validAt(now time.Time) bool {
	return k.RevokedAt == nil && !unit.Past(k.ExpiresAt, now) && !unit.Past(k.RetiresAt, now)
}

// keyManager returns an actor who may manage keys: a person with the permission to edit company settings,
// never an API key. The person's own scopes do not limit the key's: a key stands for one of the company's
// systems, not for the person who created it.
func keyManager(ctx context.Context) (*auth.Actor, error) {
	actor := auth.From(ctx)
	if actor == nil || actor.Kind == auth.ByKey {
		return nil, fault.New(fault.Forbidden, "An API key cannot manage API keys.")
	}
	return unit.RequirePermission(ctx, auth.EditCompanySettings)
}

// checkRateLimit refuses a change of the rate limit by a member of staff. Only operators may set it.
func checkRateLimit(actor *auth.Actor, limit, present int) error {
	if actor.IsUser() && limit != present {
		return fault.Field("rateLimit", "can only be set by an operator of the installation")
	}
	return nil
}

// NewKey describes a key to create.
type NewKey struct {
	Name        string
	Purpose     string
	Kind        auth.KeyKind
	Scopes      []string
	LegacyFlags []string
	ExpiresDays *int // one of ExpiryDays; nil: never expires
	Allow       []string
	RateLimit   int // requests per minute; 0: no limit
}

// IssuedKey is a new key with its token. The token is shown only once.
type IssuedKey struct {
	Key   *Key
	Token string
}

// Create creates a key in the actor's tenant.
func (s Keys) Create(ctx context.Context, in NewKey) (*IssuedKey, error) {
	actor, err := keyManager(ctx)
	if err != nil {
		return nil, err
	}
	if err := checkRateLimit(actor, in.RateLimit, DefaultRateLimit); err != nil {
		return nil, err
	}
	scopes, allow, err := checkKey(in)
	if err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*IssuedKey, error) {
		create := t.APIKey.Create().SetName(in.Name).SetKind(apikey.Kind(in.Kind)).
			SetScopes(scopes.Strings()).SetRateLimit(in.RateLimit)
		if in.Purpose != "" {
			create.SetPurpose(in.Purpose)
		}
		if len(in.LegacyFlags) > 0 {
			create.SetLegacyFlags(in.LegacyFlags)
		}
		if len(allow) > 0 {
			create.SetIPAllowList(allow)
		}
		if in.ExpiresDays != nil {
			create.SetExpiresAt(t.At().AddDate(0, 0, *in.ExpiresDays))
		}
		issued, err := s.issue(ctx, t, create, in.Kind)
		if err != nil {
			return nil, err
		}
		return issued, directoryChanged(ctx, t)
	})
}

// issue stores a new key with a new token.
func (s Keys) issue(ctx context.Context, t *unit.Tx, create *ent.APIKeyCreate, kind auth.KeyKind) (*IssuedKey, error) {
	token := auth.NewToken(kind)
	row, err := create.SetTokenHash(auth.HashToken(token)).SetTokenLast4(token[len(token)-4:]).Save(ctx)
	if err != nil {
		return nil, err
	}
	t.AfterCommit(func() { s.access.directory.existenceIndex.addKey(row.TokenHash) })
	t.Record("key.create", "apiKey", row.ID, nil, nil, row)
	return &IssuedKey{Key: keyOf(row), Token: token}, nil
}

func checkKey(in NewKey) (auth.Scopes, []string, error) {
	var problems []fault.Detail
	problem := func(path, message string) { problems = append(problems, fault.Detail{Path: path, Message: message}) }
	if message := input.Violation(in.Name, "name"); message != "" {
		problem("name", message)
	}
	if message := input.Violation(in.Purpose, "text"); message != "" {
		problem("purpose", message)
	}
	if in.Kind != auth.Live && in.Kind != auth.Test {
		problem("kind", "must be live or test")
	}
	var scopes auth.Scopes
	for i, text := range in.Scopes {
		scope, err := auth.ParseScope(text)
		if err != nil {
			problem(fmt.Sprintf("scopes.%d", i), err.Error())
		} else if !slices.Contains(scopes, scope) {
			scopes = append(scopes, scope)
		}
	}
	for i, flag := range in.LegacyFlags {
		if !slices.Contains(auth.LegacyFlags, flag) {
			problem(fmt.Sprintf("legacyFlags.%d", i), "must be "+auth.LegacyLeads+" or "+auth.LegacyApp)
		}
	}
	if (len(in.Scopes) == 0) == (len(in.LegacyFlags) == 0) {
		problem("scopes", "must have scopes or, for a key from before scopes existed, legacy flags, but not both")
	}
	if in.ExpiresDays != nil && !slices.Contains(ExpiryDays, *in.ExpiresDays) {
		problem("expiresDays", "must be 30, 90 or 365, or absent for a key that never expires")
	}
	var allow []string
	for i, text := range in.Allow {
		entry, err := auth.ParseAllowEntry(text)
		if err != nil {
			problem(fmt.Sprintf("ipAllowList.%d", i), err.Error())
		}
		allow = append(allow, entry)
	}
	if in.RateLimit < 0 {
		problem("rateLimit", "must be 0 (no limit) or more")
	}
	if len(problems) > 0 {
		return nil, nil, fault.Invalid(problems...)
	}
	return scopes, allow, nil
}

// Get returns an API key. Errors: forbidden, not found.
func (s Keys) Get(ctx context.Context, id int) (*Key, error) {
	if _, err := keyManager(ctx); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().APIKey.Get(ctx, id)
	if err != nil {
		return nil, unit.NotFound(err, "API key")
	}
	return keyOf(row), nil
}

// ValidNow reports whether a key is valid now.
func (s Keys) ValidNow(k *Key) bool { return k.validAt(s.core.Store.Now()) }

// List returns the keys of the actor's tenant, newest first.
func (s Keys) List(ctx context.Context) ([]*Key, error) {
	if _, err := keyManager(ctx); err != nil {
		return nil, err
	}
	rows, err := s.core.Store.Reader().APIKey.Query().Order(apikey.ByID(unit.Descending())).All(ctx)
	if err != nil {
		return nil, err
	}
	keys := make([]*Key, len(rows))
	for i, row := range rows {
		keys[i] = keyOf(row)
	}
	return keys, nil
}

// Rotate creates a replacement with the same name, scopes, expiry, allow list and rate limit. The old key
// stays valid for RotationOverlap.
func (s Keys) Rotate(ctx context.Context, id int) (*IssuedKey, error) {
	actor, err := keyManager(ctx)
	if err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*IssuedKey, error) {
		old, err := lockValidKey(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if old.ReplacedByID != nil {
			return nil, fault.Conflictf("The key has already been rotated. Rotate its replacement.")
		}
		lineage := old.ID
		if old.LineageID != nil {
			lineage = *old.LineageID
		}
		create := t.APIKey.Create().SetName(old.Name).SetNillablePurpose(old.Purpose).SetKind(old.Kind).
			SetScopes(old.Scopes).SetLegacyFlags(old.LegacyFlags).SetIPAllowList(old.IPAllowList).
			SetRateLimit(old.RateLimit).SetNillableExpiresAt(old.ExpiresAt).SetLineageID(lineage)
		issued, err := s.issue(ctx, t, create, auth.KeyKind(old.Kind))
		if err != nil {
			return nil, err
		}
		after, err := t.APIKey.UpdateOne(old).SetRetiresAt(t.At().Add(RotationOverlap)).
			SetReplacedByID(issued.Key.ID).Save(ctx)
		if err != nil {
			return nil, err
		}
		t.Record("key.rotate", "apiKey", issued.Key.ID, nil, nil, issued.Key.APIKey)
		unit.AlsoUpdated(t, "apiKey", old, after)
		return issued, directoryChanged(ctx, t)
	})
}

// Revoke ends a key: at once in this process, within a second in every other.
func (s Keys) Revoke(ctx context.Context, id int) (*Key, error) {
	actor, err := keyManager(ctx)
	if err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*Key, error) {
		old, err := lockKey(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if old.RevokedAt != nil {
			return keyOf(old), nil
		}
		after, err := t.APIKey.UpdateOne(old).SetRevokedAt(t.At()).Save(ctx)
		if err != nil {
			return nil, err
		}
		t.Record("key.revoke", "apiKey", id, nil, old, after)
		return keyOf(after), directoryChanged(ctx, t)
	})
}

func lockKey(ctx context.Context, t *unit.Tx, id int) (*ent.APIKey, error) {
	row, err := t.APIKey.Query().Where(apikey.ID(id), unit.Locked).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.Missing("API key")
	}
	return row, err
}

// lockValidKey locks a key and refuses one that has ended.
func lockValidKey(ctx context.Context, t *unit.Tx, id int) (*ent.APIKey, error) {
	row, err := lockKey(ctx, t, id)
	if err == nil && !keyOf(row).validAt(t.At()) {
		return nil, fault.Conflictf("The key has already ended. Create a new one.")
	}
	return row, err
}
