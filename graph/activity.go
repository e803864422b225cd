package graph

import (
	"context"

	"paydown/ent"
)

type subscriptionResolver struct{ *resolver }

// DealActivity implements exec.SubscriptionResolver.
func (r subscriptionResolver) DealActivity(
	ctx context.Context, dealID int, after *int,
) (<-chan *ent.AuditEntry, error) {
	return r.s.Feeds.DealActivity(ctx, dealID, after)
}

// WebhookDeliveryLog implements exec.SubscriptionResolver.
func (r subscriptionResolver) WebhookDeliveryLog(
	ctx context.Context, endpointID int, after *int,
) (<-chan *ent.WebhookDelivery, error) {
	return r.s.Feeds.WebhookDeliveries(ctx, endpointID, after)
}

// WebhookTries implements exec.SubscriptionResolver.
func (r subscriptionResolver) WebhookTries(
	ctx context.Context, endpointID int, after *int,
) (<-chan *ent.DeliveryAttempt, error) {
	return r.s.Feeds.WebhookTries(ctx, endpointID, after)
}
