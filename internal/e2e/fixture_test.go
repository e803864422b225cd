package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/ent/bouncecode"
	"paydown/ent/outboxevent"
	entposting "paydown/ent/posting"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// object is the JSON object of most requests.
type object = apptest.Object

// desk uses the API as one tenant, and records what its writes must have left behind.
type desk struct {
	*apptest.Client
	a      *apptest.App
	key    int
	writes []written
	events []told
}

// written is a write that changed something.
type written struct{ requestID, action, entity, id string }

// told is an event with its payload.
type told struct{ event, data string }

// monday is when the clock of a desk starts: ten in the morning in New York.
var monday = time.Date(2026, time.January, 5, 15, 0, 0, 0, time.UTC)

func openDesk(t *testing.T, a *apptest.App, host string) *desk {
	t.Helper()
	a.Clock.Set(monday)
	d := &desk{Client: a.Client(t, host), a: a}
	d.key = d.Get(t, "/whoami").Int("keyId")
	return d
}

// inside reads the tenant's records as an operator.
func (d *desk) inside(t *testing.T) (context.Context, *ent.Client) {
	t.Helper()
	return d.a.Operator(t, d.Host), d.a.Store.Reader()
}

// create posts a record and returns it.
func (d *desk) create(t *testing.T, path string, body object) object {
	t.Helper()
	answer := d.Do(t, http.MethodPost, path, body)
	row := answer.Want(t, http.StatusCreated).In(singular(path))
	d.wrote(answer, "create", path, row.ID())
	return row
}

// change patches a record, which must change, and returns it.
func (d *desk) change(t *testing.T, path string, body object) object {
	t.Helper()
	answer := d.Do(t, http.MethodPatch, path, body)
	row := answer.Want(t, http.StatusOK).In(singular(path))
	d.wrote(answer, "update", path, row.ID())
	return row
}

// idle patches a record with its present values, which must have no effect.
func (d *desk) idle(t *testing.T, path string, body object) {
	t.Helper()
	before := d.Get(t, path)
	answered := d.Patch(t, path, body).In(singular(path))["updatedAt"]
	if after := d.Get(t, path); text(t, after) != text(t, before) || answered != before.In(singular(path))["updatedAt"] {
		t.Fatalf("PATCH %s %s changed the record", path, text(t, body))
	}
}

// remove deletes a record.
func (d *desk) remove(t *testing.T, path string) {
	t.Helper()
	id := d.Get(t, path).In(singular(path)).ID()
	answer := d.Do(t, http.MethodDelete, path, nil)
	if got := answer.Want(t, http.StatusOK); got["deleted"] != true || got.ID() != id {
		t.Fatalf("DELETE %s answered %s", path, answer.Body)
	}
	d.wrote(answer, "delete", path, id)
	d.Do(t, http.MethodGet, path, nil).Problem(t, http.StatusNotFound, "not_found")
}

// refused makes a call that must be a conflict about exactly the given paths.
func (d *desk) refused(t *testing.T, method, path string, body object, about ...string) {
	t.Helper()
	var sent any
	if body != nil {
		sent = body
	}
	messages := d.Do(t, method, path, sent).Problem(t, http.StatusConflict, "conflict")
	for _, p := range about {
		if messages[p] == "" {
			t.Errorf("%s %s %s: no detail about %s in %v", method, path, text(t, body), p, messages)
		}
	}
	if len(messages) != len(about) {
		t.Errorf("%s %s %s: details are %v, want those about %v", method, path, text(t, body), messages, about)
	}
}

// move moves a deal to a state and records the expected event.
func (d *desk) move(t *testing.T, deal object, to string) object {
	t.Helper()
	from := d.Get(t, at("deals", deal)).In("deal").Text("state")
	moved := d.change(t, at("deals", deal), object{"state": to})
	if moved.Text("state") != to {
		t.Fatalf("the deal is %s, want %s", moved.Text("state"), to)
	}
	d.movedBy(t, deal, from, to, "API")
	return moved
}

// movedBy records the expected move of a deal and its trigger.
func (d *desk) movedBy(t *testing.T, deal object, from, to, trigger string) {
	t.Helper()
	d.tells(t, "deal.state_changed", object{
		"dealId": deal.ID(), "dealNumber": deal.Text("dealNumber"), "from": from, "to": to, "trigger": trigger,
	})
}

