package demo_test

import (
	"testing"

	"paydown/ent"
	"paydown/ent/deliveryattempt"
	"paydown/ent/outboxevent"
	"paydown/ent/webhookdelivery"
	"paydown/ent/webhookendpoint"
)

// checkHooks holds that one endpoint was paused after its deliveries failed, and that the other gets its own.
func (c contents) checkHooks(t *testing.T) {
	t.Helper()
	endpoints := c.read.WebhookEndpoint.Query().Order(webhookendpoint.ByID()).WithDeliveries().AllX(c.ctx)
	if len(endpoints) != 2 {
		t.Fatalf("there are %d webhook endpoints", len(endpoints))
	}
	paused, active := endpoints[0], endpoints[1]
	failed, delivered := paused.Edges.Deliveries, active.Edges.Deliveries
	byStatus := func(d *ent.WebhookDelivery) string { return string(d.Status) }
	countBy(failed, byStatus).is(t, "the deliveries to the paused endpoint", counts{"FAILED": 20})
	if paused.IsActive || paused.DisabledAt == nil || paused.DisabledReason == nil || paused.FailureStreak != 20 {
		t.Errorf("it is %v", paused)
	}
	if n := countBy(delivered, byStatus); n["DELIVERED"] == 0 || len(n) != 1 {
		t.Errorf("the deliveries to the active endpoint are %v", n)
	}
	if !active.IsActive || active.FailureStreak != 0 || active.LastDeliveredAt == nil {
		t.Errorf("it is %v", active)
	}
	if n := c.read.OutboxEvent.Query().Where(outboxevent.FannedOutAtIsNil()).CountX(c.ctx); n != 0 {
		t.Errorf("%d events of the history would be delivered", n)
	}
	for _, d := range append(failed, delivered...) {
		if d.NextAttemptAt != nil || d.OutboxEventID == nil || (d.Status == webhookdelivery.StatusFAILED) != (d.Error != nil) ||
			(d.Status == webhookdelivery.StatusDELIVERED) != (d.DeliveredAt != nil) {
			t.Errorf("delivery %v", d)
		}
		if n := c.read.DeliveryAttempt.Query().Where(deliveryattempt.DeliveryID(d.ID)).CountX(c.ctx); n != d.Attempts {
			t.Errorf("delivery %d was tried %d times and has %d tries", d.ID, d.Attempts, n)
		}
	}
}
