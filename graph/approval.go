package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/deal"
	"paydown/internal/service"
)

// Approval implements exec.QueryResolver.
func (r queryResolver) Approval(ctx context.Context, id int) (*ent.Approval, error) {
	return found(ctx, id, "approval", r.s.Approvals.List)
}

// Approvals implements exec.QueryResolver.
func (r queryResolver) Approvals(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Approval], error) {
	return list(ctx, service.ApprovalListing, pageArgs{first, after, filter, sort}, r.s.Approvals.List)
}

// CreateApproval implements exec.MutationResolver.
func (r mutationResolver) CreateApproval(ctx context.Context, input model.Input) (*ent.Approval, error) {
	return create(ctx, r.resolver, input, r.s.Approvals.Create)
}

// UpdateApproval implements exec.MutationResolver.
func (r mutationResolver) UpdateApproval(ctx context.Context, id int, input model.Input) (*ent.Approval, error) {
	return update(ctx, r.resolver, id, input, r.s.Approvals.Update)
}

// SendOffer implements exec.MutationResolver.
func (r mutationResolver) SendOffer(ctx context.Context, id int) (*ent.Approval, error) {
	return r.s.Approvals.Send(ctx, id)
}

// WithdrawOffer implements exec.MutationResolver.
func (r mutationResolver) WithdrawOffer(ctx context.Context, id int) (*ent.Approval, error) {
	return r.s.Approvals.Withdraw(ctx, id)
}

// AcceptOffer implements exec.MutationResolver.
func (r mutationResolver) AcceptOffer(ctx context.Context, id int) (*ent.Approval, error) {
	return r.s.Approvals.Accept(ctx, id)
}

// DeclineOffer implements exec.MutationResolver.
func (r mutationResolver) DeclineOffer(ctx context.Context, id int) (*ent.Approval, error) {
	return r.s.Approvals.Decline(ctx, id)
}

// CounterOffer implements exec.MutationResolver.
func (r mutationResolver) CounterOffer(ctx context.Context, id int, input model.Input) (*ent.Approval, error) {
	return update(ctx, r.resolver, id, input, r.s.Approvals.Counter)
}

// ResolveCounter implements exec.MutationResolver.
func (r mutationResolver) ResolveCounter(ctx context.Context, id int, accept bool) (*ent.Approval, error) {
	return r.s.Approvals.ResolveCounter(ctx, id, accept)
}

type approvalResolver struct{ *resolver }

// State implements exec.ApprovalResolver.
func (r approvalResolver) State(_ context.Context, x *ent.Approval) (deal.OfferState, error) {
	return r.s.Approvals.State(x), nil
}

// ShareToken implements exec.ApprovalResolver.
func (r approvalResolver) ShareToken(ctx context.Context, x *ent.Approval) (*string, error) {
	return r.s.Approvals.ShareToken(ctx, x)
}

// Submission implements exec.ApprovalResolver.
func (r approvalResolver) Submission(ctx context.Context, x *ent.Approval) (*ent.Submission, error) {
	return one(ctx, x, func(x *ent.Approval) *int { return &x.SubmissionID }, r.s.Submissions.ByIDs)
}

// Deal implements exec.ApprovalResolver.
func (r approvalResolver) Deal(ctx context.Context, x *ent.Approval) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.Approval) *int { return &x.DealID }, r.s.Deals.ByIDs)
}

// Approvals implements exec.DealResolver.
func (r dealResolver) Approvals(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Approval], error) {
	return connected(
		pageOf(ctx, x, dealID, service.ApprovalListing, pageArgs{first, after, filter, sort}, r.s.Approvals.OfDeals),
	)
}

// Approvals implements exec.SubmissionResolver.
func (r submissionResolver) Approvals(
	ctx context.Context, x *ent.Submission, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Approval], error) {
	return connected(
		pageOf(
			ctx, x, submissionID, service.ApprovalListing, pageArgs{first, after, filter, sort}, r.s.Approvals.OfSubmissions,
		),
	)
}
