package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Payout implements exec.QueryResolver.
func (r queryResolver) Payout(ctx context.Context, id int) (*ent.PayoutBatch, error) {
	return found(ctx, id, "payout", r.s.Payouts.ListWithoutItems)
}

// Payouts implements exec.QueryResolver.
func (r queryResolver) Payouts(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.PayoutBatch], error) {
	return list(ctx, service.PayoutListing, pageArgs{first, after, filter, sort}, r.s.Payouts.ListWithoutItems)
}

type payoutBatchResolver struct{ *resolver }

func batchID(x *ent.PayoutBatch) int { return x.ID }

// Items implements exec.PayoutBatchResolver.
func (r payoutBatchResolver) Items(ctx context.Context, x *ent.PayoutBatch) ([]*ent.PayoutItem, error) {
	if items, err := x.Edges.ItemsOrErr(); err == nil {
		return items, nil
	}
	return several(ctx, x, batchID, r.s.Payouts.Items)
}

// Lines implements exec.PayoutBatchResolver.
func (r payoutBatchResolver) Lines(
	ctx context.Context, x *ent.PayoutBatch, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.PayoutItem], error) {
	return connected(pageOf(ctx, x, batchID, service.PayoutItemListing,
		pageArgs{first, after, filter, sort}, r.s.Payouts.Lines))
}

// CreatedBy implements exec.PayoutBatchResolver.
func (r payoutBatchResolver) CreatedBy(ctx context.Context, x *ent.PayoutBatch) (*ent.User, error) {
	return one(ctx, x, func(x *ent.PayoutBatch) *int { return x.CreatedByUserID }, r.s.Payouts.People)
}

// ApprovedBy implements exec.PayoutBatchResolver.
func (r payoutBatchResolver) ApprovedBy(ctx context.Context, x *ent.PayoutBatch) (*ent.User, error) {
	return one(ctx, x, func(x *ent.PayoutBatch) *int { return x.ApprovedByUserID }, r.s.Payouts.People)
}

// Total implements exec.PayoutBatchResolver.
func (r payoutBatchResolver) Total(ctx context.Context, x *ent.PayoutBatch) (*service.Tally, error) {
	total, err := figure(ctx, x, batchID, r.s.Payouts.Totals)
	return &total, err
}

// Standing implements exec.PayoutBatchResolver.
func (r payoutBatchResolver) Standing(ctx context.Context, x *ent.PayoutBatch) ([]*service.PayoutStatusTotal, error) {
	return several(ctx, x, batchID, r.s.Payouts.StatusTotals)
}

type payoutItemResolver struct{ *resolver }

// Iso implements exec.PayoutItemResolver.
func (r payoutItemResolver) Iso(ctx context.Context, x *ent.PayoutItem) (*ent.ISO, error) {
	return one(ctx, x, func(x *ent.PayoutItem) *int { return x.IsoID }, r.s.ISOs.ByIDs)
}

// Referrer implements exec.PayoutItemResolver.
func (r payoutItemResolver) Referrer(ctx context.Context, x *ent.PayoutItem) (*ent.Referrer, error) {
	return one(ctx, x, func(x *ent.PayoutItem) *int { return x.ReferrerID }, r.s.Referrers.ByIDs)
}

// Syndicator implements exec.PayoutItemResolver.
func (r payoutItemResolver) Syndicator(ctx context.Context, x *ent.PayoutItem) (*ent.Syndicator, error) {
	return one(ctx, x, func(x *ent.PayoutItem) *int { return x.SyndicatorID }, r.s.Syndicators.ByIDs)
}

// Deal implements exec.PayoutItemResolver.
func (r payoutItemResolver) Deal(ctx context.Context, x *ent.PayoutItem) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.PayoutItem) *int { return x.DealID }, r.s.Deals.ByIDs)
}

// Payment implements exec.PayoutItemResolver.
func (r payoutItemResolver) Payment(ctx context.Context, x *ent.PayoutItem) (*ent.Payment, error) {
	return one(ctx, x, func(x *ent.PayoutItem) *int { return x.PaymentID }, r.s.Payments.ByIDs)
}

// MakePayoutBatch implements exec.MutationResolver.
func (r mutationResolver) MakePayoutBatch(ctx context.Context, input model.Input) (*ent.PayoutBatch, error) {
	return create(ctx, r.resolver, input, r.s.Payouts.Make)
}

// ApprovePayoutBatch implements exec.MutationResolver.
func (r mutationResolver) ApprovePayoutBatch(ctx context.Context, id int) (*ent.PayoutBatch, error) {
	return r.s.Payouts.Approve(ctx, id)
}

// PayPayoutBatch implements exec.MutationResolver.
func (r mutationResolver) PayPayoutBatch(ctx context.Context, id int, itemIDs []int) (*ent.PayoutBatch, error) {
	return r.s.Payouts.Pay(ctx, id, itemIDs)
}

// HoldPayoutItem implements exec.MutationResolver.
func (r mutationResolver) HoldPayoutItem(ctx context.Context, id int, reason string) (*ent.PayoutItem, error) {
	return r.s.Payouts.Hold(ctx, id, reason)
}

// FailPayoutItem implements exec.MutationResolver.
func (r mutationResolver) FailPayoutItem(ctx context.Context, id int, reason string) (*ent.PayoutItem, error) {
	return r.s.Payouts.Fail(ctx, id, reason)
}

// ReleasePayoutItem implements exec.MutationResolver.
func (r mutationResolver) ReleasePayoutItem(ctx context.Context, id int) (*ent.PayoutItem, error) {
	return r.s.Payouts.Release(ctx, id)
}
