package graph

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Merchant implements exec.QueryResolver.
func (r queryResolver) Merchant(ctx context.Context, id int) (*ent.Merchant, error) {
	return r.s.Merchants.Get(ctx, id)
}

// Merchants implements exec.QueryResolver.
func (r queryResolver) Merchants(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Merchant], error) {
	return list(ctx, service.MerchantListing, pageArgs{first, after, filter, sort}, r.s.Merchants.List)
}

// MerchantStatuses implements exec.QueryResolver.
func (r queryResolver) MerchantStatuses(ctx context.Context) ([]*ent.MerchantStatus, error) {
	return r.s.Merchants.Statuses(ctx)
}

// CreateMerchant implements exec.MutationResolver.
func (r mutationResolver) CreateMerchant(ctx context.Context, input model.Input) (*ent.Merchant, error) {
	return create(ctx, r.resolver, input, r.s.Merchants.Create)
}

// UpdateMerchant implements exec.MutationResolver.
func (r mutationResolver) UpdateMerchant(
	ctx context.Context, id int, input model.Input, unchangedSince *time.Time,
) (*ent.Merchant, error) {
	in, err := decode[service.MerchantInput](ctx, r.schema, input, service.ForUpdate)
	if err != nil {
		return nil, err
	}
	in.UnchangedSince = unchangedSince
	return r.s.Merchants.Update(ctx, id, in)
}

// DeleteMerchant implements exec.MutationResolver.
func (r mutationResolver) DeleteMerchant(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.Merchants.Delete)
}

type merchantResolver struct{ *resolver }

func merchantID(x *ent.Merchant) int { return x.ID }

// Contacts implements exec.MerchantResolver.
func (r merchantResolver) Contacts(ctx context.Context, x *ent.Merchant) ([]*ent.MerchantContact, error) {
	if contacts, err := x.Edges.ContactsOrErr(); err == nil {
		return contacts, nil
	}
	return several(ctx, x, func(x *ent.Merchant) int { return x.ID }, r.s.Merchants.Contacts)
}

// Deals implements exec.MerchantResolver.
func (r merchantResolver) Deals(
	ctx context.Context, x *ent.Merchant, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Deal], error) {
	return connected(
		pageOf(ctx, x, merchantID, service.DealListing, pageArgs{first, after, filter, sort}, r.s.Deals.OfMerchants),
	)
}

// Communications implements exec.MerchantResolver.
func (r merchantResolver) Communications(
	ctx context.Context, x *ent.Merchant, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Communication], error) {
	return connected(
		pageOf(
			ctx, x, merchantID, service.CommunicationListing, pageArgs{first, after, filter, sort},
			r.s.Communications.OfMerchants,
		),
	)
}

// StatementAnalyses implements exec.MerchantResolver.
func (r merchantResolver) StatementAnalyses(
	ctx context.Context, x *ent.Merchant, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.StatementAnalysis], error) {
	return connected(
		pageOf(ctx, x, merchantID, service.AnalysisListing, pageArgs{first, after, filter, sort}, r.s.Analyses.OfMerchants),
	)
}
