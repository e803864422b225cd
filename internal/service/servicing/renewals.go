package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/renewalopportunity"
	"paydown/internal/auth"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Renewals is the aggregate of renewal opportunities: funded deals that are paid down far enough to be renewed.
type Renewals struct{ core *unit.Core }

// RenewalListing describes the list of renewal opportunities.
var RenewalListing = &list.Listing[ent.RenewalOpportunity]{
	Resource: "renewals", Scope: auth.Read("renewals"),
	Sorts: []list.Sort{
		{Name: "paidDownPct", Column: renewalopportunity.FieldPaidDownPct, Kind: list.IsDecimal},
		{Name: "outstanding", Column: renewalopportunity.FieldOutstanding, Kind: list.IsDecimal},
	},
	Filters: []list.Filter{
		{
			Name: "status", Column: renewalopportunity.FieldStatus, Kind: list.IsEnum,
			Values: renewalopportunity.Status("").Values(), Doc: "Only opportunities of this status",
		},
	},
	Expands: []list.Expand{
		{Name: "priorDeal", Scope: auth.Read("renewals")},
	},
}

// List returns a page of renewal opportunities with the relations they always include.
func (s Renewals) List(ctx context.Context, req list.Request) (*list.Page[ent.RenewalOpportunity], error) {
	return list.Read(ctx, s.core, RenewalListing, req, s.core.Store.Reader().RenewalOpportunity.Query().WithPriorDeal())
}
