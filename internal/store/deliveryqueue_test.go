package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/deliveryattempt"
	"paydown/ent/webhookdelivery"
	"paydown/internal/apptest"
	"paydown/internal/store"
)

// queue is a tenant's deliveries, and their store.
type queue struct {
	*owner
	s *store.Store
}

func newQueue(t *testing.T, s *store.Store, host string) *queue {
	t.Helper()
	made := 0
	return &queue{newOwner(t, s, host, &made), s}
}

// do runs work in a transaction of the queue, with its time.
func (q *queue) do(t *testing.T, work func(ctx context.Context, tx *store.Tx, now time.Time) error) {
	t.Helper()
	err := q.s.WriteRedoable(q.ctx, func(ctx context.Context, tx *store.Tx) error {
		now, err := tx.Clock(ctx)
		if err != nil {
			return err
		}
		return work(ctx, tx, now)
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (q *queue) endpoint(t *testing.T) (id int) {
	t.Helper()
	q.do(t, func(ctx context.Context, tx *store.Tx, _ time.Time) error {
		e, err := tx.WebhookEndpoint.Create().
			SetURL("https://hooks.example.com/").
			SetEvents([]string{"*"}).
			SetSecret([]byte("sealed")).
			Save(ctx)
		if err == nil {
			id = e.ID
		}
		return err
	})
	return id
}

// wait adds waiting deliveries, each due since this many seconds, and returns their ids in order.
func (q *queue) wait(t *testing.T, endpoint int, since ...int) (ids []int) {
	t.Helper()
	q.do(t, func(ctx context.Context, tx *store.Tx, now time.Time) error {
		ids = nil
		for _, seconds := range since {
			*q.made++
			d, err := tx.WebhookDelivery.Create().SetEndpointID(endpoint).SetEvent("lead.created").SetPayload([]byte("{}")).
				SetMessageID(fmt.Sprintf("msg_%d", *q.made)).
				SetNextAttemptAt(now.Add(-time.Duration(seconds) * time.Second)).Save(ctx)
			if err != nil {
				return err
			}
			ids = append(ids, d.ID)
		}
		return nil
	})
	return ids
}

func (q *queue) claim(t *testing.T, takes ...store.Take) (claimed []store.Claimed) {
	t.Helper()
	q.do(t, func(ctx context.Context, tx *store.Tx, now time.Time) (err error) {
		claimed, err = tx.ClaimDeliveries(ctx, now, now.Add(time.Minute), takes)
		return err
	})
	return claimed
}

func (q *queue) end(t *testing.T, tries ...store.EndedTry) (accepted map[int]int64) {
	t.Helper()
	q.do(t, func(ctx context.Context, tx *store.Tx, now time.Time) (err error) {
		accepted, err = tx.EndTries(ctx, now, tries)
		return err
	})
	return accepted
}

func (q *queue) row(t *testing.T, id int) *ent.WebhookDelivery {
	t.Helper()
	return q.s.Reader().WebhookDelivery.Query().Where(webhookdelivery.ID(id)).
		WithTries(func(t *ent.DeliveryAttemptQuery) { t.Order(deliveryattempt.ByNumber()) }).OnlyX(q.ctx)
}

func claimedIDs(claimed []store.Claimed) []int {
	ids := make([]int, len(claimed))
	for i, c := range claimed {
		ids[i] = c.ID
	}
	slices.Sort(ids)
	return ids
}

// ended is a failed attempt that is retried in a minute.
func ended(c store.Claimed) store.EndedTry {
	next := time.Now().Add(time.Minute)
	return store.EndedTry{
		Delivery: c.ID, Fence: c.Fence, MessageID: c.MessageID, Status: "PENDING", Next: &next, Number: c.Attempts + 1,
		ResponseStatus: 503, Duration: 12 * time.Millisecond, Error: "status", Snippet: "down",
	}
}

func TestClaiming(t *testing.T) {
	onBoth(t, func(t *testing.T, s *store.Store, _ *sql.DB) {
		q := newQueue(t, s, "claim.test")
		first, second := q.endpoint(t), q.endpoint(t)
		due := q.wait(t, first, 10, 30, 20, -3600)
		others := q.wait(t, second, 5)
		got := q.claim(t, store.Take{Endpoint: first, N: 2}, store.Take{Endpoint: second, N: 7})
		if want := []int{due[1], due[2], others[0]}; !slices.Equal(claimedIDs(got), want) {
			t.Fatalf("claimed %v, want what is due longest, as many as may be: %v", claimedIDs(got), want)
		}
		for _, c := range got {
			if c.Tenant != q.id || c.Fence != 1 || c.Event != "lead.created" || string(c.Payload) != "{}" ||
				c.Attempts != 0 || c.Redelivery || c.CreatedAt.IsZero() || c.MessageID == "" {
				t.Errorf("claimed %+v", c)
			}
		}
		if got := q.claim(t, store.Take{Endpoint: first, N: 7}, store.Take{Endpoint: second, N: 7}); !slices.Equal(
			claimedIDs(got), due[:1],
		) {
			t.Errorf("claimed %v, want the one that is due and free", claimedIDs(got))
		}
		waiting, now, err := s.WaitingEndpoints(t.Context())
		if err != nil || len(waiting) != 2 {
			t.Fatalf("waiting are %v: %v", waiting, err)
		}
		for _, w := range waiting {
			if in := w.From.Sub(now); w.Tenant != q.id || in < 20*time.Second || in > 61*time.Second {
				t.Errorf("endpoint %d of tenant %d has something in %s, want the end of the claim", w.Endpoint, w.Tenant, in)
			}
		}
	})
}

func TestConcurrentClaimsDoNotOverlap(t *testing.T) {
	s, _ := migrated(t, apptest.MigratedPostgres(t))
	q := newQueue(t, s, "skip.test")
	id := q.endpoint(t)
	due := q.wait(t, id, 40, 30, 20, 10)
	take := []store.Take{{Endpoint: id, N: 2}}
	q.do(t, func(ctx context.Context, tx *store.Tx, now time.Time) error {
		mine, err := tx.ClaimDeliveries(ctx, now, now.Add(time.Minute), take)
		if err != nil {
			return err
		}
		theirs := q.claim(t, take...) // which does not wait for this transaction
		if !slices.Equal(claimedIDs(mine), due[:2]) || !slices.Equal(claimedIDs(theirs), due[2:]) {
			t.Errorf("claimed %v and %v of %v", claimedIDs(mine), claimedIDs(theirs), due)
		}
		return nil
	})
}

func TestEndAttempts(t *testing.T) {
	onBoth(t, func(t *testing.T, s *store.Store, _ *sql.DB) {
		q := newQueue(t, s, "end.test")
		endpoint := q.endpoint(t)
		t.Run("keeps the try and when the next is", func(t *testing.T) {
			id := q.wait(t, endpoint, 1)[0]
			c := q.claim(t, store.Take{Endpoint: endpoint, N: 1})[0]
			if got := q.end(t, ended(c)); !maps.Equal(got, map[int]int64{id: 1}) {
				t.Errorf("accepted %v", got)
			}
			d := q.row(t, id)
			if d.Status != webhookdelivery.StatusPENDING || d.Attempts != 1 || *d.ResponseStatus != 503 ||
				*d.Error != "status" || *d.DurationMs != 12 || *d.ResponseSnippet != "down" || d.LockedUntil != nil ||
				time.Until(*d.NextAttemptAt) < 20*time.Second {
				t.Errorf("the delivery is %v", d)
			}
			if len(d.Edges.Tries) != 1 || d.Edges.Tries[0].Number != 1 || *d.Edges.Tries[0].Error != "status" {
				t.Errorf("its tries are %v", d.Edges.Tries)
			}
			if got := q.end(t, ended(c)); len(got) != 0 {
				t.Errorf("what was given back is accepted again: %v", got)
			}
		})
		t.Run("refuses who is not the holder any more", func(t *testing.T) {
			id := q.wait(t, endpoint, 1)[0]
			c := q.claim(t, store.Take{Endpoint: endpoint, N: 1})[0]
			q.do(t, func(ctx context.Context, tx *store.Tx, now time.Time) error { // the lease ends
				return tx.WebhookDelivery.UpdateOneID(id).SetNextAttemptAt(now).SetLockedUntil(now).Exec(ctx)
			})
			again := q.claim(t, store.Take{Endpoint: endpoint, N: 1})[0]
			stale := ended(c)
			stale.Status, stale.Next = "DELIVERED", nil
			// Both in one batch: one is stored, the other leaves no trace.
			if got := q.end(t, stale, ended(again)); !maps.Equal(got, map[int]int64{id: 2}) {
				t.Errorf("accepted %v, want the second holder's", got)
			}
			if d := q.row(t, id); d.Status != webhookdelivery.StatusPENDING || d.Attempts != 1 || len(d.Edges.Tries) != 1 ||
				d.DeliveredAt != nil {
				t.Errorf("the delivery is %v with the tries %v", d, d.Edges.Tries)
			}
		})
		t.Run("refuses a result of another message", func(t *testing.T) {
			id := q.wait(t, endpoint, 1)[0]
			c := q.claim(t, store.Take{Endpoint: endpoint, N: 1})[0]
			lost := ended(c) // of a delivery that a crash has undone, whose id was given out again
			lost.MessageID, lost.Status, lost.Next = "msg_lost", "DELIVERED", nil
			if got := q.end(t, lost); len(got) != 0 || q.row(t, id).Status != webhookdelivery.StatusPENDING {
				t.Errorf("accepted %v", got)
			}
			if got := q.end(t, ended(c)); len(got) != 1 {
				t.Errorf("the holder's is refused")
			}
		})
		t.Run("keeps what is known where no try was made, and the try's error beside the delivery's", func(t *testing.T) {
			id := q.wait(t, endpoint, 1)[0]
			take := store.Take{Endpoint: endpoint, N: 1}
			c := q.claim(t, take)[0]
			q.do(t, func(ctx context.Context, tx *store.Tx, now time.Time) error {
				first := ended(c)
				first.Next = &now
				_, err := tx.EndTries(ctx, now, []store.EndedTry{first})
				return err
			})
			c = q.claim(t, take)[0]
			due := time.Now().Add(-time.Second)
			q.end(t, store.EndedTry{Delivery: c.ID, Fence: c.Fence, MessageID: c.MessageID, Status: "PENDING", Next: &due})
			if d := q.row(t, id); d.Attempts != 1 || *d.Error != "status" || *d.ResponseStatus != 503 ||
				len(d.Edges.Tries) != 1 {
				t.Errorf("given back, the delivery is %v", d)
			}
			c = q.claim(t, take)[0]
			over := ended(c)
			over.Status, over.Next, over.Error, over.Reason = "FAILED", nil, "timeout", "endpoint_inactive"
			q.end(t, over)
			d := q.row(t, id)
			if d.Status != webhookdelivery.StatusFAILED || *d.Error != "endpoint_inactive" || d.NextAttemptAt != nil ||
				d.Attempts != 2 || len(d.Edges.Tries) != 2 || *d.Edges.Tries[1].Error != "timeout" {
				t.Errorf("over, the delivery is %v with the tries %v", d, d.Edges.Tries)
			}
		})
	})
}

func TestAddingDeliveries(t *testing.T) {
	onBoth(t, func(t *testing.T, s *store.Store, _ *sql.DB) {
		q, other := newQueue(t, s, "add.test"), newQueue(t, s, "add-other.test")
		mine, theirs := q.endpoint(t), other.endpoint(t)
		made := func(tenant, endpoint, event int, held bool) store.NewDelivery {
			return store.NewDelivery{
				Tenant: tenant, Endpoint: endpoint, OutboxEvent: event, MessageID: fmt.Sprintf("msg_%d_%d", endpoint, event),
				Event: "lead.created", Payload: []byte("{}"), Held: held,
			}
		}
		add := func(deliveries ...store.NewDelivery) (ids map[string]int) {
			q.do(t, func(ctx context.Context, tx *store.Tx, now time.Time) (err error) {
				ids, err = tx.AddDeliveries(ctx, now, now.Add(time.Minute), deliveries)
				return err
			})
			return ids
		}
		all := []store.NewDelivery{
			made(q.id, mine, 1, true), made(q.id, mine, 2, false), made(other.id, theirs, 1, false),
			made(q.id, theirs, 3, false), made(other.id, mine, 4, false), made(q.id, 1<<40, 5, false),
		}
		ids := add(all...)
		if len(ids) != 3 {
			t.Errorf("made %v, want those of a tenant's own endpoints", ids)
		}
		held, free := q.row(t, ids[all[0].MessageID]), q.row(t, ids[all[1].MessageID])
		if held.Fence != 1 || held.LockedUntil == nil || time.Until(*held.NextAttemptAt) < 20*time.Second {
			t.Errorf("the one that is held is %v", held)
		}
		if free.Fence != 0 || free.LockedUntil != nil || time.Until(*free.NextAttemptAt) > 0 {
			t.Errorf("the one that is free is %v", free)
		}
		again := made(q.id, mine, 1, true)
		again.MessageID = "msg_again" // however it is called
		if ids := add(all[0], again, made(q.id, mine, 6, false)); len(ids) != 1 || ids[fmt.Sprintf("msg_%d_6", mine)] == 0 {
			t.Errorf("made %v, want the new one alone", ids)
		}
		if got := q.claim(t, store.Take{Endpoint: mine, N: 9}); len(got) != 2 {
			t.Errorf("claimed %d, want the two that are free", len(got))
		}
	})
}

func TestDroppingDeliveries(t *testing.T) {
	onBoth(t, func(t *testing.T, s *store.Store, _ *sql.DB) {
		q := newQueue(t, s, "drop.test")
		endpoint, another := q.endpoint(t), q.endpoint(t)
		due := q.wait(t, endpoint, 20, 10, -60)
		kept := q.wait(t, another, 10)[0]
		held := q.claim(t, store.Take{Endpoint: endpoint, N: 1})[0]
		other := newQueue(t, s, "drop-other.test")
		other.do(t, func(ctx context.Context, tx *store.Tx, now time.Time) error {
			n, err := tx.DropDeliveries(ctx, now, other.id, endpoint, "endpoint_inactive")
			if n != 0 {
				t.Errorf("another tenant dropped %d", n)
			}
			return err
		})
		q.do(t, func(ctx context.Context, tx *store.Tx, now time.Time) error {
			n, err := tx.DropDeliveries(ctx, now, q.id, endpoint, "endpoint_inactive")
			if n != 2 {
				t.Errorf("dropped %d, want those that wait", n)
			}
			return err
		})
		for _, id := range due[1:] {
			if d := q.row(t, id); d.Status != webhookdelivery.StatusFAILED || *d.Error != "endpoint_inactive" ||
				d.NextAttemptAt != nil {
				t.Errorf("dropped, the delivery is %v", d)
			}
		}
		if q.row(t, held.ID).Status != webhookdelivery.StatusPENDING ||
			q.row(t, kept).Status != webhookdelivery.StatusPENDING {
			t.Error("what is being tried, or waits elsewhere, was dropped")
		}
		if got := q.end(t, ended(held)); len(got) != 1 {
			t.Error("the holder's result is refused")
		}
	})
}
