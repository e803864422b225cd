package rest

import (
	_ "embed" // the overview
	"encoding/json"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// overview is what everybody who calls the API should know first.
//
//go:embed overview.md
var overview string

// webhookSignature names the way in which deliveries to webhook endpoints are authenticated.
const webhookSignature = "webhookSignature"

var tags = []*huma.Tag{
	{Name: "Keys", Description: "What the calling key is and may do."},
	{Name: "Leads", Description: "Businesses that might want financing."},
	{Name: "Merchants", Description: "Businesses that are, were or want to be financed."},
	{Name: "Deals", Description: "Financings: their terms, and the states they move through."},
	{Name: "Payments", Description: "Money that is due, under way, received or returned."},
	{Name: "Funders", Description: "Lenders that deals are submitted to; one is the tenant itself."},
	{Name: "ISOs", Description: "Brokers who bring deals."},
	{Name: "Syndicators", Description: "Investors who buy parts of deals."},
	{Name: "Statement analyses", Description: "What was read out of merchants' bank statements."},
	{Name: "Submissions", Description: "Deals put before funders, and where they stand in the pipeline."},
	{Name: "Compliance", Description: "Underwriting decisions, state disclosures and UCC filings."},
	{Name: "Renewals", Description: "Funded deals that are paid down far enough to be renewed."},
	{Name: "Credit facilities", Description: "Lines of credit with their draws."},
	{Name: "Payouts", Description: "Commissions to brokers and collections to syndicators, in batches."},
	{Name: "Applications", Description: "Application forms as they were filled in."},
	{Name: "Communications", Description: "Calls and text messages with merchants."},
	{Name: "Webhook endpoints", Description: "Where events are delivered to, and the events that there are.\n\n" + deliveries},
	{Name: "Inbound webhooks", Description: "What the company's own systems tell us, signed instead of with a key."},
}

// describe writes the machine-readable description. Every route is registered by then.
func (a *API) describe() []byte {
	doc := a.huma.OpenAPI()
	doc.Tags = tags
	doc.Webhooks = a.describeWebhooks()
	for _, item := range doc.Webhooks {
		item.Post.Security = []map[string][]string{{webhookSignature: {}}}
	}
	for name, schema := range a.schemas.Map() {
		if !strings.HasPrefix(name, "New") && !strings.HasPrefix(name, "Update") {
			schema.AdditionalProperties = nil // answers gain fields without notice; only inputs are closed
		}
	}
	a.exhibit(doc)
	body, err := json.Marshal(doc)
	if err != nil {
		panic(err) // plain data always marshals
	}
	return body
}
