package graph_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"paydown/ent/auditentry"
	"paydown/ent/outboxevent"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// company is a company with a deal for offers.
type company struct {
	*apptest.Client
	app              *apptest.App
	deal, submission string
}

func newCompany(t *testing.T, a *apptest.App, host string) *company {
	t.Helper()
	d := &company{Client: a.Client(t, host), app: a}
	d.deal, d.submission = d.open(t)
	return d
}

// open creates a deal, priced and submitted, and returns it with its submission to the house funder.
func (d *company) open(t *testing.T) (deal, submission string) {
	t.Helper()
	merchant := made(t, d.Client, "/merchants", "merchant", apptest.Object{"legalName": "Harbor Street Bakery LLC"})
	row := made(t, d.Client, "/deals", "deal", apptest.Object{
		"merchantId": merchant.ID(), "fundedAmount": "40000.00", "factorRate": "1.30", "numberOfPayments": 120,
		"collectionFrequency": "DAILY",
	})
	d.Patch(t, fmt.Sprintf("/deals/%d", row.ID()), apptest.Object{"state": "SUBMITTED"})
	deal = fmt.Sprint(row.ID())
	found := d.Graph(t, "{ deal(id: "+deal+") { submissions { nodes { id } } } }", nil).In("deal")
	return deal, found.In("submissions").List("nodes")[0].Text("id")
}

const offerFields = ` { id state fundedAmount paybackAmount factorRate
	termDays bankFeePercent expiresAt shareToken counterAccepted acceptedAt } `

// mutate runs a mutation that returns an offer.
func (d *company) mutate(t *testing.T, call string) apptest.Object {
	t.Helper()
	data := d.Graph(t, "mutation { it: "+call+offerFields+"}", nil)
	return data.In("it")
}

// refused runs a mutation that is refused, and returns the messages of its details by path.
func (d *company) refused(t *testing.T, call, code string) map[string]string {
	t.Helper()
	return d.Ask(t, "mutation { it: "+call+" { id } }", nil).Refused(t, code)
}

// sent makes an offer on an open submission.
func (d *company) sent(t *testing.T, submission, terms string) apptest.Object {
	t.Helper()
	draft := d.mutate(t, "createApproval(input: {submissionId: "+submission+", "+terms+"})")
	return d.mutate(t, "sendOffer(id: "+draft.Text("id")+")")
}

func (d *company) stateOf(t *testing.T, offer apptest.Object) string {
	t.Helper()
	return d.Graph(t, "{ approval(id: "+offer.Text("id")+") { state } }", nil).In("approval").Text("state")
}

// step returns the code of a submission's status.
func (d *company) step(t *testing.T, submission string) string {
	t.Helper()
	return d.Graph(t, "{ submission(id: "+submission+") { status { code } } }", nil).
		In("submission").
		In("status").
		Text("code")
}

