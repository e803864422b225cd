package service

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/ent/joblease"
	"paydown/ent/predicate"
	"paydown/internal/auth"
	"paydown/internal/fault"
)

// AuditQuery narrows the audit trail; what is zero does not.
type AuditQuery struct {
	After    int // id of an entry: only those that follow it
	Since    *time.Time
	Entity   string // kind of record, as the trail names it: apiKey
	EntityID int
	Limit    int // at most so many
}

// auditPage is how much of the trail is read at a time.
const auditPage = 200

// ReadAudit tells the tenant's audit trail, oldest first, in pages, so that it may be of any length. The error of tell ends
// it.
func (s *Service) ReadAudit(ctx context.Context, in AuditQuery, tell func(*ent.AuditEntry) error) error {
	actor, err := entitled(ctx, auth.ReadAudit)
	if err != nil {
		return err
	}
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
	for told := 0; ; {
		size := auditPage
		if in.Limit > 0 {
			size = min(size, in.Limit-told)
		}
		rows, err := s.store.Reader().AuditEntry.Query().Where(append(where, auditentry.IDGT(in.After))...).
			Order(auditentry.ByID()).Limit(size).All(ctx)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := tell(row); err != nil {
				return err
			}
			in.After = row.ID
		}
		if told += len(rows); len(rows) < size || told == in.Limit {
			return nil
		}
	}
}

// Jobs are what one process at a time does, by name, for operators.
func (s *Service) Jobs(ctx context.Context) ([]*ent.JobLease, error) {
	if err := operatorsOnly(ctx); err != nil {
		return nil, err
	}
	return s.store.Reader().JobLease.Query().Order(joblease.ByName()).All(ctx)
}

// operatorsOnly refuses keys and members of staff what is not of their tenant alone. The command line, which works straight
// on the database, acts for nobody.
func operatorsOnly(ctx context.Context) error {
	if a := auth.From(ctx); a != nil && (a.Kind == auth.ByKey || a.IsUser()) {
		return fault.New(fault.Forbidden, "This is for those who run the installation.")
	}
	return nil
}
