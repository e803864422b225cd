package booktest

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/bouncecode"
	entposting "paydown/ent/posting"
	"paydown/internal/apptest"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/store"
)

// Desk uses the API as one tenant, and records what its writes must have left behind.
type Desk struct {
	*apptest.Client
	App    *apptest.App
	key    int
	writes []written
	events []told
}

// Monday is when the clock of a desk starts: ten in the morning in New York.
var Monday = time.Date(2026, time.January, 5, 15, 0, 0, 0, time.UTC)

// OpenDesk creates a company, and a key of it with every scope.
func OpenDesk(t *testing.T, a *apptest.App, host string) *Desk {
	t.Helper()
	a.Clock.Set(Monday)
	d := &Desk{Client: a.Client(t, host), App: a}
	d.key = d.Get(t, "/whoami").Int("keyId")
	return d
}

// Inside reads the tenant's records as an operator.
func (d *Desk) Inside(t *testing.T) (context.Context, *ent.Client) {
	t.Helper()
	return d.App.Operator(t, d.Host), d.App.Store.Reader()
}

// Write writes through the store what no operation can.
func (d *Desk) Write(t *testing.T, work func(context.Context, *store.Tx) error) {
	t.Helper()
	if err := d.App.Store.Write(d.App.Operator(t, d.Host), work); err != nil {
		t.Fatal(err)
	}
}

// Create posts a record and returns it.
func (d *Desk) Create(t *testing.T, path string, body apptest.Object) apptest.Object {
	t.Helper()
	answer := d.Do(t, http.MethodPost, path, body)
	row := answer.Want(t, http.StatusCreated).In(Singular(path))
	d.wrote(answer, "create", path, row.ID())
	return row
}

// Change patches a record, which must change, and returns it.
func (d *Desk) Change(t *testing.T, path string, body apptest.Object) apptest.Object {
	t.Helper()
	answer := d.Do(t, http.MethodPatch, path, body)
	row := answer.Want(t, http.StatusOK).In(Singular(path))
	d.wrote(answer, "update", path, row.ID())
	return row
}

// Idle patches a record with its present values, which must have no effect.
func (d *Desk) Idle(t *testing.T, path string, body apptest.Object) {
	t.Helper()
	before := d.Get(t, path)
	answered := d.Patch(t, path, body).In(Singular(path))["updatedAt"]
	if after := d.Get(t, path); Text(t, after) != Text(t, before) || answered != before.In(Singular(path))["updatedAt"] {
		t.Fatalf("PATCH %s %s changed the record", path, Text(t, body))
	}
}

// Remove deletes a record.
func (d *Desk) Remove(t *testing.T, path string) {
	t.Helper()
	id := d.Get(t, path).In(Singular(path)).ID()
	answer := d.Do(t, http.MethodDelete, path, nil)
	if got := answer.Want(t, http.StatusOK); got["deleted"] != true || got.ID() != id {
		t.Fatalf("DELETE %s answered %s", path, answer.Body)
	}
	d.wrote(answer, "delete", path, id)
	d.Do(t, http.MethodGet, path, nil).Problem(t, http.StatusNotFound, "not_found")
}

// Refused makes a call that must be a conflict about exactly the given paths.
func (d *Desk) Refused(t *testing.T, method, path string, body apptest.Object, about ...string) {
	t.Helper()
	var sent any
	if body != nil {
		sent = body
	}
	messages := d.Do(t, method, path, sent).Problem(t, http.StatusConflict, "conflict")
	for _, p := range about {
		if messages[p] == "" {
			t.Errorf("%s %s %s: no detail about %s in %v", method, path, Text(t, body), p, messages)
		}
	}
	if len(messages) != len(about) {
		t.Errorf("%s %s %s: details are %v, want those about %v", method, path, Text(t, body), messages, about)
	}
}

// Move moves a deal to a state and records the expected event.
func (d *Desk) Move(t *testing.T, deal apptest.Object, to string) apptest.Object {
	t.Helper()
	from := d.Get(t, At("deals", deal)).In("deal").Text("state")
	moved := d.Change(t, At("deals", deal), apptest.Object{"state": to})
	if moved.Text("state") != to {
		t.Fatalf("the deal is %s, want %s", moved.Text("state"), to)
	}
	d.MovedBy(t, deal, from, to, "API")
	return moved
}

