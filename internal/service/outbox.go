package service

import (
	"context"
	"encoding/json"

	"paydown/ent"
)

// event is something that endpoints may want to hear of.
type event struct {
	kind   string
	entity string
	id     int
	data   any
}

// emit notes an event of the write; it is stored with it, in the order of the calls.
func (t *tx) emit(kind, entity string, id int, data any) {
	t.events = append(t.events, event{kind, entity, id, data})
}

func (t *tx) writeEvents(ctx context.Context) error {
	if len(t.events) == 0 {
		return nil
	}
	rows := make([]*ent.OutboxEventCreate, len(t.events))
	for i, e := range t.events {
		data, err := json.Marshal(e.data)
		if err != nil {
			return err
		}
		rows[i] = t.OutboxEvent.Create().SetEvent(e.kind).SetOccurredAt(t.At()).SetData(data).
			SetEntity(e.entity).SetEntityID(e.id)
	}
	return t.OutboxEvent.CreateBulk(rows...).Exec(ctx)
}
