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
)

// auditable is a record as the audit trail keeps it.
func auditable(record any) any {
	row, ok := record.(*ent.ApplicationSubmission)
	if !ok || row == nil {
		return record
	}
	masked := *row
	masked.Payload = intake.Masked(nil, row.Payload)
	return &masked
}

// auditEntry is what the audit trail will hold of one record that a write made, changed or removed.
type auditEntry struct {
	action   string
	entity   string
	entityID int
	dealID   *int
	before   any
	after    any
}

// effect names records besides its own that a write made, changed or removed. It stands in the entry of the write; each
// of the records has an entry of its own under the same request id, but for those of the ledger, which never change, the
// data that a new tenant begins with, the deliveries that go with their webhook endpoint, and notifications.
type effect struct {
	Entity string `json:"entity"`
	IDs    []int  `json:"ids"`
	Change string `json:"change"`
}

// What a write does to a record; an action is the record and one of these.
const (
	Created = "create"
	updated = "update"
	Deleted = "delete"
)

// Record says what the write is: the action ("deal.update"), the record it is about, and that record before and after
// (nil where it did not or does not exist). dealID puts it into that deal's history. The last call counts.
func (t *Tx) Record(action, entity string, id int, dealID *int, before, after any) {
	t.entry = &auditEntry{
		action: action, entity: entity, entityID: id, dealID: dealID, before: before, after: after,
	}
}

// Recorded reports whether the write says already what it is.
func (t *Tx) Recorded() bool { return t.entry != nil }

// HasEffects reports whether the write did anything to other records than its own so far.
func (t *Tx) HasEffects() bool { return len(t.effects) > 0 }

// AlsoCreated notes records that the write made beside its own: each gets an entry of its own in the audit trail, after
// that of the write. The rows must be as they were stored within the transaction.
func AlsoCreated[E any](t *Tx, entity string, rows ...*E) {
	for _, row := range rows {
		t.consequence(entity, Created, nil, row)
	}
}

// AlsoDeleted notes records that the write deleted beside its own, as they were read within the transaction.
func AlsoDeleted[E any](t *Tx, entity string, rows ...*E) {
	for _, row := range rows {
		t.consequence(entity, Deleted, row, nil)
	}
}

// AlsoUpdated notes a record that the write changed beside its own, as it was read and as it was stored.
func AlsoUpdated[E any](t *Tx, entity string, before, after *E) {
	t.consequence(entity, updated, before, after)
}

func (t *Tx) consequence(entity, change string, before, after any) {
	row := after
	if row == nil {
		row = before
	}
	id := input.ColumnValue(row, "id").(int)
	t.consequences = append(t.consequences, auditEntry{
		action: entity + "." + change, entity: entity, entityID: id, dealID: dealOf(row), before: before, after: after,
	})
	t.Affect(entity, change, id)
}

// Affect adds records to the effects of the write.
func (t *Tx) Affect(entity, change string, ids ...int) {
	if n := len(t.effects); n > 0 && t.effects[n-1].Entity == entity && t.effects[n-1].Change == change {
		t.effects[n-1].IDs = append(t.effects[n-1].IDs, ids...)
	} else if len(ids) > 0 {
		t.effects = append(t.effects, effect{entity, slices.Clone(ids), change})
	}
}

// dealOf is the deal whose history a record belongs to; nil where it belongs to none.
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

// writeAudit stores the entry of the write, and after it those of its consequences.
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
		raw, err := json.Marshal(t.effects)
		if err != nil {
			return err
		}
		first.SetEffects(raw)
	}
	rows := []*ent.AuditEntryCreate{first}
	for _, e := range t.consequences {
		row, err := t.auditRow(e)
		if err != nil {
			return err
		}
		rows = append(rows, row)
	}
	if len(rows) == 1 {
		return first.Exec(ctx)
	}
	for part := range slices.Chunk(rows, RowsAtOnce) {
		if err := t.AuditEntry.CreateBulk(part...).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (t *Tx) auditRow(e auditEntry) (*ent.AuditEntryCreate, error) {
	create := t.AuditEntry.Create().
		SetActorKind(string(t.Actor.Kind)).SetActorName(t.Actor.Name).SetSurface(string(t.Actor.Surface)).
		SetRequestID(t.Actor.RequestID).
		SetAction(e.action).SetEntity(e.entity).SetEntityID(e.entityID).SetNillableDealID(e.dealID)
	if t.Actor.ID != 0 {
		create.SetActorID(t.Actor.ID)
	}
	for _, side := range []struct {
		record any
		set    func(json.RawMessage) *ent.AuditEntryCreate
	}{{e.before, create.SetBefore}, {e.after, create.SetAfter}} {
		if side.record == nil {
			continue
		}
		raw, err := json.Marshal(auditable(side.record))
		if err != nil {
			return nil, fmt.Errorf("%s of %s %d: %w", e.action, e.entity, e.entityID, err)
		}
		side.set(raw)
	}
	return create, nil
}
