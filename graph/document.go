package graph

import (
	"context"
	"encoding/hex"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Document implements exec.QueryResolver.
func (r queryResolver) Document(ctx context.Context, id int) (*ent.Document, error) {
	return found(ctx, id, "document", r.s.Documents.List)
}

// Documents implements exec.QueryResolver.
func (r queryResolver) Documents(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Document], error) {
	return list(ctx, service.DocumentListing, pageArgs{first, after, filter, sort}, r.s.Documents.List)
}

// Documents implements exec.MerchantResolver.
func (r merchantResolver) Documents(
	ctx context.Context, x *ent.Merchant, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Document], error) {
	return connected(
		pageOf(ctx, x, merchantID, service.DocumentListing, pageArgs{first, after, filter, sort}, r.s.Documents.OfMerchants),
	)
}

// Documents implements exec.DealResolver.
func (r dealResolver) Documents(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Document], error) {
	return connected(
		pageOf(ctx, x, dealID, service.DocumentListing, pageArgs{first, after, filter, sort}, r.s.Documents.OfDeals),
	)
}

type documentResolver struct{ *resolver }

// Sha256 implements exec.DocumentResolver.
func (documentResolver) Sha256(_ context.Context, x *ent.Document) (*string, error) {
	if len(x.Sha256) == 0 {
		return nil, nil
	}
	return new(hex.EncodeToString(x.Sha256)), nil
}

// Size implements exec.DocumentResolver.
func (documentResolver) Size(_ context.Context, x *ent.Document) (*int, error) {
	if x.Size == nil {
		return nil, nil
	}
	return new(int(*x.Size)), nil
}

// Deal implements exec.DocumentResolver.
func (r documentResolver) Deal(ctx context.Context, x *ent.Document) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.Document) *int { return x.DealID }, r.s.Deals.ByIDs)
}

// Merchant implements exec.DocumentResolver.
func (r documentResolver) Merchant(ctx context.Context, x *ent.Document) (*ent.Merchant, error) {
	return one(ctx, x, func(x *ent.Document) *int { return x.MerchantID }, r.s.Merchants.ByIDs)
}
