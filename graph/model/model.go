// Package model holds GraphQL types besides the records: pages of them. A resource adds two lines.
package model

import (
	"context"

	"paydown/ent"
	"paydown/internal/service"
)

// Connection is a page of a list.
type Connection[E any] struct {
	page *service.Page[E]
}

// NewConnection returns the connection of a page.
func NewConnection[E any](page *service.Page[E]) *Connection[E] { return &Connection[E]{page} }

// Nodes returns the records of the page.
func (c *Connection[E]) Nodes() []*E { return c.page.Records }

// Edges returns the records of the page, each with its cursor.
func (c *Connection[E]) Edges() []*Edge[E] {
	edges := make([]*Edge[E], len(c.page.Records))
	for i, record := range c.page.Records {
		edges[i] = &Edge[E]{record, c.page}
	}
	return edges
}

// PageInfo returns the position of the page in the list.
func (c *Connection[E]) PageInfo() *PageInfo {
	info := &PageInfo{HasNextPage: c.page.HasMore, HasPreviousPage: c.page.Continued}
	if n := len(c.page.Records); n > 0 {
		first, last := c.page.Cursor(c.page.Records[0]), c.page.Cursor(c.page.Records[n-1])
		info.StartCursor, info.EndCursor = &first, &last
	}
	return info
}

// TotalCount counts the records of all pages, only if requested.
func (c *Connection[E]) TotalCount(ctx context.Context) (int, error) { return c.page.Total(ctx) }

// Edge is a record of a page.
type Edge[E any] struct {
	Node *E
	page *service.Page[E]
}

// Cursor returns the position after the record.
func (e *Edge[E]) Cursor() string { return e.page.Cursor(e.Node) }

// PageInfo is the position of a page in its list.
type PageInfo struct {
	HasNextPage, HasPreviousPage bool
	StartCursor, EndCursor       *string
}

// The connections and edges of the schema.
type (
	LeadConnection                  = Connection[ent.Lead]
	LeadEdge                        = Edge[ent.Lead]
	MerchantConnection              = Connection[ent.Merchant]
	MerchantEdge                    = Edge[ent.Merchant]
	DealConnection                  = Connection[ent.Deal]
	DealEdge                        = Edge[ent.Deal]
	PaymentConnection               = Connection[ent.Payment]
	PaymentEdge                     = Edge[ent.Payment]
	IsoConnection                   = Connection[ent.ISO]
	IsoEdge                         = Edge[ent.ISO]
	FunderConnection                = Connection[ent.Funder]
	FunderEdge                      = Edge[ent.Funder]
	SyndicatorConnection            = Connection[ent.Syndicator]
	SyndicatorEdge                  = Edge[ent.Syndicator]
	SubmissionConnection            = Connection[ent.Submission]
	SubmissionEdge                  = Edge[ent.Submission]
	ApprovalConnection              = Connection[ent.Approval]
	ApprovalEdge                    = Edge[ent.Approval]
	NoteConnection                  = Connection[ent.Note]
	NoteEdge                        = Edge[ent.Note]
	DecisionResultConnection        = Connection[ent.DecisionResult]
	DecisionResultEdge              = Edge[ent.DecisionResult]
	RenewalOpportunityConnection    = Connection[ent.RenewalOpportunity]
	RenewalOpportunityEdge          = Edge[ent.RenewalOpportunity]
	CreditFacilityConnection        = Connection[ent.CreditFacility]
	CreditFacilityEdge              = Edge[ent.CreditFacility]
	DisclosureConnection            = Connection[ent.Disclosure]
	DisclosureEdge                  = Edge[ent.Disclosure]
	UccFilingConnection             = Connection[ent.UCCFiling]
	UccFilingEdge                   = Edge[ent.UCCFiling]
	PayoutBatchConnection           = Connection[ent.PayoutBatch]
	PayoutBatchEdge                 = Edge[ent.PayoutBatch]
	PayoutItemConnection            = Connection[ent.PayoutItem]
	PayoutItemEdge                  = Edge[ent.PayoutItem]
	ApplicationSubmissionConnection = Connection[ent.ApplicationSubmission]
	ApplicationSubmissionEdge       = Edge[ent.ApplicationSubmission]
	CommunicationConnection         = Connection[ent.Communication]
	CommunicationEdge               = Edge[ent.Communication]
	StatementAnalysisConnection     = Connection[ent.StatementAnalysis]
	StatementAnalysisEdge           = Edge[ent.StatementAnalysis]
	InboundEventConnection          = Connection[ent.InboundEvent]
	InboundEventEdge                = Edge[ent.InboundEvent]
	NotificationConnection          = Connection[ent.Notification]
	NotificationEdge                = Edge[ent.Notification]
	UserConnection                  = Connection[ent.User]
	UserEdge                        = Edge[ent.User]
	SignatureRequestConnection      = Connection[ent.SignatureRequest]
	SignatureRequestEdge            = Edge[ent.SignatureRequest]
	DocumentConnection              = Connection[ent.Document]
	DocumentEdge                    = Edge[ent.Document]
	LedgerEntryConnection           = Connection[ent.Journal]
	LedgerEntryEdge                 = Edge[ent.Journal]
	AuditEntryConnection            = Connection[ent.AuditEntry]
	AuditEntryEdge                  = Edge[ent.AuditEntry]
	WebhookDeliveryConnection       = Connection[ent.WebhookDelivery]
	WebhookDeliveryEdge             = Edge[ent.WebhookDelivery]
	WebhookEndpointConnection       = Connection[ent.WebhookEndpoint]
	WebhookEndpointEdge             = Edge[ent.WebhookEndpoint]
)
