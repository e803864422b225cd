package unit

import (
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/payment"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// event is a webhook event and the record it is about.
type event struct {
	entity string
	id     int
	data   webhook.Payload
}

// Emit adds a webhook event, which is stored in the transaction. Events keep the order of the calls.
func (t *Tx) Emit(entity string, id int, data webhook.Payload) {
	t.events = append(t.events, event{entity, id, data})
}

// PaidEvent returns the payment.paid event of a payment, with who marked it as paid.
func (t *Tx) PaidEvent(p *ent.Payment) webhook.PaymentPaid {
	return webhook.PaymentPaid{PaymentID: p.ID, DealID: p.DealID, Amount: p.Amount, Source: new(t.Source())}
}

func (t *Tx) writeEvents(ctx context.Context) error {
	if len(t.events) == 0 {
		return nil
	}
	rows := make([]store.EventRow, len(t.events))
	for i, e := range t.events {
		data, err := json.Marshal(e.data)
		if err != nil {
			return err
		}
		rows[i] = store.EventRow{
			Event: e.data.Event(), Version: webhook.Version, Data: data, Entity: e.entity, EntityID: e.id,
			FannedOut: t.Core.History,
		}
	}
	t.signalEvents(ctx)
	return t.AddEvents(ctx, rows)
}

// Source returns the source of payments that the acting user, key or system creates.
func (t *Tx) Source() payment.Source {
	switch {
	case t.Actor.Surface == auth.Inbound:
		return payment.FromProcessor
	case t.Actor.Kind == auth.ByUser || t.Actor.Kind == auth.ByOperator:
		return payment.FromStaff
	case t.Actor.Kind == auth.BySystem:
		return payment.FromSystem
	default:
		return payment.FromAPI
	}
}
