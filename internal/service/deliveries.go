package service

import (
	"encoding/json"
	"fmt"

	"paydown/ent"
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
