package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// CreateNote implements exec.MutationResolver.
func (r mutationResolver) CreateNote(ctx context.Context, input model.Input) (*ent.Note, error) {
	return create(ctx, r.resolver, input, r.s.Notes.Create)
}

// UpdateNote implements exec.MutationResolver.
func (r mutationResolver) UpdateNote(ctx context.Context, id int, input model.Input) (*ent.Note, error) {
	return update(ctx, r.resolver, id, input, r.s.Notes.Update)
}

// DeleteNote implements exec.MutationResolver.
func (r mutationResolver) DeleteNote(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.Notes.Delete)
}

type leadResolver struct{ *resolver }

// StaffNotes implements exec.LeadResolver.
func (r leadResolver) StaffNotes(
	ctx context.Context, x *ent.Lead, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Note], error) {
	key := func(x *ent.Lead) int { return x.ID }
	return connected(pageOf(ctx, x, key, service.NoteListing, pageArgs{first, after, filter, sort}, r.s.Notes.OfLeads))
}

// StaffNotes implements exec.MerchantResolver.
func (r merchantResolver) StaffNotes(
	ctx context.Context, x *ent.Merchant, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Note], error) {
	key := func(x *ent.Merchant) int { return x.ID }
	return connected(pageOf(ctx, x, key, service.NoteListing, pageArgs{first, after, filter, sort}, r.s.Notes.OfMerchants))
}

// StaffNotes implements exec.DealResolver.
func (r dealResolver) StaffNotes(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Note], error) {
	return connected(pageOf(ctx, x, dealID, service.NoteListing, pageArgs{first, after, filter, sort}, r.s.Notes.OfDeals))
}

// StaffNotes implements exec.SubmissionResolver.
func (r submissionResolver) StaffNotes(
	ctx context.Context, x *ent.Submission, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Note], error) {
	return connected(
		pageOf(ctx, x, submissionID, service.NoteListing, pageArgs{first, after, filter, sort}, r.s.Notes.OfSubmissions),
	)
}
