package identity

import (
	"context"
	"sync"
	"time"

	"paydown/ent/user"
	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// knownNetworks are the networks that members of a tenant last signed in from, by tenant. They are read only while
// strangers fill the queue of sign-ins.
type knownNetworks struct {
	mu sync.Mutex
	of map[int]networksAt
}

type networksAt struct {
	read  time.Time
	names map[string]bool
}

// knownFor is how long they are good for, so that a flood does not read them with each request.
const knownFor = 30 * time.Second

// has reports whether a member of the tenant last signed in from the network.
func (k *knownNetworks) has(ctx context.Context, c *unit.Core, tenantID int, network string) (bool, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := c.Now()
	if at, ok := k.of[tenantID]; ok && now.Sub(at.read) < knownFor {
		return at.names[network], nil
	}
	rows, err := c.Store.Reader().User.Query().
		Where(user.LastLoginNetworkNotNil(), user.IsActive(true)).
		All(auth.With(ctx, &auth.Actor{TenantID: tenantID}))
	if err != nil {
		return false, err
	}
	at := networksAt{now, map[string]bool{}}
	for _, row := range rows {
		at.names[*row.LastLoginNetwork] = true
	}
	if k.of == nil {
		k.of = map[int]networksAt{}
	}
	k.of[tenantID] = at
	return at.names[network], nil
}

// turn waits for the turn to sign in, before anything is read or counted: a flood that the queue refuses costs next to
// nothing, and what a flood reads and writes does not delay staff either. leave ends the turn. Neither the wait nor a
// refusal depends on the account.
func (a *access) turn(ctx context.Context, tenantID int, from Origin) (leave func(), err error) {
	isKnown := false
	if a.signIns.Crowded() {
		if isKnown, err = a.known.has(ctx, a.core, tenantID, from.Network); err != nil {
			return nil, err
		}
	}
	return a.signIns.Turn(ctx, from.Network, isKnown)
}
