package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Notifications implements exec.QueryResolver.
func (r queryResolver) Notifications(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Notification], error) {
	return list(ctx, service.NotificationListing, pageArgs{first, after, filter, sort}, r.s.Notifications.List)
}

// MarkNotificationsRead implements exec.MutationResolver.
func (r mutationResolver) MarkNotificationsRead(ctx context.Context, ids []int) ([]*ent.Notification, error) {
	return r.s.Notifications.MarkRead(ctx, ids...)
}

// MarkAllNotificationsRead implements exec.MutationResolver.
func (r mutationResolver) MarkAllNotificationsRead(ctx context.Context) (*int, error) {
	n, err := r.s.Notifications.MarkAllRead(ctx)
	return &n, err
}
