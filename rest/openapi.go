package rest

import (
	_ "embed" // the overview
	"encoding/json"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// overview introduces the API.
//
//go:embed overview.md
var overview string

// webhookSignature names the security scheme of deliveries to webhook endpoints.
const webhookSignature = "webhookSignature"

var tags = []*huma.Tag{
	{Name: "Keys", Description: "The calling key and what it may do."},
	{Name: "Leads", Description: "Businesses that might want financing."},
	{Name: "Merchants", Description: "Businesses that are, were or want to be funded."},
	{Name: "Deals", Description: "Financings: their terms and states."},
	{Name: "Payments", Description: "Money that is due, in transit, received or returned."},
	{Name: "Funders", Description: "Lenders that deals are submitted to; one is the tenant itself."},
	{Name: "ISOs", Description: "Brokers who bring deals."},
	{Name: "Syndicators", Description: "Investors who buy shares of deals."},
	{Name: "Statement analyses", Description: "Analyses of merchants' bank statements."},
	{Name: "Submissions", Description: "Deals submitted to funders, and their pipeline status."},
	{Name: "Compliance", Description: "Underwriting decisions, state disclosures and UCC filings."},
	{Name: "Renewals", Description: "Funded deals that are paid down enough to renew."},
	{Name: "Credit facilities", Description: "Lines of credit and their draws."},
	{Name: "Payouts", Description: "Batches that pay commissions to ISOs and shares to syndicators."},
	{Name: "Applications", Description: "Filled-in application forms."},
	{Name: "Communications", Description: "Calls and text messages with merchants."},
	{Name: "Webhook endpoints", Description: "Where events are delivered, and the kinds of events.\n\n" + deliveries},
	{
		Name:        "Inbound webhooks",
		Description: "Events from the company's own systems, authenticated by signature instead of an API key.",
	},
}

// describe returns the machine-readable description. All routes must be registered before.
func (a *API) describe() []byte {
	doc := a.huma.OpenAPI()
	doc.Tags = tags
	doc.Webhooks = a.describeWebhooks()
	for _, item := range doc.Webhooks {
		item.Post.Security = []map[string][]string{{webhookSignature: {}}}
	}
	for name, schema := range a.schemas.Map() {
		if !strings.HasPrefix(name, "New") && !strings.HasPrefix(name, "Update") {
			schema.AdditionalProperties = nil // responses gain fields without notice; only inputs are closed
		}
	}
	a.addExamples(doc)
	body, err := json.Marshal(doc)
	if err != nil {
		panic(err) // plain data always marshals
	}
	return body
}
