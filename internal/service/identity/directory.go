package identity

import (
	"context"
	"errors"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"paydown/ent"
	"paydown/ent/apikey"
	"paydown/ent/tenant"
	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// The directory caches tenants and keys, so that a request with a known key needs no database query. See
// markedCache for how long entries are valid.
type directory struct {
	markedCache
	core           *unit.Core
	keys           *lru.Cache[string, *Key]         // by token hash
	host           *lru.Cache[string, *TenantEntry] // by host
	existenceIndex *existenceIndex
}

const (
	directorySize = 10_000
	directoryMark = "directory"
)

// TenantEntry is a cached tenant.
type TenantEntry struct {
	*ent.Tenant
	Zone    *time.Location
	Sandbox *TenantEntry // nil if none is provisioned
	Live    *TenantEntry // of a sandbox: its live company; nil for any other tenant
}

// Key is a cached API key.
type Key struct {
	*ent.APIKey
	Scopes auth.Scopes // effective scopes, including those that legacy flags grant
}

func newDirectory(c *unit.Core) *directory {
	keys, _ := lru.New[string, *Key](directorySize) // fails only if the size is below 1
	host, _ := lru.New[string, *TenantEntry](directorySize)
	d := &directory{core: c, keys: keys, host: host, existenceIndex: newExistenceIndex(c)}
	d.empty = func() { keys.Purge(); host.Purge() }
	return d
}

// directoryChanged signals every process, including this one, that tenants or keys have changed.
func directoryChanged(ctx context.Context, t *unit.Tx) error {
	return t.SignalMark(ctx, directoryMark)
}

var errUnknownHost = errors.New("service: no tenant has this host")

func (d *directory) tenant(ctx context.Context, host string) (*TenantEntry, error) {
	fresh, generation := d.fresh()
	if fresh {
		if entry, ok := d.host.Get(host); ok {
			return entry, nil
		}
	}
	entry, err := d.loadTenant(ctx, host)
	if err != nil {
		return nil, err
	}
	d.add(generation, func() { d.host.Add(host, entry) })
	return entry, nil
}

func (d *directory) loadTenant(ctx context.Context, host string) (*TenantEntry, error) {
	row, err := d.core.Store.Reader().Tenant.Query().Where(tenant.Host(host)).WithSandbox().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, errUnknownHost
	}
	if err != nil {
		return nil, err
	}
	entry, err := NewTenantEntry(row)
	if err == nil && row.Edges.Sandbox != nil {
		entry.Sandbox, err = NewTenantEntry(row.Edges.Sandbox)
	}
	if err == nil && row.SandboxOfID != nil {
		live, failed := d.core.Store.Reader().Tenant.Get(ctx, *row.SandboxOfID)
		if failed != nil {
			return nil, failed
		}
		entry.Live, err = NewTenantEntry(live)
	}
	return entry, err
}

// NewTenantEntry returns a tenant with its time zone loaded.
func NewTenantEntry(row *ent.Tenant) (*TenantEntry, error) {
	zone, err := time.LoadLocation(row.TimeZone)
	return &TenantEntry{Tenant: row, Zone: zone}, err
}

// key finds a key by its token's hash within the tenant; nil if there is none.
func (d *directory) key(ctx context.Context, tenantID int, hash []byte) (*Key, error) {
	fresh, generation := d.fresh()
	if fresh {
		if k, ok := d.keys.Get(string(hash)); ok {
			if k.TenantID != tenantID {
				return nil, nil
			}
			return k, nil
		}
	}
	// At this point only the tenant is known, by the host: the lookup is limited to it.
	scoped := auth.With(ctx, &auth.Actor{TenantID: tenantID})
	row, err := d.core.Store.Reader().APIKey.Query().Where(apikey.TokenHash(hash)).Only(scoped)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	k := keyOf(row)
	d.add(generation, func() { d.keys.Add(string(hash), k) })
	return k, nil
}

func keyOf(row *ent.APIKey) *Key {
	k := &Key{APIKey: row, Scopes: auth.ScopesOf(row.Scopes)}
	if len(row.LegacyFlags) > 0 {
		k.Scopes = auth.LegacyScopes(row.LegacyFlags)
	}
	return k
}
