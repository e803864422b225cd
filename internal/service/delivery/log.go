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

// WebhookDeliveries are the log of what was sent to the tenant's endpoints in the last 30 days, and what is on its way.
type WebhookDeliveries struct {
	core     *unit.Core
	outbound *outbound
}

// WebhookDeliveryListing describes the log. It is kept in one order, since it is long.
var WebhookDeliveryListing = &list.Listing[ent.WebhookDelivery]{
	Resource: "webhookDeliveries", Scope: auth.Read("webhooks"), ByIDOnly: true,
	Filters: []list.Filter{
		{Name: "endpointId", Column: webhookdelivery.FieldEndpointID, Kind: list.IsID, Doc: "Only those to this endpoint"},
		{
			Name: "status", Column: webhookdelivery.FieldStatus, Kind: list.IsEnum, Values: webhookdelivery.Status("").Values(),
			Doc: "Only those of this status",
		},
		{
			Name: "event", Column: webhookdelivery.FieldEvent, Kind: list.IsEnum, Values: webhook.Events(),
			Doc: "Only those of this kind of event",
		},
	},
}

// List returns a page of the log.
func (s WebhookDeliveries) List(ctx context.Context, req list.Request) (*list.Page[ent.WebhookDelivery], error) {
	return list.Read(ctx, s.core, WebhookDeliveryListing, req, s.core.Store.Reader().WebhookDelivery.Query())
}

// Get returns one delivery with its tries, in their order.
func (s WebhookDeliveries) Get(ctx context.Context, id int) (*ent.WebhookDelivery, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("webhooks")); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().WebhookDelivery.Query().Where(webhookdelivery.ID(id)).
		WithTries(func(q *ent.DeliveryAttemptQuery) { q.Order(deliveryattempt.ByNumber()) }).Only(ctx)
	return row, unit.NotFound(err, "webhook delivery")
}

// Redeliver sends again what a delivery carried that is over: as a new delivery with an id of its own, tried like any
// other. That it fails does not count towards the pause of its endpoint, since the first one has been counted.
func (s WebhookDeliveries) Redeliver(ctx context.Context, id int) (*ent.WebhookDelivery, error) {
	return unit.Write(ctx, s.core, auth.Write("webhooks"), func(ctx context.Context, t *unit.Tx) (*ent.WebhookDelivery, error) {
		before, err := t.WebhookDelivery.Get(ctx, id)
		if err != nil {
			return nil, unit.NotFound(err, "webhook delivery")
		}
		// Whatever ends deliveries has the endpoint locked, and what is deleted takes its deliveries along.
		endpoint, err := lockEndpoint(ctx, t, before.EndpointID)
		if err != nil {
			return nil, err
		}
		if before, err = t.WebhookDelivery.Get(ctx, id); err != nil {
			return nil, unit.NotFound(err, "webhook delivery")
		}
		if before.Status == webhookdelivery.StatusPENDING {
			return nil, fault.Conflictf("The delivery is still under way; it is tried again by itself.")
		}
		if !endpoint.IsActive {
			return nil, fault.Conflictf("The webhook endpoint is not active, so that nothing is delivered to it.").
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

// repeat begins the record of what a delivery carried, on its way once more.
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

// repeated is an envelope like one that was sent, with an id of its own.
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

// QueueDepth is how far behind the deliveries of all tenants are, for operators. Every process sees the same.
func (s WebhookDeliveries) QueueDepth(ctx context.Context) (*store.QueueDepth, error) {
	return s.core.Store.QueueDepth(ctx)
}

// InFlight is how many deliveries this process is trying at the moment.
func (s WebhookDeliveries) InFlight() int {
	if s.outbound.dispatcher == nil {
		return 0
	}
	return s.outbound.dispatcher.InFlight()
}

// Happened says that events were committed past the service's own writes, which say so by themselves.
func (s WebhookDeliveries) Happened(ctx context.Context) { s.outbound.happened(ctx) }
