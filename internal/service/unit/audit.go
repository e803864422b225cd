package unit

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"paydown/ent"
	"paydown/internal/intake"
	"paydown/internal/service/input"
	"paydown/internal/store"
)

// auditable returns a record in the form that the audit trail stores.
func auditable(record any) any {
	row, ok := record.(*ent.ApplicationSubmission)
	if !ok || row == nil {
		return record
	}
	masked := *row
	masked.Payload = intake.Masked(nil, row.Payload)
	return &masked
}

// auditEntry is one record that a write created, changed or deleted, before it is stored in the audit trail.
type auditEntry struct {
	action   string
	entity   string
	entityID int
	dealID   *int
	before   any
	after    any
}

// effect names other records that a write created, changed or deleted. It is part of the write's own audit entry.
// Each of these records also has an entry of its own with the same request id, except ledger entries (which never
// change), the default data of a new tenant, the deliveries deleted with their webhook endpoint, and
// notifications.
type effect struct {
	Entity string `json:"entity"`
	IDs    []int  `json:"ids"`
	Change string `json:"change"`
}

// The changes that a write can make to a record. An audit action is the record's name and one of these.
const (
	Created = "create"
	updated = "update"
	Deleted = "delete"
)

// Record sets the audit entry of the write: the action ("deal.update"), its record, and that record before and
// after (nil if it did not or does not exist). dealID adds the entry to that deal's history. The last call counts.
func (t *Tx) Record(action, entity string, id int, dealID *int, before, after any) {
	t.entry = &auditEntry{
		action: action, entity: entity, entityID: id, dealID: dealID, before: before, after: after,
	}
}

// Recorded reports whether Record was called.
func (t *Tx) Recorded() bool { return t.entry != nil }

// HasEffects reports whether the write has changed records other than its own.
func (t *Tx) HasEffects() bool { return len(t.effects) > 0 }

// AlsoCreated adds audit entries for other records that the write created, after the write's own entry. Pass the
// rows as they were stored in the transaction.
func AlsoCreated[E any](t *Tx, entity string, rows ...*E) {
	for _, row := range rows {
		t.sideEffect(entity, Created, nil, row)
	}
}

// AlsoDeleted adds audit entries for other records that the write deleted. Pass the rows as they were read in the
// transaction.
func AlsoDeleted[E any](t *Tx, entity string, rows ...*E) {
	for _, row := range rows {
		t.sideEffect(entity, Deleted, row, nil)
	}
}

// AlsoUpdated adds an audit entry for another record that the write changed. Pass it as it was read and as it was
// stored.
func AlsoUpdated[E any](t *Tx, entity string, before, after *E) {
	t.sideEffect(entity, updated, before, after)
}

func (t *Tx) sideEffect(entity, change string, before, after any) {
	row := after
	if row == nil {
		row = before
	}
	id := input.ColumnValue(row, "id").(int)
	t.sideEffects = append(t.sideEffects, auditEntry{
		action: entity + "." + change, entity: entity, entityID: id, dealID: dealOf(row), before: before, after: after,
	})
	t.Affect(entity, change, id)
}

// Affect names records in the effects of the write, without audit entries of their own.
func (t *Tx) Affect(entity, change string, ids ...int) {
	if n := len(t.effects); n > 0 && t.effects[n-1].Entity == entity && t.effects[n-1].Change == change {
		t.effects[n-1].IDs = append(t.effects[n-1].IDs, ids...)
	} else if len(ids) > 0 {
		t.effects = append(t.effects, effect{entity, slices.Clone(ids), change})
	}
}

// dealOf returns the id of the deal whose history a record belongs to, or nil.
func dealOf(row any) *int {
	switch row := row.(type) {
	case *ent.Deal:
		return &row.ID
	case *ent.RenewalOpportunity:
		return &row.PriorDealID
	}
	if _, ok := input.ColumnsIn(reflect.Indirect(reflect.ValueOf(row)).Type())["deal_id"]; !ok {
		return nil
	}
	id, ok := input.ColumnValue(row, "deal_id").(int)
	if !ok {
		return nil
	}
	return &id
}

// writeAudit stores the write's own audit entry, then the entries of the other records.
func (t *Tx) writeAudit(ctx context.Context) error {
	if t.entry == nil {
		if len(t.effects) > 0 {
			return fmt.Errorf("a write with %d effects but no action", len(t.effects))
		}
		return nil
	}
	first, err := t.auditRow(*t.entry)
	if err != nil {
		return err
	}
	if len(t.effects) > 0 {
		if first.Effects, err = json.Marshal(t.effects); err != nil {
			return err
		}
	}
	rows := make([]store.AuditRow, 1, 1+len(t.sideEffects))
	rows[0] = first
	for _, e := range t.sideEffects {
		row, err := t.auditRow(e)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	for part := range slices.Chunk(rows, RowsAtOnce) {
		if err := t.AddAudit(ctx, part); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) auditRow(e auditEntry) (row store.AuditRow, err error) {
	row = store.AuditRow{
		ActorKind: string(t.Actor.Kind), ActorID: t.Actor.ID, ActorName: t.Actor.Name, Surface: string(t.Actor.Surface),
		RequestID: t.Actor.RequestID, Action: e.action, Entity: e.entity, EntityID: e.entityID, DealID: e.dealID,
	}
	if row.Before, err = auditJSON(e.before); err == nil {
		row.After, err = auditJSON(e.after)
	}
	if err != nil {
		return row, fmt.Errorf("%s of %s %d: %w", e.action, e.entity, e.entityID, err)
	}
	return row, nil
}

// auditJSON returns a record as the audit trail stores it; nil if there is none.
func auditJSON(record any) ([]byte, error) {
	if record == nil {
		return nil, nil
	}
	return json.Marshal(auditable(record))
}
