package delivery

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"paydown/ent"
	"paydown/ent/webhookendpoint"
	"paydown/internal/auth"
	"paydown/internal/service/unit"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// deliveryQueue implements the dispatcher's queue of deliveries, across tenants.
//
// What it stores need not survive a crash of the database server, because lost work is repeated: events are
// fanned out again into messages with the same ids, and a delivery whose outcome was lost is made again, as
// the webhook documentation tells receivers to expect.
type deliveryQueue struct {
	core     *unit.Core
	outbound *outbound
}

const (
	// fanOutEvents and fanOutDeliveries limit the fan-out in one transaction, since new work waits for it: at
	// most fanOutEvents events, and fewer if they result in more than fanOutDeliveries deliveries.
	fanOutEvents     = 256
	fanOutDeliveries = 250

	// dispatchChannel is the channel on which processes that share a database signal new work.
	dispatchChannel = "paydown_deliveries"
)

// subscription is an endpoint with what deliveries to it need.
type subscription struct {
	*ent.WebhookEndpoint
	secret, previous string
}

func (s *subscription) wants(event string) bool {
	return slices.Contains(s.Events, event) || slices.Contains(s.Events, webhook.AllEvents)
}

// endpoints loads endpoints across tenants.
func endpoints(ctx context.Context, query *ent.WebhookEndpointQuery) ([]*ent.WebhookEndpoint, error) {
	return query.Order(webhookendpoint.ByID()).All(auth.AllTenants(ctx, "the dispatcher of deliveries"))
}

func (q deliveryQueue) subscription(ctx context.Context, now time.Time, row *ent.WebhookEndpoint) *subscription {
	s := &subscription{WebhookEndpoint: row, secret: unsealSigning(ctx, q.core, row.ID, row.Secret)}
	if end := row.PreviousSecretExpiresAt; end != nil && now.Before(*end) {
		s.previous = unsealSigning(ctx, q.core, row.ID, row.PreviousSecret)
	}
	return s
}

// unsealSigning returns the signing secret, or "" if it cannot be unsealed. Without it nothing can be signed,
// so the deliveries wait until the operator restores the key that the secret was sealed with.
func unsealSigning(ctx context.Context, c *unit.Core, endpointID int, sealed []byte) string {
	secret, err := c.Secrets.Unseal(sealed, SigningBound(endpointID))
	if err != nil {
		c.Log.ErrorContext(ctx, "cannot unseal a signing secret; was its key removed from PAYDOWN_SECRET_KEY?",
			"endpoint", endpointID, "error", err)
		return ""
	}
	return string(secret)
}

// places are the places in the dispatcher that a transaction has reserved. It returns them before a retry and
// after a failure.
type places struct {
	webhook.Room

	taken []store.NewDelivery
}

func (p *places) take(d store.NewDelivery) bool {
	if !p.Take(d.Tenant, d.Endpoint) {
		return false
	}
	p.taken = append(p.taken, d)
	return true
}

func (p *places) release() {
	for _, d := range p.taken {
		p.Leave(d.Tenant, d.Endpoint)
	}
	p.taken = nil
}

// FanOut implements webhook.Queue. It creates a delivery of each event to every active endpoint that
// subscribes to the event's kind and existed when the event happened.
func (q deliveryQueue) FanOut(
	ctx context.Context, room webhook.Room,
) (taken []*webhook.Delivery, rest, more bool, err error) {
	p := &places{Room: room}
	err = q.core.Store.WriteRedoable(ctx, func(ctx context.Context, t *store.Tx) error {
		p.release()
		taken, rest, more, err = q.fanOut(ctx, t, p)
		return err
	})
	if err != nil {
		p.release()
		return nil, false, false, fmt.Errorf("fan out: %w", err)
	}
	q.core.Signals.Recorded()
	return taken, rest, more, nil
}

