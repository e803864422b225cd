package graph

import (
	"context"

	"paydown/ent"
	"paydown/ent/applicationsubmission"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Application implements exec.QueryResolver.
func (r queryResolver) Application(ctx context.Context, id int) (*ent.ApplicationSubmission, error) {
	return found(ctx, id, "application", r.s.Applications.List)
}

// Applications implements exec.QueryResolver.
func (r queryResolver) Applications(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.ApplicationSubmission], error) {
	return list(ctx, service.ApplicationListing, pageArgs{first, after, filter, sort}, r.s.Applications.List)
}

type applicationSubmissionResolver struct{ *resolver }

// Form implements exec.ApplicationSubmissionResolver.
func (r applicationSubmissionResolver) Form(ctx context.Context, x *ent.ApplicationSubmission) (*ent.Form, error) {
	if x.Edges.Form != nil {
		return x.Edges.Form, nil
	}
	return one(ctx, x, func(x *ent.ApplicationSubmission) *int { return &x.FormID }, r.s.Applications.FormsByIDs)
}

// Lead implements exec.ApplicationSubmissionResolver.
func (r applicationSubmissionResolver) Lead(ctx context.Context, x *ent.ApplicationSubmission) (*ent.Lead, error) {
	return one(ctx, x, func(x *ent.ApplicationSubmission) *int { return x.LeadID }, r.s.Leads.ByIDs)
}

// Forms implements exec.QueryResolver.
func (r queryResolver) Forms(ctx context.Context) ([]*ent.Form, error) { return r.s.Forms.List(ctx) }

// CreateForm implements exec.MutationResolver.
func (r mutationResolver) CreateForm(ctx context.Context, input model.Input) (*ent.Form, error) {
	return create(ctx, r.resolver, input, r.s.Forms.Create)
}

// UpdateForm implements exec.MutationResolver.
func (r mutationResolver) UpdateForm(ctx context.Context, id int, input model.Input) (*ent.Form, error) {
	return update(ctx, r.resolver, id, input, r.s.Forms.Update)
}

// CreateApplication implements exec.MutationResolver.
func (r mutationResolver) CreateApplication(
	ctx context.Context, input model.Input,
) (*ent.ApplicationSubmission, error) {
	return create(ctx, r.resolver, input, r.s.Applications.Create)
}

// MarkApplication implements exec.MutationResolver.
func (r mutationResolver) MarkApplication(
	ctx context.Context, id int, status applicationsubmission.Status,
) (*ent.ApplicationSubmission, error) {
	return r.s.Applications.Mark(ctx, id, status)
}

// ConvertApplication implements exec.MutationResolver.
func (r mutationResolver) ConvertApplication(
	ctx context.Context, id int, input model.Input,
) (*service.Conversion, error) {
	return act(ctx, r.resolver, id, input, service.ForCreate, r.s.Applications.Convert)
}
