package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/booktest"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// The life cycle of an API key, as two processes on one database see it.
func TestKeyLifecycle(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		k := &keyring{a: a, replica: a.Replica(t), host: a.Tenant(t, "keys.test")}
		t.Run("a revoked key is refused at once here and within a second elsewhere", k.revoked)
		t.Run("a rotated key stays valid for a day beside its replacement", k.rotated)
		t.Run("replacements inherit the answers of the keys before them", k.inherited)
		t.Run("a key expires", k.expired)
		t.Run("use is counted over both processes", k.counted)
		t.Run("what was counted last is stored at shutdown", k.countedAtShutdown)
		booktest.Verify(t, a)
	})
}

type keyring struct {
	a, replica *apptest.App
	host       string
}

// callers are the same key in each process.
func (k *keyring) callers(token string) []*apptest.Client {
	return []*apptest.Client{k.a.As(k.host, token), k.replica.As(k.host, token)}
}

func (k *keyring) key(t *testing.T, change func(*service.NewKey)) *service.IssuedKey {
	t.Helper()
	in := service.NewKey{Name: "integrator", Kind: auth.Live, Scopes: auth.AllScopes().Strings()}
	if change != nil {
		change(&in)
	}
	return k.a.NewKey(t, k.host, in)
}

// pass moves the clock of both processes.
func (k *keyring) pass(d time.Duration) {
	k.a.Clock.Advance(d)
	k.replica.Clock.Advance(d)
}

// answers checks how the key is answered in both processes.
func (k *keyring) answers(t *testing.T, token string, status int) {
	t.Helper()
	for i, c := range k.callers(token) {
		if got := c.Do(t, http.MethodGet, "/whoami", nil).Status; got != status {
			t.Errorf("process %d answers %d, want %d", i+1, got, status)
		}
	}
}

func (k *keyring) revoked(t *testing.T) {
	issued := k.key(t, nil)
	k.answers(t, issued.Token, http.StatusOK)
	here, there := k.callers(issued.Token)[0], k.callers(issued.Token)[1]
	if _, err := k.a.Keys.Revoke(k.a.Operator(t, k.host), issued.Key.ID); err != nil {
		t.Fatal(err)
	}
	revoked := time.Now()
	here.Do(t, http.MethodGet, "/whoami", nil).Problem(t, http.StatusUnauthorized, "unauthorized")
	for {
		asked := time.Now()
		answer := there.Do(t, http.MethodGet, "/whoami", nil)
		if answer.Status != http.StatusOK {
			answer.Problem(t, http.StatusUnauthorized, "unauthorized")
			return
		}
		if late := asked.Sub(revoked); late > time.Second {
			t.Fatalf("the other process lets a key in %s after it was revoked", late)
		}
	}
}

func (k *keyring) rotated(t *testing.T) {
	ctx := k.a.Operator(t, k.host)
	old := k.key(t, func(in *service.NewKey) {
		in.Scopes, in.Allow, in.ExpiresDays, in.RateLimit = []string{"leads:write"}, []string{"127.0.0.0/8"}, new(30), 500
	})
	was := k.a.As(k.host, old.Token).Get(t, "/whoami")
	next, err := k.a.Keys.Rotate(ctx, old.Key.ID)
	if err != nil {
		t.Fatal(err)
	}
	is := k.a.As(k.host, next.Token).Get(t, "/whoami")
	for _, same := range []string{"name", "kind", "scopes", "expiresAt", "ipAllowList"} {
		if booktest.Text(t, is[same]) != booktest.Text(t, was[same]) {
			t.Errorf("%s is %v after the rotation, was %v", same, is[same], was[same])
		}
	}
	if _, err := k.a.Keys.Rotate(ctx, old.Key.ID); !fault.Is(err, fault.Conflict) {
		t.Errorf("a second rotation of the same key: %v", err)
	}
	k.pass(service.RotationOverlap - time.Minute)
	k.answers(t, old.Token, http.StatusOK)
	k.answers(t, next.Token, http.StatusOK)
	k.pass(time.Minute)
	k.answers(t, old.Token, http.StatusUnauthorized)
	k.answers(t, next.Token, http.StatusOK)
	if _, err := k.a.Keys.Rotate(ctx, old.Key.ID); !fault.Is(err, fault.Conflict) {
		t.Errorf("rotation of a key that has ended: %v", err)
	}
}

