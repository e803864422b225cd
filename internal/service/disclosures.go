package service

import (
	"context"

	"paydown/ent"
	entdisclosure "paydown/ent/disclosure"
	"paydown/internal/auth"
)

// Disclosures are what state law has merchants told before they sign.
type Disclosures struct{ *core }

// DisclosureListing describes the list.
var DisclosureListing = &Listing[ent.Disclosure]{
	Resource: "disclosures", Scope: auth.Read("compliance"),
	Sorts: []Sort{
		{"state", entdisclosure.FieldState, IsText},
		{"status", entdisclosure.FieldStatus, IsText},
	},
	Filters: []Filter{
		{Name: "dealId", Column: entdisclosure.FieldDealID, Kind: IsID, Doc: "Only disclosures of this deal"},
		{Name: "state", Column: entdisclosure.FieldState, Kind: IsText, Doc: "Only disclosures under the law of this state"},
		{
			Name: "status", Column: entdisclosure.FieldStatus, Kind: IsEnum, Values: entdisclosure.Status("").Values(),
			Doc: "Only disclosures of this status",
		},
	},
}

// List returns a page of them.
func (s Disclosures) List(ctx context.Context, params map[string]string) (*Page[ent.Disclosure], error) {
	return page(ctx, s.core, DisclosureListing, params, s.store.Reader().Disclosure.Query())
}
