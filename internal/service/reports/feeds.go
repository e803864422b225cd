package reports

import (
	"context"
	"sync"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/ent/deal"
	"paydown/ent/deliveryattempt"
	"paydown/ent/webhookdelivery"
	"paydown/ent/webhookendpoint"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// Feeds report changes as they happen. They read records from the database by id, up to the id that has
// settled: each record comes once and in order, whichever process wrote it, and a client that continues after
// its last id misses none. Signals only say when to read.
type Feeds struct {
	core  *unit.Core
	feeds *feeds
}

// DealActivity sends audit entries about a deal and its records, after the given id or, if nil, from now on.
// It omits records whose scope the actor lacks. The channel closes when the context ends.
func (s Feeds) DealActivity(ctx context.Context, dealID int, after *int) (<-chan *ent.AuditEntry, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("deals"))
	if err != nil {
		return nil, err
	}
	there, err := s.core.Store.Reader().Deal.Query().Where(entdeal.ID(dealID)).Exist(ctx)
	if err == nil && !there {
		err = fault.Missing("deal")
	}
	if err != nil {
		return nil, err
	}
	hidden := hiddenFrom(actor)
	return follow(ctx, s.core, s.feeds.audit, dealID, after, func(
		ctx context.Context, after, until int,
	) ([]*ent.AuditEntry, error) {
		return s.core.Store.Reader().AuditEntry.Query().
			Where(auditentry.DealID(dealID), auditentry.IDGT(after), auditentry.IDLTE(until), auditentry.EntityNotIn(hidden...)).
			Order(auditentry.ByID()).Limit(feedPage).All(ctx)
	}, func(e *ent.AuditEntry) int { return e.ID })
}

// WebhookDeliveries sends the deliveries to an endpoint as they are stored, after the given id or, if nil,
// from now on.
func (s Feeds) WebhookDeliveries(ctx context.Context, endpointID int, after *int) (<-chan *ent.WebhookDelivery, error) {
	if err := s.mayFollow(ctx, endpointID); err != nil {
		return nil, err
	}
	return follow(ctx, s.core, s.feeds.deliveries, endpointID, after, func(
		ctx context.Context, after, until int,
	) ([]*ent.WebhookDelivery, error) {
		return s.core.Store.Reader().WebhookDelivery.Query().
			Where(webhookdelivery.EndpointID(endpointID), webhookdelivery.IDGT(after), webhookdelivery.IDLTE(until)).
			Order(webhookdelivery.ByID()).Limit(feedPage).All(ctx)
	}, func(d *ent.WebhookDelivery) int { return d.ID })
}

// WebhookTries sends the attempts of deliveries to an endpoint as they end, after the given id or, if nil,
// from now on.
func (s Feeds) WebhookTries(ctx context.Context, endpointID int, after *int) (<-chan *ent.DeliveryAttempt, error) {
	if err := s.mayFollow(ctx, endpointID); err != nil {
		return nil, err
	}
	return follow(ctx, s.core, s.feeds.tries, endpointID, after, func(
		ctx context.Context, after, until int,
	) ([]*ent.DeliveryAttempt, error) {
		return s.core.Store.Reader().DeliveryAttempt.Query().
			Where(deliveryattempt.HasDeliveryWith(webhookdelivery.EndpointID(endpointID)), deliveryattempt.IDGT(after),
				deliveryattempt.IDLTE(until)).
			Order(deliveryattempt.ByID()).Limit(feedPage).All(ctx)
	}, func(t *ent.DeliveryAttempt) int { return t.ID })
}

// mayFollow refuses an actor who may not read webhook endpoints, and an endpoint that does not exist.
func (s Feeds) mayFollow(ctx context.Context, endpointID int) error {
	if _, err := unit.RequireScope(ctx, auth.Read("webhooks")); err != nil {
		return err
	}
	there, err := s.core.Store.Reader().WebhookEndpoint.Query().Where(webhookendpoint.ID(endpointID)).Exist(ctx)
	if err == nil && !there {
		err = fault.Missing("webhook endpoint")
	}
	return err
}

