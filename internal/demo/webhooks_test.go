package demo_test

import (
	"testing"

	"paydown/ent/outboxevent"
	"paydown/ent/webhookendpoint"
	"paydown/internal/webhook"
)

// checkHooks holds that one endpoint was turned off, that the other was tested, and that nothing of the history is
// delivered.
func (c contents) checkHooks(t *testing.T) {
	t.Helper()
	endpoints := c.read.WebhookEndpoint.Query().Order(webhookendpoint.ByID()).WithDeliveries().AllX(c.ctx)
	if len(endpoints) != 2 {
		t.Fatalf("there are %d webhook endpoints", len(endpoints))
	}
	off, on := endpoints[0], endpoints[1]
	if off.IsActive || len(off.Edges.Deliveries) != 0 {
		t.Errorf("the endpoint that is off is %v with %d deliveries", off, len(off.Edges.Deliveries))
	}
	if !on.IsActive || len(on.Edges.Deliveries) != 1 || on.Edges.Deliveries[0].Event != (webhook.Test{}).Event() {
		t.Errorf("the endpoint that is on is %v with the deliveries %v", on, on.Edges.Deliveries)
	}
	if n := c.read.OutboxEvent.Query().Where(outboxevent.FannedOutAtIsNil()).CountX(c.ctx); n != 0 {
		t.Errorf("%d events of the history would be delivered", n)
	}
}
