package underwriting

import (
	"context"

	"paydown/ent"
	"paydown/ent/decisionresult"
	"paydown/internal/auth"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Decisions is the aggregate of underwriting decisions.
type Decisions struct{ core *unit.Core }

// DecisionListing describes the list of decisions.
var DecisionListing = &list.Listing[ent.DecisionResult]{
	Resource: "decisions", Scope: auth.Read("compliance"), NoUpdatedAt: true,
	Sorts: []list.Sort{
		{Name: "score", Column: decisionresult.FieldScore, Kind: list.IsInteger},
	},
	Filters: []list.Filter{
		{Name: "dealId", Column: decisionresult.FieldDealID, Kind: list.IsID, Doc: "Only decisions on this deal"},
	},
}

// List returns a page of decisions.
func (s Decisions) List(ctx context.Context, req list.Request) (*list.Page[ent.DecisionResult], error) {
	return list.Read(ctx, s.core, DecisionListing, req, s.core.Store.Reader().DecisionResult.Query())
}
