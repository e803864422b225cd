package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/communication"
	"paydown/ent/creditfacility"
	entdeal "paydown/ent/deal"
	"paydown/ent/decisionresult"
	"paydown/ent/deliveryattempt"
	entdisclosure "paydown/ent/disclosure"
	"paydown/ent/locdraw"
	"paydown/ent/merchantcontact"
	entpayment "paydown/ent/payment"
	"paydown/ent/renewalopportunity"
	"paydown/ent/statementanalysis"
	"paydown/ent/submission"
	"paydown/ent/uccfiling"
	"paydown/ent/webhookdelivery"
	"paydown/internal/auth"
)

// The methods here read what a number of records refer to, or what belongs to them, in one statement. ByIDs and the like
// serve whoever holds the scope that leads there, as a list's Expand does; pages need the scope of their own list.

// ByIDs returns those of the leads that there are, by id.
func (s Leads) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Lead, error) {
	return byIDs(ctx, through, ids, s.store.Reader().Lead.Query())
}

// ByIDs returns those of the merchants that there are, by id.
func (s Merchants) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Merchant, error) {
	return byIDs(ctx, through, ids, s.store.Reader().Merchant.Query())
}

// ByIDs returns those of the deals that there are, by id.
func (s Deals) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Deal, error) {
	return byIDs(ctx, through, ids, s.store.Reader().Deal.Query())
}

// ByIDs returns those of the payments that there are, by id.
func (s Payments) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Payment, error) {
	return byIDs(ctx, through, ids, s.store.Reader().Payment.Query())
}

// ByIDs returns those of the ISOs that there are, by id.
func (s ISOs) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.ISO, error) {
	return byIDs(ctx, through, ids, s.store.Reader().ISO.Query())
}

// ByIDs returns those of the funders that there are, by id.
func (s Funders) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Funder, error) {
	return byIDs(ctx, through, ids, s.store.Reader().Funder.Query())
}

// ByIDs returns those of the syndicators that there are, by id.
func (s Syndicators) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Syndicator, error) {
	return byIDs(ctx, through, ids, s.store.Reader().Syndicator.Query())
}

// StatusesByIDs returns those of the steps of the pipeline that there are, by id.
func (s Submissions) StatusesByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.SubmissionStatus, error) {
	return byIDs(ctx, through, ids, s.store.Reader().SubmissionStatus.Query())
}

// FormsByIDs returns those of the forms that there are, by id.
func (s Applications) FormsByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Form, error) {
	return byIDs(ctx, through, ids, s.store.Reader().Form.Query())
}

// Contacts lists the contacts of each of them, by id.
func (s Merchants) Contacts(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.MerchantContact, error) {
	return listOfEach(ctx, through, merchantcontact.FieldMerchantID, ids, s.store.Reader().MerchantContact.Query())
}

// Draws lists the draws of each of them, by id.
func (s CreditFacilities) Draws(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.LocDraw, error) {
	return listOfEach(ctx, through, locdraw.FieldFacilityID, ids, s.store.Reader().LocDraw.Query())
}

// ByIDs returns those of the webhook endpoints that there are, by id.
func (s WebhookEndpoints) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.WebhookEndpoint, error) {
	return byIDs(ctx, through, ids, s.store.Reader().WebhookEndpoint.Query())
}

// ByIDs returns those of the deliveries that there are, by id.
func (s WebhookDeliveries) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.WebhookDelivery, error) {
	return byIDs(ctx, through, ids, s.store.Reader().WebhookDelivery.Query())
}

// Tries lists the tries of each of the deliveries, in their order.
func (s WebhookDeliveries) Tries(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.DeliveryAttempt, error) {
	return listOfEach(ctx, through, deliveryattempt.FieldDeliveryID, ids, s.store.Reader().DeliveryAttempt.Query())
}

// OfEndpoints returns a page of the deliveries to each of the endpoints.
func (s WebhookDeliveries) OfEndpoints(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.WebhookDelivery], error) {
	return pageOfEach(ctx, s.core, WebhookDeliveryListing, belonging{"endpointId", webhookdelivery.FieldEndpointID}, ids,
		params, s.store.Reader().WebhookDelivery.Query())
}

