package identity

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// usage counts the calls of keys and records session use in memory, and stores both every second, so that
// requests do no extra write. A crash loses at most the last second.
type usage struct {
	core     *unit.Core
	mu       sync.Mutex
	keys     map[int]*keyUsage
	sessions map[int]time.Time // idle expiry, by session id
}

type keyUsage struct {
	calls   int64
	last    time.Time
	address netip.Addr
}

const storeUsageEvery = time.Second

func newUsage(c *unit.Core) *usage {
	return &usage{core: c, keys: map[int]*keyUsage{}, sessions: map[int]time.Time{}}
}

// note counts one call of a key.
func (u *usage) note(keyID int, address netip.Addr) {
	u.mu.Lock()
	defer u.mu.Unlock()
	k := u.keys[keyID]
	if k == nil {
		k = &keyUsage{}
		u.keys[keyID] = k
	}
	k.calls++
	k.last = u.core.Store.Now()
	k.address = address
}

// recordSession records a session's new idle expiry.
func (u *usage) recordSession(id int, until time.Time) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.sessions[id] = until
}

func (u *usage) run(ctx context.Context) {
	ticker := time.NewTicker(storeUsageEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			u.flushLast(ctx)
			return
		case <-ticker.C:
			u.flush(ctx)
		}
	}
}

// flushLast stores the remaining counts when the service stops; ctx has already ended.
func (u *usage) flushLast(ctx context.Context) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	u.flush(last)
}

// flush stores the counts. Counts that cannot be stored are kept for the next flush.
func (u *usage) flush(ctx context.Context) {
	u.flushKeys(ctx)
	u.flushSessions(ctx)
}

func (u *usage) flushKeys(ctx context.Context) {
	u.mu.Lock()
	counted := u.keys
	u.keys = map[int]*keyUsage{}
	u.mu.Unlock()
	if len(counted) == 0 {
		return
	}
	if err := u.store(ctx, counted); err != nil {
		u.core.Log.WarnContext(ctx, "cannot store key usage, will retry", "error", err)
		u.mu.Lock()
		defer u.mu.Unlock()
		for id, k := range counted {
			if now := u.keys[id]; now != nil {
				now.calls += k.calls
			} else {
				u.keys[id] = k
			}
		}
	}
}

func (u *usage) flushSessions(ctx context.Context) {
	u.mu.Lock()
	touched := u.sessions
	u.sessions = map[int]time.Time{}
	u.mu.Unlock()
	if len(touched) == 0 {
		return
	}
	if err := u.core.Store.TouchSessions(ctx, touched); err != nil {
		u.core.Log.WarnContext(ctx, "cannot store session usage, will retry", "error", err)
		u.mu.Lock()
		defer u.mu.Unlock()
		for id, until := range touched {
			if later, ok := u.sessions[id]; !ok || later.Before(until) {
				u.sessions[id] = until
			}
		}
	}
}

func (u *usage) store(ctx context.Context, counted map[int]*keyUsage) error {
	rows := make([]store.KeyUse, 0, len(counted))
	for id, k := range counted {
		rows = append(rows, store.KeyUse{KeyID: id, Calls: k.calls, Last: k.last, Address: k.address.String()})
	}
	return u.core.Store.AddKeyUse(ctx, rows)
}