// pay marks a payment PAID and records the expected event.
func (d *desk) pay(t *testing.T, p object) object {
	t.Helper()
	paid := d.change(t, at("payments", p), object{"status": "PAID"})
	d.paid(t, paid)
	return paid
}

// collect records a payment that is already PAID.
func (d *desk) collect(t *testing.T, deal object, kind, amount string, more object) object {
	t.Helper()
	body := object{"dealId": deal.ID(), "type": kind, "amount": amount, "status": "PAID"}
	maps.Copy(body, more)
	p := d.create(t, "/payments", body)
	d.paid(t, p)
	return p
}

func (d *desk) paid(t *testing.T, p object) {
	t.Helper()
	if p.Text("status") != "PAID" || p.Text("clearedDate") == "" {
		t.Fatalf("the payment is not paid: %v", p)
	}
	d.tells(t, "payment.paid", object{
		"paymentId": p.ID(), "dealId": p.Int("dealId"), "amount": p.Text("amount"), "source": "API",
	})
}

// bounce returns a payment with a Nacha return code, or without one if it is "".
func (d *desk) bounce(t *testing.T, p object, code string) object {
	t.Helper()
	body := object{"status": "BOUNCED"}
	event := object{
		"paymentId": p.ID(), "dealId": p.Int("dealId"), "amount": p.Text("amount"), "returnCode": nil, "reason": nil,
	}
	if code != "" {
		ctx, read := d.inside(t)
		row := read.BounceCode.Query().Where(bouncecode.Code(code)).OnlyX(ctx)
		body["bounceCodeId"] = row.ID
		event["returnCode"], event["reason"] = row.Code, row.Title
	}
	bounced := d.change(t, at("payments", p), body)
	if bounced.Text("returnedAt") == "" || bounced.Text("clearedDate") != "" {
		t.Fatalf("the payment is not returned: %v", bounced)
	}
	d.tells(t, "payment.bounced", event)
	return bounced
}

// paymentsOf are all payments of a deal, in order.
func (d *desk) paymentsOf(t *testing.T, deal object, filter string) []object {
	t.Helper()
	var all []object
	for path := fmt.Sprintf("/payments?limit=200&dealId=%d%s", deal.ID(), filter); ; {
		list := d.Get(t, path)
		all = append(all, list.List("payments")...)
		if list["hasMore"] == false {
			return all
		}
		path = fmt.Sprintf("/payments?limit=200&dealId=%d%s&cursor=%s", deal.ID(), filter, list.Text("nextCursor"))
	}
}

// wrote records a write that left an audit entry.
func (d *desk) wrote(answer *apptest.Answer, verb, path string, id int) {
	entity := singular(path)
	d.writes = append(d.writes, written{
		answer.Header.Get("X-Request-Id"), entity + "." + verb, entity, fmt.Sprint(id),
	})
}

// tells records an event that must be in the outbox.
func (d *desk) tells(t *testing.T, event string, data object) {
	t.Helper()
	d.events = append(d.events, told{event, text(t, data)})
}

// checkTrail compares the audit trail and the outbox with the writes that were made: one entry for each,
// followed by those of its consequences, none for a write without effect or a refused one, and the events in
// order.
func (d *desk) checkTrail(t *testing.T) {
	t.Helper()
	ctx, read := d.inside(t)
	var entries []written
	seen := map[string]bool{}
	byREST := read.AuditEntry.Query().Where(auditentry.Surface(string(auth.REST))).Order(auditentry.ByID())
	for _, e := range byREST.AllX(ctx) {
		if !seen[e.RequestID] {
			entries = append(entries, written{e.RequestID, e.Action, e.Entity, fmt.Sprint(e.EntityID)})
		}
		seen[e.RequestID] = true
		if e.ActorKind != string(auth.ByKey) || e.ActorID == nil || *e.ActorID != d.key || e.ActorName != "test" {
			t.Errorf("%s was done by %s %v %s", e.Action, e.ActorKind, e.ActorID, e.ActorName)
		}
		checkSides(t, e)
	}
	sameList(t, "audit entry", entries, d.writes)
	var events []told
	for _, e := range read.OutboxEvent.Query().Order(outboxevent.ByID()).AllX(ctx) {
		events = append(events, told{e.Event, canonical(t, e.Data)})
		if e.Version != 1 || e.OccurredAt.Before(monday) {
			t.Errorf("%s has version %d and occurred at %s", e.Event, e.Version, e.OccurredAt)
		}
	}
	sameList(t, "event", events, d.events)
}

