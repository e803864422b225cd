package e2e

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/fault"
	"paydown/internal/webhook"
)

// endpoint creates a webhook endpoint and returns its id and secret.
func endpoint(t *testing.T, c *apptest.Client, url string, events ...any) (id int, secret string) {
	t.Helper()
	made := c.Do(t, "POST", "/webhook-endpoints", object{"url": url, "events": events})
	if made.Status != 201 {
		t.Fatalf("endpoint: %d %s", made.Status, made.Body)
	}
	o := made.JSON(t)
	return o.In("webhookEndpoint").Int("id"), o.Text("secret")
}

// deliveries returns those of an endpoint, newest first.
func deliveries(t *testing.T, c *apptest.Client, id int) []apptest.Object {
	t.Helper()
	return c.Get(t, fmt.Sprintf("/webhook-endpoints/%d", id)).List("deliveries")
}

// awaitDelivery waits until the newest delivery of an endpoint has the wanted status.
func awaitDelivery(t *testing.T, c *apptest.Client, id int, what string, is func(apptest.Object) bool) apptest.Object {
	t.Helper()
	var last apptest.Object
	const pause = 2 * time.Millisecond // asks by REST, which announces nothing
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(pause) {
		if all := deliveries(t, c, id); len(all) > 0 {
			if last = all[0]; is(last) {
				return last
			}
		}
	}
	t.Fatalf("no delivery %s; the newest is %v", what, last)
	return nil
}

func TestAnEventReachesItsReceiver(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "events.test")
		r := apptest.NewReceiver(t, nil)
		id, secret := endpoint(t, c, r.URL+"/hook", "lead.created")
		lead := c.Do(t, "POST", "/leads", object{"businessName": "Harbor Bakery"}).JSON(t).In("lead")
		got := r.Await(t, 1)[0]
		if err := got.Verify(secret); err != nil {
			t.Error(err)
		}
		h := got.Header
		if got.Event != "lead.created" || h.Get(webhook.HeaderEvent) != got.Event || h.Get(webhook.HeaderID) != got.ID ||
			h.Get("User-Agent") != webhook.UserAgent || h.Get("Content-Type") != "application/json" ||
			h.Get(webhook.HeaderSignaturePrevious) != "" {
			t.Errorf("headers %v of %s", h, got.Body)
		}
		shown := awaitDelivery(
			t, c, id, "has arrived", func(o apptest.Object) bool { return o.Text("status") == "DELIVERED" },
		)
		if shown.Int("attempts") != 1 || shown.Int("responseStatus") != 200 || shown.Text("deliveredAt") == "" ||
			shown["error"] != nil ||
			shown.In("payload").In("data").Int("leadId") != lead.Int("id") {
			t.Errorf("the delivery is %v", shown)
		}
		if e := c.Get(t, fmt.Sprintf("/webhook-endpoints/%d", id)).In("webhookEndpoint"); e.Text("lastDeliveredAt") == "" {
			t.Errorf("the endpoint is %v", e)
		}
	}, apptest.Delivering())
}

func TestWhatFailsIsTriedAgainOnTime(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "retries.test")
		r := apptest.NewReceiver(t, func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusServiceUnavailable)
			_, _ = w.Write([]byte("down for now"))
		})
		id, _ := endpoint(t, c, r.URL, "*")
		c.Do(t, "POST", "/leads", object{"businessName": "Harbor Bakery"})
		for try, pause := range []time.Duration{
			0, 15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute,
		} {
			a.AdvanceAll(pause + pause/10)
			got := r.Await(t, try+1)
			if got[try].ID != got[0].ID || !bytes.Equal(got[try].Body, got[0].Body) {
				t.Errorf("try %d sends %s, the first sent %s", try+1, got[try].Body, got[0].Body)
			}
			status := "PENDING"
			if try == 5 {
				status = "FAILED"
			}
			shown := awaitDelivery(t, c, id, fmt.Sprintf("after try %d", try+1), func(o apptest.Object) bool {
				return o.Int("attempts") == try+1
			})
			if shown.Text("status") != status || shown.Text("error") != webhook.CodeStatus ||
				shown.Int("responseStatus") != 503 ||
				shown.Text("responseSnippet") != "down for now" ||
				shown["deliveredAt"] != nil {
				t.Errorf("after try %d: %v", try+1, shown)
			}
		}
	}, apptest.Delivering())
}

// A manual resend is the same event in a new message, whatever happened to the first.
func TestADeliveryIsRepeatedAsANewOne(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "again.test")
		staff, other := a.Operator(t, "again.test"), a.Operator(t, a.Tenant(t, "others.test"))
		r := apptest.NewReceiver(t, nil)
		id, _ := endpoint(t, c, r.URL, "lead.created")
		c.Do(t, "POST", "/leads", object{"businessName": "Harbor Bakery"})
		first := awaitDelivery(
			t, c, id, "has arrived", func(o apptest.Object) bool { return o.Text("status") == "DELIVERED" },
		)
		if _, err := a.WebhookDeliveries.Redeliver(other, first.ID()); fault.As(err) == nil ||
			fault.As(err).Code != fault.NotFound {
			t.Errorf("another tenant: %v", err)
		}
		again, err := a.WebhookDeliveries.Redeliver(staff, first.ID())
		if err != nil {
			t.Fatal(err)
		}
		got := r.Await(t, 2)
		if got[1].ID != again.MessageID || got[1].ID == got[0].ID || string(got[1].Data) != string(got[0].Data) ||
			got[1].OccurredAt != got[0].OccurredAt || got[1].Event != got[0].Event || got[1].Version != got[0].Version {
			t.Errorf("the first was %s, the second %s", got[0].Body, got[1].Body)
		}
		awaitDelivery(t, c, id, "has arrived again", func(o apptest.Object) bool {
			return o.ID() == again.ID && o.Text("status") == "DELIVERED"
		})
		c.Patch(t, fmt.Sprintf("/webhook-endpoints/%d", id), object{"isActive": false})
		if _, err := a.WebhookDeliveries.Redeliver(staff, first.ID()); fault.As(err) == nil ||
			fault.As(err).Code != fault.Conflict {
			t.Errorf("to an endpoint that is off: %v", err)
		}
	}, apptest.Delivering())
}
