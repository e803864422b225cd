package reports

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/ent/predicate"
	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// AuditQuery filters the audit trail; zero fields do not filter.
type AuditQuery struct {
	After    int // id of an entry: only later ones
	Since    *time.Time
	Entity   string // kind of record, as the trail names it: apiKey
	EntityID int
	Limit    int  // maximum number of entries
	Follow   bool // continue with new entries
}

// Read calls tell with pages of the tenant's audit trail, oldest first; the trail may be of any length. It
// reads only up to the settled id, so that a caller who continues after the last entry misses none that was
// committed late. If in.Follow is set, Read continues with new entries until the context ends. An error from
// tell ends it.
func (s Audit) Read(ctx context.Context, in AuditQuery, tell func(*ent.AuditEntry) error) error {
	actor, err := unit.RequirePermission(ctx, auth.ReadAudit)
	if err != nil {
		return err
	}
	where := in.where(actor)
	left := in.Limit
	send := func(row *ent.AuditEntry) (over bool, err error) {
		if err := tell(row); err != nil {
			return true, err
		}
		left--
		return left == 0, nil
	}
	if in.Follow {
		return s.follow(ctx, in.After, where, send)
	}
	until, err := s.feeds.audit.settledID(ctx)
	if err != nil {
		return err
	}
	for after := in.After; after < until; {
		rows, err := s.page(ctx, where, after, until)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if over, err := send(row); over || err != nil {
				return err
			}
			after = row.ID
		}
		if len(rows) < feedPage {
			return nil
		}
	}
	return nil
}

// follow passes on entries after the given one as they settle, until the context ends or send returns true.
func (s Audit) follow(
	ctx context.Context, after int, where []predicate.AuditEntry, send func(*ent.AuditEntry) (over bool, err error),
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	entries, err := follow(ctx, s.core, s.feeds.audit, everyTopic, &after, func(
		ctx context.Context, after, until int,
	) ([]*ent.AuditEntry, error) {
		return s.page(ctx, where, after, until)
	}, func(e *ent.AuditEntry) int { return e.ID })
	if err != nil {
		return err
	}
	for entry := range entries {
		if over, err := send(entry); over || err != nil {
			return err
		}
	}
	return ctx.Err()
}

// page returns the first entries with after < id <= until.
func (s Audit) page(
	ctx context.Context, where []predicate.AuditEntry, after, until int,
) ([]*ent.AuditEntry, error) {
	return s.core.Store.Reader().AuditEntry.Query().Where(where...).Where(auditentry.IDGT(after), auditentry.IDLTE(until)).
		Order(auditentry.ByID()).Limit(feedPage).All(ctx)
}

// where returns the conditions of the query, limited to what the actor may read.
func (in AuditQuery) where(actor *auth.Actor) []predicate.AuditEntry {
	var where []predicate.AuditEntry
	if hidden := hiddenFrom(actor); len(hidden) > 0 {
		where = append(where, auditentry.EntityNotIn(hidden...))
	}
	if in.Since != nil {
		where = append(where, auditentry.CreatedAtGTE(*in.Since))
	}
	if in.Entity != "" {
		where = append(where, auditentry.Entity(in.Entity))
	}
	if in.EntityID != 0 {
		where = append(where, auditentry.EntityID(in.EntityID))
	}
	return where
}
