package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Funder implements exec.QueryResolver.
func (r queryResolver) Funder(ctx context.Context, id int) (*ent.Funder, error) {
	return r.s.Funders.Get(ctx, id)
}

// Funders implements exec.QueryResolver.
func (r queryResolver) Funders(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Funder], error) {
	return list(ctx, service.FunderListing, pageArgs{first, after, filter, sort}, r.s.Funders.List)
}

// CreateFunder implements exec.MutationResolver.
func (r mutationResolver) CreateFunder(ctx context.Context, input model.Input) (*ent.Funder, error) {
	return create(ctx, r.resolver, input, r.s.Funders.Create)
}

// UpdateFunder implements exec.MutationResolver.
func (r mutationResolver) UpdateFunder(ctx context.Context, id int, input model.Input) (*ent.Funder, error) {
	return update(ctx, r.resolver, id, input, r.s.Funders.Update)
}

// DeleteFunder implements exec.MutationResolver.
func (r mutationResolver) DeleteFunder(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.Funders.Delete)
}

type funderResolver struct{ *resolver }

func funderID(x *ent.Funder) int { return x.ID }

// Submissions implements exec.FunderResolver.
func (r funderResolver) Submissions(
	ctx context.Context, x *ent.Funder, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Submission], error) {
	return connected(
		pageOf(ctx, x, funderID, service.SubmissionListing, pageArgs{first, after, filter, sort}, r.s.Submissions.OfFunders),
	)
}