func TestOfferLifecycle(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "offers.test")
		draft := d.mutate(t, "createApproval(input: {submissionId: "+d.submission+`, fundedAmount: "50000.00"})`)
		id := draft.Text("id")
		if draft.Text("state") != "DRAFT" || draft["shareToken"] != nil {
			t.Errorf("%v", draft)
		}
		if messages := d.refused(t, "sendOffer(id: "+id+")", "conflict"); messages["factorRate"] == "" ||
			messages["fundedAmount"] != "" {
			t.Errorf("an offer without a price: %v", messages)
		}
		d.refused(t, "acceptOffer(id: "+id+")", "conflict")
		priced := d.mutate(t, "updateApproval(id: "+id+`, input: {factorRate: "1.25", bankFeePercent: "3.00"})`)
		if priced.Text("paybackAmount") != "62500.00" {
			t.Errorf("%v", priced)
		}
		update := "updateApproval(id: " + id + `, input: {factorRate: "9", termDays: 0})`
		if messages := d.refused(t, update, "validation_error"); len(messages) != 2 {
			t.Errorf("%v", messages)
		}
		other := d.sent(t, d.submission, `fundedAmount: "45000.00", factorRate: "1.30"`)
		sent := d.mutate(t, "sendOffer(id: "+id+")")
		if sent.Text("state") != "SENT" || !auth.IsSecretToken(sent.Text("shareToken")) ||
			d.step(t, d.submission) != "OFFER_RECEIVED" {
			t.Errorf("%v at %s", sent, d.step(t, d.submission))
		}
		if again := d.mutate(t, "sendOffer(id: "+id+")"); again.Text("shareToken") != sent.Text("shareToken") {
			t.Errorf("sent again: %v", again)
		}
		d.refused(t, "updateApproval(id: "+id+`, input: {termDays: 90})`, "conflict")

		accepted := d.mutate(t, "acceptOffer(id: "+id+")")
		if accepted.Text("state") != "ACCEPTED" || accepted.Text("acceptedAt") == "" {
			t.Errorf("%v", accepted)
		}
		if again := d.mutate(t, "acceptOffer(id: "+id+")"); again.Text("acceptedAt") != accepted.Text("acceptedAt") {
			t.Errorf("accepted again: %v", again)
		}
		if d.stateOf(t, other) != "VOID" || d.step(t, d.submission) != "ACCEPTED" {
			t.Errorf("the other is %s, the submission at %s", d.stateOf(t, other), d.step(t, d.submission))
		}
		terms := d.Get(t, "/deals/"+d.deal).In("deal")
		for field, want := range map[string]any{
			"fundedAmount": "50000.00", "factorRate": "1.25", "paybackAmount": "62500.00", "bankFeeBasis": "PERCENT_OF_FUNDED",
			"bankFeeValue": "3.00", "paymentAmount": "520.84", "numberOfPayments": 120.0,
		} {
			if terms[field] != want {
				t.Errorf("the deal's %s is %v, want %v", field, terms[field], want)
			}
		}
		ctx := a.Operator(t, d.Host)
		moved, err := a.Store.Reader().OutboxEvent.Query().Where(outboxevent.Event("submission.status_changed")).Count(ctx)
		if err != nil || moved != 2 {
			t.Errorf("%d events: %v", moved, err)
		}
		trail, err := a.Store.Reader().AuditEntry.Query().Where(auditentry.Action("approval.accept")).Only(ctx)
		if err != nil || trail.DealID == nil || fmt.Sprint(*trail.DealID) != d.deal {
			t.Errorf("%v %v", trail, err)
		}
	})
}

// The deal's payment terms are replaced if they conflict with the offer.
func TestAcceptedOfferSetsPayments(t *testing.T) {
	a := apptest.OnSQLite(t)
	d := newCompany(t, a, "payments.test")
	d.Patch(t, "/deals/"+d.deal, apptest.Object{"paymentAmount": "433.34", "numberOfPayments": 120})
	offer := d.sent(t, d.submission, `fundedAmount: "50000.00", factorRate: "1.30", termDays: 180`)
	d.mutate(t, "acceptOffer(id: "+offer.Text("id")+")")
	terms := d.Get(t, "/deals/"+d.deal).In("deal")
	if terms.Text("paybackAmount") != "65000.00" || terms.Int("termDays") != 180 || terms.Int("numberOfPayments") < 100 ||
		terms.Text("paymentAmount") == "433.34" {
		t.Errorf("%v", terms)
	}
	d.Patch(t, "/deals/"+d.deal, apptest.Object{"epoFactorRate": "1.28", "epoWindowDays": 30})
	low := d.sent(t, d.submission, `fundedAmount: "50000.00", factorRate: "1.20"`)
	if messages := d.refused(t, "acceptOffer(id: "+low.Text("id")+")", "conflict"); messages["epoFactorRate"] == "" {
		t.Errorf("%v", messages)
	}
	if d.stateOf(t, low) != "SENT" || d.stateOf(t, offer) != "ACCEPTED" {
		t.Errorf("what was refused has left something: %s, %s", d.stateOf(t, low), d.stateOf(t, offer))
	}
}

