package graph

import (
	"context"

	"paydown/ent"
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
