package service

import (
	"context"
	"encoding/json"
	"fmt"
)

// auditEntry is what a write will leave in the audit trail.
type auditEntry struct {
	action   string
	entity   string
	entityID int
	dealID   *int
	before   any
	after    any
	effects  []effect
}

// effect is another record that the write made or changed.
type effect struct {
	Entity string          `json:"entity"`
	ID     int             `json:"id,omitempty"`
	IDs    []int           `json:"ids,omitempty"`
	Change string          `json:"change"`
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

// record says what the write is: the action ("deal.update"), the record it is about, and that record before and after
// (nil where it did not or does not exist). dealID puts it into that deal's history.
func (t *tx) record(action, entity string, id int, dealID *int, before, after any) {
	effects := []effect(nil)
	if t.entry != nil {
		effects = t.entry.effects
	}
	t.entry = &auditEntry{
		action: action, entity: entity, entityID: id, dealID: dealID, before: before, after: after, effects: effects,
	}
}

// alsoMade, alsoChanged and alsoRemoved add what else the write did.
func (t *tx) alsoMade(entity string, ids ...int) {
	if len(ids) > 0 {
		t.addEffect(effect{Entity: entity, IDs: ids, Change: "create"})
	}
}

func (t *tx) alsoRemoved(entity string, ids ...int) {
	if len(ids) > 0 {
		t.addEffect(effect{Entity: entity, IDs: ids, Change: "delete"})
	}
}

func (t *tx) alsoChanged(entity string, id int, before, after any) error {
	b, err := json.Marshal(before)
	if err != nil {
		return err
	}
	a, err := json.Marshal(after)
	if err != nil {
		return err
	}
	t.addEffect(effect{Entity: entity, ID: id, Change: "update", Before: b, After: a})
	return nil
}

func (t *tx) addEffect(e effect) {
	if t.entry == nil {
		t.entry = &auditEntry{}
	}
	t.entry.effects = append(t.entry.effects, e)
}

func (t *tx) writeAudit(ctx context.Context) error {
	e := t.entry
	if e == nil {
		return nil
	}
	if e.action == "" {
		return fmt.Errorf("a write with %d effects but no action", len(e.effects))
	}
	create := t.AuditEntry.Create().
		SetActorKind(string(t.actor.Kind)).SetActorName(t.actor.Name).SetSurface(string(t.actor.Surface)).
		SetRequestID(t.actor.RequestID).
		SetAction(e.action).SetEntity(e.entity).SetEntityID(e.entityID).SetNillableDealID(e.dealID)
	if t.actor.ID != 0 {
		create.SetActorID(t.actor.ID)
	}
	for _, part := range []struct {
		value any
		set   func(json.RawMessage)
	}{
		{e.before, func(raw json.RawMessage) { create.SetBefore(raw) }},
		{e.after, func(raw json.RawMessage) { create.SetAfter(raw) }},
	} {
		if part.value == nil {
			continue
		}
		raw, err := json.Marshal(part.value)
		if err != nil {
			return err
		}
		part.set(raw)
	}
	if len(e.effects) > 0 {
		raw, err := json.Marshal(e.effects)
		if err != nil {
			return err
		}
		create.SetEffects(raw)
	}
	return create.Exec(ctx)
}
