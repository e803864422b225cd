package delivery

import (
	"context"
	"encoding/json"
	"fmt"

	"paydown/ent"
	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// deliveryOf begins the record of an envelope that is on its way to an endpoint. It waits once the caller says when it is due.
func deliveryOf(t *unit.Tx, endpointID int, e webhook.Envelope) (*ent.WebhookDeliveryCreate, error) {
	payload, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("envelope of %s: %w", e.Event, err)
	}
	return t.WebhookDelivery.Create().SetEndpointID(endpointID).SetMessageID(e.ID).SetEvent(e.Event).
		SetPayload(payload), nil
}

// endpointInactive is why a delivery failed that waited at an endpoint when that was turned off or paused. It is none of
// the endpoint's failures.
const endpointInactive = "endpoint_inactive"

// endDeliveries ends what waits at an endpoint that is not active any more, but for what is being tried at the moment: of
// that, what comes of the try decides. The log of deliveries tells of each, the audit trail of the endpoint alone.
func (o *outbound) endDeliveries(ctx context.Context, t *unit.Tx, endpointID int) error {
	now, err := t.Clock(ctx)
	if err != nil {
		return err
	}
	n, err := t.DropDeliveries(ctx, now, t.Actor.TenantID, endpointID, endpointInactive)
	if d := o.dispatcher; d != nil {
		t.AfterCommit(func() { d.Ended(n) })
	}
	return err
}

// queue stores a delivery that is due at once.
func queue(ctx context.Context, t *unit.Tx, create *ent.WebhookDeliveryCreate) (*ent.WebhookDelivery, error) {
	now, err := t.Clock(ctx)
	if err != nil {
		return nil, err
	}
	t.SignalDeliveries(ctx)
	return create.SetNextAttemptAt(now).Save(ctx)
}
