package demo

import (
	"container/heap"
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/service"
)

// builder makes the portfolio of one company: it moves the clock from event to event and calls the services, as people
// and banks would have done on those days.
//
// What it does depends on the tables and the anchor alone. Its writes are numbered, and the number of a write
// is its request id, so the audit trail says how far an interrupted run came: the next run goes through the
// same motions and skips the writes that already exist.
type builder struct {
	*service.Service
	clock    *Clock
	company  company
	anchor   civil.Date
	zone     *time.Location
	tenantID int
	progress func(host string, writes int)

	now    time.Time
	agenda agenda
	writes int
	// written are the records of the writes of an interrupted run, by request id; there are done of them.
	written map[string]int
	done    int

	lists     lists
	house     int
	merchants map[string]int // ids by slug
	brokers   []int
	funders   []int
	investors []*stake
	deals     map[string]*life // the last of each merchant
	seen      int              // opportunities
	offers    int              // of deals in review
}

const requestPrefix = "demo-"

// as is the context of a write.
func (b *builder) as(ctx context.Context, request string) context.Context {
	return auth.With(ctx, &auth.Actor{
		Kind: auth.ByOperator, Name: "paydown demo", TenantID: b.tenantID, Zone: b.zone,
		Scopes: auth.AllScopes(), Permissions: auth.Permissions{auth.EveryPermission}, Surface: auth.CLI, RequestID: request,
	})
}

// step makes one write, or finds the record of it where an interrupted run has made it. what says what it is about.
func (b *builder) step(ctx context.Context, what string, write func(context.Context) (int, error)) (int, error) {
	b.writes++
	b.progress(b.company.host, b.writes)
	request := fmt.Sprintf("%s%06d", requestPrefix, b.writes)
	at := b.now
	b.now = at.Add(pause)
	if b.writes <= b.done {
		return b.written[request], nil
	}
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	b.clock.put(at)
	id, err := write(b.as(ctx, request))
	if err != nil {
		return 0, fmt.Errorf("%s, %s: %w", what, at.In(b.zone).Format(time.DateTime), err)
	}
	return id, nil
}

// pause lies between two writes of one event.
const pause = 700 * time.Millisecond

// run makes everything, or what is missing of it.
func (b *builder) run(ctx context.Context) error {
	if err := b.recall(ctx); err != nil {
		return err
	}
	if err := b.readLists(ctx); err != nil {
		return err
	}
	b.merchants, b.deals = map[string]int{}, map[string]*life{}
	b.openShop()
	for i := range b.company.scripts {
		b.planDeal(i)
	}
	for _, l := range b.company.leads {
		b.bringLead(l)
	}
	for _, a := range b.company.applications {
		b.bringApplication(a)
	}
	for _, h := range b.company.hooks {
		b.connect(h)
	}
	b.planPayouts()
	b.planRenewals()
	return b.live(ctx)
}

// newestFirst is the order of lists by id, descending.
var newestFirst = &service.SortBy{Field: "id", Desc: true}

// recall reads from the audit trail which writes an interrupted run has made.
func (b *builder) recall(ctx context.Context) error {
	b.written = map[string]int{}
	req := service.ListRequest{Limit: new(service.MaxLimit)}
	for {
		page, err := b.Audit.List(b.as(ctx, requestPrefix), req)
		if err != nil {
			return err
		}
		for _, e := range page.Records {
			var number int
			if _, err := fmt.Sscanf(e.RequestID, requestPrefix+"%06d", &number); err != nil {
				continue
			}
			b.done = max(b.done, number)
			if _, seen := b.written[e.RequestID]; !seen { // what follows the first are its consequences
				b.written[e.RequestID] = e.EntityID
			}
		}
		if !page.HasMore {
			return nil
		}
		req.Cursor = &page.NextCursor
	}
}

