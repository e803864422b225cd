package pipeline

import (
	"context"

	"paydown/ent"
	"paydown/ent/submission"
	"paydown/internal/auth"
	"paydown/internal/service/list"
)

// StatusesByIDs returns the existing submission statuses among ids, by id.
func (s Submissions) StatusesByIDs(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int]*ent.SubmissionStatus, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().SubmissionStatus.Query())
}

// OfDeals returns a page of the submissions of each deal.
func (s Submissions) OfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Submission], error) {
	ofDeal := list.Belonging{Filter: "dealId", Column: submission.FieldDealID}
	return list.PageOfEach(ctx, s.core, SubmissionListing, ofDeal, ids, req,
		s.core.Store.Reader().Submission.Query())
}

// OfFunders returns a page of the submissions to each funder.
func (s Submissions) OfFunders(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Submission], error) {
	ofFunder := list.Belonging{Filter: "funderId", Column: submission.FieldFunderID}
	return list.PageOfEach(ctx, s.core, SubmissionListing, ofFunder, ids, req,
		s.core.Store.Reader().Submission.Query())
}
