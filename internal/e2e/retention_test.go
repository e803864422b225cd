package e2e

import (
	"context"
	"encoding/binary"
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/webhookdelivery"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/service"
	"paydown/internal/store"
)

// sweep deletes what has expired, and requires these counts.
func sweep(t *testing.T, a *apptest.App, want map[store.Retirement]int) {
	t.Helper()
	swept, err := a.Retention.Sweep(t.Context())
	if err != nil || swept.Elsewhere {
		t.Fatalf("swept %+v: %v", swept, err)
	}
	maps.DeleteFunc(swept.Removed, func(_ store.Retirement, n int) bool { return n == 0 })
	delete(swept.Removed, store.RateWindows) // they end within an hour, by the clock of the database
	if !maps.Equal(swept.Removed, want) {
		t.Errorf("swept %v, want %v", swept.Removed, want)
	}
}

// answersOf stores n responses of writes.
func answersOf(t *testing.T, a *apptest.App, host string, n int) {
	t.Helper()
	err := a.Store.Write(a.Operator(t, host), func(ctx context.Context, tx *store.Tx) error {
		rows := make([]*ent.IdempotencyRecordCreate, n)
		for i := range rows {
			claim := binary.BigEndian.AppendUint64(nil, uint64(i))
			rows[i] = tx.IdempotencyRecord.Create().SetClaim(claim).SetBodyHash(claim).SetStatus(201).SetBody([]byte("{}"))
		}
		for len(rows) > 0 {
			part := rows[:min(200, len(rows))]
			if err := tx.IdempotencyRecord.CreateBulk(part...).Exec(ctx); err != nil {
				return err
			}
			rows = rows[len(part):]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// deliver stores a delivery with two attempts.
func deliver(
	ctx context.Context, tx *store.Tx, endpoint *ent.WebhookEndpoint, id string, status webhookdelivery.Status,
) {
	d := tx.WebhookDelivery.Create().SetEndpointID(endpoint.ID).SetMessageID(id).SetEvent("lead.created").
		SetPayload([]byte("{}")).SetStatus(status).SaveX(ctx)
	for n := range 2 {
		tx.DeliveryAttempt.Create().SetDeliveryID(d.ID).SetNumber(n + 1).SetDurationMs(5).ExecX(ctx)
	}
}

func TestWhatIsKeptForATimeOnly(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := booktest.OpenDesk(t, a, "retention.test")
		s := a.Sender(t, d.Host)
		ctx, read := d.Inside(t)
		body := object{"businessName": "Harbor Street Bakery"}
		keyed := d.With("Idempotency-Key", "one")
		first := keyed.Post(t, "/leads", body).In("lead").ID()
		answersOf(t, a, d.Host, 2*store.RetireAtOnce)
		s.Send(t, "anything", object{"eventId": "1"}).Want(t, 202)
		err := a.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			endpoint := tx.WebhookEndpoint.Create().SetURL("https://hooks.example").SetEvents([]string{"*"}).
				SetSecret([]byte("sealed")).SaveX(ctx)
			deliver(ctx, tx, endpoint, "delivered", webhookdelivery.StatusDELIVERED)
			deliver(ctx, tx, endpoint, "failed", webhookdelivery.StatusFAILED)
			deliver(ctx, tx, endpoint, "pending", webhookdelivery.StatusPENDING)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		nothing := map[store.Retirement]int{}
		a.Clock.Set(booktest.Monday.Add(service.IdempotencyWindow - time.Minute))
		sweep(t, a, nothing)
		if id := keyed.Post(t, "/leads", body).In("lead").ID(); id != first {
			t.Error("an answer was forgotten too early")
		}
		a.Clock.Set(booktest.Monday.Add(service.IdempotencyWindow + time.Minute))
		if id := keyed.Post(t, "/leads", body).In("lead").ID(); id == first {
			t.Error("an expired answer was replayed, since it had not been swept yet")
		}
		sweep(t, a, map[store.Retirement]int{store.IdempotencyAnswers: 2 * store.RetireAtOnce})
		sweep(t, a, nothing)
		if n := read.IdempotencyRecord.Query().CountX(ctx); n != 1 {
			t.Errorf("%d answers are kept, want that of today", n)
		}
		a.Clock.Set(booktest.Monday.Add(service.DeliveryLogWindow - time.Minute))
		sweep(t, a, map[store.Retirement]int{store.IdempotencyAnswers: 1})
		a.Clock.Set(booktest.Monday.Add(service.DeliveryLogWindow + time.Minute))
		sweep(t, a, map[store.Retirement]int{store.DeliveryLog: 2, store.InboundNames: 1})
		if left := read.WebhookDelivery.Query().OnlyX(ctx); left.MessageID != "pending" {
			t.Errorf("%s is left of the deliveries", left.MessageID)
		}
		if n := read.DeliveryAttempt.Query().CountX(ctx); n != 2 {
			t.Errorf("%d attempts are left, want those of the delivery that is left", n)
		}
		if e := read.InboundEvent.Query().OnlyX(ctx); e.DedupeKey != nil || e.ExternalID != "1" || len(e.Payload) == 0 {
			t.Errorf("the inbound event is %v", e)
		}
		s.Send(t, "anything", object{"eventId": "1"}).Want(t, 202)
		sweep(t, a, nothing)
		for kind, want := range map[store.Retirement]int64{
			store.IdempotencyAnswers: 2*store.RetireAtOnce + 1, store.DeliveryLog: 2, store.InboundNames: 1,
		} {
			if n := a.Retention.Removed(string(kind)); n != want {
				t.Errorf("%d of %s are counted, want %d", n, kind, want)
			}
		}
		if last := a.Retention.LastSweep(); last.Before(booktest.Monday.Add(service.DeliveryLogWindow)) {
			t.Errorf("the last sweep was at %s", last)
		}
		if log := a.Log.String(); !strings.Contains(log, `"removed":{"webhook_deliveries":2,"inbound_names":1}`) {
			t.Error("the log does not tell what was swept")
		}
	})
}

// However many processes sweep at once, and while callers write, each row is deleted once and nobody is
// refused.
func TestSweepsAtOnce(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := booktest.OpenDesk(t, a, "sweeps.test")
		apps := []*apptest.App{a, a.Replica(t)}
		const rows = 6*store.RetireAtOnce + 7
		answersOf(t, a, d.Host, rows)
		for _, app := range apps {
			app.Clock.Set(booktest.Monday.Add(service.IdempotencyWindow + time.Hour))
		}
		var done sync.WaitGroup
		var mu sync.Mutex
		removed := 0
		for i := range 6 {
			done.Go(func() {
				swept, err := apps[i%2].Retention.Sweep(context.Background())
				if err != nil {
					t.Error(err)
				}
				mu.Lock()
				defer mu.Unlock()
				removed += swept.Removed[store.IdempotencyAnswers]
			})
		}
		for i := range 30 {
			by := apps[i%2].As(d.Host, d.Token).With("Idempotency-Key", fmt.Sprint("write-", i))
			if answer := by.Do(t, "POST", "/leads", object{"businessName": "Meanwhile"}); answer.Status != 201 {
				t.Errorf("while it is swept: %d %s", answer.Status, answer.Body)
			}
		}
		done.Wait()
		if removed != rows {
			t.Errorf("%d rows were ended, want %d", removed, rows)
		}
	})
}

