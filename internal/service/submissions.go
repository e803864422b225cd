package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/submission"
	"paydown/internal/auth"
)

// Submissions are deals put before funders.
type Submissions struct{ *core }

// SubmissionListing describes the list.
var SubmissionListing = &Listing[ent.Submission]{
	Resource: "submissions", Scope: auth.Read("submissions"),
	Sorts: []Sort{
		{"submittedAt", submission.FieldSubmittedAt, IsTime},
		{"statusChangedAt", submission.FieldStatusChangedAt, IsTime},
	},
	Filters: []Filter{
		{Name: "dealId", Column: submission.FieldDealID, Kind: IsID, Doc: "Only submissions of this deal"},
		{Name: "funderId", Column: submission.FieldFunderID, Kind: IsID, Doc: "Only submissions to this funder"},
	},
	Expands: []Expand{
		{"funder", auth.Read("submissions")},
		{"status", auth.Read("submissions")},
		{"deal", auth.Read("submissions")},
	},
}

// List returns a page of them, each with what it always includes.
func (s Submissions) List(ctx context.Context, params map[string]string) (*Page[ent.Submission], error) {
	return page(ctx, s.core, SubmissionListing, params,
		s.store.Reader().Submission.Query().WithFunder().WithStatus().WithDeal())
}
