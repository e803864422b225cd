package e2e

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"paydown/ent/outboxevent"
	"paydown/internal/apptest"
)

// fleet is a desk whose calls go to every process of the installation in turn: two replicas on PostgreSQL, one
// process on SQLite.
type fleet struct {
	*desk
	processes []*apptest.Client
}

// fleets runs a test on both databases.
func fleets(t *testing.T, test func(t *testing.T, f *fleet)) {
	t.Helper()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		f := &fleet{desk: openDesk(t, a, "fleet.test")}
		f.processes = []*apptest.Client{f.Client}
		if a.Store.IsPostgres() {
			replica := a.Replica(t)
			replica.Clock.Set(monday)
			f.processes = append(f.processes, replica.As(f.Host, f.Token))
		}
		test(t, f)
	})
}

// behaviour is a test on a shared fleet.
type behaviour struct {
	name string
	test func(t *testing.T, f *fleet)
}

// run runs one test after the other; after all of them the records must agree.
func (f *fleet) run(t *testing.T, behaviours []behaviour) {
	t.Helper()
	for _, b := range behaviours {
		t.Run(b.name, func(t *testing.T) { b.test(t, f) })
	}
	f.checkBooks(t)
}

// call is a request; its body may be nil.
type call struct {
	method, path string
	body         any
	key          string // Idempotency-Key; "" sends none
}

// patches are n equal calls.
func patches(n int, path string, body object) []call {
	return slices.Repeat([]call{{method: "PATCH", path: path, body: body}}, n)
}

// atOnce makes calls at the same moment and returns their responses. None may be a server error.
func (f *fleet) atOnce(t *testing.T, calls ...call) []*apptest.Answer {
	t.Helper()
	answers, errs := make([]*apptest.Answer, len(calls)), make([]error, len(calls))
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	ready.Add(len(calls))
	for i, c := range calls {
		by := f.processes[i%len(f.processes)]
		if c.key != "" {
			by = by.With("Idempotency-Key", c.key)
		}
		done.Go(func() {
			ready.Done()
			<-start
			answers[i], errs[i] = by.Try(c.method, c.path, c.body)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	for i, c := range calls {
		if errs[i] != nil {
			t.Fatalf("%s %s: %v", c.method, c.path, errs[i])
		}
		if answers[i].Status >= 500 {
			t.Errorf("%s %s: %d %s", c.method, c.path, answers[i].Status, answers[i].Body)
		}
	}
	return answers
}

// tally counts answers by their status.
func tally(answers []*apptest.Answer) map[int]int {
	counts := map[int]int{}
	for _, a := range answers {
		counts[a.Status]++
	}
	return counts
}

// allAre checks that every response has the status.
func allAre(t *testing.T, answers []*apptest.Answer, status int) {
	t.Helper()
	for _, a := range answers {
		if a.Status != status {
			t.Errorf("status %d, want %d: %s", a.Status, status, a.Body)
		}
	}
}

// eventsAbout returns the payloads of the events about a record, in order.
func (f *fleet) eventsAbout(t *testing.T, event, entity string, id int) []string {
	t.Helper()
	ctx, read := f.inside(t)
	var payloads []string
	for _, e := range read.OutboxEvent.Query().Order(outboxevent.ByID()).
		Where(outboxevent.Event(event), outboxevent.Entity(entity), outboxevent.EntityID(id)).AllX(ctx) {
		payloads = append(payloads, canonical(t, e.Data))
	}
	return payloads
}

// fundable creates a merchant with a deal of n daily payments of 100.00, in PREFUNDED.
func (f *fleet) fundable(t *testing.T, n int, more object) object {
	t.Helper()
	merchant := f.Post(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC"}).In("merchant")
	terms := object{
		"merchantId": merchant.ID(), "paybackAmount": fmt.Sprintf("%d.00", 100*n), "factorRate": "1.25",
		"numberOfPayments": n, "collectionFrequency": "DAILY",
	}
	maps.Copy(terms, more)
	deal := f.Post(t, "/deals", terms).In("deal")
	for _, state := range []string{"SUBMITTED", "PREFUNDED"} {
		deal = f.Patch(t, at("deals", deal), object{"state": state}).In("deal")
	}
	return deal
}

// funded is a fundable deal that is FUNDED.
func (f *fleet) funded(t *testing.T, n int, more object) object {
	t.Helper()
	return f.Patch(t, at("deals", f.fundable(t, n, more)), object{"state": "FUNDED"}).In("deal")
}
