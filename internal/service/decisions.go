package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/decisionresult"
	"paydown/internal/auth"
)

// Decisions are what underwriting made of deals.
type Decisions struct{ *core }

// DecisionListing describes the list.
var DecisionListing = &Listing[ent.DecisionResult]{
	Resource: "decisions", Scope: auth.Read("compliance"), NoUpdatedAt: true,
	Sorts: []Sort{
		{"score", decisionresult.FieldScore, IsInteger},
	},
	Filters: []Filter{
		{Name: "dealId", Column: decisionresult.FieldDealID, Kind: IsID, Doc: "Only decisions on this deal"},
	},
}

// List returns a page of them.
func (s Decisions) List(ctx context.Context, params map[string]string) (*Page[ent.DecisionResult], error) {
	return page(ctx, s.core, DecisionListing, params, s.store.Reader().DecisionResult.Query())
}