// live goes from event to event to the eve of the anchor.
func (b *builder) live(ctx context.Context) error {
	end := b.anchor.Midnight(b.zone)
	for b.agenda.Len() > 0 {
		next := heap.Pop(&b.agenda).(event)
		if !next.at.Before(end) {
			return nil
		}
		if next.at.After(b.now) {
			b.now = next.at
		}
		if err := next.do(ctx); err != nil {
			return err
		}
	}
	return nil
}

// event is something that happens at a time.
type event struct {
	at  time.Time
	seq int // among those of one time, in the order in which they were planned
	do  func(context.Context) error
}

type agenda struct {
	events []event
	seq    int
}

func (a *agenda) Len() int      { return len(a.events) }
func (a *agenda) Swap(i, j int) { a.events[i], a.events[j] = a.events[j], a.events[i] }
func (a *agenda) Push(e any)    { a.events = append(a.events, e.(event)) }
func (a *agenda) Less(i, j int) bool {
	x, y := a.events[i], a.events[j]
	return x.at.Before(y.at) || (x.at.Equal(y.at) && x.seq < y.seq)
}

func (a *agenda) Pop() any {
	last := len(a.events) - 1
	e := a.events[last]
	a.events = a.events[:last]
	return e
}

// on puts an event on the agenda: on a day, some minutes after midnight where the company is.
func (b *builder) on(day civil.Date, minutes int, do func(context.Context) error) {
	b.agenda.seq++
	at := day.Midnight(b.zone).Add(time.Duration(minutes) * time.Minute)
	heap.Push(&b.agenda, event{at, b.agenda.seq, do})
}

// today is the day of the event that is happening.
func (b *builder) today() civil.Date { return civil.On(b.now, b.zone) }

// chances are those of a record that is known by its name.
func chances(name string) *rand.Rand {
	h := fnv.New64()
	_, _ = h.Write([]byte(name)) // never fails
	return dice(h.Sum64())
}

// dice are the chances of one record: the same in every run.
func dice(about uint64) *rand.Rand {
	const seed = 0x7061_7964_6f77_6e00
	return rand.New(rand.NewPCG(seed, about)) //nolint:gosec // the same in every run on purpose
}

// The writes that are made in several places.

func (b *builder) newPayment(ctx context.Context, what string, in service.NewPayment) (int, error) {
	return b.step(ctx, what, func(ctx context.Context) (int, error) {
		row, err := b.Payments.Create(ctx, in)
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
}

func (b *builder) changePayment(ctx context.Context, what string, id int, in service.PaymentUpdate) error {
	_, err := b.step(ctx, what, func(ctx context.Context) (int, error) {
		_, err := b.Payments.Update(ctx, id, in)
		return id, err
	})
	return err
}

func (b *builder) changeDeal(ctx context.Context, what string, id int, in service.DealUpdate) error {
	_, err := b.step(ctx, what, func(ctx context.Context) (int, error) {
		_, err := b.Deals.Update(ctx, id, in)
		return id, err
	})
	return err
}

func (b *builder) label(ctx context.Context, merchant, label string) error {
	_, err := b.step(ctx, "label "+label, func(ctx context.Context) (int, error) {
		in := service.MerchantInput{MerchantStatusID: some(b.lists.labels[label])}
		_, err := b.Merchants.Update(ctx, b.merchants[merchant], in)
		return b.merchants[merchant], err
	})
	return err
}

// payments are those of a deal.
func (b *builder) payments(ctx context.Context, dealID int) ([]*ent.Payment, error) {
	row, err := b.Deals.Get(b.as(ctx, requestPrefix), dealID, "payments")
	if err != nil {
		return nil, err
	}
	return row.Edges.Payments, nil
}

func dollars(n int) money.Amount { return money.Cents(int64(n) * 100) }

func some[T any](v T) service.Opt[T] { return service.Some(v) }

// text is a given string, or nothing where it is empty.
func text(s string) service.Opt[string] {
	if s == "" {
		return service.Opt[string]{}
	}
	return some(s)
}
