package servicing_test

import (
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// january is a time in the month of booktest.Monday, in a processor's format.
func january(day, hour int) string {
	return time.Date(2026, time.January, day, hour, 0, 0, 0, time.UTC).Format(time.RFC3339)
}

// Events that may belong to one of several presentations are left to staff, and surely outdated ones change
// nothing.
func TestPresentationsAreToldApartByTime(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		f := &booktest.Fleet{Desk: booktest.OpenDesk(t, a, "times.test")}
		p := &booktest.Processor{Sender: a.Sender(t, f.Host)}
		rows := f.PaymentsOf(t, f.Funded(t, 5, nil), "")
		a.Clock.Set(time.Date(2026, time.January, 12, 15, 0, 0, 0, time.UTC))
		// tell sends an event about the payment; the reason is why it was not applied, or "" if it was.
		tell := func(t *testing.T, row object, kind, transfer, at, reason string) {
			t.Helper()
			a.Clock.Advance(time.Minute)
			event := object{"type": "payment." + kind, "paymentId": row.ID(), "occurredAt": at}
			if transfer != "" {
				event["externalTransferId"] = transfer
			}
			e := p.Tell(t, f.Desk, event)
			if reason == "" {
				booktest.Applied(t, e)
			} else {
				booktest.KeptWith(t, e, reason)
			}
		}
		is := func(t *testing.T, row object, status string) {
			t.Helper()
			if got := f.Get(t, booktest.At("payments", row)).In("payment").Text("status"); got != status {
				t.Errorf("the payment is %s, want %s", got, status)
			}
		}
		t.Run("paid again by staff", func(t *testing.T) {
			row := rows[0]
			tell(t, row, "settled", "tr-a", january(6, 15), "")
			tell(t, row, "returned", "tr-a", january(7, 15), "")
			f.Patch(t, booktest.At("payments", row), object{"status": "PAID"})
			tell(t, row, "returned", "tr-a", january(11, 15), "occurredAt: is before the day")
			is(t, row, "PAID")
			tell(t, row, "returned", "tr-a", january(12, 15), "")
			is(t, row, "BOUNCED")
		})
		t.Run("returned by staff", func(t *testing.T) {
			row := rows[1]
			tell(t, row, "settled", "tr-b", january(6, 15), "")
			f.Patch(t, booktest.At("payments", row), object{"status": "BOUNCED"})
			tell(t, row, "settled", "tr-b", january(6, 15), "")
			tell(t, row, "settled", "tr-b2", january(9, 15), "occurredAt: must be after the return")
			is(t, row, "BOUNCED")
			tell(t, row, "settled", "tr-b2", a.Clock.Now().Add(time.Minute).Format(time.RFC3339), "")
			is(t, row, "PAID")
		})
		t.Run("told by the day", func(t *testing.T) {
			row := rows[2]
			tell(t, row, "settled", "tr-c", january(6, 15), "")
			tell(t, row, "returned", "tr-c", "2026-01-08", "")
			tell(t, row, "settled", "tr-c", january(8, 14), "")
			tell(t, row, "settled", "tr-c2", january(8, 14), "occurredAt: must be after the return")
			is(t, row, "BOUNCED")
			tell(t, row, "settled", "tr-c2", january(9, 14), "")
			is(t, row, "PAID")
			tell(t, row, "returned", "tr-c2", "2026-01-08", "")
			tell(t, row, "returned", "tr-c2", january(9, 13), "")
			tell(t, row, "returned", "tr-c2", "2026-01-09", "occurredAt: is the time")
			is(t, row, "PAID")
			tell(t, row, "returned", "tr-c2", january(9, 16), "")
			is(t, row, "BOUNCED")
		})
		t.Run("overtaken, by a transfer that was not known", func(t *testing.T) {
			row := rows[3]
			tell(t, row, "settled", "", january(6, 15), "")
			tell(t, row, "returned", "", january(7, 15), "")
			tell(t, row, "settled", "", january(9, 15), "")
			tell(t, row, "returned", "tr-d", january(7, 15), "")
			booktest.Shows(
				t, f.Get(t, booktest.At("payments", row)).In("payment"), object{"status": "PAID", "externalTransferId": nil},
			)
		})
		f.CheckBooks(t)
	})
}
