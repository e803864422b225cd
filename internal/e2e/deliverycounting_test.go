package e2e

import (
	"bytes"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"paydown/ent/auditentry"
	"paydown/ent/webhookdelivery"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
	"paydown/internal/webhook"
)

// status answers alike.
func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

// streakIs waits until the endpoint has this streak of failures.
func streakIs(t *testing.T, a *apptest.App, host string, id, want int) {
	t.Helper()
	until(
		t, fmt.Sprintf("the streak is %d", want), func() bool { return endpointRow(t, a, host, id).FailureStreak == want },
	)
}

func TestTwentyFailuresInARowPause(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "streak.test")
		administrators(t, a, c.Host, "one@streak.test", "two@streak.test")
		r := apptest.NewReceiver(t, status(500))
		id, _ := endpoint(t, c, r.URL, "*")
		lastTries(t, a, c.Host, id, 19)
		streakIs(t, a, c.Host, id, 19)
		r.Answer(nil)
		lastTries(t, a, c.Host, id, 1)
		streakIs(t, a, c.Host, id, 0)
		r.Answer(status(500))
		lastTries(t, a, c.Host, id, 19)
		streakIs(t, a, c.Host, id, 19)
		if e := endpointRow(t, a, c.Host, id); !e.IsActive || len(notified(t, a, c.Host)) != 0 {
			t.Fatalf("19 failures after a success paused it: %v", e)
		}

		before := deliveries(t, c, id)[0].ID()
		redelivered, err := a.WebhookDeliveries.Redeliver(a.Operator(t, c.Host), before)
		if err != nil {
			t.Fatal(err)
		}
		for try := 1; try <= 6; try++ {
			until(t, fmt.Sprintf("the redelivery was tried %d times", try), func() bool {
				return a.Store.Reader().WebhookDelivery.GetX(a.Operator(t, c.Host), redelivered.ID).Attempts == try
			})
			a.AdvanceAll(5 * time.Minute)
		}
		if e := endpointRow(t, a, c.Host, id); e.FailureStreak != 19 || !e.IsActive {
			t.Fatalf("a redelivery that failed was counted: %v", e)
		}

		waitingTries(t, a, c.Host, id, 3)
		lastTries(t, a, c.Host, id, 1)
		until(t, "the endpoint is paused", func() bool { return !endpointRow(t, a, c.Host, id).IsActive })
		e := c.Get(t, fmt.Sprintf("/webhook-endpoints/%d", id)).In("webhookEndpoint")
		if e.Int("failureStreak") != 20 || e.Text("disabledAt") == "" || e.Text("disabledReason") == "" {
			t.Errorf("the paused endpoint is %v", e)
		}
		if got := statuses(t, a, c.Host, id); got["FAILED endpoint_inactive"] != 3 || got["PENDING"] != 0 {
			t.Errorf("its deliveries are %v", got)
		}
		pausedOnce(t, a, c.Host, "one@streak.test", "two@streak.test")

		c.Patch(t, fmt.Sprintf("/webhook-endpoints/%d", id), object{"isActive": true})
		if e := endpointRow(t, a, c.Host, id); e.FailureStreak != 0 || e.DisabledAt != nil || e.DisabledReason != nil {
			t.Errorf("turned on again it is %v", e)
		}
		lastTries(t, a, c.Host, id, 1)
		streakIs(t, a, c.Host, id, 1)
	}, apptest.Delivering())
}

// pausedOnce checks that the audit trail has one pause, and that each administrator has one notification.
func pausedOnce(t *testing.T, a *apptest.App, host string, administrators ...string) {
	t.Helper()
	entries := a.Store.Reader().
		AuditEntry.Query().
		Where(auditentry.Action("webhookEndpoint.pause")).
		CountX(a.Operator(t, host))
	if entries != 1 {
		t.Errorf("%d entries of the audit trail tell of a pause, want one", entries)
	}
	want := map[string]int{}
	for _, email := range administrators {
		want[email] = 1
	}
	if got := notified(t, a, host); !maps.Equal(got, want) {
		t.Errorf("notified are %v, want %v", got, want)
	}
}

