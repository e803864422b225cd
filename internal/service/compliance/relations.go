package compliance

import (
	"context"

	"paydown/ent"
	entdisclosure "paydown/ent/disclosure"
	"paydown/ent/uccfiling"
	"paydown/internal/service/list"
)

// OfDeals returns a page of disclosures for each deal.
func (s Disclosures) OfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Disclosure], error) {
	ofDeal := list.Belonging{Filter: "dealId", Column: entdisclosure.FieldDealID}
	return list.PageOfEach(ctx, s.core, DisclosureListing, ofDeal, ids, req,
		s.core.Store.Reader().Disclosure.Query())
}

// OfDeals returns a page of filings for each deal.
func (s UCCFilings) OfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.UCCFiling], error) {
	ofDeal := list.Belonging{Filter: "dealId", Column: uccfiling.FieldDealID}
	return list.PageOfEach(ctx, s.core, UCCFilingListing, ofDeal, ids, req,
		s.core.Store.Reader().UCCFiling.Query())
}
