package graph

import (
	"context"

	"paydown/ent"
)

type subscriptionResolver struct{ *resolver }

// DealActivity implements exec.SubscriptionResolver.
func (r subscriptionResolver) DealActivity(ctx context.Context, dealID int, after *int) (<-chan *ent.AuditEntry, error) {
	return r.s.Feeds.DealActivity(ctx, dealID, after)
}

// WebhookDeliveryLog implements exec.SubscriptionResolver.
func (r subscriptionResolver) WebhookDeliveryLog(ctx context.Context, endpointID int, after *int) (<-chan *ent.WebhookDelivery, error) {
	return r.s.Feeds.WebhookDeliveries(ctx, endpointID, after)
}
