package delivery

import (
	"context"
	"encoding/json"
	"fmt"

	"paydown/ent"
	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// deliveryOf starts the record of a delivery of an envelope to an endpoint. The delivery becomes pending once
// the caller sets its due time.
func deliveryOf(t *unit.Tx, endpointID int, e webhook.Envelope) (*ent.WebhookDeliveryCreate, error) {
	payload, err := json.Marshal(e)
	if err != nil {
		return nil, fmt.Errorf("envelope of %s: %w", e.Event, err)
	}
	return t.WebhookDelivery.Create().SetEndpointID(endpointID).SetMessageID(e.ID).SetEvent(e.Event).
		SetPayload(payload), nil
}

// endpointInactive is the error of a delivery that was pending when its endpoint was turned off or paused. It
// does not count as a failure of the endpoint.
const endpointInactive = "endpoint_inactive"

// endDeliveries ends the pending deliveries to an endpoint that is no longer active. A delivery that is being
// tried now is left to the outcome of that try. The delivery log records each one; the audit trail records
// only the endpoint.
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

// queue stores a delivery that is due now.
func queue(ctx context.Context, t *unit.Tx, create *ent.WebhookDeliveryCreate) (*ent.WebhookDelivery, error) {
	now, err := t.Clock(ctx)
	if err != nil {
		return nil, err
	}
	t.SignalDeliveries(ctx)
	return create.SetNextAttemptAt(now).Save(ctx)
}
