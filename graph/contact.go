package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
)

// CreateMerchantContact implements exec.MutationResolver.
func (r mutationResolver) CreateMerchantContact(ctx context.Context, input model.Input) (*ent.MerchantContact, error) {
	return create(ctx, r.resolver, input, r.s.Merchants.AddContact)
}

// UpdateMerchantContact implements exec.MutationResolver.
func (r mutationResolver) UpdateMerchantContact(
	ctx context.Context, id int, input model.Input,
) (*ent.MerchantContact, error) {
	return update(ctx, r.resolver, id, input, r.s.Merchants.UpdateContact)
}

// DeleteMerchantContact implements exec.MutationResolver.
func (r mutationResolver) DeleteMerchantContact(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.Merchants.DeleteContact)
}
