package underwriting

import (
	"context"

	"paydown/ent"
	"paydown/ent/decisionresult"
	"paydown/ent/statementanalysis"
	"paydown/internal/service/list"
)

// OfDeals returns a page of the decisions of each deal.
func (s Decisions) OfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.DecisionResult], error) {
	ofDeal := list.Belonging{Filter: "dealId", Column: decisionresult.FieldDealID}
	return list.PageOfEach(ctx, s.core, DecisionListing, ofDeal, ids, req,
		s.core.Store.Reader().DecisionResult.Query())
}

// OfDeals returns a page of the analyses of each deal.
func (s Analyses) OfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.StatementAnalysis], error) {
	ofDeal := list.Belonging{Filter: "dealId", Column: statementanalysis.FieldDealID}
	return list.PageOfEach(ctx, s.core, AnalysisListing, ofDeal, ids, req,
		s.core.Store.Reader().StatementAnalysis.Query())
}

// OfMerchants returns a page of the analyses of each merchant.
func (s Analyses) OfMerchants(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.StatementAnalysis], error) {
	ofMerchant := list.Belonging{Filter: "merchantId", Column: statementanalysis.FieldMerchantID}
	return list.PageOfEach(ctx, s.core, AnalysisListing, ofMerchant, ids, req,
		s.core.Store.Reader().StatementAnalysis.Query())
}