func TestSeveralProcessesPauseOnce(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "together.test")
		administrators(t, a, c.Host, "one@together.test")
		r := apptest.NewReceiver(t, status(500))
		id, _ := endpoint(t, c, r.URL, "*")
		if a.Store.IsPostgres() {
			a.Replica(t, apptest.Delivering())
			a.Replica(t, apptest.Delivering())
		}
		lastTries(t, a, c.Host, id, 60)
		until(t, "all are over", func() bool { return statuses(t, a, c.Host, id)["PENDING"] == 0 })
		if e := endpointRow(t, a, c.Host, id); e.IsActive || e.FailureStreak != 20 {
			t.Errorf("the endpoint is %v", e)
		}
		pausedOnce(t, a, c.Host, "one@together.test")
	}, apptest.Delivering())
}

// A sandbox has no staff of its own: the company's administrators are notified of a pause there.
func TestAPauseInASandboxIsToldToItsCompany(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "company.test")
		administrators(t, a, c.Host, "one@company.test")
		sandbox, err := a.Tenants.ProvisionSandbox(t.Context(), c.Host)
		if err != nil {
			t.Fatal(err)
		}
		test := a.As(
			c.Host,
			a.NewKey(t, c.Host, service.NewKey{Name: "sandbox", Kind: auth.Test, Scopes: auth.AllScopes().Strings()}).Token,
		)
		id, _ := endpoint(t, test, apptest.NewReceiver(t, status(500)).URL, "*")
		lastTries(t, a, sandbox.Host, id, 20)
		until(t, "the endpoint is paused", func() bool { return !endpointRow(t, a, sandbox.Host, id).IsActive })
		if got := notified(t, a, c.Host); got["one@company.test"] != 1 {
			t.Errorf("the company's notifications are %v", got)
		}
		n := a.Store.Reader().Notification.Query().OnlyX(a.Operator(t, c.Host))
		if !strings.HasPrefix(n.Title, "Sandbox: ") || n.EntityID != nil {
			t.Errorf("they are told %v", n)
		}
	}, apptest.Delivering())
}

func TestTurnedOffMidRetry(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "off.test")
		administrators(t, a, c.Host, "one@off.test")
		r, other := apptest.NewReceiver(t, status(500)), apptest.NewReceiver(t, nil)
		id, _ := endpoint(t, c, r.URL, "*")
		gone, _ := endpoint(t, c, r.URL, "*")
		endpoint(t, c, other.URL, "*")
		c.Post(t, "/leads", object{"businessName": "Harbor Bakery"})
		for _, e := range []int{id, gone} {
			awaitDelivery(t, c, e, "was tried", func(o apptest.Object) bool { return o.Int("attempts") == 1 })
		}
		c.Patch(t, fmt.Sprintf("/webhook-endpoints/%d", id), object{"isActive": false})
		c.Delete(t, fmt.Sprintf("/webhook-endpoints/%d", gone))
		if got := statuses(t, a, c.Host, id); !maps.Equal(got, map[string]int{"FAILED endpoint_inactive": 1}) {
			t.Errorf("its deliveries are %v", got)
		}
		a.AdvanceAll(time.Minute)
		c.Post(t, "/leads", object{"businessName": "Alder Flowers"})
		other.Await(t, 2) // the dispatcher has looked since
		if n := len(r.Got()); n != 2 {
			t.Errorf("%d requests, want the first tries alone", n)
		}
		if e := endpointRow(t, a, c.Host, id); e.FailureStreak != 0 || e.DisabledAt != nil ||
			len(notified(t, a, c.Host)) != 0 {
			t.Errorf("turned off, the endpoint is %v", e)
		}
		if n := len(deliveries(t, c, id)); n != 1 {
			t.Errorf("it has %d deliveries, want 1", n)
		}
	}, apptest.Delivering())
}

