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

// Unchanged judges a record that is locked and was changed last at updatedAt. entity is its name in the audit trail, called
// what people call it.
func (t *Tx) Unchanged(ctx context.Context, u input.Unchanged, entity, called string, id int, updatedAt time.Time) error {
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
	return fault.Conflictf("The %s was changed in the meantime: look at it again, then make your change.", called).
		With("unchangedSince", "%s changed the %s on %s", who, called, t.FormatTime(updatedAt))
}

// authorOf is who wrote an entry of the audit trail, at the beginning of a sentence.
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
