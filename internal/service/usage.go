package service

import (
	"context"
	"net/netip"
	"sync"
	"time"

	"paydown/internal/store"
)

// usage counts the calls of keys in memory and stores the counts every second, so that counting costs a request
// nothing. A crash loses at most the last second of counts.
type usage struct {
	core *core
	mu   sync.Mutex
	keys map[int]*keyUsage
}

type keyUsage struct {
	calls   int64
	last    time.Time
	address netip.Addr
}

const storeUsageEvery = time.Second

func newUsage(c *core) *usage { return &usage{core: c, keys: map[int]*keyUsage{}} }

// note counts one call.
func (u *usage) note(keyID int, address netip.Addr) {
	u.mu.Lock()
	defer u.mu.Unlock()
	k := u.keys[keyID]
	if k == nil {
		k = &keyUsage{}
		u.keys[keyID] = k
	}
	k.calls++
	k.last = u.core.store.Now()
	k.address = address
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

// flushLast stores the counts of a service that stops; its context has ended already.
func (u *usage) flushLast(ctx context.Context) {
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	u.flush(last)
}

// flush stores what was counted; where that fails the counts are kept for the next time.
func (u *usage) flush(ctx context.Context) {
	u.mu.Lock()
	counted := u.keys
	u.keys = map[int]*keyUsage{}
	u.mu.Unlock()
	if len(counted) == 0 {
		return
	}
	if err := u.store(ctx, counted); err != nil {
		u.core.log.WarnContext(ctx, "cannot store the use of keys yet", "error", err)
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

func (u *usage) store(ctx context.Context, counted map[int]*keyUsage) error {
	rows := make([]store.KeyUse, 0, len(counted))
	for id, k := range counted {
		rows = append(rows, store.KeyUse{KeyID: id, Calls: k.calls, Last: k.last, Address: k.address.String()})
	}
	return u.core.store.AddKeyUse(ctx, rows)
}
