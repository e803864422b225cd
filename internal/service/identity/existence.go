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

// The roll is who exists: the host of every tenant, and of every key so much of its hash as tells it from a random one.
// What stands in it is worth a statement; what does not is most likely made up, and looked up only for a caller who may
// still spend a request on that. So whoever tries one random token after the other soon costs the database nothing.
//
// It is read anew whenever the directory's mark moves, and may be some moments old: a tenant or key that was made since,
// in another process, is merely not known yet.
type roll struct {
	core  *unit.Core
	moved chan int64 // the directory's mark, where it is another than that of the last reading

	mu     sync.RWMutex
	hosts  map[string]struct{}
	keys   map[uint64]struct{}
	readAt int64 // the mark before the last reading; -1: there was none yet
}

// rollTimeout bounds one reading of the roll.
const rollTimeout = 30 * time.Second

func newRoll(c *unit.Core) *roll {
	return &roll{
		core: c, moved: make(chan int64, 1), hosts: map[string]struct{}{}, keys: map[uint64]struct{}{}, readAt: -1,
	}
}

// Known reports whether a host is a tenant's, as far as is known without asking the database.
func (s Tenants) Known(host string) bool {
	r := s.access.directory.roll
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, ok := r.hosts[normalHost(host)]
	return ok
}

// Known reports whether a token is a key's, as far as is known without asking the database: not whether the key is good.
func (s Keys) Known(token string) bool {
	if !auth.WellFormed(token) {
		return false
	}
	r := s.access.directory.roll
	r.mu.RLock()
	defer r.mu.RUnlock()
	_, ok := r.keys[short(auth.HashToken(token))]
	return ok
}

func short(hash []byte) uint64 { return binary.BigEndian.Uint64(hash) }

func (r *roll) addHost(host string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.hosts[host] = struct{}{}
}

func (r *roll) addKey(hash []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keys[short(hash)] = struct{}{}
}

// tell says where the directory's mark stands, and so whether the roll has to be read anew.
func (r *roll) tell(mark int64) {
	if r.isReadAt(mark) {
		return
	}
	select {
	case <-r.moved: // overtaken
	default:
	}
	r.moved <- mark // there is room: nobody else sends
}

func (r *roll) isReadAt(mark int64) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.readAt == mark
}

// keep reads the roll whenever the mark has moved, until the context ends. A reading that fails is made up for when the
// mark is told the next time.
func (r *roll) keep(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case mark := <-r.moved:
			if r.isReadAt(mark) {
				continue
			}
			if err := r.read(ctx, mark); err != nil && ctx.Err() == nil {
				r.core.Log.WarnContext(ctx, "cannot read which tenants and keys there are", "error", err)
			}
		}
	}
}

// read adds who is not on the roll yet. Nobody ever leaves it: tenants and keys end, but stay.
func (r *roll) read(ctx context.Context, mark int64) error {
	ctx, cancel := context.WithTimeout(auth.AllTenants(ctx, "which hosts and keys there are"), rollTimeout)
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
		r.keys[short(key.TokenHash)] = struct{}{}
	}
	r.readAt = mark
	return nil
}
