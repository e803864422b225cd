package graph

import (
	"github.com/vektah/gqlparser/v2/ast"

	"paydown/graph/exec"
	"paydown/internal/service"
)

// resolver is the root of the resolvers, which only call the service.
type resolver struct {
	s      *service.Service
	schema *ast.Schema
}

type (
	queryResolver    struct{ *resolver }
	mutationResolver struct{ *resolver }
)

// Query implements exec.ResolverRoot, as do the methods below, one for each type with resolved fields.
func (r *resolver) Query() exec.QueryResolver { return queryResolver{r} }

// Mutation is the root of mutations.
func (r *resolver) Mutation() exec.MutationResolver { return mutationResolver{r} }

// Subscription is the root of subscriptions.
func (r *resolver) Subscription() exec.SubscriptionResolver { return subscriptionResolver{r} }

func (r *resolver) Lead() exec.LeadResolver                     { return leadResolver{r} }
func (r *resolver) Merchant() exec.MerchantResolver             { return merchantResolver{r} }
func (r *resolver) Deal() exec.DealResolver                     { return dealResolver{r} }
func (r *resolver) Payment() exec.PaymentResolver               { return paymentResolver{r} }
func (r *resolver) Iso() exec.IsoResolver                       { return isoResolver{r} }
func (r *resolver) Funder() exec.FunderResolver                 { return funderResolver{r} }
func (r *resolver) Submission() exec.SubmissionResolver         { return submissionResolver{r} }
func (r *resolver) Approval() exec.ApprovalResolver             { return approvalResolver{r} }
func (r *resolver) DecisionResult() exec.DecisionResultResolver { return decisionResultResolver{r} }
func (r *resolver) RenewalOpportunity() exec.RenewalOpportunityResolver {
	return renewalOpportunityResolver{r}
}
func (r *resolver) CreditFacility() exec.CreditFacilityResolver { return creditFacilityResolver{r} }
func (r *resolver) LocDraw() exec.LocDrawResolver               { return locDrawResolver{r} }
func (r *resolver) Disclosure() exec.DisclosureResolver         { return disclosureResolver{r} }
func (r *resolver) UccFiling() exec.UccFilingResolver           { return uccFilingResolver{r} }
func (r *resolver) PayoutBatch() exec.PayoutBatchResolver       { return payoutBatchResolver{r} }
func (r *resolver) PayoutItem() exec.PayoutItemResolver         { return payoutItemResolver{r} }
func (r *resolver) ApplicationSubmission() exec.ApplicationSubmissionResolver {
	return applicationSubmissionResolver{r}
}

func (r *resolver) Communication() exec.CommunicationResolver { return communicationResolver{r} }
func (r *resolver) StatementAnalysis() exec.StatementAnalysisResolver {
	return statementAnalysisResolver{r}
}

func (r *resolver) Viewer() exec.ViewerResolver                   { return viewerResolver{r} }
func (r *resolver) Company() exec.CompanyResolver                 { return companyResolver{r} }
func (r *resolver) User() exec.UserResolver                       { return userResolver{r} }
func (r *resolver) StaffPermission() exec.StaffPermissionResolver { return staffPermissionResolver{r} }
func (r *resolver) InboundEvent() exec.InboundEventResolver       { return inboundEventResolver{r} }
func (r *resolver) Syndicator() exec.SyndicatorResolver           { return syndicatorResolver{r} }
func (r *resolver) Participation() exec.ParticipationResolver     { return participationResolver{r} }
func (r *resolver) LedgerEntry() exec.LedgerEntryResolver         { return ledgerEntryResolver{r} }
func (r *resolver) StatementLine() exec.StatementLineResolver     { return statementLineResolver{r} }
func (r *resolver) AuditEntry() exec.AuditEntryResolver           { return auditEntryResolver{r} }
func (r *resolver) Dashboard() exec.DashboardResolver             { return dashboardResolver{r} }
func (r *resolver) WorkQueueItem() exec.WorkQueueItemResolver     { return workQueueItemResolver{r} }

func (r *resolver) CommissionOffer() exec.CommissionOfferResolver { return commissionOfferResolver{r} }

func (r *resolver) WebhookEndpoint() exec.WebhookEndpointResolver { return webhookEndpointResolver{r} }

func (r *resolver) DeliveryAttempt() exec.DeliveryAttemptResolver { return deliveryAttemptResolver{r} }

func (r *resolver) WebhookDelivery() exec.WebhookDeliveryResolver { return webhookDeliveryResolver{r} }

func (r *resolver) ApiKey() exec.ApiKeyResolver                     { return apiKeyResolver{r} } //nolint:revive,staticcheck // the schema's name
func (r *resolver) BankAccountToken() exec.BankAccountTokenResolver { return bankAccountResolver{r} }

func (r *resolver) CollectionHold() exec.CollectionHoldResolver { return collectionHoldResolver{r} }
func (r *resolver) Document() exec.DocumentResolver             { return documentResolver{r} }
func (r *resolver) SignatureRequest() exec.SignatureRequestResolver {
	return signatureRequestResolver{r}
}