// MovedBy records the expected move of a deal and its trigger.
func (d *Desk) MovedBy(t *testing.T, deal apptest.Object, from, to, trigger string) {
	t.Helper()
	d.Tells(t, "deal.state_changed", apptest.Object{
		"dealId": deal.ID(), "dealNumber": deal.Text("dealNumber"), "from": from, "to": to, "trigger": trigger,
	})
}

// Pay marks a payment PAID and records the expected event.
func (d *Desk) Pay(t *testing.T, p apptest.Object) apptest.Object {
	t.Helper()
	paid := d.Change(t, At("payments", p), apptest.Object{"status": "PAID"})
	d.paid(t, paid)
	return paid
}

// Collect records a payment that is already PAID.
func (d *Desk) Collect(t *testing.T, deal apptest.Object, kind, amount string, more apptest.Object) apptest.Object {
	t.Helper()
	body := apptest.Object{"dealId": deal.ID(), "type": kind, "amount": amount, "status": "PAID"}
	maps.Copy(body, more)
	p := d.Create(t, "/payments", body)
	d.paid(t, p)
	return p
}

func (d *Desk) paid(t *testing.T, p apptest.Object) {
	t.Helper()
	if p.Text("status") != "PAID" || p.Text("clearedDate") == "" {
		t.Fatalf("the payment is not paid: %v", p)
	}
	d.Tells(t, "payment.paid", apptest.Object{
		"paymentId": p.ID(), "dealId": p.Int("dealId"), "amount": p.Text("amount"), "source": "API",
	})
}

// Bounce returns a payment with a Nacha return code, or without one if it is "".
func (d *Desk) Bounce(t *testing.T, p apptest.Object, code string) apptest.Object {
	t.Helper()
	body := apptest.Object{"status": "BOUNCED"}
	event := apptest.Object{
		"paymentId": p.ID(), "dealId": p.Int("dealId"), "amount": p.Text("amount"), "returnCode": nil, "reason": nil,
	}
	if code != "" {
		ctx, read := d.Inside(t)
		row := read.BounceCode.Query().Where(bouncecode.Code(code)).OnlyX(ctx)
		body["bounceCodeId"] = row.ID
		event["returnCode"], event["reason"] = row.Code, row.Title
	}
	bounced := d.Change(t, At("payments", p), body)
	if bounced.Text("returnedAt") == "" || bounced.Text("clearedDate") != "" {
		t.Fatalf("the payment is not returned: %v", bounced)
	}
	d.Tells(t, "payment.bounced", event)
	return bounced
}

// PaymentsOf are all payments of a deal, in order.
func (d *Desk) PaymentsOf(t *testing.T, deal apptest.Object, filter string) []apptest.Object {
	t.Helper()
	var all []apptest.Object
	for path := fmt.Sprintf("/payments?limit=200&dealId=%d%s", deal.ID(), filter); ; {
		list := d.Get(t, path)
		all = append(all, list.List("payments")...)
		if list["hasMore"] == false {
			return all
		}
		path = fmt.Sprintf("/payments?limit=200&dealId=%d%s&cursor=%s", deal.ID(), filter, list.Text("nextCursor"))
	}
}

// CheckBooks checks that the trial balance is zero, that each deal's balance by payments equals its balance by
// the ledger, and that the records agree.
func (d *Desk) CheckBooks(t *testing.T) {
	t.Helper()
	ctx, read := d.Inside(t)
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
	Verify(t, d.App)
}

// balance returns what a deal owes according to the API: its payback less what was paid against it.
func (d *Desk) balance(t *testing.T, deal apptest.Object) money.Amount {
	t.Helper()
	var owed money.Amount
	if deal.Text("fundedAt") != "" {
		owed = money.Must(deal.Text("paybackAmount"))
	}
	for _, p := range d.PaymentsOf(t, deal, "&status=PAID") {
		if payment.Type(p.Text("type")).ReducesReceivable() {
			owed = owed.Sub(money.Must(p.Text("amount")))
		}
	}
	return owed
}

// Owes checks what a deal owes, by its payments.
func (d *Desk) Owes(t *testing.T, deal apptest.Object, want string) {
	t.Helper()
	if got := d.balance(t, d.Get(t, At("deals", deal)).In("deal")); got.String() != want {
		t.Errorf("%s owes %s, want %s", deal.Text("dealNumber"), got, want)
	}
}
