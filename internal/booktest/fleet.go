package booktest

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	"paydown/ent/bouncecode"
	"paydown/ent/outboxevent"
	"paydown/internal/apptest"
)

// Fleet is a desk whose calls go to every process of the installation in turn: two replicas on PostgreSQL, one
// process on SQLite.
type Fleet struct {
	*Desk
	Processes []*apptest.Client
}

// Fleets runs a test on both databases.
func Fleets(t *testing.T, test func(t *testing.T, f *Fleet)) {
	t.Helper()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		f := &Fleet{Desk: OpenDesk(t, a, "fleet.test")}
		f.Processes = []*apptest.Client{f.Client}
		if a.Store.IsPostgres() {
			replica := a.Replica(t)
			replica.Clock.Set(Monday)
			f.Processes = append(f.Processes, replica.As(f.Host, f.Token))
		}
		test(t, f)
	})
}

// Behavior is a test on a shared fleet.
type Behavior struct {
	Name string
	Test func(t *testing.T, f *Fleet)
}

// Run runs one test after the other; after all of them the records must agree.
func (f *Fleet) Run(t *testing.T, behaviors []Behavior) {
	t.Helper()
	for _, b := range behaviors {
		t.Run(b.Name, func(t *testing.T) { b.Test(t, f) })
	}
	f.CheckBooks(t)
}

// Call is a request; its body may be nil.
type Call struct {
	Method, Path string
	Body         any
	Key          string // Idempotency-Key; "" sends none
}

// Patches are n equal calls.
func Patches(n int, path string, body apptest.Object) []Call {
	return slices.Repeat([]Call{{Method: "PATCH", Path: path, Body: body}}, n)
}

// AtOnce makes calls at the same moment and returns their responses. None may be a server error.
func (f *Fleet) AtOnce(t *testing.T, calls ...Call) []*apptest.Answer {
	t.Helper()
	answers, errs := make([]*apptest.Answer, len(calls)), make([]error, len(calls))
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	ready.Add(len(calls))
	for i, c := range calls {
		by := f.Processes[i%len(f.Processes)]
		if c.Key != "" {
			by = by.With("Idempotency-Key", c.Key)
		}
		done.Go(func() {
			ready.Done()
			<-start
			answers[i], errs[i] = by.Try(c.Method, c.Path, c.Body)
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
	for i, c := range calls {
		if errs[i] != nil {
			t.Fatalf("%s %s: %v", c.Method, c.Path, errs[i])
		}
		if answers[i].Status >= 500 {
			t.Errorf("%s %s: %d %s", c.Method, c.Path, answers[i].Status, answers[i].Body)
		}
	}
	return answers
}

// Tally counts answers by their status.
func Tally(answers []*apptest.Answer) map[int]int {
	counts := map[int]int{}
	for _, a := range answers {
		counts[a.Status]++
	}
	return counts
}

// AllAre checks that every response has the status.
func AllAre(t *testing.T, answers []*apptest.Answer, status int) {
	t.Helper()
	for _, a := range answers {
		if a.Status != status {
			t.Errorf("status %d, want %d: %s", a.Status, status, a.Body)
		}
	}
}

// EventsAbout returns the payloads of the events about a record, in order.
func (f *Fleet) EventsAbout(t *testing.T, event, entity string, id int) []string {
	t.Helper()
	ctx, read := f.Inside(t)
	var payloads []string
	for _, e := range read.OutboxEvent.Query().Order(outboxevent.ByID()).
		Where(outboxevent.Event(event), outboxevent.Entity(entity), outboxevent.EntityID(id)).AllX(ctx) {
		payloads = append(payloads, Canonical(t, e.Data))
	}
	return payloads
}

// Fundable creates a merchant with a deal of n daily payments of 100.00, in PREFUNDED.
func (f *Fleet) Fundable(t *testing.T, n int, more apptest.Object) apptest.Object {
	t.Helper()
	merchant := f.Post(t, "/merchants", apptest.Object{"legalName": "Harbor Street Bakery LLC"}).In("merchant")
	terms := apptest.Object{
		"merchantId": merchant.ID(), "paybackAmount": fmt.Sprintf("%d.00", 100*n), "factorRate": "1.25",
		"numberOfPayments": n, "collectionFrequency": "DAILY",
	}
	maps.Copy(terms, more)
	deal := f.Post(t, "/deals", terms).In("deal")
	for _, state := range []string{"SUBMITTED", "PREFUNDED"} {
		deal = f.Patch(t, At("deals", deal), apptest.Object{"state": state}).In("deal")
	}
	return deal
}

// Funded is a fundable deal that is FUNDED.
func (f *Fleet) Funded(t *testing.T, n int, more apptest.Object) apptest.Object {
	t.Helper()
	return f.Patch(t, At("deals", f.Fundable(t, n, more)), apptest.Object{"state": "FUNDED"}).In("deal")
}

// Code returns a return code's id.
func (f *Fleet) Code(t *testing.T, code string) int {
	t.Helper()
	ctx, read := f.Inside(t)
	return read.BounceCode.Query().Where(bouncecode.Code(code)).OnlyIDX(ctx)
}
