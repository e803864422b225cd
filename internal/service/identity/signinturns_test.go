package identity_test

import (
	"context"
	"net/netip"
	"sync"
	"testing"

	"paydown/ent/user"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/identity"
	"paydown/internal/store"
)

// Strangers from a thousand networks fill the queue, and no more of them are taken. A member's network still gets the
// next turn, because a member has signed in from there.
func TestStrangersDoNotKeepStaffOut(t *testing.T) {
	const host, office = "turns.test", "198.51.100.7"
	a := apptest.OnSQLite(t)
	a.Tenant(t, host)
	member := a.Member(t, host, "ada@turns.test", "admin")
	from := func(address string) identity.Origin {
		return identity.NewOrigin(netip.MustParseAddr(address), "", auth.SignIn, "")
	}
	operator := a.Operator(t, host)
	tenant := auth.From(operator).TenantID
	if err := a.Store.Write(operator, func(ctx context.Context, tx *store.Tx) error {
		return tx.User.Update().Where(user.ID(member)).SetLastLoginNetwork(from(office).Network).Exec(ctx)
	}); err != nil {
		t.Fatal(err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	var crowd sync.WaitGroup
	defer crowd.Wait()
	defer cancel()
	taken := make(chan func(), 1000)
	refused := make(chan struct{}, 1000)
	for i := range 1000 {
		crowd.Go(func() {
			address := netip.AddrFrom4([4]byte{203, 0, byte(i >> 8), byte(i)}).String()
			leave, err := a.Sessions.Turn(ctx, tenant, from(address))
			switch {
			case err == nil:
				taken <- leave
			case fault.Is(err, fault.Unavailable):
				refused <- struct{}{}
			}
		})
	}
	for range 1000 - 128 {
		<-refused
	}
	if _, err := a.Sessions.Turn(ctx, tenant, from("192.0.2.1")); !fault.Is(err, fault.Unavailable) {
		t.Errorf("one more stranger: %v", err)
	}
	in := make(chan struct{})
	crowd.Go(func() {
		leave, err := a.Sessions.Turn(ctx, tenant, from(office))
		if err != nil {
			t.Error(err)
			return
		}
		close(in)
		leave()
	})
	for turns := 0; ; turns++ {
		select {
		case <-in:
			return
		case leave := <-taken:
			leave()
		}
	}
}