// OfMerchants returns a page of the deals of each of the merchants.
func (s Deals) OfMerchants(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.Deal], error) {
	return pageOfEach(ctx, s.core, DealListing, belonging{"merchantId", entdeal.FieldMerchantID}, ids, params, s.store.Reader().Deal.Query())
}

// OfISOs returns a page of the deals of each of the ISOs.
func (s Deals) OfISOs(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.Deal], error) {
	return pageOfEach(ctx, s.core, DealListing, belonging{"isoId", entdeal.FieldIsoID}, ids, params, s.store.Reader().Deal.Query())
}

// OfDeals returns a page of the payments of each of the deals.
func (s Payments) OfDeals(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.Payment], error) {
	return pageOfEach(ctx, s.core, PaymentListing, belonging{"dealId", entpayment.FieldDealID}, ids, params, s.store.Reader().Payment.Query())
}

// OfDeals returns a page of the submissions of each of the deals.
func (s Submissions) OfDeals(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.Submission], error) {
	return pageOfEach(ctx, s.core, SubmissionListing, belonging{"dealId", submission.FieldDealID}, ids, params, s.store.Reader().Submission.Query())
}

// OfFunders returns a page of the submissions of each of the funders.
func (s Submissions) OfFunders(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.Submission], error) {
	return pageOfEach(ctx, s.core, SubmissionListing, belonging{"funderId", submission.FieldFunderID}, ids, params, s.store.Reader().Submission.Query())
}

// OfDeals returns a page of the decisions of each of the deals.
func (s Decisions) OfDeals(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.DecisionResult], error) {
	return pageOfEach(ctx, s.core, DecisionListing, belonging{"dealId", decisionresult.FieldDealID}, ids, params, s.store.Reader().DecisionResult.Query())
}

// OfDeals returns a page of the renewals of each of the deals.
func (s Renewals) OfDeals(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.RenewalOpportunity], error) {
	return pageOfEach(ctx, s.core, RenewalListing, belonging{"priorDealId", renewalopportunity.FieldPriorDealID}, ids, params, s.store.Reader().RenewalOpportunity.Query())
}

// OfDeals returns a page of the facilities of each of the deals.
func (s CreditFacilities) OfDeals(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.CreditFacility], error) {
	return pageOfEach(ctx, s.core, CreditFacilityListing, belonging{"dealId", creditfacility.FieldDealID}, ids, params, s.store.Reader().CreditFacility.Query())
}

// OfDeals returns a page of the disclosures of each of the deals.
func (s Disclosures) OfDeals(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.Disclosure], error) {
	return pageOfEach(ctx, s.core, DisclosureListing, belonging{"dealId", entdisclosure.FieldDealID}, ids, params, s.store.Reader().Disclosure.Query())
}

// OfDeals returns a page of the filings of each of the deals.
func (s UCCFilings) OfDeals(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.UCCFiling], error) {
	return pageOfEach(ctx, s.core, UCCFilingListing, belonging{"dealId", uccfiling.FieldDealID}, ids, params, s.store.Reader().UCCFiling.Query())
}

// OfDeals returns a page of the communications of each of the deals.
func (s Communications) OfDeals(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.Communication], error) {
	return pageOfEach(ctx, s.core, CommunicationListing, belonging{"dealId", communication.FieldDealID}, ids, params, s.store.Reader().Communication.Query())
}

// OfMerchants returns a page of the communications of each of the merchants.
func (s Communications) OfMerchants(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.Communication], error) {
	return pageOfEach(ctx, s.core, CommunicationListing, belonging{"merchantId", communication.FieldMerchantID}, ids, params, s.store.Reader().Communication.Query())
}

// OfDeals returns a page of the analyses of each of the deals.
func (s Analyses) OfDeals(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.StatementAnalysis], error) {
	return pageOfEach(ctx, s.core, AnalysisListing, belonging{"dealId", statementanalysis.FieldDealID}, ids, params, s.store.Reader().StatementAnalysis.Query())
}

// OfMerchants returns a page of the analyses of each of the merchants.
func (s Analyses) OfMerchants(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.StatementAnalysis], error) {
	return pageOfEach(ctx, s.core, AnalysisListing, belonging{"merchantId", statementanalysis.FieldMerchantID}, ids, params, s.store.Reader().StatementAnalysis.Query())
}
