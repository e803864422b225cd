package graph

import (
	"context"

	"paydown/ent"
	"paydown/internal/civil"
	"paydown/internal/service"
)

// Dashboard implements exec.QueryResolver.
func (r queryResolver) Dashboard(ctx context.Context) (*service.Dashboard, error) {
	return r.s.Figures.Dashboard(ctx)
}

// PaymentCalendar implements exec.QueryResolver.
func (r queryResolver) PaymentCalendar(ctx context.Context, from, to civil.Date) ([]*service.CollectionDay, error) {
	return r.s.Figures.Calendar(ctx, from, to)
}

// BounceQueue implements exec.QueryResolver.
func (r queryResolver) BounceQueue(ctx context.Context, limit *int) ([]*service.Bounce, error) {
	n := service.DefaultLimit
	if limit != nil {
		n = *limit
	}
	bounces, err := r.s.Figures.Bounces(ctx, n)
	payments := make([]*ent.Payment, len(bounces))
	for i, b := range bounces {
		payments[i] = b.Payment
	}
	joined(ctx, payments)
	return bounces, err
}

type dashboardResolver struct{ *resolver }

// Collections implements exec.DashboardResolver.
func (r dashboardResolver) Collections(ctx context.Context, _ *service.Dashboard) ([]*service.CollectionDay, error) {
	return r.s.Figures.LastDays(ctx)
}

// WorkQueue implements exec.QueryResolver.
func (r queryResolver) WorkQueue(ctx context.Context, limit *int) ([]*service.WorkQueueItem, error) {
	n := service.WorkQueueItems
	if limit != nil {
		n = *limit
	}
	items, err := r.s.Figures.WorkQueue(ctx, n)
	return joined(ctx, items), err
}

type workQueueItemResolver struct{ *resolver }

// Deal implements exec.WorkQueueItemResolver.
func (r workQueueItemResolver) Deal(ctx context.Context, x *service.WorkQueueItem) (*ent.Deal, error) {
	return one(ctx, x, func(x *service.WorkQueueItem) *int { return &x.DealID }, r.s.Deals.ByIDs)
}
