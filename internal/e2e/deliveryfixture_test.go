package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/user"
	"paydown/ent/webhookdelivery"
	"paydown/ent/webhookendpoint"
	"paydown/internal/apptest"
	"paydown/internal/store"
)

// messages returns how often each message came, by id.
func messages(got []apptest.Received) map[string]int {
	times := map[string]int{}
	for _, r := range got {
		times[r.ID]++
	}
	return times
}

// lastTries queues n deliveries to an endpoint that have one attempt left each.
func lastTries(t *testing.T, a *apptest.App, host string, endpoint, n int) {
	t.Helper()
	queued(t, a, host, n, func(i int, now time.Time, d *ent.WebhookDeliveryCreate) {
		d.SetEndpointID(endpoint).SetAttempts(5).SetNextAttemptAt(now)
	})
}

// waitingTries queues n deliveries to an endpoint that are due in an hour.
func waitingTries(t *testing.T, a *apptest.App, host string, endpoint, n int) {
	t.Helper()
	queued(t, a, host, n, func(_ int, now time.Time, d *ent.WebhookDeliveryCreate) {
		d.SetEndpointID(endpoint).SetAttempts(1).SetNextAttemptAt(now.Add(time.Hour))
	})
}

var queuedSoFar = make(chan int, 1)

func init() { queuedSoFar <- 0 }

func queued(t *testing.T, a *apptest.App, host string, n int, fill func(int, time.Time, *ent.WebhookDeliveryCreate)) {
	t.Helper()
	base := <-queuedSoFar
	queuedSoFar <- base + n
	err := a.Store.Write(a.Operator(t, host), func(ctx context.Context, tx *store.Tx) error {
		now, err := tx.Clock(ctx)
		if err != nil {
			return err
		}
		rows := make([]*ent.WebhookDeliveryCreate, n)
		for i := range rows {
			rows[i] = tx.WebhookDelivery.Create().SetMessageID(fmt.Sprintf("msg_queued%d", base+i)).SetEvent("lead.created").
				SetPayload([]byte(fmt.Sprintf(`{"id":"msg_queued%d","event":"lead.created","version":1,"data":{}}`, base+i)))
			fill(i, now, rows[i])
		}
		return tx.WebhookDelivery.CreateBulk(rows...).Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// statuses counts the deliveries to an endpoint by status and error.
func statuses(t *testing.T, a *apptest.App, host string, endpoint int) map[string]int {
	t.Helper()
	counts := map[string]int{}
	sent := a.Store.Reader().WebhookDelivery.Query().Where(webhookdelivery.EndpointID(endpoint))
	for _, d := range sent.AllX(a.Operator(t, host)) {
		text := string(d.Status)
		if d.Error != nil {
			text += " " + *d.Error
		}
		counts[text]++
	}
	return counts
}

// endpointRow is an endpoint as it is stored.
func endpointRow(t *testing.T, a *apptest.App, host string, id int) *ent.WebhookEndpoint {
	t.Helper()
	return a.Store.Reader().WebhookEndpoint.Query().Where(webhookendpoint.ID(id)).OnlyX(a.Operator(t, host))
}

// administrators creates staff members who may edit the company's settings.
func administrators(t *testing.T, a *apptest.App, host string, emails ...string) {
	t.Helper()
	err := a.Store.Write(a.Operator(t, host), func(ctx context.Context, tx *store.Tx) error {
		role, err := tx.Role.Create().SetName("everything").SetPermissions([]string{"*"}).Save(ctx)
		for _, email := range emails {
			if err == nil {
				err = tx.User.Create().SetEmail(email).SetName("Staff").SetRoleID(role.ID).Exec(ctx)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// notified returns the notifications of staff members, by address.
func notified(t *testing.T, a *apptest.App, host string) map[string]int {
	t.Helper()
	ctx, counts := a.Operator(t, host), map[string]int{}
	for _, n := range a.Store.Reader().Notification.Query().AllX(ctx) {
		counts[a.Store.Reader().User.Query().Where(user.ID(n.UserID)).OnlyX(ctx).Email]++
	}
	return counts
}

// endLeases ends all leases at once.
func endLeases(ctx context.Context, s *store.Store) error {
	return s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		past := time.Now().Add(-time.Minute)
		return tx.WebhookDelivery.Update().Where(webhookdelivery.LockedUntilNotNil()).
			SetLockedUntil(past).SetNextAttemptAt(past).Exec(ctx)
	})
}

// happenTo commits n events of a tenant in one write.
func happenTo(t *testing.T, a *apptest.App, host string, n int) {
	t.Helper()
	err := a.Store.Write(a.Operator(t, host), func(ctx context.Context, tx *store.Tx) error {
		rows := make([]*ent.OutboxEventCreate, n)
		for i := range rows {
			rows[i] = tx.OutboxEvent.Create().
				SetEvent("lead.created").
				SetOccurredAt(tx.At()).
				SetEntity("lead").
				SetEntityID(i + 1).
				SetData([]byte(fmt.Sprintf(`{"leadId":%d}`, i+1)))
		}
		return tx.OutboxEvent.CreateBulk(rows...).Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
}
