package service

import (
	"context"
	"encoding/json"
	"fmt"

	"paydown/ent"
	"paydown/ent/webhookdelivery"
	"paydown/internal/webhook"
)

// delivery begins the record of an envelope that is on its way to an endpoint. It waits once the caller says when it is due.
func (t *tx) delivery(endpointID int, e webhook.Envelope) (*ent.WebhookDeliveryCreate, error) {
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

// endDeliveries ends what waits at an endpoint that is not active any more.
func (t *tx) endDeliveries(ctx context.Context, endpointID int) error {
	waiting, err := t.WebhookDelivery.Query().Where(webhookdelivery.EndpointID(endpointID),
		webhookdelivery.StatusEQ(webhookdelivery.StatusPENDING), locked).Order(webhookdelivery.ByID()).All(ctx)
	if err != nil {
		return err
	}
	changes := []columnChange{
		{webhookdelivery.FieldStatus, webhookdelivery.StatusFAILED},
		{webhookdelivery.FieldError, endpointInactive},
		{webhookdelivery.FieldNextAttemptAt, nil},
	}
	return allStored(ctx, t, "webhookDelivery", waiting, changes,
		func(ids []int) (ent.Mutation, func(context.Context) (int, error)) {
			update := t.WebhookDelivery.Update().Where(webhookdelivery.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}
