package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// SignatureRequest implements exec.QueryResolver.
func (r queryResolver) SignatureRequest(ctx context.Context, id int) (*ent.SignatureRequest, error) {
	return found(ctx, id, "signature request", r.s.SignatureRequests.List)
}

// SignatureRequests implements exec.QueryResolver.
func (r queryResolver) SignatureRequests(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.SignatureRequest], error) {
	return list(ctx, service.SignatureRequestListing, pageArgs{first, after, filter, sort}, r.s.SignatureRequests.List)
}

// CreateSignatureRequest implements exec.MutationResolver.
func (r mutationResolver) CreateSignatureRequest(
	ctx context.Context, input model.Input,
) (*ent.SignatureRequest, error) {
	return create(ctx, r.resolver, input, r.s.SignatureRequests.Create)
}

// SendSignatureRequest implements exec.MutationResolver.
func (r mutationResolver) SendSignatureRequest(
	ctx context.Context, id int, input model.Input,
) (*ent.SignatureRequest, error) {
	return update(ctx, r.resolver, id, input, r.s.SignatureRequests.Send)
}

// VoidSignatureRequest implements exec.MutationResolver.
func (r mutationResolver) VoidSignatureRequest(ctx context.Context, id int) (*ent.SignatureRequest, error) {
	return r.s.SignatureRequests.Void(ctx, id)
}

// ExpireSignatureRequest implements exec.MutationResolver.
func (r mutationResolver) ExpireSignatureRequest(ctx context.Context, id int) (*ent.SignatureRequest, error) {
	return r.s.SignatureRequests.Expire(ctx, id)
}

// RecordViewing implements exec.MutationResolver.
func (r mutationResolver) RecordViewing(ctx context.Context, id int, input model.Input) (*ent.Signer, error) {
	return update(ctx, r.resolver, id, input, r.s.SignatureRequests.View)
}

// RecordSignature implements exec.MutationResolver.
func (r mutationResolver) RecordSignature(ctx context.Context, id int, input model.Input) (*ent.Signer, error) {
	return update(ctx, r.resolver, id, input, r.s.SignatureRequests.Sign)
}

// RecordRefusal implements exec.MutationResolver.
func (r mutationResolver) RecordRefusal(ctx context.Context, id int, input model.Input) (*ent.Signer, error) {
	return update(ctx, r.resolver, id, input, r.s.SignatureRequests.Decline)
}

// SignatureRequests implements exec.DealResolver.
func (r dealResolver) SignatureRequests(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.SignatureRequest], error) {
	return connected(
		pageOf(
			ctx, x, dealID, service.SignatureRequestListing, pageArgs{first, after, filter, sort}, r.s.SignatureRequests.OfDeals,
		),
	)
}

type signatureRequestResolver struct{ *resolver }

// Signers implements exec.SignatureRequestResolver.
func (r signatureRequestResolver) Signers(ctx context.Context, x *ent.SignatureRequest) ([]*ent.Signer, error) {
	return several(ctx, x, func(x *ent.SignatureRequest) int { return x.ID }, r.s.SignatureRequests.Signers)
}

// Deal implements exec.SignatureRequestResolver.
func (r signatureRequestResolver) Deal(ctx context.Context, x *ent.SignatureRequest) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.SignatureRequest) *int { return x.DealID }, r.s.Deals.ByIDs)
}

// Document implements exec.SignatureRequestResolver.
func (r signatureRequestResolver) Document(ctx context.Context, x *ent.SignatureRequest) (*ent.Document, error) {
	return one(ctx, x, func(x *ent.SignatureRequest) *int { return x.DocumentID }, r.s.Documents.ByIDs)
}

// SignedDocument implements exec.SignatureRequestResolver.
func (r signatureRequestResolver) SignedDocument(ctx context.Context, x *ent.SignatureRequest) (*ent.Document, error) {
	return one(ctx, x, func(x *ent.SignatureRequest) *int { return x.SignedDocumentID }, r.s.Documents.ByIDs)
}
