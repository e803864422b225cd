package graph

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Lead implements exec.QueryResolver.
func (r queryResolver) Lead(ctx context.Context, id int) (*ent.Lead, error) {
	return r.s.Leads.Get(ctx, id)
}

// Leads implements exec.QueryResolver.
func (r queryResolver) Leads(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Lead], error) {
	return list(ctx, service.LeadListing, pageArgs{first, after, filter, sort}, r.s.Leads.List)
}

// CreateLead implements exec.MutationResolver.
func (r mutationResolver) CreateLead(ctx context.Context, input model.Input) (*ent.Lead, error) {
	return create(ctx, r.resolver, input, r.s.Leads.Create)
}

// UpdateLead implements exec.MutationResolver.
func (r mutationResolver) UpdateLead(
	ctx context.Context, id int, input model.Input, unchangedSince *time.Time,
) (*ent.Lead, error) {
	in, err := decode[service.LeadInput](ctx, r.schema, input, service.ForUpdate)
	if err != nil {
		return nil, err
	}
	in.UnchangedSince = unchangedSince
	return r.s.Leads.Update(ctx, id, in)
}

// DeleteLead implements exec.MutationResolver.
func (r mutationResolver) DeleteLead(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.Leads.Delete)
}

// ConvertLead implements exec.MutationResolver.
func (r mutationResolver) ConvertLead(ctx context.Context, id int, input model.Input) (*service.Conversion, error) {
	return act(ctx, r.resolver, id, input, service.ForCreate, r.s.Leads.Convert)
}

// Merchant implements exec.LeadResolver.
func (r leadResolver) Merchant(ctx context.Context, x *ent.Lead) (*ent.Merchant, error) {
	return one(ctx, x, func(x *ent.Lead) *int { return x.MerchantID }, r.s.Merchants.ByIDs)
}
