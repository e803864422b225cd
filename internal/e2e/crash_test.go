package e2e

import (
	"bytes"
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// The program is killed at a random moment under load, and restarted. Everything acknowledged is present with
// all that belongs to it, and every request may be repeated: it is answered as before, or done once.
func TestCrashUnderLoad(t *testing.T) {
	t.Parallel()
	cycles, most := apptest.Length(1, 3), apptest.Length[int64](60, 200)
	seed := apptest.Length(1, rand.Uint64())
	installations(t, func(t *testing.T, i *installation) {
		t.Logf("seed %d", seed)
		dice := rand.New(rand.NewPCG(seed, 0))
		var all []*attempt
		server := i.serve(t)
		for cycle := range cycles {
			l := prepare(t, server.Client, string(rune('a'+cycle)), dice.Uint64())
			sent := l.run(t, server.Client, 40+dice.Int64N(most), server.kill)
			i.verified(t)
			server = i.serve(t)
			i.look(t, func(ctx context.Context, read *ent.Client) { found(t, take(ctx, read), sent) })
			repeat(t, server.Client, sent, false)
			all = append(all, sent...)
		}
		var before, after *stock
		i.look(t, func(ctx context.Context, read *ent.Client) { before = take(ctx, read) })
		repeat(t, server.Client, all, true)
		i.look(t, func(ctx context.Context, read *ent.Client) { after = take(ctx, read) })
		if booktest.Text(t, before.sizes) != booktest.Text(t, after.sizes) {
			t.Errorf("repeated requests made records: %v, before %v", after.sizes, before.sizes)
		}
		for _, a := range all {
			if n := after.named[a.entity()+" "+a.name]; n != 1 {
				t.Errorf("%s %s has %d records", a.method, a.name, n)
			}
		}
		i.verified(t)
	})
}

// found checks that all acknowledged writes are in stock: the record, its audit entry and its event.
func found(t *testing.T, s *stock, sent []*attempt) {
	t.Helper()
	acknowledged := 0
	for _, a := range sent {
		if !a.acknowledged() {
			continue
		}
		acknowledged++
		id := a.record(t).ID()
		if s.named[a.entity()+" "+a.name] != 1 {
			t.Errorf("%s %s was acknowledged, and is not there", a.method, a.name)
		}
		verb := map[string]string{http.MethodPost: ".create", http.MethodPatch: ".update"}[a.method]
		want := trace{a.entity() + verb, id}
		if got := s.audit[a.answer.Header.Get("X-Request-Id")]; len(got) == 0 || got[0] != want {
			t.Errorf("%s %s has the audit entries %v, want %v", a.method, a.name, got, want)
		}
		event := a.entity() + ".created"
		if a.entity() == "payment" {
			event = "payment.paid"
		}
		if told := s.events[trace{event, id}]; told != 1 && (a.entity() != "payment" || a.pays()) {
			t.Errorf("%s %s was told %d times", a.method, a.name, told)
		}
	}
	if acknowledged == 0 || acknowledged == len(sent) {
		t.Errorf("%d of %d writes were acknowledged: the program was not killed under load", acknowledged, len(sent))
	}
}

// repeat sends every request again. An answered one gets the same answer, an unanswered one is done now; if all
// were answered before, none is done.
func repeat(t *testing.T, c *apptest.Client, sent []*attempt, answeredBefore bool) {
	t.Helper()
	var done sync.WaitGroup
	for w := range writers {
		done.Go(func() {
			for n := w; n < len(sent); n += writers {
				a := sent[n]
				again, err := a.send(c)
				switch {
				case err != nil:
					t.Errorf("%s %s: %v", a.method, a.name, err)
				case again.Status >= 300:
					t.Errorf("%s %s: %d %s", a.method, a.name, again.Status, again.Body)
				case a.method == http.MethodPost && (a.answer != nil || answeredBefore):
					if again.Header.Get("Idempotency-Replayed") != "true" || !bytes.Equal(again.Body, a.answer.Body) {
						t.Errorf("%s %s is answered\n%s, was\n%s", a.method, a.name, again.Body, a.answer.Body)
					}
				default:
					a.answer = again
				}
			}
		})
	}
	done.Wait()
}

// trace is an action on a record, or an event about it.
type trace struct {
	what string
	id   int
}

// stock is the content of a database.
type stock struct {
	sizes  map[string]int
	named  map[string]int     // records by "lead NAME"
	audit  map[string][]trace // by request id
	events map[trace]int
}

func take(ctx context.Context, read *ent.Client) *stock {
	s := &stock{sizes: map[string]int{}, named: map[string]int{}, audit: map[string][]trace{}, events: map[trace]int{}}
	for _, l := range read.Lead.Query().AllX(ctx) {
		s.named["lead "+l.BusinessName]++
	}
	for _, m := range read.Merchant.Query().AllX(ctx) {
		s.named["merchant "+m.LegalName]++
	}
	for _, d := range read.Deal.Query().AllX(ctx) {
		if d.ReferenceID != nil {
			s.named["deal "+*d.ReferenceID]++
		}
	}
	for _, p := range read.Payment.Query().AllX(ctx) {
		if p.ReferenceID != nil {
			s.named["payment "+*p.ReferenceID]++
		}
	}
	for _, e := range read.AuditEntry.Query().Order(auditentry.ByID()).AllX(ctx) {
		s.audit[e.RequestID] = append(s.audit[e.RequestID], trace{e.Action, e.EntityID})
	}
	for _, e := range read.OutboxEvent.Query().AllX(ctx) {
		s.events[trace{e.Event, e.EntityID}]++
	}
	s.sizes["leads"] = read.Lead.Query().CountX(ctx)
	s.sizes["merchants"] = read.Merchant.Query().CountX(ctx)
	s.sizes["deals"] = read.Deal.Query().CountX(ctx)
	s.sizes["payments"] = read.Payment.Query().CountX(ctx)
	s.sizes["audit"] = read.AuditEntry.Query().CountX(ctx)
	s.sizes["events"] = read.OutboxEvent.Query().CountX(ctx)
	s.sizes["postings"] = read.Posting.Query().CountX(ctx)
	s.sizes["answers"] = read.IdempotencyRecord.Query().CountX(ctx)
	return s
}
