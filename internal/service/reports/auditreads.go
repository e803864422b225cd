package reports

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// Audit reads the audit trail. It requires the permission audit.read.
type Audit struct {
	core  *unit.Core
	feeds *feeds
}

// AuditListing describes the list of entries, in the order in which they were written.
var AuditListing = &list.Listing[ent.AuditEntry]{
	Resource: "auditEntries", NoUpdatedAt: true, ByIDOnly: true,
	Filters: []list.Filter{
		{
			Name: "entity", Column: auditentry.FieldEntity, Kind: list.IsText,
			Doc: "Only entries of this kind of record: deal, payment …",
		},
		{
			Name: "entityId", Column: auditentry.FieldEntityID, Kind: list.IsID,
			Doc: "Only entries of records with this id, of any kind",
		},
		{Name: "dealId", Column: auditentry.FieldDealID, Kind: list.IsID, Doc: "Only entries about this deal"},
		{
			Name: "action", Column: auditentry.FieldAction, Kind: list.IsText,
			Doc: "Only entries of this action: deal.update …",
		},
		{
			Name: "actorKind", Column: auditentry.FieldActorKind, Kind: list.IsText,
			Doc: "Only changes by a KEY, USER, OPERATOR or the SYSTEM",
		},
		{
			Name: "actorId", Column: auditentry.FieldActorID, Kind: list.IsID,
			Doc: "Only changes by the key or member of staff with this id",
		},
		{
			Name: "surface", Column: auditentry.FieldSurface, Kind: list.IsText,
			Doc: "Only changes through this surface: REST, GRAPHQL, CLI …",
		},
		{Name: "requestId", Column: auditentry.FieldRequestID, Kind: list.IsText, Doc: "Only entries of this request"},
	},
}

// List returns a page of the audit trail.
func (s Audit) List(ctx context.Context, req list.Request) (*list.Page[ent.AuditEntry], error) {
	actor, err := unit.RequirePermission(ctx, auth.ReadAudit)
	if err != nil {
		return nil, err
	}
	q, err := AuditListing.Query(s.core, actor, req)
	if err != nil {
		return nil, err
	}
	return list.FetchPage(ctx, s.core, q, s.core.Store.Reader().AuditEntry.Query())
}

// OfDeals returns a page of the history of each deal: changes of the deal, its payments and other records.
func (s Audit) OfDeals(ctx context.Context, ids []int, req list.Request) (map[int]*list.Page[ent.AuditEntry], error) {
	actor, err := unit.RequirePermission(ctx, auth.ReadAudit)
	if err != nil {
		return nil, err
	}
	ofDeal := list.Belonging{Filter: "dealId", Column: auditentry.FieldDealID}
	return list.PagesFor(ctx, s.core, actor, AuditListing, ofDeal, ids, req,
		s.core.Store.Reader().AuditEntry.Query())
}

// WireNames returns the fields of an audited record under their API names instead of column names. It omits
// the tenant and related records.
func WireNames(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
		return nil, nil
	}
	var columns map[string]json.RawMessage
	if err := json.Unmarshal(raw, &columns); err != nil {
		return nil, fmt.Errorf("audit entry: %w", err)
	}
	fields := make(map[string]json.RawMessage, len(columns))
	for column, value := range columns {
		if column != "tenant_id" && column != "edges" {
			fields[input.FieldName(column)] = value
		}
	}
	return json.Marshal(fields)
}

// PastDeal is a deal as of a past time.
type PastDeal struct {
	At time.Time
	// Entry is the latest change of the deal by then.
	Entry      *ent.AuditEntry
	DealNumber string
	State      deal.State
	// Values are the fields of the deal by API name.
	Values json.RawMessage
	// Outstanding and Collected are the amounts in the books by then.
	Outstanding, Collected money.Amount
}

// DealAt returns a deal as of a past time, from the audit trail and the books. If the deal did not exist at
// that time, the error is not found. It refuses a time in the future.
func (s Audit) DealAt(ctx context.Context, id int, at time.Time) (*PastDeal, error) {
	actor, err := unit.RequirePermission(ctx, auth.ReadAudit)
	if err != nil {
		return nil, err
	}
	if at.After(s.core.Store.Now()) {
		return nil, fault.Field("at", "must not be in the future")
	}
	entry, err := s.core.Store.Reader().AuditEntry.Query().Where(auditentry.Entity("deal"), auditentry.EntityID(id),
		auditentry.CreatedAtLTE(at), auditentry.Or(auditentry.AfterNotNil(), auditentry.Action("deal."+unit.Deleted))).
		Order(auditentry.ByID(unit.Descending())).First(ctx)
	if err != nil {
		return nil, unit.NotFound(err, "deal at that time")
	}
	if entry.Action == "deal."+unit.Deleted {
		return nil, fault.Missing("deal at that time")
	}
	var was ent.Deal
	if err := json.Unmarshal(entry.After, &was); err != nil {
		return nil, fmt.Errorf("audit entry %d: %w", entry.ID, err)
	}
	values, err := WireNames(entry.After)
	if err != nil {
		return nil, err
	}
	sums, err := s.core.Store.CentsRecorded(ctx, actor.TenantID, store.Part{DealID: id}, at.Add(store.Precision))
	if err != nil {
		return nil, err
	}
	b := books.BalancesOf(sums)
	return &PastDeal{
		At: at, Entry: entry, DealNumber: was.DealNumber, State: was.State, Values: values,
		Outstanding: ledger.Outstanding(b), Collected: ledger.Collected(b),
	}, nil
}
