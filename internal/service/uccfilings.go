package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/uccfiling"
	"paydown/internal/auth"
)

// UCCFilings are financing statements and their amendments.
type UCCFilings struct{ *core }

// UCCFilingListing describes the list.
var UCCFilingListing = &Listing[ent.UCCFiling]{
	Resource: "uccFilings", Scope: auth.Read("compliance"),
	Sorts: []Sort{
		{"filedAt", uccfiling.FieldFiledAt, IsTime},
		{"lapsesAt", uccfiling.FieldLapsesAt, IsDate},
	},
	Filters: []Filter{
		{Name: "dealId", Column: uccfiling.FieldDealID, Kind: IsID, Doc: "Only filings for this deal"},
		{
			Name: "status", Column: uccfiling.FieldStatus, Kind: IsEnum, Values: uccfiling.Status("").Values(),
			Doc: "Only filings of this status",
		},
	},
}

// List returns a page of them.
func (s UCCFilings) List(ctx context.Context, params map[string]string) (*Page[ent.UCCFiling], error) {
	return page(ctx, s.core, UCCFilingListing, params, s.store.Reader().UCCFiling.Query())
}