func TestCounterIsResolved(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "counters.test")
		offer := d.sent(t, d.submission, `fundedAmount: "50000.00", factorRate: "1.30", termDays: 180`)
		id := offer.Text("id")
		beyond := "counterOffer(id: " + id + `, input: {counterFactor: "0.50", counterTermDays: 200})`
		if messages := d.refused(t, beyond, "validation_error"); messages["counterFactor"] == "" {
			t.Errorf("%v", messages)
		}
		d.refused(t, "counterOffer(id: "+id+", input: {})", "validation_error")
		counter := "counterOffer(id: " + id + `, input: {counterAmount: "60000.00", counterNote: "We need a second oven."})`
		if got := d.mutate(t, counter); got.Text("state") != "COUNTERED" || got.Text("shareToken") == "" {
			t.Errorf("%v", got)
		}
		d.mutate(t, counter)
		d.refused(t, "counterOffer(id: "+id+`, input: {counterAmount: "70000.00"})`, "conflict")
		d.refused(t, "acceptOffer(id: "+id+")", "conflict")

		back := d.mutate(t, "resolveCounter(id: "+id+", accept: false)")
		if back.Text("state") != "SENT" || back["counterAccepted"] != false ||
			back.Text("shareToken") != offer.Text("shareToken") {
			t.Errorf("%v", back)
		}
		d.mutate(t, "resolveCounter(id: "+id+", accept: false)")
		d.mutate(t, "counterOffer(id: "+id+`, input: {counterFactor: "1.25", counterBankFeePercent: "2.00"})`)
		next := d.mutate(t, "resolveCounter(id: "+id+", accept: true)")
		for field, want := range map[string]any{
			"state": "SENT", "fundedAmount": "50000.00", "factorRate": "1.25", "paybackAmount": "62500.00", "termDays": 180.0,
			"bankFeePercent": "2.00",
		} {
			if next[field] != want {
				t.Errorf("the new offer's %s is %v, want %v", field, next[field], want)
			}
		}
		first := d.Graph(t, "{ approval(id: "+id+")"+offerFields+"}", nil).In("approval")
		if first.Text("state") != "VOID" || first["counterAccepted"] != true || first["shareToken"] != nil ||
			next.Text("shareToken") == offer.Text("shareToken") {
			t.Errorf("the offer that was countered: %v", first)
		}
		d.refused(t, "resolveCounter(id: "+id+", accept: true)", "conflict")
		declined := d.mutate(t, "declineOffer(id: "+next.Text("id")+")")
		if declined.Text("state") != "DECLINED" || declined["shareToken"] != nil {
			t.Errorf("%v", declined)
		}
	})
}

func TestOverdueOfferShowsAsExpired(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "expiry.test")
		offer := d.sent(t, d.submission, `fundedAmount: "50000.00", factorRate: "1.30"`)
		token := offer.Text("shareToken")
		holder := holderOf(t, a, d.Host)
		if _, err := a.Offers.ByToken(holder, token); err != nil {
			t.Fatal(err)
		}
		a.AdvanceAll(14*24*time.Hour - time.Minute)
		if d.stateOf(t, offer) != "SENT" {
			t.Errorf("a minute early it is %s", d.stateOf(t, offer))
		}
		a.AdvanceAll(2 * time.Minute)
		if d.stateOf(t, offer) != "EXPIRED" {
			t.Errorf("it is %s", d.stateOf(t, offer))
		}
		d.refused(t, "acceptOffer(id: "+offer.Text("id")+")", "conflict")
		d.refused(t, "counterOffer(id: "+offer.Text("id")+`, input: {counterAmount: "1.00"})`, "conflict")
		if _, err := a.Offers.ByToken(holder, token); !fault.Is(err, fault.NotFound) {
			t.Errorf("the page: %v", err)
		}
		late := d.sent(t, d.submission, `fundedAmount: "50000.00", factorRate: "1.30"`)
		if n, err := a.Approvals.Expire(context.Background()); err != nil || n != 1 {
			t.Errorf("%d expired: %v", n, err)
		}
		if n, err := a.Approvals.Expire(context.Background()); err != nil || n != 0 {
			t.Errorf("%d expired once more: %v", n, err)
		}
		row, err := a.Store.Reader().Approval.Get(a.Operator(t, d.Host), number(t, offer.Text("id")))
		if err != nil || row.State != "EXPIRED" || len(row.ShareToken) > 0 {
			t.Errorf("stored is %v: %v", row, err)
		}
		if d.stateOf(t, late) != "SENT" {
			t.Errorf("another is %s", d.stateOf(t, late))
		}
	})
}