func (k *keyring) inherited(t *testing.T) {
	ctx := k.a.Operator(t, k.host)
	issued := k.key(t, nil)
	body := object{"businessName": "Harbor Street Bakery LLC"}
	first := k.a.As(k.host, issued.Token).With("Idempotency-Key", "lead-1").Do(t, http.MethodPost, "/leads", body)
	first.Want(t, http.StatusCreated)
	for generation := range 3 {
		next, err := k.replica.Keys.Rotate(ctx, issued.Key.ID)
		if err != nil {
			t.Fatalf("rotation %d: %v", generation+1, err)
		}
		issued = next
		again := k.a.As(k.host, issued.Token).With("Idempotency-Key", "lead-1").Do(t, http.MethodPost, "/leads", body)
		if again.Header.Get("Idempotency-Replayed") != "true" || !bytes.Equal(again.Body, first.Body) {
			t.Errorf("replacement %d was answered %d %s", generation+1, again.Status, again.Body)
		}
	}
	stranger := k.a.As(k.host, k.key(t, nil).Token).With("Idempotency-Key", "lead-1").Post(t, "/leads", body)
	if stranger.In("lead").ID() == first.JSON(t).In("lead").ID() {
		t.Error("another key got the answer")
	}
}

func (k *keyring) expired(t *testing.T) {
	for _, days := range service.ExpiryDays {
		issued := k.key(t, func(in *service.NewKey) { in.ExpiresDays = new(days) })
		k.pass(time.Duration(days)*24*time.Hour - time.Minute)
		k.answers(t, issued.Token, http.StatusOK)
		k.pass(time.Minute)
		k.answers(t, issued.Token, http.StatusUnauthorized)
	}
}

func (k *keyring) counted(t *testing.T) {
	issued := k.key(t, nil)
	const each = 7
	for range each {
		k.answers(t, issued.Token, http.StatusOK)
	}
	k.a.As(k.host, issued.Token).
		Do(t, http.MethodGet, "/leads?limit=0", nil).
		Want(t, http.StatusBadRequest)
		// counts as well
	until(t, "every call is counted", func() bool { return k.use(t, issued).CallCount == 2*each+1 })
	use := k.use(t, issued)
	if use.LastUsedAddress == nil || *use.LastUsedAddress != "127.0.0.1" {
		t.Errorf("last used from %v", use.LastUsedAddress)
	}
	if now := k.a.Store.Now(); use.LastUsedAt == nil || use.LastUsedAt.Before(now.Add(-time.Minute)) ||
		use.LastUsedAt.After(now) {
		t.Errorf("last used at %v", use.LastUsedAt)
	}
}

// use returns the key's usage as the list of keys shows it.
func (k *keyring) use(t *testing.T, issued *service.IssuedKey) *service.Key {
	t.Helper()
	keys, err := k.a.Keys.List(k.a.Operator(t, k.host))
	if err != nil {
		t.Fatal(err)
	}
	return keys[slices.IndexFunc(keys, func(other *service.Key) bool { return other.ID == issued.Key.ID })]
}

func (k *keyring) countedAtShutdown(t *testing.T) {
	issued := k.key(t, nil)
	third := newProcess(t, k.a)
	stop := third.run(t)
	for i := range 5 {
		r := third.request(k.host, issued.Token, http.MethodGet, "/api/v1/whoami", "")
		r.Header.Set("X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i))
		if answer := third.serve(r); answer.Code != http.StatusOK {
			t.Fatalf("%d %s", answer.Code, answer.Body)
		}
	}
	stop()
	if use := k.use(t, issued); use.CallCount != 5 || use.LastUsedAddress == nil || *use.LastUsedAddress != "203.0.113.4" {
		t.Errorf("%d calls are counted, the last from %v", use.CallCount, use.LastUsedAddress)
	}
}
