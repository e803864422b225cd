package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"paydown/ent/outboxevent"
	"paydown/ent/webhookdelivery"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/server"
	"paydown/internal/service"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// happen commits an event of a tenant with a number, as a write with nothing else to store, and returns its
// time.
func happen(ctx context.Context, t *testing.T, a *apptest.App, numbers ...int) (committed time.Time) {
	t.Helper()
	err := a.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		tx.AfterCommit(func() {
			committed = time.Now()
			a.WebhookDeliveries.Happened(ctx)
		})
		for _, n := range numbers {
			data, err := json.Marshal(webhook.LeadCreated{LeadID: n, BusinessName: "Harbor Bakery", Status: "NEW"})
			if err != nil {
				return err
			}
			err = tx.OutboxEvent.Create().
				SetEvent("lead.created").
				SetVersion(webhook.Version).
				SetOccurredAt(tx.At()).
				SetData(data).
				SetEntity("lead").
				SetEntityID(n).
				Exec(ctx)
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	return committed
}

// quiet is a tenant whose receiver answers.
type quiet struct {
	*apptest.Client
	receiver *apptest.Receiver
}

func newQuiet(t *testing.T, a *apptest.App) *quiet {
	t.Helper()
	q := &quiet{a.Client(t, "quiet.test"), apptest.NewReceiver(t, nil)}
	endpoint(t, q.Client, q.receiver.URL, "*")
	return q
}

// holds commits an event 50 times a second and requires that each arrives once. It reports how long that takes.
func (q *quiet) holds(t *testing.T, a *apptest.App) {
	t.Helper()
	const rate = 50
	ctx := a.Operator(t, q.Host)
	committed := make([]time.Time, apptest.Length(50, 500))
	tick := time.NewTicker(time.Second / rate)
	defer tick.Stop()
	for n := range committed {
		<-tick.C
		committed[n] = happen(ctx, t, a, n+1)
	}
	var took []time.Duration
	seen := map[int]bool{}
	for _, r := range q.receiver.Await(t, len(committed)) {
		var data webhook.LeadCreated
		if err := json.Unmarshal(r.Data, &data); err != nil || seen[data.LeadID] {
			t.Fatalf("received %s, once before: %t; %v", r.Body, seen[data.LeadID], err)
		}
		seen[data.LeadID] = true
		took = append(took, r.At.Sub(committed[data.LeadID-1]))
	}
	slices.Sort(took)
	p50, p99 := took[len(took)/2], took[len(took)*99/100]
	t.Logf("of %d deliveries to an endpoint that answers: p50 %s, p99 %s, last %s", len(took), p50, p99, took[len(took)-1])
}

// wait adds n deliveries to each endpoint of a tenant that are due later.
func wait(t *testing.T, a *apptest.App, host string, n int, in time.Duration, endpoints ...int) {
	t.Helper()
	tenant := a.Operator(t, host)
	var all []store.NewDelivery
	for _, endpoint := range endpoints {
		for i := range n {
			id := fmt.Sprintf("msg_%d_%d", endpoint, i)
			all = append(all, store.NewDelivery{
				Tenant: auth.From(
					tenant,
				).TenantID, Endpoint: endpoint, OutboxEvent: 1_000_000 + i, MessageID: id, Event: "lead.created",
				Payload: []byte(`{"id":"` + id + `"}`),
			})
		}
	}
	for some := range slices.Chunk(all, 2000) {
		err := a.Store.Write(tenant, func(ctx context.Context, tx *store.Tx) error {
			now, err := tx.Clock(ctx)
			if err != nil {
				return err
			}
			made, err := tx.AddDeliveries(ctx, now.Add(in), now, some)
			if err == nil && len(made) != len(some) {
				t.Errorf("%d of %d deliveries were added", len(made), len(some))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// endpoints creates n of them through the service, which is faster than the API.
func endpoints(t *testing.T, a *apptest.App, host, url string, n int) []int {
	t.Helper()
	ids := make([]int, n)
	for i := range ids {
		made, err := a.WebhookEndpoints.Create(a.Operator(t, host), service.WebhookEndpointInput{
			URL: service.Some(url), Events: service.Some([]string{"lead.created"}),
		})
		if err != nil {
			t.Fatal(err)
		}
		ids[i] = made.ID
	}
	return ids
}

// hanging accepts connections and never answers; it returns its URL, and a channel that reports the first of
// them.
func hanging(t *testing.T) (url string, reached <-chan struct{}) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	first := make(chan struct{})
	var mu sync.Mutex
	var open []net.Conn
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			if open = append(open, c); len(open) == 1 {
				close(first)
			}
			mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		mu.Lock()
		defer mu.Unlock()
		for _, c := range open {
			_ = c.Close()
		}
	})
	return "http://" + l.Addr().String(), first
}

// refusing is a URL on which nobody listens.
func refusing(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return "http://" + l.Addr().String()
}

// deaths has endpoints at a dead address: one with 10,000 waiting deliveries, and 200 of four tenants.
func deaths(t *testing.T, a *apptest.App, url string) {
	t.Helper()
	for n := range 4 {
		host := a.Tenant(t, fmt.Sprintf("dead%d.test", n))
		wait(t, a, host, 10, 0, endpoints(t, a, host, url, 50)...)
	}
	host := a.Tenant(t, "dead.test")
	wait(t, a, host, 10_000, 0, endpoints(t, a, host, url, 1)...)
	// An event makes the dispatcher check at once what is due.
	happen(a.Operator(t, host), t, a, 1)
}

// deliveringForEver has attempts last until the receiver answers, so a caller that waits for a dead receiver
// would wait forever.
func deliveringForEver(cfg *service.Config, l *server.Config) {
	apptest.AllowingLoopback()(cfg, l)
	cfg.Sender = webhook.NewSender(webhook.SenderConfig{Guard: cfg.Webhooks, Timeout: 24 * time.Hour})
}

// This test and the next two are not parallel: only their own load may delay their deliveries.
func TestDeadEndpointsDelayNobody(t *testing.T) {
	t.Run("that never answer", func(t *testing.T) {
		apptest.Databases(t, func(t *testing.T, a *apptest.App) {
			q := newQuiet(t, a)
			url, reached := hanging(t)
			deaths(t, a, url)
			<-reached
			q.holds(t, a)
		}, deliveringForEver)
	})
	t.Run("that refuse connections", func(t *testing.T) {
		apptest.Databases(t, func(t *testing.T, a *apptest.App) {
			q := newQuiet(t, a)
			deaths(t, a, refusing(t))
			q.holds(t, a)
		}, apptest.Delivering())
	})
}

// A tenant with 50 endpoints and a thousand events, which make 50,000 deliveries, delays other tenants' events
// only by the deliveries already in progress.
func TestANoisyTenantDelaysNobody(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		q := newQuiet(t, a)
		host := a.Tenant(t, "noisy.test")
		endpoints(t, a, host, apptest.NewReceiver(t, nil).URL, 50)
		noisy := a.Operator(t, host)
		numbers := make([]int, 1000)
		for i := range numbers {
			numbers[i] = i + 1
		}
		happen(noisy, t, a, numbers...)
		for n := range 10 {
			happen(a.Operator(t, q.Host), t, a, n)
			q.receiver.Await(t, n+1)
		}
		waiting := a.Store.Reader().OutboxEvent.Query().Where(outboxevent.FannedOutAtIsNil()).CountX(noisy)
		t.Logf("%d events of the noisy tenant wait", waiting)
		if waiting == 0 {
			t.Error("the others' deliveries left after all of the noisy tenant's were made")
		}
	}, apptest.Delivering())
}

// Old deliveries are deleted while others are in progress.
func TestASweepDelaysNobody(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		q := newQuiet(t, a)
		old := a.Tenant(t, "old.test")
		id := endpoints(t, a, old, refusing(t), 1)[0]
		const rows = 4000
		wait(t, a, old, rows, time.Hour, id)
		tenant := a.Operator(t, old)
		err := a.Store.Write(tenant, func(ctx context.Context, tx *store.Tx) error {
			n, err := tx.DropDeliveries(ctx, tx.At(), auth.From(ctx).TenantID, id, "over")
			if n != rows {
				t.Errorf("%d deliveries are over", n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		a.AdvanceAll(service.DeliveryLogWindow + 48*time.Hour)
		ctx, cancel := context.WithCancel(t.Context())
		removed := make(chan int, 1)
		go func() {
			swept, err := a.Retention.Sweep(ctx)
			if err != nil && ctx.Err() == nil {
				t.Error(err)
			}
			removed <- swept.Removed[store.DeliveryLog]
		}()
		q.holds(t, a)
		gone := func() int {
			return rows - a.Store.Reader().WebhookDelivery.Query().Where(webhookdelivery.EndpointID(id)).CountX(tenant)
		}
		until(t, "two batches are swept", func() bool { return gone() >= 2*store.RetireAtOnce })
		cancel()
		// A batch whose commit is interrupted is deleted, and not counted.
		if n, gone := <-removed, gone(); n > gone || n < gone-store.RetireAtOnce {
			t.Errorf("%d of %d rows were swept, and %d are gone", n, rows, gone)
		}
	}, apptest.Delivering())
}
