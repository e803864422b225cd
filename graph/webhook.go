package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// WebhookEndpoint implements exec.QueryResolver.
func (r queryResolver) WebhookEndpoint(ctx context.Context, id int) (*ent.WebhookEndpoint, error) {
	return r.s.WebhookEndpoints.Get(ctx, id)
}

// WebhookEndpoints implements exec.QueryResolver.
func (r queryResolver) WebhookEndpoints(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.WebhookEndpoint], error) {
	return list(ctx, service.WebhookEndpointListing, pageArgs{first, after, filter, sort}, r.s.WebhookEndpoints.List)
}

type webhookEndpointResolver struct{ *resolver }

// Deliveries implements exec.WebhookEndpointResolver.
func (r webhookEndpointResolver) Deliveries(ctx context.Context, x *ent.WebhookEndpoint) ([]*ent.WebhookDelivery, error) {
	if deliveries, err := x.Edges.DeliveriesOrErr(); err == nil {
		return deliveries, nil
	}
	return several(ctx, x, func(x *ent.WebhookEndpoint) int { return x.ID }, r.s.WebhookEndpoints.Deliveries)
}