func TestConcurrentAcceptancesAcceptOneOffer(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "race.test")
		offers := []apptest.Object{
			d.sent(t, d.submission, `fundedAmount: "50000.00", factorRate: "1.30"`),
			d.sent(t, d.submission, `fundedAmount: "60000.00", factorRate: "1.20"`),
		}
		ctx := a.Operator(t, d.Host)
		errs := make([]error, len(offers))
		var both sync.WaitGroup
		for i, o := range offers {
			both.Go(func() { _, errs[i] = a.Approvals.Accept(ctx, number(t, o.Text("id"))) })
		}
		both.Wait()
		won := -1
		for i, err := range errs {
			switch {
			case err == nil && won < 0:
				won = i
			case !fault.Is(err, fault.Conflict):
				t.Errorf("%v", errs)
			}
		}
		if won < 0 {
			t.Fatalf("nobody won: %v", errs)
		}
		winner, loser := offers[won], offers[1-won] //nolint:gosec // there are two
		if d.stateOf(t, winner) != "ACCEPTED" || d.stateOf(t, loser) != "VOID" {
			t.Errorf("%s and %s", d.stateOf(t, winner), d.stateOf(t, loser))
		}
		if terms := d.Get(t, "/deals/"+d.deal).In("deal"); terms.Text("fundedAmount") != winner.Text("fundedAmount") {
			t.Errorf("%v", terms)
		}
	})
}

func TestOfferIsNotAcceptedAfterTermsFreeze(t *testing.T) {
	a := apptest.OnSQLite(t)
	d := newCompany(t, a, "frozen.test")
	taken := d.sent(t, d.submission, `fundedAmount: "40000.00", factorRate: "1.30"`)
	d.mutate(t, "acceptOffer(id: "+taken.Text("id")+")")
	later := d.sent(t, d.submission, `fundedAmount: "45000.00", factorRate: "1.30"`)
	d.Patch(t, "/deals/"+d.deal, apptest.Object{"state": "PREFUNDED"})
	d.refused(t, "acceptOffer(id: "+later.Text("id")+")", "conflict")
	d.refused(t, "withdrawOffer(id: "+taken.Text("id")+")", "conflict")
	d.refused(t, "createApproval(input: {submissionId: "+d.submission+"})", "conflict")
	d.Patch(t, "/deals/"+d.deal, apptest.Object{"state": "FUNDED"})
	if d.stateOf(t, later) != "VOID" || d.stateOf(t, taken) != "ACCEPTED" || d.step(t, d.submission) != "FUNDED" {
		t.Errorf("%s, %s, at %s", d.stateOf(t, later), d.stateOf(t, taken), d.step(t, d.submission))
	}

	deal, submission := d.open(t)
	open := d.sent(t, submission, `fundedAmount: "40000.00", factorRate: "1.30"`)
	d.Patch(t, "/deals/"+deal, apptest.Object{"state": "WITHDRAWN"})
	if d.stateOf(t, open) != "VOID" {
		t.Errorf("of a deal that was withdrawn the offer is %s", d.stateOf(t, open))
	}
}

// byName accepts an offer in somebody's name.
var byName = service.OfferAcceptance{Name: service.Some("Ada Marsh"), From: "192.0.2.7"}

// holderOf returns the context of a visitor of a company's public page.
func holderOf(t *testing.T, a *apptest.App, host string) context.Context {
	t.Helper()
	tenant, err := a.Tenants.ByHost(context.Background(), host)
	if err != nil {
		t.Fatal(err)
	}
	return auth.AsOfferHolder(context.Background(), tenant.ID, tenant.Zone, "page")
}

