package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/applicationsubmission"
	"paydown/internal/auth"
)

// Applications are application forms as they were filled in.
type Applications struct{ *core }

// ApplicationListing describes the list.
var ApplicationListing = &Listing[ent.ApplicationSubmission]{
	Resource: "applications", Scope: auth.Read("applications"), NoUpdatedAt: true,
	Sorts: []Sort{
		{"status", applicationsubmission.FieldStatus, IsText},
	},
	Filters: []Filter{
		{
			Name: "status", Column: applicationsubmission.FieldStatus, Kind: IsEnum, Values: applicationsubmission.Status("").Values(),
			Doc: "Only applications of this status",
		},
		{Name: "formId", Column: applicationsubmission.FieldFormID, Kind: IsID, Doc: "Only applications made on this form"},
	},
	Expands: []Expand{
		{"form", auth.Read("applications")},
	},
}

// List returns a page of them, each with what it always includes.
func (s Applications) List(ctx context.Context, params map[string]string) (*Page[ent.ApplicationSubmission], error) {
	return page(ctx, s.core, ApplicationListing, params, s.store.Reader().ApplicationSubmission.Query().WithForm())
}
