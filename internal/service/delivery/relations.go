package delivery

import (
	"context"

	"paydown/ent"
	"paydown/ent/deliveryattempt"
	"paydown/ent/webhookdelivery"
	"paydown/internal/auth"
	"paydown/internal/service/list"
)

// ByIDs returns those of the webhook endpoints that there are, by id.
func (s WebhookEndpoints) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.WebhookEndpoint, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().WebhookEndpoint.Query())
}

// ByIDs returns those of the deliveries that there are, by id.
func (s WebhookDeliveries) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.WebhookDelivery, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().WebhookDelivery.Query())
}

// Tries lists the tries of each of the deliveries, in their order.
func (s WebhookDeliveries) Tries(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.DeliveryAttempt, error) {
	return list.ReadOfEach(ctx, through, deliveryattempt.FieldDeliveryID, ids, s.core.Store.Reader().DeliveryAttempt.Query())
}

// OfEndpoints returns a page of the deliveries to each of the endpoints.
func (s WebhookDeliveries) OfEndpoints(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.WebhookDelivery], error) {
	return list.PageOfEach(ctx, s.core, WebhookDeliveryListing, list.Belonging{Filter: "endpointId", Column: webhookdelivery.FieldEndpointID}, ids,
		req, s.core.Store.Reader().WebhookDelivery.Query())
}