func TestChangedMidRetry(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "moved.test")
		old, moved := apptest.NewReceiver(t, status(500)), apptest.NewReceiver(t, nil)
		id, first := endpoint(t, c, old.URL, "lead.created")
		path := fmt.Sprintf("/webhook-endpoints/%d", id)
		c.Post(t, "/leads", object{"businessName": "Harbor Bakery"})
		awaitDelivery(t, c, id, "was tried", func(o apptest.Object) bool { return o.Int("attempts") == 1 })
		second := c.Do(t, "POST", path+"?action=rotate", nil).JSON(t).Text("secret")
		c.Patch(t, path, object{"url": moved.URL, "events": []string{"deal.created"}})
		c.Post(t, "/leads", object{"businessName": "Alder Flowers"}) // of which it does not hear any more
		a.AdvanceAll(17 * time.Second)
		got := moved.Await(t, 1)[0]
		if want := old.Got()[0]; got.ID != want.ID || !bytes.Equal(got.Body, want.Body) {
			t.Errorf("the retry is %s, the first try was %s", got.Body, want.Body)
		}
		signedBy(t, got, second, first)
		awaitDelivery(t, c, id, "has arrived", func(o apptest.Object) bool { return o.Text("status") == "DELIVERED" })
		if n := len(deliveries(t, c, id)); n != 1 || len(old.Got()) != 1 || len(moved.Got()) != 1 {
			t.Errorf("%d deliveries, %d requests to the old address and %d to the new", n, len(old.Got()), len(moved.Got()))
		}
	}, apptest.Delivering())
}

// signedBy checks that a delivery is signed by a secret and, unless previous is "", by the previous one.
func signedBy(t *testing.T, got apptest.Received, current, previous string) {
	t.Helper()
	at, signature := got.Header.Get(webhook.HeaderTimestamp), got.Header.Get(webhook.HeaderSignaturePrevious)
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	when := time.Unix(seconds, 0)
	if err := webhook.Verify(current, at, got.Header.Get(webhook.HeaderSignature), got.Body, when); err != nil {
		t.Errorf("by the current secret: %v", err)
	}
	if previous == "" {
		if signature != "" {
			t.Error("a previous secret signs still")
		}
		return
	}
	if err := webhook.Verify(previous, at, signature, got.Body, when); err != nil {
		t.Errorf("by the previous secret: %v", err)
	}
}

func TestThePreviousSecretSignsForADay(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "rotate.test")
		r := apptest.NewReceiver(t, nil)
		id, first := endpoint(t, c, r.URL, "*")
		path := fmt.Sprintf("/webhook-endpoints/%d", id)
		rotate := func() string { return c.Do(t, "POST", path+"?action=rotate", nil).JSON(t).Text("secret") }
		sent := 0
		next := func() apptest.Received {
			c.Do(t, "POST", path+"?action=test", nil).Want(t, http.StatusAccepted)
			sent++
			got := r.Await(t, sent)[sent-1]
			// A delivery whose result is not stored before the clock passes its lease is sent once more.
			until(t, fmt.Sprintf("%d deliveries are stored", sent), func() bool {
				return statuses(t, a, c.Host, id)["DELIVERED"] == sent
			})
			return got
		}
		signedBy(t, next(), first, "")
		second := rotate()
		signedBy(t, next(), second, first)
		a.AdvanceAll(12 * time.Hour)
		third := rotate()
		signedBy(t, next(), third, second) // and not by the first
		a.AdvanceAll(24*time.Hour - 2*time.Minute)
		signedBy(t, next(), third, second)
		a.AdvanceAll(2 * time.Minute)
		signedBy(t, next(), third, "")
	}, apptest.Delivering())
}

// If no name server answers, the delivery waits: neither an attempt nor a failure is counted.
func TestWhatFailsForUsIsNotCounted(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "ours.test")
		r := apptest.NewReceiver(t, nil)
		at, err := url.Parse(r.URL)
		if err != nil {
			t.Fatal(err)
		}
		a.Names.Set("hooks.example.com", "127.0.0.1")
		id, _ := endpoint(t, c, "http://hooks.example.com:"+at.Port()+"/", "*")
		a.Names.Down(true)
		c.Post(t, "/leads", object{"businessName": "Harbor Bakery"})
		for claim := range int64(10) {
			until(t, fmt.Sprintf("it is claimed %d times and given back", claim+1), func() bool {
				row := a.Store.Reader().WebhookDelivery.Query().Where(webhookdelivery.EndpointID(id)).AllX(a.Operator(t, c.Host))
				return len(row) == 1 && row[0].Fence >= claim+1 && row[0].LockedUntil == nil
			})
			a.AdvanceAll(11 * time.Second)
		}
		d := deliveries(t, c, id)[0]
		if d.Int("attempts") != 0 || d.Text("status") != "PENDING" || d["error"] != nil {
			t.Errorf("the delivery is %v", d)
		}
		a.Names.Down(false)
		a.AdvanceAll(11 * time.Second)
		d = awaitDelivery(t, c, id, "has arrived", func(o apptest.Object) bool { return o.Text("status") == "DELIVERED" })
		if d.Int("attempts") != 1 || len(r.Got()) != 1 || endpointRow(t, a, c.Host, id).FailureStreak != 0 {
			t.Errorf("the delivery is %v", d)
		}
	}, apptest.Delivering())
}

