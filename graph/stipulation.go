package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/deal"
)

// StipulationTemplates implements exec.QueryResolver.
func (r queryResolver) StipulationTemplates(
	ctx context.Context, product *deal.Product,
) ([]*ent.StipulationTemplate, error) {
	return r.s.Stipulations.Templates(ctx, product)
}

// RequestStipulation implements exec.MutationResolver.
func (r mutationResolver) RequestStipulation(ctx context.Context, input model.Input) (*ent.Stipulation, error) {
	return create(ctx, r.resolver, input, r.s.Stipulations.Request)
}

// ReceiveStipulation implements exec.MutationResolver.
func (r mutationResolver) ReceiveStipulation(ctx context.Context, id int, input model.Input) (*ent.Stipulation, error) {
	return update(ctx, r.resolver, id, input, r.s.Stipulations.Receive)
}

// ApproveStipulation implements exec.MutationResolver.
func (r mutationResolver) ApproveStipulation(ctx context.Context, id int) (*ent.Stipulation, error) {
	return r.s.Stipulations.Approve(ctx, id)
}

// RejectStipulation implements exec.MutationResolver.
func (r mutationResolver) RejectStipulation(ctx context.Context, id int, input model.Input) (*ent.Stipulation, error) {
	return update(ctx, r.resolver, id, input, r.s.Stipulations.Reject)
}

// WaiveStipulation implements exec.MutationResolver.
func (r mutationResolver) WaiveStipulation(ctx context.Context, id int, input model.Input) (*ent.Stipulation, error) {
	return update(ctx, r.resolver, id, input, r.s.Stipulations.Waive)
}

// DismissStipulation implements exec.MutationResolver.
func (r mutationResolver) DismissStipulation(ctx context.Context, id int, input model.Input) (*ent.Stipulation, error) {
	return update(ctx, r.resolver, id, input, r.s.Stipulations.NotApplicable)
}

// ReopenStipulation implements exec.MutationResolver.
func (r mutationResolver) ReopenStipulation(ctx context.Context, id int) (*ent.Stipulation, error) {
	return r.s.Stipulations.Reopen(ctx, id)
}

// CreateStipulationTemplate implements exec.MutationResolver.
func (r mutationResolver) CreateStipulationTemplate(
	ctx context.Context, input model.Input,
) (*ent.StipulationTemplate, error) {
	return create(ctx, r.resolver, input, r.s.Stipulations.CreateTemplate)
}

// UpdateStipulationTemplate implements exec.MutationResolver.
func (r mutationResolver) UpdateStipulationTemplate(
	ctx context.Context, id int, input model.Input,
) (*ent.StipulationTemplate, error) {
	return update(ctx, r.resolver, id, input, r.s.Stipulations.UpdateTemplate)
}

// Stipulations implements exec.DealResolver.
func (r dealResolver) Stipulations(ctx context.Context, x *ent.Deal) ([]*ent.Stipulation, error) {
	return several(ctx, x, dealID, r.s.Stipulations.OfDeals)
}
