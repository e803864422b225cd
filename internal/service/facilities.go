package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/creditfacility"
	"paydown/ent/locdraw"
	"paydown/internal/auth"
)

// CreditFacilities are lines of credit.
type CreditFacilities struct{ *core }

// CreditFacilityListing describes the list.
var CreditFacilityListing = &Listing[ent.CreditFacility]{
	Resource: "creditFacilities", Scope: auth.Read("credit-facilities"),
	Sorts: []Sort{
		{"creditLimit", creditfacility.FieldCreditLimit, IsDecimal},
		{"availableRoom", creditfacility.FieldAvailableRoom, IsDecimal},
	},
	Filters: []Filter{
		{
			Name: "status", Column: creditfacility.FieldStatus, Kind: IsEnum, Values: creditfacility.Status("").Values(),
			Doc: "Only facilities of this status",
		},
	},
	Expands: []Expand{
		{"draws", auth.Read("credit-facilities")},
	},
}

// List returns a page of them, each with what it always includes.
func (s CreditFacilities) List(ctx context.Context, params map[string]string) (*Page[ent.CreditFacility], error) {
	return page(ctx, s.core, CreditFacilityListing, params,
		s.store.Reader().CreditFacility.Query().WithDraws(func(q *ent.LocDrawQuery) { q.Order(locdraw.ByID()) }))
}