// checkSides checks that an entry shows the record before and after, if it existed.
func checkSides(t *testing.T, e *ent.AuditEntry) {
	t.Helper()
	_, verb, _ := strings.Cut(e.Action, ".")
	if (len(e.Before) > 0) != (verb != "create") || (len(e.After) > 0) != (verb != "delete") {
		t.Errorf("%s of %s %d: before %s, after %s", e.Action, e.Entity, e.EntityID, e.Before, e.After)
	}
	if string(e.Before) == string(e.After) {
		t.Errorf("%s of %s %d changed nothing: %s", e.Action, e.Entity, e.EntityID, e.After)
	}
	for _, side := range []json.RawMessage{e.Before, e.After} {
		var record struct{ ID int }
		if len(side) > 0 && (json.Unmarshal(side, &record) != nil || record.ID != e.EntityID) {
			t.Errorf("%s of %s %d shows another record: %s", e.Action, e.Entity, e.EntityID, side)
		}
	}
}

// checkBooks checks that the trial balance is zero, that each deal's balance by payments equals its balance by
// the ledger, and that the records agree.
func (d *desk) checkBooks(t *testing.T) {
	t.Helper()
	ctx, read := d.inside(t)
	owed := map[int]money.Amount{}
	all := ledger.Balances{}
	for _, p := range read.Posting.Query().Order(entposting.ByID()).AllX(ctx) {
		key := ledger.Key{Account: ledger.Account(p.Account)}
		all[key] = all[key].Add(p.Amount)
		if key.Account == ledger.Receivable || key.Account == ledger.UnappliedCash {
			owed[*p.DealID] = owed[*p.DealID].Add(p.Amount)
		}
	}
	var debits, credits money.Amount
	for _, row := range all.Trial() {
		debits, credits = debits.Add(row.Debit), credits.Add(row.Credit)
	}
	if !debits.Equal(credits) || debits.IsZero() {
		t.Errorf("the trial balance has debits of %s and credits of %s", debits, credits)
	}
	for _, deal := range d.Get(t, "/deals?limit=200").List("deals") {
		if want := d.balance(t, deal); !want.Equal(owed[deal.ID()]) {
			t.Errorf("%s owes %s by its payments and %s by the ledger", deal.Text("dealNumber"), want, owed[deal.ID()])
		}
	}
	verify(t, d.a)
}

// balance returns what a deal owes according to the API: its payback less what was paid against it.
func (d *desk) balance(t *testing.T, deal object) money.Amount {
	t.Helper()
	var owed money.Amount
	if deal.Text("fundedAt") != "" {
		owed = money.Must(deal.Text("paybackAmount"))
	}
	for _, p := range d.paymentsOf(t, deal, "&status=PAID") {
		if payment.Type(p.Text("type")).ReducesReceivable() {
			owed = owed.Sub(money.Must(p.Text("amount")))
		}
	}
	return owed
}

// verify requires every integrity check to pass.
func verify(t *testing.T, a *apptest.App) {
	t.Helper()
	report, err := a.Integrity.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range report.Checks {
		if !check.OK {
			t.Errorf("%s: %s", check.Name, check.Detail)
		}
	}
}

// at is the path of a record.
func at(collection string, record object) string {
	return fmt.Sprintf("/%s/%d", collection, record.ID())
}

// singular is the key of a record in its collection: lead of /leads/7.
func singular(path string) string {
	collection, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	return strings.TrimSuffix(collection, "s")
}

// text is a value as JSON with its names in order.
func text(t *testing.T, value any) string {
	t.Helper()
	raw, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func canonical(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var value any
	if err := json.Unmarshal(raw, &value); err != nil {
		t.Fatal(err)
	}
	return text(t, value)
}

// sameList requires two lists to be equal, and shows the first difference.
func sameList[E comparable](t *testing.T, what string, got, want []E) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Fatalf("%s %d of %d is missing: %v", what, i+1, len(want), want[i])
		case i >= len(want):
			t.Fatalf("%s %d is one too many: %v", what, i+1, got[i])
		case got[i] != want[i]:
			t.Fatalf("%s %d is\n%v, want\n%v", what, i+1, got[i], want[i])
		}
	}
}
