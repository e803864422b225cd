package delivery

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"paydown/ent"
	"paydown/ent/deliveryattempt"
	"paydown/ent/webhookdelivery"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// WebhookDeliveries are the pending deliveries and the log of the last 30 days of the tenant's endpoints.
type WebhookDeliveries struct {
	core     *unit.Core
	outbound *outbound
}

// WebhookDeliveryListing describes the log. It has only one sort order, because the log is long.
var WebhookDeliveryListing = &list.Listing[ent.WebhookDelivery]{
	Resource: "webhookDeliveries", Scope: auth.Read("webhooks"), ByIDOnly: true,
	Filters: []list.Filter{
		{
			Name: "endpointId", Column: webhookdelivery.FieldEndpointID, Kind: list.IsID,
			Doc: "Only deliveries to this endpoint",
		},
		{
			Name: "status", Column: webhookdelivery.FieldStatus, Kind: list.IsEnum, Values: webhookdelivery.Status("").Values(),
			Doc: "Only deliveries with this status",
		},
		{
			Name: "event", Column: webhookdelivery.FieldEvent, Kind: list.IsEnum, Values: webhook.Events(),
			Doc: "Only deliveries of this kind of event",
		},
	},
}

// List returns a page of webhook deliveries.
func (s WebhookDeliveries) List(ctx context.Context, req list.Request) (*list.Page[ent.WebhookDelivery], error) {
	return list.Read(ctx, s.core, WebhookDeliveryListing, req, s.core.Store.Reader().WebhookDelivery.Query())
}

// Get returns one delivery with its attempts in order.
func (s WebhookDeliveries) Get(ctx context.Context, id int) (*ent.WebhookDelivery, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("webhooks")); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().WebhookDelivery.Query().Where(webhookdelivery.ID(id)).
		WithTries(func(q *ent.DeliveryAttemptQuery) { q.Order(deliveryattempt.ByNumber()) }).Only(ctx)
	return row, unit.NotFound(err, "webhook delivery")
}

// Redeliver sends the payload of a finished delivery again, as a new delivery with its own id and the usual
// retries. A failure does not count towards pausing the endpoint, because the first delivery already counted.
func (s WebhookDeliveries) Redeliver(ctx context.Context, id int) (*ent.WebhookDelivery, error) {
	return unit.Write(ctx, s.core, auth.Write("webhooks"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.WebhookDelivery, error) {
		before, err := t.WebhookDelivery.Get(ctx, id)
		if err != nil {
			return nil, unit.NotFound(err, "webhook delivery")
		}
		// Everything that ends deliveries locks the endpoint first, and deleting an endpoint deletes its
		// deliveries.
		endpoint, err := lockEndpoint(ctx, t, before.EndpointID)
		if err != nil {
			return nil, err
		}
		if before, err = t.WebhookDelivery.Get(ctx, id); err != nil {
			return nil, unit.NotFound(err, "webhook delivery")
		}
		if before.Status == webhookdelivery.StatusPENDING {
			return nil, fault.Conflictf("The delivery is still in progress and is retried automatically.")
		}
		if !endpoint.IsActive {
			return nil, fault.Conflictf("The webhook endpoint is not active. Turn it on first.").
				With("isActive", "must be true")
		}
		return redeliver(ctx, t, before)
	})
}

func redeliver(ctx context.Context, t *unit.Tx, before *ent.WebhookDelivery) (*ent.WebhookDelivery, error) {
	create, err := repeat(t, before)
	if err != nil {
		return nil, err
	}
	made, err := queue(ctx, t, create)
	if err != nil {
		return nil, err
	}
	t.Record("webhookDelivery.redeliver", "webhookDelivery", made.ID, nil, nil, made)
	return made, nil
}

// repeat starts the record of a redelivery.
func repeat(t *unit.Tx, before *ent.WebhookDelivery) (*ent.WebhookDeliveryCreate, error) {
	envelope, err := repeated(before.Payload)
	if err != nil {
		return nil, fmt.Errorf("envelope of delivery %d: %w", before.ID, err)
	}
	create, err := deliveryOf(t, before.EndpointID, envelope)
	if err != nil {
		return nil, err
	}
	return create.SetNillableOutboxEventID(before.OutboxEventID).SetRedeliveryOfID(before.ID), nil
}

// repeated returns a copy of a sent envelope with a new id.
func repeated(payload json.RawMessage) (webhook.Envelope, error) {
	var sent struct {
		Event      string          `json:"event"`
		Version    int             `json:"version"`
		OccurredAt time.Time       `json:"occurredAt"`
		Data       json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(payload, &sent); err != nil {
		return webhook.Envelope{}, err
	}
	return webhook.NewEnvelope(sent.Event, sent.Version, sent.OccurredAt, sent.Data), nil
}

// QueueDepth returns the backlog of deliveries of all tenants, for operators. It is the same in every
// process.
func (s WebhookDeliveries) QueueDepth(ctx context.Context) (*store.QueueDepth, error) {
	return s.core.Store.QueueDepth(ctx)
}

// InFlight returns how many deliveries this process is trying now.
func (s WebhookDeliveries) InFlight() int {
	if s.outbound.dispatcher == nil {
		return 0
	}
	return s.outbound.dispatcher.InFlight()
}

// Happened signals that events were committed outside of the service's own writes, which signal this
// themselves.
func (s WebhookDeliveries) Happened(ctx context.Context) { s.outbound.happened(ctx) }