func (q deliveryQueue) fanOut(
	ctx context.Context, t *store.Tx, p *places,
) (taken []*webhook.Delivery, rest, more bool, err error) {
	events, more, err := t.QueuedEvents(ctx, fanOutEvents)
	if err != nil || len(events) == 0 {
		return nil, false, false, err
	}
	held := time.Now().Add(webhook.Lease) //nolint:forbidigo // leases use this machine's monotonic clock
	now, err := t.Clock(ctx)
	if err != nil {
		return nil, false, false, err
	}
	byTenant, err := q.loadSubscriptions(ctx, t, now, events)
	if err != nil {
		return nil, false, false, err
	}
	var made []store.NewDelivery
	var pending []*webhook.Delivery // the deliveries in made that this process holds
	var ids []int
	for _, e := range events {
		if len(made) >= fanOutDeliveries {
			more = true
			break
		}
		ids = append(ids, e.ID)
		for _, s := range byTenant[e.Tenant] {
			if !s.wants(e.Event) || e.ID <= s.EventsAfter {
				continue
			}
			d, err := newDelivery(e, s)
			if err != nil {
				return nil, false, false, err
			}
			if d.Held = p.take(d); d.Held {
				pending = append(pending, &webhook.Delivery{
					Tenant: d.Tenant, Endpoint: d.Endpoint, Fence: 1, MessageID: d.MessageID, Event: d.Event, Body: d.Payload,
					Age: now.Sub(e.OccurredAt), Taken: now, Held: held, URL: s.URL, Secret: s.secret, Previous: s.previous,
				})
			}
			rest = rest || !d.Held
			made = append(made, d)
		}
	}
	if taken, err = q.add(ctx, t, now, made, pending, p); err != nil {
		return nil, false, false, err
	}
	return taken, rest, more, t.FannedOut(ctx, now, ids)
}

// loadSubscriptions loads the active endpoints of the events' tenants, and notes which tenants have no endpoint.
func (q deliveryQueue) loadSubscriptions(
	ctx context.Context, t *store.Tx, now time.Time, events []store.QueuedEvent,
) (map[int][]*subscription, error) {
	tenants := make([]int, len(events))
	for i, e := range events {
		tenants[i] = e.Tenant
	}
	slices.Sort(tenants)
	tenants = slices.Compact(tenants)
	found, err := endpoints(ctx, t.WebhookEndpoint.Query().Where(webhookendpoint.TenantIDIn(tenants...)))
	if err != nil {
		return nil, err
	}
	byTenant, heard := map[int][]*subscription{}, map[int]bool{}
	for _, row := range found {
		heard[row.TenantID] = true
		if row.IsActive {
			byTenant[row.TenantID] = append(byTenant[row.TenantID], q.subscription(ctx, now, row))
		}
	}
	q.outbound.quiet.note(tenants, func(tenant int) bool { return heard[tenant] })
	return byTenant, nil
}

// add stores deliveries and returns the pending ones that were new.
func (q deliveryQueue) add(
	ctx context.Context, t *store.Tx, now time.Time, made []store.NewDelivery, pending []*webhook.Delivery, p *places,
) ([]*webhook.Delivery, error) {
	if len(made) == 0 {
		return nil, nil
	}
	ids, err := t.AddDeliveries(ctx, now, now.Add(webhook.Lease), made)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(pending, func(d *webhook.Delivery) bool {
		var found bool
		if d.ID, found = ids[d.MessageID]; !found {
			i := slices.IndexFunc(p.taken, func(n store.NewDelivery) bool { return n.MessageID == d.MessageID })
			p.taken = slices.Delete(p.taken, i, i+1)
			p.Leave(d.Tenant, d.Endpoint)
		}
		return !found
	}), nil
}

