package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/communication"
	"paydown/internal/auth"
)

// Communications are calls and text messages with merchants.
type Communications struct{ *core }

// CommunicationListing describes the list.
var CommunicationListing = &Listing[ent.Communication]{
	Resource: "communications", Scope: auth.Read("communications"), NoUpdatedAt: true,
	Sorts: []Sort{
		{"occurredAt", communication.FieldOccurredAt, IsTime},
	},
	Filters: []Filter{
		{Name: "merchantId", Column: communication.FieldMerchantID, Kind: IsID, Doc: "Only those with this merchant"},
		{Name: "dealId", Column: communication.FieldDealID, Kind: IsID, Doc: "Only those about this deal"},
		{
			Name: "channel", Column: communication.FieldChannel, Kind: IsEnum, Values: communication.Channel("").Values(),
			Doc: "Only those of this channel",
		},
	},
}

// List returns a page of them.
func (s Communications) List(ctx context.Context, params map[string]string) (*Page[ent.Communication], error) {
	return page(ctx, s.core, CommunicationListing, params, s.store.Reader().Communication.Query())
}
