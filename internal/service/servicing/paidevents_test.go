package servicing_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"paydown/ent/outboxevent"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/booktest"
	"paydown/internal/payment"
	"paydown/internal/service"
)

// The event says how a payment was marked paid; the payment keeps its source.
func TestThePaidEventSaysWhoMarkedIt(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenDesk(t, a, "marked.test")
		s := a.Sender(t, b.Host)
		merchant := b.Create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC"})
		deal := b.Create(t, "/deals", object{
			"merchantId": merchant.ID(), "fundedAmount": "20000.00", "factorRate": "1.20", "numberOfPayments": 24,
			"collectionFrequency": "DAILY",
		})
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			b.Change(t, booktest.At("deals", deal), object{"state": state})
		}
		boss := a.Staff(t, b.Host, "admin")
		rows := b.PaymentsOf(t, deal, "")
		ctx, read := b.Inside(t)
		tenant := read.Payment.GetX(ctx, rows[0].ID()).TenantID
		for i, c := range []struct {
			source string
			mark   func(id int)
		}{
			{"API", func(id int) { b.Patch(t, fmt.Sprintf("/payments/%d", id), object{"status": "PAID"}) }},
			{"STAFF", func(id int) {
				boss.Graph(t, fmt.Sprintf("mutation { updatePayment(id: %d, input: {status: PAID}) { id } }", id), nil)
			}},
			{"PROCESSOR", func(id int) {
				settled := object{"type": "payment.settled", "paymentId": id, "externalTransferId": "tr-1"}
				booktest.Applied(t, b.Inbound(t, s, "processor", "1", settled))
			}},
			{"SYSTEM", func(id int) {
				in := service.PaymentUpdate{}
				in.Status = service.Some(payment.Paid)
				if _, err := a.Payments.Update(auth.AsSystem(t.Context(), tenant, time.UTC, "req_test"), id, in); err != nil {
					t.Fatal(err)
				}
			}},
		} {
			id := rows[i].ID()
			c.mark(id)
			event := read.OutboxEvent.Query().Where(outboxevent.Event("payment.paid"), outboxevent.EntityID(id)).OnlyX(ctx)
			var data object
			if err := json.Unmarshal(event.Data, &data); err != nil || data.Text("source") != c.source {
				t.Errorf("marked by %s: %v %v", c.source, data, err)
			}
			if row := b.Get(t, booktest.At("payments", rows[i])).In("payment"); row.Text("source") != "SCHEDULE" {
				t.Errorf("the payment's source is %v", row["source"])
			}
		}
	})
}