func newDelivery(e store.QueuedEvent, s *subscription) (store.NewDelivery, error) {
	envelope := webhook.NewEnvelope(e.Event, e.Version, e.OccurredAt, e.Data)
	envelope.ID = messageID(e, s.ID)
	payload, err := json.Marshal(envelope)
	if err != nil {
		return store.NewDelivery{}, fmt.Errorf("envelope of event %d: %w", e.ID, err)
	}
	return store.NewDelivery{
		Tenant: e.Tenant, Endpoint: s.ID, OutboxEvent: e.ID, MessageID: envelope.ID, Event: e.Event, Payload: payload,
	}, nil
}

// messageID identifies an event at an endpoint. It is the same each time the event is fanned out, and differs
// from every other event's, even from one with the same event id from before the database was restored from a
// backup.
func messageID(e store.QueuedEvent, endpointID int) string {
	h := sha256.New()
	head := make([]byte, 0, 128)
	for _, id := range []int{e.Tenant, endpointID, e.ID} {
		head = append(strconv.AppendInt(head, int64(id), 10), '\n')
	}
	head = append(append(head, e.Event...), '\n')
	head = append(strconv.AppendInt(head, e.OccurredAt.UnixNano(), 10), '\n')
	_, _ = h.Write(head)
	_, _ = h.Write(e.Data) // writing to a hash never fails
	return "msg_" + base32.StdEncoding.EncodeToString(h.Sum(head[:0]))[:26]
}

// Backlog implements webhook.Queue.
func (q deliveryQueue) Backlog(ctx context.Context) ([]webhook.Backlog, error) {
	waiting, now, err := q.core.Store.WaitingEndpoints(ctx)
	if err != nil {
		return nil, fmt.Errorf("backlog: %w", err)
	}
	backlog := make([]webhook.Backlog, len(waiting))
	for i, w := range waiting {
		backlog[i] = webhook.Backlog{
			Tenant: w.Tenant, Endpoint: w.Endpoint, In: w.From.Sub(now), Failing: w.Streak > 0,
		}
	}
	return backlog, nil
}

// Claim implements webhook.Queue.
func (q deliveryQueue) Claim(ctx context.Context, quotas []webhook.Quota) (taken []*webhook.Delivery, err error) {
	takes, ids := make([]store.Take, len(quotas)), make([]int, len(quotas))
	for i, quota := range quotas {
		takes[i], ids[i] = store.Take{Endpoint: quota.Endpoint, N: quota.N}, quota.Endpoint
	}
	err = q.core.Store.WriteRedoable(ctx, func(ctx context.Context, t *store.Tx) error {
		taken = nil
		held := time.Now().Add(webhook.Lease) //nolint:forbidigo // see fanOut for the reason
		now, err := t.Clock(ctx)
		if err != nil {
			return err
		}
		claimed, err := t.ClaimDeliveries(ctx, now, now.Add(webhook.Lease), takes)
		if err != nil || len(claimed) == 0 {
			return err
		}
		found, err := endpoints(ctx, t.WebhookEndpoint.Query().Where(webhookendpoint.IDIn(ids...)))
		if err != nil {
			return err
		}
		byID := make(map[int]*subscription, len(found))
		for _, row := range found {
			byID[row.ID] = q.subscription(ctx, now, row)
		}
		for _, c := range claimed {
			s := byID[c.Endpoint] // always present: deleting an endpoint deletes its deliveries
			taken = append(taken, &webhook.Delivery{
				ID: c.ID, Tenant: c.Tenant, Endpoint: c.Endpoint, Fence: c.Fence, MessageID: c.MessageID, Event: c.Event,
				Body: c.Payload, Tries: c.Attempts, Redelivery: c.Redelivery, Age: now.Sub(c.CreatedAt), Taken: now, Held: held,
				Inactive: !s.IsActive, URL: s.URL, Secret: s.secret, Previous: s.previous,
			})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("claim: %w", err)
	}
	return taken, nil
}

// SignalOthers implements webhook.Queue.
func (q deliveryQueue) SignalOthers(ctx context.Context) error {
	return q.core.Store.Notify(ctx, dispatchChannel)
}
