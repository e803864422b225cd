package webhook_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"paydown/internal/webhook"
)

// memoryQueue is an in-memory webhook.Queue that can be told to fail.
type memoryQueue struct {
	mu     sync.Mutex
	events []*row // that are to be fanned out
	rows   []*row
	// fail is called before each method with its name; if it returns an error, the method does nothing.
	fail    func(method string) error
	stored  []webhook.Result // that were accepted, in their order
	stale   int
	helped  int
	ahead   time.Duration // of its clock
	claimed func(*webhook.Delivery)
}

// row is a delivery that is waiting, held or finished.
type row struct {
	webhook.Delivery

	due  time.Time
	over bool
}

var errDown = errors.New("the database does not answer")

// add adds a delivery to an endpoint that is due now. Endpoints 10 to 19 belong to tenant 1, and so on.
func (q *memoryQueue) add(endpoint int) *row {
	q.mu.Lock()
	defer q.mu.Unlock()
	r := q.row(endpoint)
	q.rows = append(q.rows, r)
	return r
}

// addEvents adds a waiting event for an endpoint.
func (q *memoryQueue) addEvents(endpoint int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.events = append(q.events, q.row(endpoint))
}

func (q *memoryQueue) row(endpoint int) *row {
	return &row{due: time.Now(), Delivery: webhook.Delivery{
		ID: 1 + len(
			q.rows,
		) + len(
			q.events,
		), Tenant: endpoint / 10, Endpoint: endpoint, MessageID: "msg_1", Event: "lead.created",
		Body: []byte("{}"), URL: "https://hooks.example.com/", Secret: "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE=",
	}}
}

func (q *memoryQueue) refuses(method string) error {
	if q.fail == nil {
		return nil
	}
	return q.fail(method)
}

// hold gives a row to a holder.
func (q *memoryQueue) hold(r *row) *webhook.Delivery {
	r.Fence++
	r.due = time.Now().Add(webhook.Lease)
	d := r.Delivery
	d.Taken, d.Held = time.Now().Add(q.ahead), r.due
	if q.claimed != nil {
		q.claimed(&d)
	}
	return &d
}

func (q *memoryQueue) FanOut(
	_ context.Context, room webhook.Room,
) (taken []*webhook.Delivery, rest, more bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.refuses("FanOut"); err != nil {
		return nil, false, false, err
	}
	for _, r := range q.events {
		q.rows = append(q.rows, r)
		if room.Take(r.Tenant, r.Endpoint) {
			taken = append(taken, q.hold(r))
		} else {
			rest = true
		}
	}
	q.events = nil
	return taken, rest, false, nil
}

func (q *memoryQueue) Backlog(context.Context) ([]webhook.Backlog, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.refuses("Backlog"); err != nil {
		return nil, err
	}
	var backlog []webhook.Backlog
	for _, r := range q.rows {
		if r.over {
			continue
		}
		in := time.Until(r.due)
		at := slices.IndexFunc(backlog, func(b webhook.Backlog) bool { return b.Endpoint == r.Endpoint })
		if at < 0 {
			backlog = append(backlog, webhook.Backlog{Tenant: r.Tenant, Endpoint: r.Endpoint, In: in})
		} else {
			backlog[at].In = min(backlog[at].In, in)
		}
	}
	return backlog, nil
}

func (q *memoryQueue) Claim(_ context.Context, quotas []webhook.Quota) (taken []*webhook.Delivery, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.refuses("Claim"); err != nil {
		return nil, err
	}
	for _, quota := range quotas {
		for _, r := range q.rows {
			if quota.N > 0 && r.Endpoint == quota.Endpoint && !r.over && time.Until(r.due) <= 0 {
				taken = append(taken, q.hold(r))
				quota.N--
			}
		}
	}
	return taken, nil
}

func (q *memoryQueue) Complete(_ context.Context, results []webhook.Result) (stale int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.refuses("Complete"); err != nil {
		return 0, err
	}
	for _, result := range results {
		at := slices.IndexFunc(q.rows, func(r *row) bool { return r.ID == result.ID && r.Fence == result.Fence && !r.over })
		if at < 0 {
			stale++
			continue
		}
		q.stored = append(q.stored, result)
		r := q.rows[at]
		r.over = result.Verdict != webhook.Retry && result.Verdict != webhook.Returned
		r.due = time.Now().Add(result.After)
		if result.Verdict != webhook.Returned {
			r.Tries++
		}
	}
	q.stale += stale
	return stale, nil
}

func (q *memoryQueue) SignalOthers(context.Context) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.helped++
	return nil
}

// results are those that were stored so far.
func (q *memoryQueue) results() []webhook.Result {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.stored)
}
