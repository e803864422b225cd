package unit

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
)

// Unchanged returns a conflict if a locked record was changed after the caller read it. updatedAt is the time of
// its last change, entity its name in the audit trail, called its name in messages.
func (t *Tx) Unchanged(
	ctx context.Context, u input.Unchanged, entity, called string, id int, updatedAt time.Time,
) error {
	if u.UnchangedSince == nil || !updatedAt.After(*u.UnchangedSince) {
		return nil
	}
	who := "Somebody"
	last, err := t.AuditEntry.Query().Where(auditentry.Entity(entity), auditentry.EntityID(id)).
		Order(auditentry.ByID(Descending())).First(ctx)
	switch {
	case err == nil:
		who = authorOf(last)
	case !ent.IsNotFound(err):
		return err
	}
	return fault.Conflictf("The %s was changed in the meantime. Reload it, then make your change again.", called).
		With("unchangedSince", "%s changed the %s on %s", who, called, t.FormatTime(updatedAt))
}

// authorOf names the author of an audit entry, capitalized to start a sentence.
func authorOf(e *ent.AuditEntry) string {
	switch auth.ActorKind(e.ActorKind) {
	case auth.ByUser, auth.ByOperator:
		return e.ActorName
	case auth.ByKey:
		return "The API key " + e.ActorName
	case auth.ByMerchant:
		return "The merchant"
	case auth.ByApplicant:
		return "An applicant"
	default:
		return "paydown"
	}
}
