package compliance

import (
	"context"

	"paydown/ent"
	"paydown/ent/uccfiling"
	"paydown/internal/auth"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// UCCFilings are financing statements and their amendments.
type UCCFilings struct{ core *unit.Core }

// UCCFilingListing describes the list.
var UCCFilingListing = &list.Listing[ent.UCCFiling]{
	Resource: "uccFilings", Scope: auth.Read("compliance"),
	Sorts: []list.Sort{
		{Name: "filedAt", Column: uccfiling.FieldFiledAt, Kind: list.IsTime},
		{Name: "lapsesAt", Column: uccfiling.FieldLapsesAt, Kind: list.IsDate},
	},
	Filters: []list.Filter{
		{Name: "dealId", Column: uccfiling.FieldDealID, Kind: list.IsID, Doc: "Only filings for this deal"},
		{
			Name: "status", Column: uccfiling.FieldStatus, Kind: list.IsEnum, Values: uccfiling.Status("").Values(),
			Doc: "Only filings of this status",
		},
	},
}

// List returns a page of UCC filings.
func (s UCCFilings) List(ctx context.Context, req list.Request) (*list.Page[ent.UCCFiling], error) {
	return list.Read(ctx, s.core, UCCFilingListing, req, s.core.Store.Reader().UCCFiling.Query())
}
