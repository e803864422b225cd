package workspace

import (
	"context"

	"paydown/ent"
	"paydown/ent/communication"
	"paydown/internal/service/list"
)

// OfDeals returns a page of communications for each deal.
func (s Communications) OfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Communication], error) {
	ofDeal := list.Belonging{Filter: "dealId", Column: communication.FieldDealID}
	return list.PageOfEach(ctx, s.core, CommunicationListing, ofDeal, ids, req,
		s.core.Store.Reader().Communication.Query())
}

// OfMerchants returns a page of communications for each merchant.
func (s Communications) OfMerchants(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Communication], error) {
	ofMerchant := list.Belonging{Filter: "merchantId", Column: communication.FieldMerchantID}
	return list.PageOfEach(ctx, s.core, CommunicationListing, ofMerchant, ids, req,
		s.core.Store.Reader().Communication.Query())
}
