package store

import "context"

// AuditRow is an audit entry to store. Before, After and Effects are JSON or nil.
type AuditRow struct {
	ActorKind, ActorName, Surface, RequestID string
	ActorID                                  int // 0 for none
	Action, Entity                           string
	// EntityID is the record's id; 0 for the record of DeferredCreate, whose id then completes After.
	EntityID               int
	DealID                 *int
	Before, After, Effects []byte
}

const auditColumns = `tenant_id, created_at, actor_kind, actor_id, actor_name, surface, request_id, action, entity,
	entity_id, deal_id, before, after, effects`

// AddAudit stores audit entries of the actor's tenant, in order.
func (tx *Tx) AddAudit(ctx context.Context, entries []AuditRow) error {
	tenant, err := ownerOf(ctx, "AuditEntry")
	if err != nil {
		return err
	}
	in := insertion{table: "audit_entries", columns: auditColumns, rows: make([][]any, len(entries))}
	for i, e := range entries {
		var id, after any = e.EntityID, orNullJSON(e.After)
		if e.EntityID == 0 && tx.awaitsID() {
			id, after = createdID{}, createdJSON(e.After)
		}
		in.rows[i] = []any{
			tenant, tx.at, e.ActorKind, orNull(e.ActorID), e.ActorName, e.Surface, e.RequestID, e.Action, e.Entity,
			id, orNullInt(e.DealID), orNullJSON(e.Before), after, orNullJSON(e.Effects),
		}
	}
	return tx.insert(ctx, in)
}

// awaitsID reports whether a record of DeferredCreate has no id yet.
func (tx *Tx) awaitsID() bool { return tx.deferring != nil && tx.deferring.setID != nil }

// EventRow is an event to store. Data is JSON.
type EventRow struct {
	Event    string
	Version  int
	Data     []byte
	Entity   string
	EntityID int
	// FannedOut says that the event needs no fan-out, because nobody subscribes to it.
	FannedOut bool
}

// AddEvents stores events of the actor's tenant, which occur at the instant of the transaction, in order.
func (tx *Tx) AddEvents(ctx context.Context, events []EventRow) error {
	tenant, err := ownerOf(ctx, "OutboxEvent")
	if err != nil {
		return err
	}
	in := insertion{
		table: "outbox_events", columns: `tenant_id, event, version, occurred_at, data, entity, entity_id, fanned_out_at`,
		rows: make([][]any, len(events)),
	}
	for i, e := range events {
		var done any
		if e.FannedOut {
			done = tx.at
		}
		in.rows[i] = []any{tenant, e.Event, e.Version, tx.at, e.Data, e.Entity, e.EntityID, done}
	}
	return tx.insert(ctx, in)
}

// AnswerRow is the answer to a request with an Idempotency-Key, to be stored.
type AnswerRow struct {
	Claim, BodyHash []byte
	Status          int
	Body            []byte
	Sealed          bool
}

// AddAnswer stores an answer of the actor's tenant.
func (tx *Tx) AddAnswer(ctx context.Context, a AnswerRow) error {
	tenant, err := ownerOf(ctx, "IdempotencyRecord")
	if err != nil {
		return err
	}
	return tx.insert(ctx, insertion{
		table: "idempotency_records", columns: `tenant_id, created_at, claim, body_hash, status, body, sealed`,
		rows: [][]any{{tenant, tx.at, a.Claim, a.BodyHash, a.Status, a.Body, a.Sealed}},
	})
}
