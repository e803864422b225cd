package rpc_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/webhookdelivery"
	"paydown/internal/apptest"
	"paydown/internal/service"
	"paydown/internal/store"
)

const webhookService = "paydown.admin.v1.WebhookService/"

// failedPayload is the payload of a failed delivery.
const failedPayload = `{"event":"lead.created","version":1,"occurredAt":"2026-01-05T14:00:00Z","data":{"leadId":1}}`

// failedDeliveries creates an endpoint with n failed deliveries of a payload.
func failedDeliveries(t *testing.T, a *apptest.App, host string, n int, payload string) (endpoint int) {
	t.Helper()
	err := a.Store.Write(a.Operator(t, host), func(ctx context.Context, tx *store.Tx) error {
		e := tx.WebhookEndpoint.Create().
			SetURL("https://hooks.example").
			SetEvents([]string{"*"}).
			SetSecret([]byte("x")).
			SaveX(ctx)
		endpoint = e.ID
		rows := make([]*ent.WebhookDeliveryCreate, n)
		for i := range rows {
			rows[i] = tx.WebhookDelivery.Create().SetEndpointID(e.ID).SetMessageID(fmt.Sprintf("failed-%d-%d", e.ID, i)).
				SetEvent("lead.created").SetStatus(webhookdelivery.StatusFAILED).
				SetPayload([]byte(payload))
		}
		return tx.WebhookDelivery.CreateBulk(rows...).Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	return endpoint
}

// repeats counts how often each delivery to an endpoint was repeated.
func repeats(t *testing.T, a *apptest.App, host string, endpoint int) map[int]int {
	t.Helper()
	of, err := a.Store.Reader().WebhookDelivery.Query().
		Where(webhookdelivery.EndpointID(endpoint), webhookdelivery.RedeliveryOfIDNotNil()).
		Select(webhookdelivery.FieldRedeliveryOfID).Ints(a.Operator(t, host))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[int]int{}
	for _, id := range of {
		counts[id]++
	}
	return counts
}

// However many processes run recoveries, and however many recoveries there are, each failed delivery is
// repeated once.
func TestFailedDeliveriesAreRecoveredOnce(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		const n = 650
		host := a.Tenant(t, "recovery.test")
		endpoint := failedDeliveries(t, a, host, n, failedPayload)
		apps := []*apptest.App{a}
		if a.Store.IsPostgres() {
			apps = append(apps, a.Replica(t))
		}
		c := operator(a, token(t, a, service.NewAdminToken{Name: "ops"}).Token)
		var done sync.WaitGroup
		ended := make([]called, 2)
		for i := range ended {
			done.Go(func() {
				ended[i] = c.call(t, webhookService+"RecoverFailed", apptest.Object{"tenant": host, "endpointId": endpoint})
			})
		}
		for _, app := range apps {
			done.Go(func() {
				if err := app.WebhookRecoveries.CarryOut(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		done.Wait()
		made := 0
		for _, e := range ended {
			if e.code != "" || len(e.messages) == 0 {
				t.Fatalf("ended with %s %v", e.code, e.problem)
			}
			last := e.messages[len(e.messages)-1].In("recovery")
			if last.Text("state") != "DONE" || last.Int("redelivered")+last.Int("skipped") != last.Int("matched") {
				t.Errorf("it ends as %v", last)
			}
			made += last.Int("redelivered")
		}
		counts := repeats(t, a, host, endpoint)
		for id, times := range counts {
			if times != 1 {
				t.Errorf("delivery %d was repeated %d times", id, times)
			}
		}
		if len(counts) != n || made != n {
			t.Errorf("%d deliveries were repeated, and %d told of, want %d", len(counts), made, n)
		}
	})
}

// A recovery that cannot proceed delays others by no more than its own turns.
func TestFailedRecoveryDoesNotBlockOthers(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		broken, sound := a.Tenant(t, "broken.test"), a.Tenant(t, "sound.test")
		failedDeliveries(t, a, broken, 1, `"no envelope"`)
		endpoint := failedDeliveries(t, a, sound, 3, failedPayload)
		for _, host := range []string{broken, sound} {
			if _, err := a.WebhookRecoveries.Order(a.Operator(t, host), service.RecoveryOrder{}); err != nil {
				t.Fatal(err)
			}
		}
		deadline := time.Now().Add(patience)
		for len(repeats(t, a, sound, endpoint)) < 3 {
			if time.Now().After(deadline) {
				t.Fatal("the recovery of the other company is never carried out")
			}
			_ = a.WebhookRecoveries.CarryOut(t.Context()) // it fails, or the process itself has begun
		}
		if left, err := a.WebhookRecoveries.List(a.Operator(t, broken)); err != nil || len(left) != 1 ||
			left[0].FinishedAt != nil {
			t.Errorf("what cannot be carried out stands as %v: %v", left, err)
		}
	})
}
