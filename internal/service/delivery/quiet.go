package delivery

import (
	"context"
	"sync"
	"time"

	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// quietFor is how long a tenant counts as one without endpoints after the fan-out found none. An endpoint that
// another process creates meanwhile gets the first events of this process up to that much later.
const quietFor = time.Second

// quiet remembers which tenants have no webhook endpoint, so that their events do not wake the dispatcher one by
// one: it marks them in batches when it polls. It decides only when the fan-out looks, never what it delivers.
type quiet struct {
	mu    sync.Mutex
	until map[int]time.Time
}

// note remembers which of the tenants have endpoints, active or not.
func (q *quiet) note(tenants []int, has func(tenant int) bool) {
	end := time.Now().Add(quietFor) //nolint:forbidigo // a duration of this process
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.until == nil {
		q.until = map[int]time.Time{}
	}
	for _, tenant := range tenants {
		if has(tenant) {
			delete(q.until, tenant)
		} else {
			q.until[tenant] = end
		}
	}
}

// covers reports whether the events of the context's actor are those of a quiet tenant.
func (q *quiet) covers(ctx context.Context) bool {
	actor := auth.From(ctx)
	if actor == nil || auth.SeesAllTenants(ctx) {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	end, noted := q.until[actor.TenantID]
	return noted && time.Now().Before(end) //nolint:forbidigo // a duration of this process
}

// endAfter makes the tenant's events wake the dispatcher again once the write commits.
func (q *quiet) endAfter(t *unit.Tx) {
	tenant := t.Actor.TenantID
	t.AfterCommit(func() { q.note([]int{tenant}, func(int) bool { return true }) })
}