// A process that dies in a sweep holds the job only until its lease ends. If it resumes afterwards, it can do
// nothing.
func TestAProcessThatDiesInASweep(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := booktest.OpenDesk(t, a, "dead.test")
		next := a.Replica(t)
		answersOf(t, a, d.Host, 10)
		both := []*apptest.App{a, next}
		for _, app := range both {
			app.Clock.Set(booktest.Monday.Add(service.IdempotencyWindow + time.Hour))
		}
		const life = 10 * time.Minute
		dead, err := a.Store.TakeLease(t.Context(), "retention", "dead", life)
		if err != nil || dead == nil {
			t.Fatalf("no lease: %v", err)
		}
		if swept, err := next.Retention.Sweep(t.Context()); err != nil || !swept.Elsewhere || len(swept.Removed) > 0 {
			t.Errorf("while another process is at it: %+v, %v", swept, err)
		}
		if other, err := next.Store.TakeLease(t.Context(), "another job", "next", life); err != nil || other == nil {
			t.Errorf("another job: %v", err)
		}
		for _, app := range both {
			app.AdvanceAll(life)
		}
		if swept, err := next.Retention.Sweep(t.Context()); err != nil || swept.Elsewhere ||
			swept.Removed[store.IdempotencyAnswers] != 10 {
			t.Errorf("once the lease of the dead process has ended: %+v, %v", swept, err)
		}
		answersOf(t, a, d.Host, 10)
		far := booktest.Monday.Add(service.DeliveryLogWindow)
		n, held, err := a.Store.Retire(t.Context(), store.IdempotencyAnswers, far, dead, life)
		if n != 0 || held || err != nil {
			t.Errorf("back from the dead it ended %d rows, held %v, %v", n, held, err)
		}
		if err := a.Store.ReleaseLease(t.Context(), dead); err != nil {
			t.Error(err)
		}
		ctx, read := d.Inside(t)
		if n := read.IdempotencyRecord.Query().CountX(ctx); n != 10 {
			t.Errorf("%d answers are left, want 10", n)
		}
	})
}
