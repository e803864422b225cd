package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Pipeline implements exec.QueryResolver.
func (r queryResolver) Pipeline(ctx context.Context) ([]*service.SubmissionStatusTotal, error) {
	return r.s.Submissions.Pipeline(ctx)
}

// SubmissionStatuses implements exec.QueryResolver.
func (r queryResolver) SubmissionStatuses(ctx context.Context) ([]*ent.SubmissionStatus, error) {
	return r.s.Submissions.Statuses(ctx)
}

// DeclineReasons implements exec.QueryResolver.
func (r queryResolver) DeclineReasons(ctx context.Context) ([]*ent.DeclineReason, error) {
	return r.s.Submissions.DeclineReasons(ctx)
}

// CreateSubmission implements exec.MutationResolver.
func (r mutationResolver) CreateSubmission(ctx context.Context, input model.Input) (*ent.Submission, error) {
	return create(ctx, r.resolver, input, r.s.Submissions.Create)
}

// UpdateSubmission implements exec.MutationResolver.
func (r mutationResolver) UpdateSubmission(ctx context.Context, id int, input model.Input) (*ent.Submission, error) {
	return update(ctx, r.resolver, id, input, r.s.Submissions.Update)
}

// MoveSubmission implements exec.MutationResolver.
func (r mutationResolver) MoveSubmission(ctx context.Context, id int, input model.Input) (*ent.Submission, error) {
	return update(ctx, r.resolver, id, input, r.s.Submissions.Move)
}

// CreateSubmissionStatus implements exec.MutationResolver.
func (r mutationResolver) CreateSubmissionStatus(
	ctx context.Context, input model.Input,
) (*ent.SubmissionStatus, error) {
	return create(ctx, r.resolver, input, r.s.Submissions.CreateStatus)
}

// UpdateSubmissionStatus implements exec.MutationResolver.
func (r mutationResolver) UpdateSubmissionStatus(
	ctx context.Context, id int, input model.Input,
) (*ent.SubmissionStatus, error) {
	return update(ctx, r.resolver, id, input, r.s.Submissions.UpdateStatus)
}

// ReorderSubmissionStatuses implements exec.MutationResolver.
func (r mutationResolver) ReorderSubmissionStatuses(ctx context.Context, ids []int) ([]*ent.SubmissionStatus, error) {
	return r.s.Submissions.ReorderStatuses(ctx, ids)
}

// CreateDeclineReason implements exec.MutationResolver.
func (r mutationResolver) CreateDeclineReason(ctx context.Context, input model.Input) (*ent.DeclineReason, error) {
	return create(ctx, r.resolver, input, r.s.Submissions.CreateDeclineReason)
}

// UpdateDeclineReason implements exec.MutationResolver.
func (r mutationResolver) UpdateDeclineReason(
	ctx context.Context, id int, input model.Input,
) (*ent.DeclineReason, error) {
	return update(ctx, r.resolver, id, input, r.s.Submissions.UpdateDeclineReason)
}

// ReorderDeclineReasons implements exec.MutationResolver.
func (r mutationResolver) ReorderDeclineReasons(ctx context.Context, ids []int) ([]*ent.DeclineReason, error) {
	return r.s.Submissions.ReorderDeclineReasons(ctx, ids)
}

func submissionID(x *ent.Submission) int { return x.ID }

// DeclineReason implements exec.SubmissionResolver.
func (r submissionResolver) DeclineReason(ctx context.Context, x *ent.Submission) (*ent.DeclineReason, error) {
	return one(ctx, x, func(x *ent.Submission) *int { return x.DeclineReasonID }, r.s.Submissions.DeclineReasonsByIDs)
}