func TestMerchantRespondsWithShareToken(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "page.test")
		a.Tenant(t, "elsewhere.test")
		offer := d.sent(t, d.submission, `fundedAmount: "50000.00", factorRate: "1.30"`)
		token, holder := offer.Text("shareToken"), holderOf(t, a, d.Host)
		elsewhere := holderOf(t, a, "elsewhere.test")
		for name, try := range map[string]func() error{
			"another company's host": func() error { _, err := a.Offers.ByToken(elsewhere, token); return err },
			"a token of nobody": func() error {
				_, err := a.Offers.AcceptByToken(holder, auth.NewSecretToken(), byName)
				return err
			},
			"no token": func() error {
				_, err := a.Offers.DeclineByToken(holder, "x", service.OfferRefusal{})
				return err
			},
		} {
			if err := try(); !fault.Is(err, fault.NotFound) || fault.As(err).Message != "No such offer." {
				t.Errorf("%s: %v", name, err)
			}
		}
		if _, err := a.Approvals.Accept(holder, number(t, offer.Text("id"))); !fault.Is(err, fault.Forbidden) {
			t.Errorf("a holder does as staff do: %v", err)
		}
		seen, err := a.Offers.ByToken(holder, token)
		if err != nil || seen.Merchant != "Harbor Street Bakery LLC" || seen.Funder != "" ||
			seen.PaybackAmount.String() != "65000.00" {
			t.Fatalf("%+v %v", seen, err)
		}
		asked := service.CounterInput{CounterTermDays: service.Some(200)}
		if seen, err = a.Offers.CounterByToken(holder, token, asked); err != nil || seen.State != "COUNTERED" {
			t.Fatalf("%+v %v", seen, err)
		}
		d.mutate(t, "resolveCounter(id: "+offer.Text("id")+", accept: false)")
		for range 2 {
			if seen, err = a.Offers.AcceptByToken(holder, token, byName); err != nil || seen.State != "ACCEPTED" {
				t.Fatalf("%+v %v", seen, err)
			}
		}
		trail, err := a.Store.Reader().
			AuditEntry.Query().
			Where(auditentry.Action("approval.accept")).
			Only(a.Operator(t, d.Host))
		if err != nil || trail.ActorKind != "MERCHANT" || trail.Surface != "OFFER_PAGE" {
			t.Errorf("%v %v", trail, err)
		}
		d.mutate(t, "withdrawOffer(id: "+offer.Text("id")+")")
		if _, err := a.Offers.ByToken(holder, token); !fault.Is(err, fault.NotFound) {
			t.Errorf("after it was withdrawn: %v", err)
		}
		frozen := d.sent(t, d.submission, `fundedAmount: "40000.00", factorRate: "1.30"`)
		d.Patch(t, "/deals/"+d.deal, apptest.Object{"state": "PREFUNDED"})
		if _, err := a.Offers.AcceptByToken(holder, frozen.Text("shareToken"), byName); !fault.Is(err, fault.Conflict) ||
			len(fault.As(err).Details) > 0 {
			t.Errorf("%v", err)
		}
	})
}

func TestReadersSeeNoShareToken(t *testing.T) {
	a := apptest.OnSQLite(t)
	d := newCompany(t, a, "tokens.test")
	d.sent(t, d.submission, `fundedAmount: "50000.00", factorRate: "1.30"`)
	query := "{ approvals { nodes { id shareToken } } }"
	reader := a.As(d.Host, a.Key(t, d.Host, "*:read").Token)
	reader.Ask(t, query, nil).Refused(t, "forbidden")
	tester := a.As(
		d.Host,
		a.NewKey(t, d.Host, service.NewKey{Name: "test", Kind: auth.Test, Scopes: []string{"submissions:write"}}).Token,
	)
	if answer := tester.Ask(t, query, nil); len(answer.Errors) != 1 {
		t.Errorf("a test key sees the tokens of production: %v", answer.Data)
	}
}
