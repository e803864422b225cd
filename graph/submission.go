package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Submission implements exec.QueryResolver.
func (r queryResolver) Submission(ctx context.Context, id int) (*ent.Submission, error) {
	return found(ctx, id, "submission", r.s.Submissions.List)
}

// Submissions implements exec.QueryResolver.
func (r queryResolver) Submissions(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Submission], error) {
	return list(ctx, service.SubmissionListing, pageArgs{first, after, filter, sort}, r.s.Submissions.List)
}

type submissionResolver struct{ *resolver }

// Deal implements exec.SubmissionResolver.
func (r submissionResolver) Deal(ctx context.Context, x *ent.Submission) (*ent.Deal, error) {
	if x.Edges.Deal != nil {
		return x.Edges.Deal, nil
	}
	return one(ctx, x, func(x *ent.Submission) *int { return &x.DealID }, r.s.Deals.ByIDs)
}

// Funder implements exec.SubmissionResolver.
func (r submissionResolver) Funder(ctx context.Context, x *ent.Submission) (*ent.Funder, error) {
	if x.Edges.Funder != nil {
		return x.Edges.Funder, nil
	}
	return one(ctx, x, func(x *ent.Submission) *int { return &x.FunderID }, r.s.Funders.ByIDs)
}

// Status implements exec.SubmissionResolver.
func (r submissionResolver) Status(ctx context.Context, x *ent.Submission) (*ent.SubmissionStatus, error) {
	if x.Edges.Status != nil {
		return x.Edges.Status, nil
	}
	return one(ctx, x, func(x *ent.Submission) *int { return &x.StatusID }, r.s.Submissions.StatusesByIDs)
}
