package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/creditfacility"
	"paydown/ent/deal"
	"paydown/ent/locdraw"
	"paydown/ent/payment"
	"paydown/ent/renewalopportunity"
	"paydown/internal/auth"
	"paydown/internal/service/list"
)

// ByIDs returns the existing deals among ids, by id.
func (s Deals) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Deal, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Deal.Query())
}

// ByIDs returns the existing payments among ids, by id.
func (s Payments) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Payment, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Payment.Query())
}

// Draws lists the draws of each credit facility, by its id.
func (s CreditFacilities) Draws(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.LocDraw, error) {
	return list.ReadOfEach(ctx, through, locdraw.FieldFacilityID, ids, s.core.Store.Reader().LocDraw.Query())
}

// OfMerchants returns a page of the deals of each merchant.
func (s Deals) OfMerchants(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Deal], error) {
	ofMerchant := list.Belonging{Filter: "merchantId", Column: entdeal.FieldMerchantID}
	return list.PageOfEach(ctx, s.core, DealListing, ofMerchant, ids, req,
		s.core.Store.Reader().Deal.Query())
}

// OfISOs returns a page of the deals of each ISO.
func (s Deals) OfISOs(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Deal], error) {
	ofISO := list.Belonging{Filter: "isoId", Column: entdeal.FieldIsoID}
	return list.PageOfEach(ctx, s.core, DealListing, ofISO, ids, req,
		s.core.Store.Reader().Deal.Query())
}

// OfDeals returns a page of the payments of each deal.
func (s Payments) OfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Payment], error) {
	ofDeal := list.Belonging{Filter: "dealId", Column: entpayment.FieldDealID}
	return list.PageOfEach(ctx, s.core, PaymentListing, ofDeal, ids, req,
		s.core.Store.Reader().Payment.Query())
}

// OfDeals returns a page of the renewals of each deal.
func (s Renewals) OfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.RenewalOpportunity], error) {
	ofPriorDeal := list.Belonging{Filter: "priorDealId", Column: renewalopportunity.FieldPriorDealID}
	return list.PageOfEach(ctx, s.core, RenewalListing, ofPriorDeal, ids, req,
		s.core.Store.Reader().RenewalOpportunity.Query())
}

// OfDeals returns a page of the credit facilities of each deal.
func (s CreditFacilities) OfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.CreditFacility], error) {
	ofDeal := list.Belonging{Filter: "dealId", Column: creditfacility.FieldDealID}
	return list.PageOfEach(ctx, s.core, CreditFacilityListing, ofDeal, ids, req,
		s.core.Store.Reader().CreditFacility.Query())
}
