package seeds

import (
	"context"
	"fmt"
	"net/http"

	"paydown/ent"
	"paydown/ent/outboxevent"
	"paydown/ent/webhookdelivery"
	"paydown/ent/webhookendpoint"
	"paydown/internal/service/delivery"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// Endpoint makes a webhook endpoint; its name is not looked up.
func (s Seeds) Endpoint(ctx context.Context, in delivery.WebhookEndpointInput) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		made, err := delivery.NewEndpoint(ctx, t, in)
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}

// SeedAttempt is how the receiver of a delivery took it: the HTTP status, and how its body began.
type SeedAttempt struct {
	Status, Milliseconds int
	Snippet              string
}

// Deliver notes how the deliveries of what has happened since the last time went: of each event that the endpoint wants,
// in order, up to a limit. A status outside of 2xx fails each after all of its tries; enough of them pause the endpoint.
func (s Seeds) Deliver(ctx context.Context, endpointID, limit int, went SeedAttempt) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := delivery.LockEndpoint(ctx, t, endpointID)
		if err != nil || !before.IsActive {
			return endpointID, err
		}
		events, err := undelivered(ctx, t, before, limit)
		if err != nil || len(events) == 0 {
			return endpointID, err
		}
		streak, arrived := before.FailureStreak, went.Status/100 == http.StatusOK/100
		for _, e := range events {
			if err := seedDelivery(ctx, t, endpointID, e, went, arrived); err != nil {
				return 0, err
			}
			if streak++; arrived {
				streak = 0
			}
			if streak == webhook.FailuresToPause {
				break
			}
		}
		changes := []input.Change{input.Set(webhookendpoint.FieldFailureStreak, streak)}
		if arrived {
			changes = append(changes, input.Set(webhookendpoint.FieldLastDeliveredAt, t.At()))
		}
		if streak == webhook.FailuresToPause {
			changes = append(changes, input.Set(webhookendpoint.FieldIsActive, false),
				input.Set(webhookendpoint.FieldDisabledAt, t.At()),
				input.Set(webhookendpoint.FieldDisabledReason, fmt.Sprintf("%d deliveries in a row failed", streak)))
		}
		update := t.WebhookEndpoint.Update().Where(webhookendpoint.ID(endpointID))
		after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
		if err == nil {
			t.Record("webhookEndpoint.update", "webhookEndpoint", endpointID, nil, before, after)
		}
		return endpointID, err
	})
}

// undelivered are the events since the last that was delivered to the endpoint, or since it was made, that it wants.
func undelivered(ctx context.Context, t *unit.Tx, endpoint *ent.WebhookEndpoint, limit int) ([]*ent.OutboxEvent, error) {
	last, err := t.WebhookDelivery.Query().Where(webhookdelivery.EndpointID(endpoint.ID)).
		Order(webhookdelivery.ByID(unit.Descending())).First(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return nil, err
	}
	q := t.OutboxEvent.Query().Where(outboxevent.OccurredAtGTE(endpoint.CreatedAt)).Order(outboxevent.ByID()).Limit(limit)
	if last != nil && last.OutboxEventID != nil {
		q.Where(outboxevent.IDGT(*last.OutboxEventID))
	}
	if !webhook.Wants(endpoint.Events, webhook.AllEvents) {
		q.Where(outboxevent.EventIn(endpoint.Events...))
	}
	return q.All(ctx)
}

func seedDelivery(ctx context.Context, t *unit.Tx, endpointID int, e *ent.OutboxEvent, went SeedAttempt, arrived bool) error {
	create, err := delivery.Delivery(t, endpointID, webhook.NewEnvelope(e.Event, e.Version, e.OccurredAt, e.Data))
	if err != nil {
		return err
	}
	create.SetOutboxEventID(e.ID).SetStatus(webhookdelivery.StatusFAILED).SetAttempts(1 + webhook.Retries).
		SetResponseStatus(went.Status).SetDurationMs(went.Milliseconds).SetResponseSnippet(went.Snippet).
		SetError(webhook.CodeStatus)
	if arrived {
		create.SetStatus(webhookdelivery.StatusDELIVERED).SetAttempts(1).SetDeliveredAt(t.At()).Mutation().ResetError()
	}
	made, err := create.Save(ctx)
	if err != nil {
		return err
	}
	tries := make([]*ent.DeliveryAttemptCreate, made.Attempts)
	for i := range tries {
		tries[i] = t.DeliveryAttempt.Create().SetDeliveryID(made.ID).SetNumber(1 + i).SetResponseStatus(went.Status).
			SetDurationMs(went.Milliseconds).SetResponseSnippet(went.Snippet).SetNillableError(made.Error)
	}
	return t.DeliveryAttempt.CreateBulk(tries...).Exec(ctx)
}
