package delivery

import (
	"context"

	"paydown/ent"
	"paydown/ent/deliveryattempt"
	"paydown/ent/webhookdelivery"
	"paydown/internal/auth"
	"paydown/internal/service/list"
)

// ByIDs returns the existing webhook endpoints among ids, by id.
func (s WebhookEndpoints) ByIDs(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int]*ent.WebhookEndpoint, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().WebhookEndpoint.Query())
}

// ByIDs returns the existing deliveries among ids, by id.
func (s WebhookDeliveries) ByIDs(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int]*ent.WebhookDelivery, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().WebhookDelivery.Query())
}

// Tries returns the attempts of each delivery, in order.
func (s WebhookDeliveries) Tries(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int][]*ent.DeliveryAttempt, error) {
	return list.ReadOfEach(ctx, through, deliveryattempt.FieldDeliveryID, ids,
		s.core.Store.Reader().DeliveryAttempt.Query())
}

// OfEndpoints returns a page of deliveries for each endpoint.
func (s WebhookDeliveries) OfEndpoints(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.WebhookDelivery], error) {
	return list.PageOfEach(ctx, s.core, WebhookDeliveryListing,
		list.Belonging{Filter: "endpointId", Column: webhookdelivery.FieldEndpointID}, ids,
		req, s.core.Store.Reader().WebhookDelivery.Query())
}
