package identity

import (
	"context"
	"encoding/binary"
	"sync"
	"time"

	"paydown/ent/apikey"
	"paydown/ent/tenant"
	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// The existenceIndex lists what exists: the host of every tenant, and a prefix of every key's token hash. A
// host or token that is in the index is worth a database query. One that is not is most likely made up, and
// is looked up only for a caller that has requests left. So trying random tokens soon costs the database
// nothing.
//
// The index is read again whenever the directory's mark moves, so it can be briefly out of date: it does not
// yet know a tenant or key that another process has just created.
type existenceIndex struct {
	core  *unit.Core
	moved chan int64 // the directory's mark, if it differs from the one last read

	mu     sync.RWMutex
	hosts  map[string]struct{}
	keys   map[uint64]struct{}
	readAt int64 // the mark at the last read; -1: not read yet
}

// indexTimeout limits one read of the index.
const indexTimeout = 30 * time.Second

func newExistenceIndex(c *unit.Core) *existenceIndex {
	return &existenceIndex{
		core: c, moved: make(chan int64, 1), hosts: map[string]struct{}{}, keys: map[uint64]struct{}{}, readAt: -1,
	}
}

// Known reports whether the index has this host. It does not query the database.
func (s Tenants) Known(host string) bool {
	r := s.access.directory.existenceIndex
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, ok := r.hosts[normalHost(host)]
	return ok
}

// Known reports whether the index has this token. It does not query the database, and the key may no longer
// be valid.
func (s Keys) Known(token string) bool {
	if !auth.WellFormed(token) {
		return false
	}
	r := s.access.directory.existenceIndex
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, ok := r.keys[hashPrefix(auth.HashToken(token))]
	return ok
}

func hashPrefix(hash []byte) uint64 { return binary.BigEndian.Uint64(hash) }

func (r *existenceIndex) addHost(host string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hosts[host] = struct{}{}
}

func (r *existenceIndex) addKey(hash []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys[hashPrefix(hash)] = struct{}{}
}

// reportMark passes on the directory's current mark, which starts a read if the index is out of date.
func (r *existenceIndex) reportMark(mark int64) {
	if r.isCurrent(mark) {
		return
	}
	select {
	case <-r.moved: // replace an older mark
	default:
	}
	r.moved <- mark // does not block: there is only one sender
}

func (r *existenceIndex) isCurrent(mark int64) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.readAt == mark
}

// refresh reads the index whenever the mark has moved, until the context ends. A failed read is retried when the
// mark is reported next.
func (r *existenceIndex) refresh(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case mark := <-r.moved:
			if r.isCurrent(mark) {
				continue
			}
			if err := r.read(ctx, mark); err != nil && ctx.Err() == nil {
				r.core.Log.WarnContext(ctx, "cannot read the index of tenants and keys", "error", err)
			}
		}
	}
}

// read adds new hosts and keys to the index. It removes none: tenants and keys may end, but their rows stay.
func (r *existenceIndex) read(ctx context.Context, mark int64) error {
	ctx, cancel := context.WithTimeout(auth.AllTenants(ctx, "index of hosts and keys"), indexTimeout)
	defer cancel()
	hosts, err := r.core.Store.Reader().Tenant.Query().Select(tenant.FieldHost).Strings(ctx)
	if err != nil {
		return err
	}
	keys, err := r.core.Store.Reader().APIKey.Query().Select(apikey.FieldTokenHash).All(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, host := range hosts {
		r.hosts[host] = struct{}{}
	}
	for _, key := range keys {
		r.keys[hashPrefix(key.TokenHash)] = struct{}{}
	}
	r.readAt = mark
	return nil
}
