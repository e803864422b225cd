package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/renewalopportunity"
	"paydown/internal/auth"
)

// Renewals are funded deals that are paid down far enough to be renewed.
type Renewals struct{ *core }

// RenewalListing describes the list.
var RenewalListing = &Listing[ent.RenewalOpportunity]{
	Resource: "renewals", Scope: auth.Read("renewals"),
	Sorts: []Sort{
		{"paidDownPct", renewalopportunity.FieldPaidDownPct, IsDecimal},
		{"outstanding", renewalopportunity.FieldOutstanding, IsDecimal},
	},
	Filters: []Filter{
		{
			Name: "status", Column: renewalopportunity.FieldStatus, Kind: IsEnum, Values: renewalopportunity.Status("").Values(),
			Doc: "Only opportunities of this status",
		},
	},
	Expands: []Expand{
		{"priorDeal", auth.Read("renewals")},
	},
}

// List returns a page of them, each with what it always includes.
func (s Renewals) List(ctx context.Context, params map[string]string) (*Page[ent.RenewalOpportunity], error) {
	return page(ctx, s.core, RenewalListing, params, s.store.Reader().RenewalOpportunity.Query().WithPriorDeal())
}
