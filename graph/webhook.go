package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// WebhookEndpoint implements exec.QueryResolver.
func (r queryResolver) WebhookEndpoint(ctx context.Context, id int) (*ent.WebhookEndpoint, error) {
	return found(ctx, id, "webhook endpoint", r.s.WebhookEndpoints.List)
}

// WebhookEndpoints implements exec.QueryResolver.
func (r queryResolver) WebhookEndpoints(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.WebhookEndpoint], error) {
	return list(ctx, service.WebhookEndpointListing, pageArgs{first, after, filter, sort}, r.s.WebhookEndpoints.List)
}

// WebhookDelivery implements exec.QueryResolver.
func (r queryResolver) WebhookDelivery(ctx context.Context, id int) (*ent.WebhookDelivery, error) {
	return found(ctx, id, "webhook delivery", r.s.WebhookDeliveries.List)
}

// WebhookDeliveries implements exec.QueryResolver.
func (r queryResolver) WebhookDeliveries(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.WebhookDelivery], error) {
	return list(ctx, service.WebhookDeliveryListing, pageArgs{first, after, filter, sort}, r.s.WebhookDeliveries.List)
}

// CreateWebhookEndpoint implements exec.MutationResolver.
func (r mutationResolver) CreateWebhookEndpoint(
	ctx context.Context, input model.Input,
) (*service.IssuedEndpoint, error) {
	return create(ctx, r.resolver, input, r.s.WebhookEndpoints.Create)
}

// UpdateWebhookEndpoint implements exec.MutationResolver.
func (r mutationResolver) UpdateWebhookEndpoint(
	ctx context.Context, id int, input model.Input,
) (*ent.WebhookEndpoint, error) {
	return update(ctx, r.resolver, id, input, r.s.WebhookEndpoints.Update)
}

// DeleteWebhookEndpoint implements exec.MutationResolver.
func (r mutationResolver) DeleteWebhookEndpoint(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.WebhookEndpoints.Delete)
}

// RotateWebhookSecret implements exec.MutationResolver.
func (r mutationResolver) RotateWebhookSecret(ctx context.Context, id int) (*service.IssuedEndpoint, error) {
	return r.s.WebhookEndpoints.Rotate(ctx, id)
}

// TestWebhookEndpoint implements exec.MutationResolver.
func (r mutationResolver) TestWebhookEndpoint(ctx context.Context, id int, event string) (*ent.WebhookDelivery, error) {
	return r.s.WebhookEndpoints.Test(ctx, id, event)
}

// RedeliverWebhook implements exec.MutationResolver.
func (r mutationResolver) RedeliverWebhook(ctx context.Context, id int) (*ent.WebhookDelivery, error) {
	return r.s.WebhookDeliveries.Redeliver(ctx, id)
}

type webhookEndpointResolver struct{ *resolver }

// Deliveries implements exec.WebhookEndpointResolver.
func (r webhookEndpointResolver) Deliveries(
	ctx context.Context, x *ent.WebhookEndpoint, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.WebhookDelivery], error) {
	return connected(pageOf(ctx, x, func(x *ent.WebhookEndpoint) int { return x.ID }, service.WebhookDeliveryListing,
		pageArgs{first, after, filter, sort}, r.s.WebhookDeliveries.OfEndpoints))
}

type webhookDeliveryResolver struct{ *resolver }

// Endpoint implements exec.WebhookDeliveryResolver.
func (r webhookDeliveryResolver) Endpoint(ctx context.Context, x *ent.WebhookDelivery) (*ent.WebhookEndpoint, error) {
	return one(ctx, x, func(x *ent.WebhookDelivery) *int { return &x.EndpointID }, r.s.WebhookEndpoints.ByIDs)
}

// Tries implements exec.WebhookDeliveryResolver.
func (r webhookDeliveryResolver) Tries(ctx context.Context, x *ent.WebhookDelivery) ([]*ent.DeliveryAttempt, error) {
	return several(ctx, x, func(x *ent.WebhookDelivery) int { return x.ID }, r.s.WebhookDeliveries.Tries)
}

type deliveryAttemptResolver struct{ *resolver }

// Delivery implements exec.DeliveryAttemptResolver.
func (r deliveryAttemptResolver) Delivery(ctx context.Context, x *ent.DeliveryAttempt) (*ent.WebhookDelivery, error) {
	return one(ctx, x, func(x *ent.DeliveryAttempt) *int { return &x.DeliveryID }, r.s.WebhookDeliveries.ByIDs)
}