// entityScopes are the scopes of those records of a deal that have their own scope.
var entityScopes = map[string]auth.Scope{
	"payment": auth.Read("payments"), "collectionHold": auth.Read("payments"), "disbursement": auth.Read("payments"),
	"bankAccountToken": auth.Read("payments"),
	"submission":       auth.Read("submissions"), "approval": auth.Read("submissions"),
	"statementAnalysis": auth.Read("statement-analysis"), "communication": auth.Read("communications"),
	"decisionResult": auth.Read("compliance"), "disclosure": auth.Read("compliance"), "uccFiling": auth.Read("compliance"),
	"renewalOpportunity": auth.Read("renewals"), "applicationSubmission": auth.Read("applications"),
	"creditFacility": auth.Read("credit-facilities"), "locDraw": auth.Read("credit-facilities"),
	"payoutBatch": auth.Read("payouts"), "payoutItem": auth.Read("payouts"), "participation": auth.Read("syndicators"),
}

// HistoryScope returns the scope needed to see records of that kind, such as "payment", in a deal's history.
func HistoryScope(entity string) auth.Scope {
	if scope, own := entityScopes[entity]; own {
		return scope
	}
	return auth.Read("deals")
}

// hiddenFrom returns the kinds of records that the actor may not read.
func hiddenFrom(actor *auth.Actor) []string {
	var hidden []string
	for entity, scope := range entityScopes {
		if !actor.May(scope) {
			hidden = append(hidden, entity)
		}
	}
	if !actor.Has(auth.EditCompanySettings) {
		hidden = append(hidden, "inboundEvent")
	}
	return hidden
}

const (
	// feedPage is how many records a follower reads at a time, which also limits its memory.
	feedPage = 100
	// feedEvery is how often followed tables are checked without a signal, and feedAgain is the delay if some
	// ids have not settled. feedRest is the minimum time between two checks.
	feedEvery = 500 * time.Millisecond
	feedAgain = 20 * time.Millisecond
	feedRest  = 10 * time.Millisecond
	// feedStart is how long a new follower waits for earlier writes to settle.
	feedStart = 2 * time.Second
	// feedRetry is the delay before a failed read is retried.
	feedRetry = time.Second
)

// feeds are the followed tables.
type feeds struct {
	core                     *unit.Core
	audit, deliveries, tries *feed
	wakeUp                   chan struct{}
}

// feed is one followed table.
type feed struct {
	table store.Followed
	mark  *store.Watermark

	mu        sync.Mutex
	settled   int
	wokenUpTo int // followers have been woken up to this id
	followers map[*follower]struct{}
}

// everyTopic is the topic of a follower of a whole table: it wakes whenever more of the table has settled.
const everyTopic = 0

// follower is woken when its topic may have new records.
type follower struct {
	topic store.Topic
	wakes chan struct{}
}

func newFeeds(c *unit.Core) *feeds {
	of := func(table store.Followed) *feed {
		f := &feed{table: table, followers: map[*follower]struct{}{}}
		if c.Store != nil {
			f.mark = c.Store.Watermark(table.String())
		}
		return f
	}
	return &feeds{
		core: c, wakeUp: make(chan struct{}, 1),
		audit: of(store.AuditOfDeals), deliveries: of(store.DeliveriesOfEndpoints), tries: of(store.TriesOfEndpoints),
	}
}

// signal signals that something may have changed. It never blocks.
func (f *feeds) signal() {
	select {
	case f.wakeUp <- struct{}{}:
	default:
	}
}

// run wakes followers until the context ends.
func (f *feeds) run(ctx context.Context) {
	next := time.NewTimer(0)
	defer next.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.wakeUp:
		case <-next.C:
		}
		wait := feedEvery
		for _, one := range []*feed{f.audit, f.deliveries, f.tries} {
			more, err := one.look(ctx, f.core.Store)
			if err != nil && ctx.Err() == nil {
				f.core.Log.WarnContext(ctx, "cannot check for new records", "table", one.table.String(), "error", err)
			}
			if more {
				wait = feedAgain
			}
		}
		rest := time.NewTimer(feedRest)
		select {
		case <-ctx.Done():
			rest.Stop()
			return
		case <-rest.C:
		}
		next.Reset(wait)
	}
}

// look wakes the followers whose topics have new records; more reports that some ids have not settled.
func (f *feed) look(ctx context.Context, s *store.Store) (more bool, err error) {
	if !f.isFollowed() {
		return false, nil
	}
	settled, newest, err := f.mark.Look(ctx)
	if err != nil {
		return false, err
	}
	f.mu.Lock()
	wokenUpTo := f.wokenUpTo
	f.settled = max(f.settled, settled)
	f.mu.Unlock()
	if settled <= wokenUpTo {
		return newest > settled, nil
	}
	topics, all, err := s.Topics(ctx, f.table, wokenUpTo, settled)
	if err != nil {
		return true, err
	}
	f.wake(settled, topics, all)
	return newest > settled, nil
}

