package service

import (
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/internal/webhook"
)

// event is something that endpoints may want to hear of, and the record that it is about.
type event struct {
	entity string
	id     int
	data   webhook.Payload
}

// emit notes an event of the write; it is stored with it, in the order of the calls.
func (t *tx) emit(entity string, id int, data webhook.Payload) {
	t.events = append(t.events, event{entity, id, data})
}

// paidEvent tells of a payment that is PAID, and who marked it so.
func (t *tx) paidEvent(p *ent.Payment) webhook.PaymentPaid {
	return webhook.PaymentPaid{PaymentID: p.ID, DealID: p.DealID, Amount: p.Amount, Source: new(t.source())}
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
		rows[i] = t.OutboxEvent.Create().SetEvent(e.data.Event()).SetVersion(webhook.Version).
			SetOccurredAt(t.At()).SetData(data).SetEntity(e.entity).SetEntityID(e.id)
		if t.core.history {
			rows[i].SetFannedOutAt(t.At())
		}
	}
	t.signalEvents(ctx)
	return t.OutboxEvent.CreateBulk(rows...).Exec(ctx)
}