// Three processes fan out events, and each event reaches each endpoint once.
func TestEachEventReachesEachEndpointOnce(t *testing.T) {
	t.Parallel()
	const events = 500
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "once.test")
		receivers := make([]*apptest.Receiver, 3)
		for i := range receivers {
			receivers[i] = apptest.NewReceiver(t, nil)
			endpoint(t, c, receivers[i].URL, "*")
		}
		if a.Store.IsPostgres() {
			a.Replica(t, apptest.Delivering())
			a.Replica(t, apptest.Delivering())
		}
		happenTo(t, a, c.Host, events)
		for i, r := range receivers {
			got := messages(r.Await(t, events))
			if len(got) != events {
				t.Errorf("endpoint %d got %d messages, want %d", i, len(got), events)
			}
		}
		ctx, read := a.Operator(t, c.Host), a.Store.Reader()
		until(t, "all are over", func() bool {
			return read.WebhookDelivery.Query().Where(webhookdelivery.StatusEQ(webhookdelivery.StatusPENDING)).CountX(ctx) == 0
		})
		if n := read.WebhookDelivery.Query().CountX(ctx); n != 3*events {
			t.Errorf("%d deliveries, want %d", n, 3*events)
		}
		for i, r := range receivers {
			if n := len(r.Got()); n != events {
				t.Errorf("endpoint %d got %d requests, want %d", i, n, events)
			}
		}
	}, apptest.Delivering())
}

// An endpoint gets no event from before it was created, and none of another tenant.
func TestEndpointsHearOfTheirOwnAndOfWhatIsNew(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c, other := a.Client(t, "live.test"), a.Client(t, "other.test")
		if _, err := a.Tenants.ProvisionSandbox(t.Context(), c.Host); err != nil {
			t.Fatal(err)
		}
		test := a.As(
			c.Host,
			a.NewKey(t, c.Host, service.NewKey{Name: "sandbox", Kind: auth.Test, Scopes: auth.AllScopes().Strings()}).Token,
		)
		heard := map[*apptest.Client]*apptest.Receiver{}
		for _, client := range []*apptest.Client{c, other, test} {
			client.Post(t, "/leads", object{"businessName": "Before the endpoint"})
			heard[client] = apptest.NewReceiver(t, nil)
			endpoint(t, client, heard[client].URL, "*")
		}
		var names atomic.Int64
		for client := range heard {
			for range 3 {
				client.Post(t, "/leads", object{"businessName": fmt.Sprintf("%s %d", client.Token[:9]+client.Host, names.Add(1))})
			}
		}
		a.Replica(t, apptest.Delivering()) // until now there was no process that delivers
		for client, r := range heard {
			r.Await(t, 3)
			until(t, "its deliveries are over", func() bool {
				list := client.Get(t, "/webhook-endpoints").List("webhookEndpoints")
				all := deliveries(t, client, list[0].ID())
				return len(all) == 3 && !slices.ContainsFunc(all, func(o object) bool { return o.Text("status") != "DELIVERED" })
			})
		}
		for client, r := range heard {
			for _, got := range r.Got() {
				if !strings.Contains(string(got.Body), client.Token[:9]+client.Host) {
					t.Errorf("%s of %s hears %s", client.Token[:9], client.Host, got.Body)
				}
			}
			if len(r.Got()) != 3 {
				t.Errorf("%s of %s got %d requests, want 3", client.Token[:9], client.Host, len(r.Got()))
			}
		}
	}, apptest.AllowingLoopback())
}