func (f *feed) isFollowed() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.followers) > 0
}

// wake wakes the followers of the topics. If all is false, topics is incomplete, and it wakes all followers.
func (f *feed) wake(wokenUpTo int, topics []store.Topic, all bool) {
	changed := make(map[store.Topic]bool, len(topics))
	for _, t := range topics {
		changed[t] = true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.wokenUpTo = wokenUpTo
	for one := range f.followers {
		if all && one.topic.ID != everyTopic && !changed[one.topic] {
			continue
		}
		select {
		case one.wakes <- struct{}{}:
		default:
		}
	}
}

// join creates a follower and returns the id after which it receives records: everything committed before has
// settled.
func (f *feed) join(ctx context.Context, topic store.Topic) (*follower, int, error) {
	one := &follower{topic: topic, wakes: make(chan struct{}, 1)}
	f.mu.Lock()
	f.followers[one] = struct{}{}
	f.mu.Unlock()
	start, err := f.start(ctx)
	if err != nil {
		f.leave(one)
	}
	return one, start, err
}

// start returns the id of the table's last record, after waiting up to feedStart until everything up to it has
// settled.
func (f *feed) start(ctx context.Context) (int, error) {
	_, now, err := f.await(ctx)
	return now, err
}

// settledID returns the id up to which the table has settled, at most its last record, after waiting up to
// feedStart for the rest.
func (f *feed) settledID(ctx context.Context) (int, error) {
	settled, now, err := f.await(ctx)
	return min(settled, now), err
}

// await waits up to feedStart until the records that are in the table now have settled. It returns the id up to
// which the table has settled, and the id of its last record at the start.
func (f *feed) await(ctx context.Context) (settled, now int, err error) {
	waited := 0 * time.Second
	for {
		var newest int
		settled, newest, err = f.mark.Look(ctx)
		if err != nil {
			return 0, 0, err
		}
		if now == 0 {
			now = newest
		}
		f.mu.Lock()
		f.settled = max(f.settled, settled)
		f.mu.Unlock()
		if settled >= now || waited >= feedStart {
			return settled, now, nil
		}
		again := time.NewTimer(feedAgain)
		select {
		case <-ctx.Done():
			again.Stop()
			return 0, 0, ctx.Err()
		case <-again.C:
			waited += feedAgain
		}
	}
}

func (f *feed) leave(one *follower) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.followers, one)
}

func (f *feed) isSettled() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.settled
}

// follow sends a table's records about a topic of the actor's tenant as they settle, after the given id or
// from now on. read returns up to feedPage of them in order. The channel is unbuffered, so a slow reader
// slows the feed down.
func follow[E any](
	ctx context.Context, c *unit.Core, f *feed, topic int, after *int,
	read func(ctx context.Context, after, until int) ([]*E, error), id func(*E) int,
) (<-chan *E, error) {
	one, at, err := f.join(ctx, store.Topic{Tenant: auth.From(ctx).TenantID, ID: topic})
	if err != nil {
		return nil, err
	}
	if after != nil {
		at = *after
	}
	out := make(chan *E)
	go func() {
		defer close(out)
		defer f.leave(one)
		for {
			until := f.isSettled()
			for at < until {
				rows, err := read(ctx, at, until)
				if err != nil && ctx.Err() != nil {
					return
				}
				if err != nil {
					c.Log.WarnContext(ctx, "cannot read new records yet", "table", f.table.String(), "error", err)
					time.AfterFunc(feedRetry, func() { f.again(one) })
					break
				}
				for _, row := range rows {
					select {
					case out <- row:
						at = id(row)
					case <-ctx.Done():
						return
					}
				}
				if len(rows) < feedPage {
					at = max(at, until)
				}
			}
			select {
			case <-one.wakes:
			case <-ctx.Done():
				return
			}
		}
	}()
	return out, nil
}

// again wakes a follower for a retry.
func (*feed) again(one *follower) {
	select {
	case one.wakes <- struct{}{}:
	default:
	}
}
