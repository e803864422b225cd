package graph

import (
	"context"
	"encoding/json"
	"time"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// AuditEntries implements exec.QueryResolver.
func (r queryResolver) AuditEntries(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.AuditEntry], error) {
	return list(ctx, service.AuditListing, pageArgs{first, after, filter, sort}, r.s.Audit.List)
}

// DealAt implements exec.QueryResolver.
func (r queryResolver) DealAt(ctx context.Context, dealID int, at time.Time) (*service.PastDeal, error) {
	return r.s.Audit.DealAt(ctx, dealID, at)
}

type auditEntryResolver struct{ *resolver }

// Before implements exec.AuditEntryResolver.
func (auditEntryResolver) Before(_ context.Context, x *ent.AuditEntry) (json.RawMessage, error) {
	return service.WireNames(x.Before)
}

// After implements exec.AuditEntryResolver.
func (auditEntryResolver) After(_ context.Context, x *ent.AuditEntry) (json.RawMessage, error) {
	return service.WireNames(x.After)
}
