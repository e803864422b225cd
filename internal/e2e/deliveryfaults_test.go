package e2e

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/deliveryattempt"
	"paydown/ent/webhookdelivery"
	"paydown/internal/apptest"
	"paydown/internal/service"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// delivering are the flags that let the program deliver to this machine.
var delivering = []string{"--webhook-allow-cidr", "127.0.0.0/8", "--webhook-allow-http"}

// onPostgres is an installation on PostgreSQL, which several processes may serve.
func onPostgres(t *testing.T) *installation {
	t.Helper()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	return newInstallation(t, program, apptest.MigratedPostgres(t))
}

// opened opens the store of an installation directly, with a context of its tenant.
func (i *installation) opened(t *testing.T) (context.Context, *store.Store) {
	t.Helper()
	s, err := store.Open(i.db, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	ctx, err := service.New(service.Config{Store: s}).Tenants.AsOperator(context.Background(), i.host)
	if err != nil {
		t.Fatal(err)
	}
	return ctx, s
}

// arrivedOnce waits until the only delivery has arrived, in one counted attempt.
func arrivedOnce(t *testing.T, ctx context.Context, s *store.Store) {
	t.Helper()
	until(t, "the delivery has arrived", func() bool {
		return s.Reader().
			WebhookDelivery.Query().
			Where(webhookdelivery.StatusEQ(webhookdelivery.StatusDELIVERED)).
			CountX(ctx) ==
			1
	})
	d := s.Reader().
		WebhookDelivery.Query().
		WithTries(func(q *ent.DeliveryAttemptQuery) { q.Order(deliveryattempt.ByNumber()) }).
		OnlyX(ctx)
	if d.Attempts != 1 || len(d.Edges.Tries) != 1 || d.Error != nil || *d.ResponseStatus != 200 {
		t.Errorf("the delivery is %v, its tries are %v", d, d.Edges.Tries)
	}
}

// holding is a receiver that holds the first request until it is released, and then answers it with 500. It
// answers all others with 200.
func holding(t *testing.T) (r *apptest.Receiver, letGo func()) {
	t.Helper()
	var requests atomic.Int64
	release := make(chan struct{})
	letGo = sync.OnceFunc(func() { close(release) })
	r = apptest.NewReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
		if requests.Add(1) == 1 {
			<-release
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	t.Cleanup(letGo)
	return r, letGo
}

// sameTwice checks that a message came twice and was the same.
func sameTwice(t *testing.T, r *apptest.Receiver) {
	t.Helper()
	got := r.Await(t, 2)
	if len(got) != 2 || got[0].ID != got[1].ID || !bytes.Equal(got[0].Body, got[1].Body) {
		t.Errorf("%d requests: %s, then %s", len(got), got[0].Body, got[1].Body)
	}
}

// The program is killed after the receiver has read the request: the delivery is sent again with the same id.
func TestKilledAfterSending(t *testing.T) {
	t.Parallel()
	installations(t, func(t *testing.T, i *installation) {
		server := i.serve(t, delivering...)
		r, _ := holding(t)
		endpoint(t, server.Client, r.URL, "*")
		server.Post(t, "/leads", object{"businessName": "Harbor Bakery"})
		r.Await(t, 1)
		server.kill()
		ctx, s := i.opened(t)
		if err := endLeases(ctx, s); err != nil {
			t.Fatal(err)
		}
		i.serve(t, delivering...)
		sameTwice(t, r)
		arrivedOnce(t, ctx, s)
	})
}

// The program is killed under load, with committed events not yet fanned out, waiting deliveries, and some
// sent: all arrive, each under one id.
func TestKilledWhileDelivering(t *testing.T) {
	t.Parallel()
	installations(t, func(t *testing.T, i *installation) {
		r := apptest.NewReceiver(t, nil)
		server := i.serve(t, delivering...)
		endpoint(t, server.Client, r.URL, "lead.created")
		for cycle := range 2 {
			write(server.Client, fmt.Sprintf("cycle %d", cycle), 60, server.kill)
			ctx, s := i.opened(t)
			if err := endLeases(ctx, s); err != nil {
				t.Fatal(err)
			}
			server = i.serve(t, delivering...)
			everyLeadOnce(t, ctx, s, r, nil)
		}
	})
}

// write creates leads, four at a time, until nobody answers any more, and calls enough once count are created.
func write(c *apptest.Client, name string, count int64, enough func()) {
	var done sync.WaitGroup
	var made atomic.Int64
	for writer := range 4 {
		done.Go(func() {
			for n := 0; ; n++ {
				answer, err := c.Try("POST", "/leads", object{"businessName": fmt.Sprintf("%s writer %d lead %d", name, writer, n)})
				if err != nil {
					return // it is gone
				}
				if answer.Status == http.StatusCreated && made.Add(1) == count {
					enough()
				}
			}
		})
	}
	done.Wait()
}

// everyLeadOnce waits until the receiver has received every lead, and checks that each had one id. again is
// called now and then meanwhile; it may be nil.
func everyLeadOnce(t *testing.T, ctx context.Context, s *store.Store, r *apptest.Receiver, again func()) {
	t.Helper()
	leads := s.Reader().Lead.Query().IDsX(ctx)
	ids := map[int]map[string]bool{}
	until(t, "the receiver has heard of every lead", func() bool {
		if again != nil {
			again()
		}
		clear(ids)
		for _, got := range r.Got() {
			var data struct{ LeadID int }
			_ = json.Unmarshal(got.Data, &data)
			if ids[data.LeadID] == nil {
				ids[data.LeadID] = map[string]bool{}
			}
			ids[data.LeadID][got.ID] = true
		}
		return len(ids) >= len(leads)
	})
	for _, lead := range leads {
		if len(ids[lead]) != 1 {
			t.Errorf("lead %d was told under %d ids, want one", lead, len(ids[lead]))
		}
	}
	until(t, "nothing waits", func() bool {
		if again != nil {
			again()
		}
		return s.Reader().
			WebhookDelivery.Query().
			Where(webhookdelivery.StatusEQ(webhookdelivery.StatusPENDING)).
			CountX(ctx) ==
			0
	})
	if n := s.Reader().WebhookDelivery.Query().CountX(ctx); n != len(leads) {
		t.Errorf("%d deliveries of %d leads", n, len(leads))
	}
}

// A process pauses past its lease. Another takes over the delivery, and the first one's result is discarded.
func TestAStaleOwnerIsRefused(t *testing.T) {
	t.Parallel()
	i := onPostgres(t)
	first := i.serve(t, delivering...)
	r, letGo := holding(t)
	endpoint(t, first.Client, r.URL, "*")
	first.Post(t, "/leads", object{"businessName": "Harbor Bakery"})
	r.Await(t, 1)
	if err := first.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	ctx, s := i.opened(t)
	if err := endLeases(ctx, s); err != nil {
		t.Fatal(err)
	}
	i.serve(t, delivering...)
	sameTwice(t, r)
	arrivedOnce(t, ctx, s)
	letGo() // the first try's answer, which is a failure, is there when the process goes on
	if err := first.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	first.stop(t)
	if code := first.ended(t); code != 0 {
		t.Errorf("the program ended with %d", code)
	}
	arrivedOnce(t, ctx, s)
	if e := s.Reader().WebhookEndpoint.Query().OnlyX(ctx); e.FailureStreak != 0 {
		t.Errorf("the endpoint is %v", e)
	}
}

// A process is stopped while a receiver does not answer: another process delivers, and the interrupted attempt
// does not count.
func TestStoppedWhileAReceiverHangs(t *testing.T) {
	t.Parallel()
	i := onPostgres(t)
	first := i.serve(t, delivering...)
	r, _ := holding(t)
	endpoint(t, first.Client, r.URL, "*")
	first.Post(t, "/leads", object{"businessName": "Harbor Bakery"})
	r.Await(t, 1)
	first.stop(t) // before the try is over by itself
	if code := first.ended(t); code != 0 {
		t.Errorf("the program ended with %d", code)
	}
	i.serve(t, delivering...)
	sameTwice(t, r)
	ctx, s := i.opened(t)
	arrivedOnce(t, ctx, s)
}

// PostgreSQL stops, at once and gracefully, and restarts while events happen.
func TestPostgresRestartsWhileDelivering(t *testing.T) {
	t.Parallel()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	server := apptest.StartPostgres(t)
	url := server.NewDatabase(t)
	s, err := store.Open(url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	i := newInstallation(t, program, url)
	one := i.serve(t, delivering...)
	i.serve(t, delivering...)
	r := apptest.NewReceiver(t, nil)
	endpoint(t, one.Client, r.URL, "lead.created")
	for n, end := range []func(testing.TB){server.Crash, server.Stop} {
		l := underway(one.Client, fmt.Sprintf("restart %d", n))
		l.await(t, 40)
		end(t)
		server.Start(t)
		l.await(t, 80)
		l.end()
	}
	ctx, s := i.opened(t)
	everyLeadOnce(t, ctx, s, r, func() {
		// A commit whose response was cut off may have left a claim without an owner, until its lease ends.
		err := s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.WebhookDelivery.Update().Where(webhookdelivery.LockedUntilLT(time.Now().Add(25 * time.Second))).
				SetLockedUntil(time.Now()).SetNextAttemptAt(time.Now()).Exec(ctx)
		})
		if err != nil {
			t.Log(err)
		}
	})
}

// writing are writers that continue while the database is down.
type writing struct {
	made atomic.Int64
	over atomic.Bool
	done sync.WaitGroup
}

func underway(c *apptest.Client, name string) *writing {
	w := &writing{}
	for writer := range 4 {
		w.done.Go(func() {
			for n := 0; !w.over.Load(); n++ {
				answer, err := c.Try("POST", "/leads", object{"businessName": fmt.Sprintf("%s writer %d lead %d", name, writer, n)})
				if err == nil && answer.Status == http.StatusCreated {
					w.made.Add(1)
				}
			}
		})
	}
	return w
}

func (w *writing) await(t *testing.T, n int64) {
	t.Helper()
	until(t, fmt.Sprintf("%d leads are made", n), func() bool { return w.made.Load() >= n })
}

func (w *writing) end() {
	w.over.Store(true)
	w.done.Wait()
}

// Callers hold all connections of their pool: deliveries have a pool of their own.
func TestDeliveriesLeaveWhileCallersHoldAllConnections(t *testing.T) {
	t.Parallel()
	a := apptest.OnPostgres(t, apptest.Delivering())
	c := a.Client(t, "held.test")
	r := apptest.NewReceiver(t, status(http.StatusServiceUnavailable))
	id, _ := endpoint(t, c, r.URL, "*")
	c.Post(t, "/leads", object{"businessName": "Harbor Bakery"})
	awaitDelivery(t, c, id, "was tried", func(o apptest.Object) bool { return o.Int("attempts") == 1 })
	operator := a.Operator(t, c.Host)
	release := make(chan struct{})
	var held atomic.Int64
	var holders sync.WaitGroup
	ctx, cancel := context.WithCancel(operator)
	for range 64 {
		holders.Go(func() {
			_ = a.Store.Write(ctx, func(context.Context, *store.Tx) error {
				held.Add(1)
				<-release
				return nil
			})
		})
	}
	until(t, "callers hold the connections", func() bool {
		soon, cancel := context.WithTimeout(operator, 100*time.Millisecond)
		defer cancel()
		_, err := a.Store.Reader().Lead.Query().Count(soon)
		return errors.Is(err, context.DeadlineExceeded)
	})
	r.Answer(nil)
	a.Store.MoveClock(17 * time.Second)
	r.Await(t, 2)
	cancel()
	close(release)
	holders.Wait()
	awaitDelivery(t, c, id, "has arrived", func(o apptest.Object) bool { return o.Text("status") == "DELIVERED" })
	if held.Load() < 8 {
		t.Errorf("%d connections were held", held.Load())
	}
}

// The listening connection is cut: deliveries continue, and the connection is restored.
func TestListeningIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	a := apptest.OnPostgres(t, apptest.AllowingLoopback())
	c := a.Client(t, "listen.test")
	a.Replica(t, apptest.Delivering())
	r := apptest.NewReceiver(t, nil)
	endpoint(t, c, r.URL, "*")
	db, err := sql.Open("postgres", a.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	count := func(query string) (n int) {
		query += ` FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'`
		if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	const listeners, cut = `SELECT count(*)`, `SELECT count(pg_terminate_backend(pid))`
	until(t, "somebody listens", func() bool { return count(listeners) > 0 })
	if n := count(cut); n == 0 {
		t.Fatal("nothing was cut")
	}
	c.Post(t, "/leads", object{"businessName": "Harbor Bakery"})
	r.Await(t, 1)
	until(t, "somebody listens again", func() bool { return count(listeners) > 0 })
	c.Post(t, "/leads", object{"businessName": "Alder Flowers"})
	r.Await(t, 2)
}

// One process's clock is ten minutes off. It creates, delivers, signs and schedules by the database's clock.
func TestAProcessWithAWrongClock(t *testing.T) {
	t.Parallel()
	for name, off := range map[string]time.Duration{"fast": 10 * time.Minute, "slow": -10 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := apptest.OnPostgres(t, apptest.AllowingLoopback())
			c := a.Client(t, "clock.test")
			wrong := a.Replica(t, apptest.Delivering())
			wrong.Clock.Advance(off)
			theirs := wrong.As(c.Host, c.Token)
			r := apptest.NewReceiver(t, status(http.StatusServiceUnavailable))
			c.Post(t, "/leads", object{"businessName": "Before the endpoint"})
			id, secret := endpoint(t, theirs, r.URL, "*")
			near := func(what string, got, want time.Time) {
				t.Helper()
				if d := got.Sub(want).Abs(); d > time.Minute {
					t.Errorf("%s is %s, which is off by %s", what, got, d)
				}
			}
			c.Post(t, "/leads", object{"businessName": "Harbor Bakery"})
			theirs.Post(t, "/leads", object{"businessName": "Alder Flowers"})
			for _, got := range r.Await(t, 2) {
				seconds, err := strconv.ParseInt(got.Header.Get(webhook.HeaderTimestamp), 10, 64)
				if err != nil {
					t.Fatal(err)
				}
				near("the timestamp", time.Unix(seconds, 0), time.Now())
				if err := got.Verify(secret); err != nil {
					t.Error(err)
				}
			}
			ctx, read := a.Operator(t, c.Host), a.Store.Reader()
			tried := read.WebhookDelivery.Query().Where(webhookdelivery.Attempts(1), webhookdelivery.LockedUntilIsNil())
			until(t, "both were tried", func() bool { return tried.Clone().CountX(ctx) == 2 })
			for _, d := range tried.AllX(ctx) {
				if in := d.NextAttemptAt.Sub(d.UpdatedAt); in < 15*time.Second || in > 16500*time.Millisecond {
					t.Errorf("the next try is %s after the last", in)
				}
				near("the next try", *d.NextAttemptAt, time.Now().Add(16*time.Second))
			}
			theirs.Do(t, "POST", fmt.Sprintf("/webhook-endpoints/%d?action=rotate", id), nil).Want(t, http.StatusOK)
			near(
				"the end of the previous secret", *endpointRow(t, a, c.Host, id).PreviousSecretExpiresAt,
				time.Now().Add(24*time.Hour),
			)
			if n := len(r.Got()); n != 2 {
				t.Errorf("%d requests, want 2: one is of what happened before the endpoint was there", n)
			}
		})
	}
}
