package service

import (
	"context"
	"errors"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"paydown/ent"
	"paydown/ent/apikey"
	"paydown/ent/tenant"
	"paydown/internal/auth"
)

// The directory holds tenants and keys in memory, so that a request by a key seen before costs no statement. Every
// change of a tenant or key moves a mark in the database; each process looks at the mark several times a second and
// forgets what it holds when the mark has moved. Entries are trusted only while the mark was seen lately, so a
// revocation holds everywhere within maxStale, and at once in the process that made it.
type directory struct {
	core *core
	keys *lru.Cache[string, *Key]         // by token hash
	host *lru.Cache[string, *TenantEntry] // by host
	roll *roll

	mu         sync.Mutex
	mark       int64
	seenAt     time.Time // when the mark was last read; monotonic
	generation uint64    // moves with every purge
}

const (
	watchEvery    = 200 * time.Millisecond
	maxStale      = 900 * time.Millisecond
	directorySize = 10_000
	directoryMark = "directory"
)

// TenantEntry is what requests need to know of a tenant.
type TenantEntry struct {
	*ent.Tenant
	Zone    *time.Location
	Sandbox *TenantEntry // nil where none is provisioned
}

// Key is an API key with what requests need to know of it.
type Key struct {
	*ent.APIKey
	Scopes auth.Scopes // those in force, of legacy flags too
}

func newDirectory(c *core) *directory {
	keys, _ := lru.New[string, *Key](directorySize) // fails only for a size below 1
	host, _ := lru.New[string, *TenantEntry](directorySize)
	return &directory{core: c, keys: keys, host: host, roll: newRoll(c)}
}

// watch looks at the mark until the context ends.
func (d *directory) watch(ctx context.Context) {
	var reading sync.WaitGroup
	defer reading.Wait()
	reading.Go(func() { d.roll.keep(ctx) })
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		if err := d.look(ctx); err != nil && ctx.Err() == nil {
			d.core.log.WarnContext(ctx, "cannot see whether tenants or keys have changed", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// look reads the mark, and forgets everything where it has moved.
func (d *directory) look(ctx context.Context) error {
	began := time.Now() //nolint:forbidigo // how old the view is, is a matter of this machine's monotonic clock
	ctx, cancel := context.WithTimeout(ctx, maxStale)
	defer cancel()
	mark, err := d.core.store.Mark(ctx, directoryMark)
	if err != nil {
		return err
	}
	d.roll.tell(mark)
	d.mu.Lock()
	defer d.mu.Unlock()
	if mark != d.mark {
		d.mark = mark
		d.purgeLocked()
	}
	d.seenAt = began
	return nil
}

// forget empties the directory of this process.
func (d *directory) forget() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.purgeLocked()
}

func (d *directory) purgeLocked() {
	d.generation++
	d.keys.Purge()
	d.host.Purge()
}

// fresh reports whether entries may be trusted, and the generation that a new entry must be added under.
func (d *directory) fresh() (bool, uint64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return time.Since(d.seenAt) < maxStale, d.generation //nolint:forbidigo // see look
}

// add keeps what was loaded under the generation, unless something has changed since.
func (d *directory) add(generation uint64, keep func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if generation == d.generation {
		keep()
	}
}

// changed moves the mark with the transaction, for other processes, and empties the directory of this one after it.
func (t *tx) directoryChanged(ctx context.Context) error {
	t.AfterCommit(t.core.directory.forget)
	return t.MoveMark(ctx, directoryMark)
}

// errUnknownHost is a host that no tenant has.
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
	row, err := d.core.store.Reader().Tenant.Query().Where(tenant.Host(host)).WithSandbox().Only(ctx)
	if ent.IsNotFound(err) {
		return nil, errUnknownHost
	}
	if err != nil {
		return nil, err
	}
	entry, err := newTenantEntry(row)
	if err != nil || row.Edges.Sandbox == nil {
		return entry, err
	}
	entry.Sandbox, err = newTenantEntry(row.Edges.Sandbox)
	return entry, err
}

func newTenantEntry(row *ent.Tenant) (*TenantEntry, error) {
	zone, err := time.LoadLocation(row.TimeZone)
	return &TenantEntry{Tenant: row, Zone: zone}, err
}

// key finds a key by the hash of its token within the tenant; nil where there is none.
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
	// The tenant is known by its host, and nobody else yet: the key is looked up inside it.
	scoped := auth.With(ctx, &auth.Actor{TenantID: tenantID})
	row, err := d.core.store.Reader().APIKey.Query().Where(apikey.TokenHash(hash)).Only(scoped)
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
